package lsp

import (
	"context"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

// lenses answers textDocument/codeLens: above an item, its published version and what publishing the
// draft would do.
func (q *query) lenses(ctx context.Context, _ documentParams) (any, error) {
	if !q.isItem() {
		return []codeLens{}, nil
	}
	if err := q.wait(ctx, versions); err != nil {
		return nil, err
	}
	at := q.units.rangeOf(q.text, q.idSpan())
	return []codeLens{{Range: at, Command: command{Title: q.publicationState()}}}, nil
}

// idSpan is the position of the lens of an item: its id, or the beginning of the file.
func (q *query) idSpan() span {
	if n := q.outline().root.child(q.file.Kind.ID); n != nil {
		return n.name
	}
	return span{}
}

// publicationState describes the published version of the item and what publishing the draft
// would do.
func (q *query) publicationState() string {
	it := q.publishedItem(q.file.Item())
	switch {
	case q.view.published == nil:
		return q.tongue.say(saysUnseen)
	case !q.file.OK():
		return q.invalidDraft(it)
	}
	next, err := q.nextPublication(q.file)
	switch {
	case err != nil:
		return q.tongue.say(saysNew, err)
	case next.Class == change.None:
		return q.currentVersion()
	case next.Old == nil:
		return q.tongue.say(saysFirst, next.Tag.Version)
	}
	return q.tongue.say(saysNext, next.Old, next.Tag.Version, next.Class)
}

// invalidDraft describes a draft that breaks the rules.
func (q *query) invalidDraft(it *content.Item) string {
	r := content.Report{Findings: q.findings}
	errors := i18n.Count{N: r.Count(content.Error), Noun: "error"}
	if it != nil {
		if p := change.Published(it, false); p != nil {
			return q.tongue.say(saysBroken, p.Version, errors)
		}
	}
	return q.tongue.say(saysNew, errors)
}

// currentVersion describes the published version of the item, with its status if that is not
// current.
func (q *query) currentVersion() string {
	it := q.publishedItem(q.file.Item())
	e := it.Current
	if e == nil {
		e = it.Entries[0]
	}
	if e.Status == content.Current {
		return q.tongue.say(saysPublished, e.Version)
	}
	return q.tongue.say(saysStatus, e.Version, q.status(e.Status))
}

// nextPublication returns what publishing a file would do, like the commands status and
// publish.
func (v *view) nextPublication(f check.File) (change.PlannedTag, error) {
	it := v.publishedItem(f.Item())
	if it == nil {
		it = &content.Item{Kind: f.Kind, Name: f.Name}
	}
	text := content.Written{Object: f.Body, Refers: f.References}
	draft := &content.Publication{Kind: f.Kind, Name: f.Name, Draft: true, Text: text}
	var spent []*semver.Version
	if v.published != nil {
		spent = v.published.Spent[f.Item()]
	}
	return change.Publish(v.schemas, it, draft, change.Ask{}, spent)
}

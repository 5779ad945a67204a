package lsp

import (
	"context"
	"encoding/json"

	"github.com/Masterminds/semver/v3"
	"go.lsp.dev/protocol"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

// CodeLens implements protocol.Server: above an item, what is published of it, what the
// draft would become, and who refers to it.
func (s *server) CodeLens(ctx context.Context, p *protocol.CodeLensParams) ([]protocol.CodeLens, error) {
	q, err := s.ask(ctx, p.TextDocument.URI)
	if err != nil {
		return nil, absent(err)
	}
	if !q.isItem() {
		return []protocol.CodeLens{}, nil
	}
	if err := q.wait(ctx, versions); err != nil {
		return nil, err
	}
	at := q.units.rangeOf(q.text, q.head())
	return []protocol.CodeLens{
		{Range: at, Command: protocol.Command{Title: q.fate()}},
		{Range: at, Command: q.callers()},
	}, nil
}

// head is where the lenses of an item are: above its id, or else at the beginning.
func (q *query) head() span {
	if n := q.outline().root.child(q.file.Kind.ID); n != nil {
		return n.name
	}
	return span{}
}

// fate says what is published of the item, and what its draft would become.
func (q *query) fate() string {
	it := q.publishedItem(q.file.Item())
	switch {
	case q.view.published == nil:
		return q.tongue.say(saysUnseen)
	case !q.file.OK():
		return q.unfit(it)
	}
	next, err := q.next(q.file)
	switch {
	case err != nil:
		return q.tongue.say(saysNew, err)
	case next.Class == change.None:
		return q.standing()
	case next.Old == nil:
		return q.tongue.say(saysFirst, next.Tag.Version)
	}
	return q.tongue.say(saysNext, next.Old, next.Tag.Version, next.Class)
}

// unfit is about a draft that breaks the rules.
func (q *query) unfit(it *content.Item) string {
	r := content.Report{Findings: q.findings}
	errors := i18n.Count{N: r.Count(content.Error), Noun: "error"}
	if it != nil {
		if p := change.Published(it, false); p != nil {
			return q.tongue.say(saysBroken, p.Version, errors)
		}
	}
	return q.tongue.say(saysNew, errors)
}

// standing says which version of the item is published, and its status unless that is
// the usual one.
func (q *query) standing() string {
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

// next says what publishing a file would do, as status and publish say it.
func (v *view) next(f check.File) (change.Publication, error) {
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

// callers says who refers to the item; a click shows them.
func (q *query) callers() protocol.Command {
	n := len(q.referrers(q.file.Item()))
	c := protocol.Command{Title: q.tongue.references(n)}
	if n > 0 {
		document, _ := json.Marshal(q.uriOf(q.entry))
		item, _ := json.Marshal(q.file.Item())
		c.Command, c.Arguments = showReferences, []protocol.LSPAny{document, item}
	}
	return c
}

package lsp

import (
	"slices"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

type command struct {
	Title   string `json:"title"`
	Command string `json:"command"`
}

type codeLens struct {
	Range   textRange `json:"range"`
	Command command   `json:"command"`
}

// lenses answers textDocument/codeLens: above an item, its published version and what publishing the
// draft would do.
func (s *server) lenses(d *document, _ params) any {
	in := d.folder.current()
	i := slices.IndexFunc(in.tree.Items, func(f check.File) bool { return f.Path() == d.path })
	if i < 0 {
		return []codeLens{}
	}
	return []codeLens{{Command: command{Title: s.nextVersion(in, in.tree.Items[i])}}}
}

// nextVersion describes the published version of an item and what publishing its file would do.
func (s *server) nextVersion(in *state, f check.File) string {
	it := in.publishedItem(f.Item())
	if it == nil {
		it = &content.Item{Kind: f.Kind, Name: f.Name}
	}
	if in.published == nil {
		return s.say("what is published cannot be seen")
	}
	if !f.OK() {
		report := content.Report{Findings: f.Findings}
		errors := i18n.Count{N: report.Count(content.Error), Noun: "error"}
		if p := change.Published(it, false); p != nil {
			return s.say("v%s, the draft cannot be published: %s", p.Version, errors)
		}
		return s.say("a draft that cannot be published: %s", errors)
	}
	draft := &content.Publication{
		Kind: f.Kind, Name: f.Name, Draft: true, Text: content.Written{Object: f.Body, Refers: f.References},
	}
	next, err := change.Publish(s.Schemas, it, draft, change.Ask{}, in.published.Spent[f.Item()])
	switch {
	case err != nil:
		return s.say("a draft that cannot be published: %s", err)
	case next.Class == change.None:
		return s.publishedVersion(in, f.Item())
	case next.Old == nil:
		return s.say("not published yet → v%s", next.Tag.Version)
	}
	return s.say("v%s → v%s: %s", next.Old, next.Tag.Version, next.Class)
}

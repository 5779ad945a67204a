package lsp

import (
	"context"
	"slices"

	"github.com/Masterminds/semver/v3"

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
func (s *server) lenses(ctx context.Context, d *document, _ params) any {
	in := d.folder.current(ctx)
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
		return s.tongue.say(saysUnseen)
	}
	if !f.OK() {
		report := content.Report{Findings: f.Findings}
		errors := i18n.Count{N: report.Count(content.Error), Noun: "error"}
		if p := change.Published(it, false); p != nil {
			return s.tongue.say(saysBroken, p.Version, errors)
		}
		return s.tongue.say(saysNew, errors)
	}
	draft := &content.Publication{
		Kind: f.Kind, Name: f.Name, Draft: true, Text: content.Written{Object: f.Body, Refers: f.References},
	}
	next, err := change.Publish(s.Schemas, it, draft, change.Ask{}, spent(in, f))
	switch {
	case err != nil:
		return s.tongue.say(saysNew, err)
	case next.Class == change.None:
		return s.publishedVersion(in, f.Item())
	case next.Old == nil:
		return s.tongue.say(saysFirst, next.Tag.Version)
	}
	return s.tongue.say(saysNext, next.Old, next.Tag.Version, next.Class)
}

// spent lists the versions of an item that cannot be used again.
func spent(in *state, f check.File) []*semver.Version { return in.published.Spent[f.Item()] }

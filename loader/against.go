package loader

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/worktree"
)

// Against checks the tree against the published content: removed items, changed ids, and marks
// for unknown versions.
func (t *Tree) Against(s *content.Snapshot) {
	t.Findings = append(t.Findings, t.checkMarks(s)...)
	t.Findings = append(t.Findings, t.LostRedactions(redacted(s))...)
	here := map[string]check.File{}
	for _, f := range t.Items {
		here[f.Item()] = f
	}
	t.published = s
	t.Published = func(item string) bool { return s.ItemByID(item) != nil || len(s.Spent[item]) > 0 }
	for _, it := range s.Items {
		last := it.Entries[0]
		f, ok := here[it.ID()]
		switch {
		case !ok && !t.placed[it.Kind.File(it.Name)] && !content.Withdrawn(t.Marks, it.ID()):
			t.Findings = append(t.Findings, removed(it.Kind.File(it.Name)))
		case ok && f.OK() && f.Body.Text(it.Kind.ID) != last.ID():
			t.Findings = append(t.Findings, otherID(it.Kind, it.Name, f.Body.Text(it.Kind.ID), last.ID(), last.Version))
		}
		if ok && f.OK() {
			t.Findings = append(t.Findings, t.firstDay(f, s.Known(it))...)
		}
	}
}

// firstDay asks about a first day that is later than that of the version which then goes on
// answering for the days before it: a correction does not want that. It is a warning where the value
// stays the same, so that nothing but the day can have changed.
func (t *Tree) firstDay(f check.File, known []*content.Entry) []content.Finding {
	i := slices.IndexFunc(known, func(e *content.Entry) bool {
		return !slices.ContainsFunc(t.Marks, func(m content.Mark) bool {
			return m.Item == f.Item() && m.Version == e.Version.String() &&
				(m.Status == content.Archived || m.Status == content.Redacted)
		})
	})
	from := f.Body.Text("valid_from")
	if i < 0 || f.Body.Get("periods") != nil {
		return nil
	}
	older := known[i].Body()
	if days := content.Validity(older); days.From >= from || days.To != "" && days.To < from {
		return nil
	}
	found := finding(f.Path(), say("first-day", "moved", args{
		"from": from, "item": f.Item(), "version": known[i].Version,
	}))
	found.Line, found.Column = f.Position("valid_from")
	value := f.Body.Get("value")
	if value == nil || !bytes.Equal(value, older.Get("value")) || f.Body.Text("unit") != older.Text("unit") {
		found.Severity = content.Note
	}
	return []content.Finding{found}
}

// checkMarks reports marks without an effect on their items.
func (t *Tree) checkMarks(s *content.Snapshot) (found []content.Finding) {
	if len(t.Marks) == 0 {
		return nil
	}
	doc, _ := check.Parse(content.LifecycleFile, t.Raw[content.LifecycleFile])
	for i, m := range t.Marks {
		if s.ItemByID(m.Item) == nil && len(s.Spent[m.Item]) == 0 {
			continue // found by the review, if the tree has none either
		}
		for _, f := range whyIneffective(s, m) {
			f.Line, f.Column = doc.Position("marks", fmt.Sprint(i))
			found = append(found, f)
		}
	}
	return check.Capped(found)
}

// tolerate turns errors of rules with a day into warnings in files whose content is published:
// it is sealed and still served, and must not block other changes.
func (t *Tree) tolerate(found []content.Finding) {
	served := map[string]bool{}
	for i := range found {
		f := &found[i]
		if rule, _ := check.RuleOf(f.Rule); f.Severity != content.Error || rule.Since == "" {
			continue
		}
		is, known := served[f.Path]
		if !known {
			is = t.isServed(f.Path)
			served[f.Path] = is
		}
		if is {
			*f = stillServed(*f)
		}
	}
}

// isServed reports whether the file has the content of the newest published version of its
// item.
func (t *Tree) isServed(path string) bool {
	tag, ok := worktree.ItemAt(path)
	if !ok || t.published == nil {
		return false
	}
	it := t.published.Item(tag.Kind, tag.Name)
	if it == nil {
		return false
	}
	tag.Version = it.Entries[0].Version
	return t.hasContent(tag, it.Entries[0].Checksum)
}

// hasContent reports whether the file of an item has the content with a checksum.
func (t *Tree) hasContent(tag content.Tag, checksum string) bool {
	i := slices.IndexFunc(t.Items, func(f check.File) bool { return f.Kind == tag.Kind && f.Name == tag.Name })
	if i < 0 || t.Items[i].Body == nil {
		return false
	}
	sum, err := content.Checksum(content.Identified(tag.Kind, tag.Version, t.Items[i].Body))
	return err == nil && sum == checksum
}

// LostRedactions reports redactions of an earlier lifecycle.yaml that are not in the tree. A
// missing or invalid file restores nothing: the earlier one stays in force.
func (t *Tree) LostRedactions(before []content.Mark) (found []content.Finding) {
	if _, ok := t.Raw[content.LifecycleFile]; !ok || t.invalid(content.LifecycleFile) {
		return nil
	}
	for _, m := range before {
		if m.Status != content.Redacted || slices.ContainsFunc(t.Marks, func(now content.Mark) bool {
			return now.Status == content.Redacted && now.Item == m.Item &&
				(now.Version == "" || now.Version == m.Version)
		}) {
			continue
		}
		f := warning(content.LifecycleFile, say("brought-back", "redacted", args{"item": m.Subject()}))
		if f.Line, f.Column = 1, 1; !slices.Contains(t.Findings, f) {
			found = append(found, f)
		}
	}
	return found
}

// invalid reports whether a file has an error.
func (t *Tree) invalid(path string) bool {
	return slices.ContainsFunc(t.Findings, func(f content.Finding) bool {
		return f.Path == path && f.Severity == content.Error
	})
}

// redacted lists the redactions of a snapshot, by version.
func redacted(s *content.Snapshot) (marks []content.Mark) {
	for _, it := range s.Items {
		for _, e := range it.Entries {
			if e.Status == content.Redacted {
				marks = append(
					marks, content.Mark{Item: it.ID(), Version: e.Version.String(), Status: content.Redacted},
				)
			}
		}
	}
	return marks
}

// Snapshot returns the tree as if each of its items were published and current. Files with
// errors are left out. It is made without a history, so there are no dates, no changelog, and
// one version of each item.
func (t *Tree) Snapshot() *content.Snapshot {
	in := content.Input{
		Source: content.Source{Date: t.Today, Drafts: true}, Settings: content.Unsettled(), Marks: t.Marks,
	}
	if t.Settings != nil {
		in.Settings = *t.Settings
	}
	for _, f := range t.Items {
		if f.OK() {
			in.Publications = append(in.Publications, &content.Publication{
				Kind: f.Kind, Name: f.Name, Version: unpublished, Draft: true, Checksum: noChecksum,
				Text: content.Written{Object: f.Body, Refers: f.References},
			})
		}
	}
	return content.NewSnapshot(in)
}

// unpublished is the version of unpublished content.
var unpublished = semver.New(0, 0, 0, "0", "")

// noChecksum has the length of a checksum, so that responses have their final size.
var noChecksum = content.Algorithm + ":" + strings.Repeat("0", 64)

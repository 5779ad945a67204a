package main

import (
	"bufio"
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// comparison is the effect of a change on readers.
type comparison struct {
	Base     string              `json:"base"`     // what was asked for
	Commit   string              `json:"commit"`   // what it was compared with
	Ancestor bool                `json:"ancestor"` // that is the newest commit that both come from
	Class    change.Class        `json:"class"`    // the highest of the items'
	Items    []change.ItemChange `json:"items"`
	Marks    []markChange        `json:"marks"`
}

// markChange is a mark of lifecycle.yaml that came or went.
type markChange struct {
	What change.Verb `json:"what"`
	content.Mark
}

// compare checks the tree against the base.
func (v *validation) compare() (*comparison, error) {
	tip, err := v.repo.Resolve(v.base)
	if err != nil {
		return nil, v.unresolved(err)
	}
	c := &comparison{Base: v.base}
	commit, err := v.ancestor(c, tip)
	if err != nil {
		return nil, err
	}
	c.Commit = commit.String()
	before, err := loader.ReadCommit(v.config, v.repo, commit)
	if err != nil {
		return nil, i18n.Errorf("--base: %w", err)
	}
	c.Items = list(change.Compare(schemas.Embedded(), items(before), items(v.tree), v.snapshot))
	for _, i := range c.Items {
		c.Class = max(c.Class, i.Class)
	}
	for _, f := range v.tree.LostRedactions(before.Marks) {
		if v.isRequested(f) {
			v.result.Findings = append(v.result.Findings, f)
		}
	}
	c.Marks = list(markChanges(before.Marks, v.tree.Marks))
	return c, nil
}

// unresolved is the error for a missing base.
func (v *validation) unresolved(err error) error {
	if !v.repo.Cut() {
		return i18n.Errorf("--base: %w", err)
	}
	return i18n.Errorf(
		"--base: %w; the clone is shallow: fetch it, for example with `git fetch --depth=1 origin main`, and name it "+
			"FETCH_HEAD or origin/main",
		err,
	)
}

// ancestor finds the commit at which the change began. If a shallow history ends before it, it is
// the base itself, and changes by others since then appear reverted.
func (v *validation) ancestor(c *comparison, tip git.OID) (git.OID, error) {
	base, ok, err := v.repo.MergeBase(v.head, tip)
	if err != nil {
		return tip, err
	}
	if c.Ancestor = ok; ok {
		return base, nil
	}
	why := i18n.New("the two have no commit in common")
	if v.repo.Cut() {
		why = i18n.New("the clone is shallow")
	}
	v.unseen(
		"the commit that the change began from: %s, so it is compared with %s itself, and what was changed there "+
			"meanwhile looks undone",
		why, v.base,
	)
	return tip, nil
}

// items lists the items of a tree; those that break the rules have no body.
func items(t *loader.Tree) []change.Item {
	var all []change.Item
	for _, f := range t.Items {
		i := change.Item{Kind: f.Kind, Name: f.Name, Path: f.Path()}
		if f.OK() {
			i.Body, i.References = f.Body, f.References
		}
		all = append(all, i)
	}
	return all
}

func markChanges(before, after []content.Mark) (all []markChange) {
	for _, m := range after {
		if !slices.Contains(before, m) {
			all = append(all, markChange{change.Added, m})
		}
	}
	for _, m := range before {
		if !slices.Contains(after, m) {
			all = append(all, markChange{change.Removed, m})
		}
	}
	return all
}

// headline summarizes the change of an item in one line.
func headline(i change.ItemChange) i18n.Text {
	switch {
	case i.Unreadable:
		return i18n.New("what the change means cannot be said: the file breaks the rules, before or after")
	case i.What == change.Removed:
		return i18n.New("the file is gone; what is published goes on being served")
	case i.From != "":
		return i18n.New(
			"a new item%s; it says what %s said, which is gone: to readers an id never changes", nextVersion(i), i.From,
		)
	case i.What == change.Added && (i.Published == "" || i.Next == ""):
		return i18n.New("a new item%s", nextVersion(i))
	case i.What == change.Added:
		return i18n.New("the file is back%s", nextVersion(i))
	case i.Class == change.Breaking:
		return i18n.New("breaking change%s", nextVersion(i))
	}
	return i18n.New("%s%s", i.Class, nextVersion(i))
}

func nextVersion(i change.ItemChange) i18n.Text {
	switch {
	case i.Next == "" && i.Published != "":
		return i18n.New(", published as %s", i.Published)
	case i.Next == "":
		return i18n.Text{}
	case i.Published == "":
		return i18n.New(", to be published as %s", i.Next)
	}
	return i18n.New(", %s → at least %s", i.Published, i.Next)
}

// text writes the comparison for a person.
func (c *comparison) text(e *env, w *bufio.Writer, col colours) {
	e.printer.Fprintf(
		w, "\n%schanged since %s%s (%s)\n", col.bold, content.Printable(c.Base), col.off, content.ShortCommit(c.Commit),
	)
	if len(c.Items)+len(c.Marks) == 0 {
		e.printer.Fprintf(w, "  nothing that readers see\n")
	}
	for _, i := range c.Items {
		fmt.Fprintf(
			w, "\n%s%s%s: %s%s%s\n", col.bold, content.Printable(i.Item), col.off, col.colourOf(i.Class),
			e.localized(headline(i)), col.off,
		)
		for _, f := range i.Fields {
			fmt.Fprintf(
				w, "  %s %s: %s%s%s, %s\n", content.Printable(f.Path), e.printer.Sprint(f.What), col.colourOf(f.Class),
				e.printer.Sprint(f.Class), col.off, e.printer.Sprint(f.Why),
			)
			if f.Look.Doubt != "" {
				e.printer.Fprintf(w, "    look: %s\n", e.localized(f.Look))
			}
		}
		for _, r := range i.Referrers {
			e.printer.Fprintf(w, "  %s.yaml:%d:%d refers to it\n", content.Printable(r.Item), r.Line, r.Column)
		}
		for _, u := range i.Users {
			e.printer.Fprintf(w, "  %s.yaml still uses %s\n", content.Printable(u.Item), content.Printable(u.Code))
		}
	}
	for _, m := range c.Marks {
		e.printer.Fprintf(
			w, "\nmark %s: %s is %s since %s (%s)\n", m.What, content.Printable(markedItem(m.Mark)), m.Status,
			content.Printable(m.Since), content.Printable(m.Reason),
		)
	}
}

// colourOf returns the colour of a class.
func (c colours) colourOf(class change.Class) string {
	return [...]string{c.dim, c.blue, c.green, c.red}[class]
}

func markedItem(m content.Mark) string {
	if m.Version == "" {
		return m.Item
	}
	return m.Item + " " + m.Version
}

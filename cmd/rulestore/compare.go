package main

import (
	"bufio"
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// comparison is what a change does to those who read the content.
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

// compare holds the tree against the base.
func (v *validation) compare() (*comparison, error) {
	tip, err := v.repo.Resolve(v.base)
	if err != nil {
		return nil, fmt.Errorf("--base: %w%s", err, v.fetchHint())
	}
	c := &comparison{Base: v.base}
	commit, err := v.ancestor(c, tip)
	if err != nil {
		return nil, err
	}
	c.Commit = commit.String()
	before, err := loader.ReadCommit(schemas.Embedded(), v.repo, commit)
	if err != nil {
		return nil, fmt.Errorf("--base: %w", err)
	}
	c.Items = list(change.Compare(schemas.Embedded(), items(before), items(v.tree), v.snapshot))
	for _, i := range c.Items {
		c.Class = max(c.Class, i.Class)
	}
	for _, f := range v.tree.BroughtBack(before.Marks) {
		if v.asked(f) {
			v.result.Findings = append(v.result.Findings, f)
		}
	}
	c.Marks = list(markChanges(before.Marks, v.tree.Marks))
	return c, nil
}

func (v *validation) fetchHint() string {
	if !v.repo.Cut() {
		return ""
	}
	return "; the clone is shallow: fetch it, for example with `git fetch --depth=1 origin main`, and name it FETCH_HEAD or origin/main"
}

// ancestor finds what the change began from. Where the history is cut before it,
// the base itself has to do, and what others changed there since looks undone.
func (v *validation) ancestor(c *comparison, tip gitrepo.OID) (gitrepo.OID, error) {
	base, ok, err := v.repo.MergeBase(v.head, tip)
	if err != nil {
		return tip, err
	}
	if c.Ancestor = ok; ok {
		return base, nil
	}
	why := "the two have no commit in common"
	if v.repo.Cut() {
		why = "the clone is shallow"
	}
	v.result.Unseen = append(v.result.Unseen, fmt.Sprintf("the commit that the change began from: %s, so it is compared with %s itself, and what was changed there meanwhile looks undone", why, v.base))
	return tip, nil
}

// items lists the items of a tree; those that break the rules have no body.
func items(t *loader.Tree) []change.Item {
	var all []change.Item
	for _, f := range t.Items {
		i := change.Item{Kind: f.Kind, Name: f.Name}
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

// headline says in one line what a change does to an item.
func headline(i change.ItemChange) string {
	switch {
	case i.Unreadable:
		return "what the change means cannot be said: the file breaks the rules, before or after"
	case i.What == change.Removed:
		return "the file is gone; what is published goes on being served"
	case i.From != "":
		return "a new item" + next(i) + "; it says what " + i.From + " said, which is gone: to readers an id never changes"
	case i.What == change.Added && i.Published == "":
		return "a new item" + next(i)
	case i.What == change.Added && i.Next == "":
		return "a new item" + next(i)
	case i.What == change.Added:
		return "the file is back" + next(i)
	case i.Class == change.Breaking:
		return "breaking change" + next(i)
	}
	return i.Class.String() + next(i)
}

func next(i change.ItemChange) string {
	switch {
	case i.Next == "" && i.Published != "":
		return ", published as " + i.Published
	case i.Next == "":
		return ""
	case i.Published == "":
		return ", to be published as " + i.Next
	}
	return fmt.Sprintf(", %s → at least %s", i.Published, i.Next)
}

// text writes the comparison for a person.
func (c *comparison) text(w *bufio.Writer, col colours) {
	fmt.Fprintf(w, "\n%schanged since %s%s (%s)\n", col.bold, content.Printable(c.Base), col.off, short(c.Commit))
	if len(c.Items)+len(c.Marks) == 0 {
		fmt.Fprintln(w, "  nothing that readers see")
	}
	for _, i := range c.Items {
		fmt.Fprintf(w, "\n%s%s%s: %s%s%s\n", col.bold, content.Printable(i.Item), col.off, col.of(i.Class), content.Printable(headline(i)), col.off)
		for _, f := range i.Fields {
			fmt.Fprintf(w, "  %s %s: %s%s%s, %s\n", content.Printable(f.Path), f.What, col.of(f.Class), f.Class, col.off, f.Why)
			if len(f.Look) > 0 {
				fmt.Fprintf(w, "    look: %s\n", content.Printable(f.Look.String()))
			}
		}
		for _, r := range i.Referrers {
			fmt.Fprintf(w, "  %s.yaml:%d:%d refers to it\n", content.Printable(r.Item), r.Line, r.Column)
		}
		for _, u := range i.Users {
			fmt.Fprintf(w, "  %s.yaml still uses %s\n", content.Printable(u.Item), content.Printable(u.Code))
		}
	}
	for _, m := range c.Marks {
		fmt.Fprintf(w, "\nmark %s: %s is %s since %s (%s)\n", m.What, content.Printable(markedItem(m.Mark)), m.Status, content.Printable(m.Since), content.Printable(m.Reason))
	}
}

// of colours a class.
func (c colours) of(class change.Class) string {
	return [...]string{c.dim, c.blue, c.green, c.red}[class]
}

func markedItem(m content.Mark) string {
	if m.Version == "" {
		return m.Item
	}
	return m.Item + " " + m.Version
}

package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/author"
	"rulestore/schemas"
)

type diffFlags struct{ repo, ref, format string }

func newDiff(e *env) *cobra.Command {
	var f diffFlags
	c := newCommand("diff", 1, 3, func(ctx context.Context, args []string) error {
		return diff(ctx, e, f, args[0], args[1:])
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.ref, "ref", "", "")
	choiceVar(flags, &f.format, "format", "text", "text", "json")
	return c
}

// versionDiff is the result of diff.
type versionDiff struct {
	Item   string         `json:"item"`
	Old    string         `json:"old"`
	New    string         `json:"new"`
	Class  change.Class   `json:"class"`
	Fields []change.Field `json:"fields"`
}

func diff(ctx context.Context, e *env, f diffFlags, name string, versions []string) error {
	r, err := e.loadDrafts(ctx, f.repo, f.ref, nil)
	if err != nil {
		return err
	}
	it, err := author.Find(r.Snapshot, name)
	if err != nil {
		if draft := reportOmittedDraft(e, r.Report, name); draft != "" {
			return foundErrorf("there is nothing else of %s to compare", draft)
		}
		return err
	}
	left := ""
	if len(versions) < 2 || slices.Contains(versions, "draft") {
		left = reportOmittedDraft(e, r.Report, it.ID())
	}
	before, after, err := selectVersions(it, versions)
	switch {
	case err != nil && left != "":
		return foundErrorf("%s: %w", it.ID(), err)
	case err != nil:
		return i18n.Errorf("%s: %w", it.ID(), err)
	}
	d := versionDiff{Item: it.ID(), Old: before.Version.String(), New: after.Version.String()}
	fields, class := change.Of(schemas.Embedded(), it.Kind, it.Name, before.Body(), after.Body())
	d.Fields, d.Class = list(fields), class
	return e.print(f.format, outcome{text: d.text, document: func([]jsonFinding) any { return d }})
}

// reportOmittedDraft explains why a draft cannot be compared, if the load left it out, and returns its item.
func reportOmittedDraft(e *env, r content.Report, name string) string {
	draft, why := author.LeftOut(r, name)
	if draft == "" {
		return ""
	}
	e.printer.Fprintf(e.stderr, "rulestore: the draft of %s is left out:\n", content.Printable(draft))
	for _, f := range why {
		f.Tag = ""
		fmt.Fprintf(e.stderr, "\t%s\n", e.told(f))
	}
	return draft
}

// selectVersions chooses the two versions.
func selectVersions(it *content.Item, versions []string) (before, after *content.Entry, err error) {
	switch len(versions) {
	case 2:
		if before, err = findVersion(it, versions[0]); err == nil {
			after, err = findVersion(it, versions[1])
		}
		return before, after, err
	case 1:
		before, err = findVersion(it, versions[0])
		return before, it.Entries[0], err
	}
	after = it.Entries[0]
	if len(it.Entries) < 2 {
		return nil, nil, i18n.Errorf("it has one version only, there is nothing to compare it with")
	}
	return it.Entries[1], after, nil
}

// findVersion finds a version, with or without a v before it.
func findVersion(it *content.Item, name string) (*content.Entry, error) {
	var known []string
	for _, e := range it.Entries {
		if e.Version.String() == strings.TrimPrefix(name, "v") || e.Draft && name == "draft" {
			return e, nil
		}
		known = append(known, e.Version.String())
	}
	slices.Reverse(known)
	return nil, i18n.Errorf("there is no version %q: choose one of %s", name, strings.Join(known, ", "))
}

// text writes the difference for a person.
func (d versionDiff) text(p page) {
	p.line("%s %s → %s: %s", tinted{p.bold, d.Item}, d.Old, d.New, tinted{p.colourOf(d.Class), d.Class})
	if d.Class == change.None {
		p.line("the two say the same")
	}
	effort := change.NewEffort()
	for _, f := range d.Fields {
		p.line("")
		p.field(f, "", p.bold)
		if f.Prose() {
			p.words(f, effort)
			continue
		}
		p.value(p.red, "-", f.Old)
		p.value(p.green, "+", f.New)
	}
}

// comparison is the effect of a change on readers.
type comparison struct {
	comparedWith
	Class change.Class        `json:"class"` // the highest of the items'
	Items []change.ItemChange `json:"items"`
	Marks []markChange        `json:"marks"`
}

// comparedWith is what a change is compared with.
type comparedWith struct {
	Base     string `json:"base"`     // what was asked for
	Commit   string `json:"commit"`   // what it was compared with
	Ancestor bool   `json:"ancestor"` // that is the newest commit that both come from
}

// heading begins the comparison for a person.
func (o comparedWith) heading(p page) {
	p.line("\n%schanged since %s%s (%s)", raw(p.bold), o.Base, raw(p.off), content.ShortCommit(o.Commit))
}

// markChange is a mark of lifecycle.yaml that came or went.
type markChange struct {
	What change.Verb `json:"what"`
	content.Mark
}

// compare checks the tree against the base.
func (v *validation) compare() (*comparison, error) {
	from, before, err := v.origin()
	if err != nil {
		return nil, err
	}
	c := &comparison{comparedWith: from}
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

// origin finds the commit at which the change began, and reads its content. If a shallow history ends before
// it, it is the base itself, and changes by others since then appear reverted.
func (v *validation) origin() (o comparedWith, before *loader.Tree, err error) {
	tip, err := v.repo.Resolve(v.base)
	switch {
	case err != nil && v.repo.Cut():
		return o, nil, i18n.Errorf(
			"--base: %w; the clone is shallow: fetch it, for example with `git fetch --depth=1 origin main`, and name "+
				"it FETCH_HEAD or origin/main",
			err,
		)
	case err != nil:
		return o, nil, i18n.Errorf("--base: %w: `git branch --all` and `git tag` list them", err)
	}
	commit, ok, err := v.repo.MergeBase(v.head, tip)
	if err != nil {
		return o, nil, err
	}
	if !ok {
		commit = tip
		why := i18n.New("the two have no commit in common")
		if v.repo.Cut() {
			why = i18n.New("the clone is shallow")
		}
		v.unseen(
			"the commit that the change began from: %s, so it is compared with %s itself, and what was changed there "+
				"meanwhile looks undone",
			why, v.base,
		)
	}
	if before, err = loader.ReadCommit(v.config, v.repo, commit); err != nil {
		err = i18n.Errorf("--base: %w", err)
	}
	return comparedWith{v.base, commit.String(), ok}, before, err
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
func (c *comparison) text(p page) {
	c.heading(p)
	if len(c.Items)+len(c.Marks) == 0 {
		p.line("  nothing that readers see")
	}
	for _, i := range c.Items {
		p.line("\n%s: %s", tinted{p.bold, i.Item}, tinted{p.colourOf(i.Class), headline(i)})
		for _, f := range i.Fields {
			p.field(f, "  ", "")
		}
		for _, r := range i.Referrers {
			p.line("  %s.yaml:%d:%d refers to it", r.Item, r.Line, r.Column)
		}
		for _, u := range i.Users {
			p.line("  %s.yaml still uses %s", u.Item, u.Code)
		}
	}
	for _, m := range c.Marks {
		p.line("\nmark %s: %s is %s since %s (%s)", m.What, m.Mark.Subject(), m.Status, m.Since, m.Reason)
	}
}

// notes annotates the items that change.
func (c *comparison) notes() (all []remark) {
	for _, i := range c.Items {
		title := i.Item + ": " + i.Class.String()
		all = append(all, remark{"notice", i.Path, 1, 1, title, content.Printable(headline(i).String())})
	}
	return all
}

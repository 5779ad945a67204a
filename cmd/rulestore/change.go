package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
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
	c := &cobra.Command{
		Use:  "diff",
		Args: arguments(1, 3),
		RunE: func(c *cobra.Command, args []string) error { return diff(c.Context(), e, f, args[0], args[1:]) },
	}
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
	if f.format == "json" {
		return writeJSON(e.stdout, d)
	}
	return d.text(e)
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
func (d versionDiff) text(e *env) error {
	w, c := bufio.NewWriter(e.stdout), e.colours()
	fmt.Fprintf(
		w, "%s%s%s %s → %s: %s%s%s\n", c.bold, content.Printable(d.Item), c.off, d.Old, d.New, c.colourOf(d.Class),
		e.printer.Sprint(d.Class), c.off,
	)
	if d.Class == change.None {
		e.printer.Fprintf(w, "the two say the same\n")
	}
	effort := change.NewEffort()
	for _, f := range d.Fields {
		fmt.Fprintln(w)
		writeField(e, w, c, f, "", c)
		if f.Prose() {
			writeWordDiff(e, w, c, f, effort)
			continue
		}
		writeValue(w, c.red, c.off, "-", f.Old)
		writeValue(w, c.green, c.off, "+", f.New)
	}
	return w.Flush()
}

// writeField writes what changed in a field, what kind of change that is, and what to look at.
func writeField(e *env, w *bufio.Writer, c colours, f change.Field, indent string, path colours) {
	fmt.Fprintf(
		w, "%s%s%s%s %s: %s%s%s, %s\n", indent, path.bold, content.Printable(f.Path), path.off,
		e.printer.Sprint(f.What), c.colourOf(f.Class), e.printer.Sprint(f.Class), c.off, e.printer.Sprint(f.Why),
	)
	if f.Look.Doubt != "" {
		fmt.Fprint(w, indent)
		e.printer.Fprintf(w, "  look: %s\n", e.localized(f.Look))
	}
}

// writeWordDiff writes a text with the removed and added words in it, like git diff --word-diff; on a
// terminal only by colour.
func writeWordDiff(e *env, w *bufio.Writer, c colours, f change.Field, effort *change.Effort) {
	var before, after string
	if json.Unmarshal(f.Old, &before) != nil || json.Unmarshal(f.New, &after) != nil {
		return // both are texts
	}
	marks := map[change.Verb][2]string{change.Removed: {"[-", "-]"}, change.Added: {"{+", "+}"}}
	if c != (colours{}) {
		marks = map[change.Verb][2]string{change.Removed: {c.red, c.off}, change.Added: {c.green, c.off}}
	}
	var b strings.Builder
	segments, grain := effort.Words(before, after)
	if grain != change.ByWord {
		e.printer.Fprintf(w, "  %s\n", granularityNotes[grain])
	}
	for _, s := range segments {
		b.WriteString(marks[s.What][0] + content.PrintableLines(s.Text) + marks[s.What][1])
	}
	fmt.Fprintf(w, "  %s\n", strings.ReplaceAll(b.String(), "\n", "\n  "))
}

var granularityNotes = map[change.Grain]i18n.Text{
	change.ByLine:   i18n.New("the text is too long to be compared by words: its lines are compared"),
	change.AsAWhole: i18n.New("the text is too long to be compared by words: all between equal ends is marked"),
}

// writeValue writes a value of one of the versions.
func writeValue(w *bufio.Writer, tint, off, sign string, value json.RawMessage) {
	if value == nil {
		return
	}
	var b bytes.Buffer
	if json.Indent(&b, value, "", "  ") != nil {
		return // it was JSON before
	}
	for line := range strings.Lines(string(content.PrintableJSON(b.Bytes()))) {
		fmt.Fprintf(w, "  %s%s %s%s\n", tint, sign, strings.TrimSuffix(line, "\n"), off)
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
func (o comparedWith) heading(e *env, w io.Writer, c colours) {
	e.printer.Fprintf(
		w, "\n%schanged since %s%s (%s)\n", c.bold, content.Printable(o.Base), c.off, content.ShortCommit(o.Commit),
	)
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
func (c *comparison) text(e *env, w *bufio.Writer, col colours) {
	c.heading(e, w, col)
	if len(c.Items)+len(c.Marks) == 0 {
		e.printer.Fprintf(w, "  nothing that readers see\n")
	}
	for _, i := range c.Items {
		fmt.Fprintf(
			w, "\n%s%s%s: %s%s%s\n", col.bold, content.Printable(i.Item), col.off, col.colourOf(i.Class),
			e.localized(headline(i)), col.off,
		)
		for _, f := range i.Fields {
			writeField(e, w, col, f, "  ", colours{})
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

// notes annotates the items that change.
func (c *comparison) notes() (all []remark) {
	for _, i := range c.Items {
		title := i.Item + ": " + i.Class.String()
		all = append(all, remark{"notice", i.Path, 1, 1, title, content.Printable(headline(i).String())})
	}
	return all
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

package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
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
	flags.StringVar(&f.ref, "ref", "", "the branch that is served; without it, the one that HEAD names")
	flags.StringVar(&f.format, "format", "text", "text or json")
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
	if err := checkFormat(f.format); err != nil {
		return err
	}
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
		fmt.Fprintf(e.stderr, "\t%s\n", check.Told(f, locale(e.getenv)))
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
		fmt.Fprintf(
			w, "\n%s%s%s %s: %s%s%s, %s\n", c.bold, content.Printable(f.Path), c.off, e.printer.Sprint(f.What),
			c.colourOf(f.Class), e.printer.Sprint(f.Class), c.off, e.printer.Sprint(f.Why),
		)
		if f.Look.Doubt != "" {
			e.printer.Fprintf(w, "  look: %s\n", e.localized(f.Look))
		}
		if f.Prose() {
			writeWordDiff(e, w, c, f, effort)
			continue
		}
		writeValue(w, c.red, c.off, "-", f.Old)
		writeValue(w, c.green, c.off, "+", f.New)
	}
	return w.Flush()
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

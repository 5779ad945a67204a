package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"text/tabwriter"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

// page is what is printed for a person, line by line, in the language of the user.
type page struct {
	*env
	colours
	w *bufio.Writer
}

// tinted is an argument of a line in a colour.
type tinted struct {
	tint string
	of   any
}

// say returns a text. What others wrote is escaped in its arguments, so that it stays on its line.
func (p page) say(format string, args ...any) string {
	args = slices.Clone(args)
	for i, a := range args {
		args[i] = p.printable(a)
	}
	return p.printer.Sprintf(format, args...)
}

func (p page) printable(of any) any {
	switch of := of.(type) {
	case tinted:
		return fmt.Sprint(of.tint, p.printable(of.of), p.off)
	case string:
		return content.Printable(of)
	case error:
		return content.PrintableLines(p.printer.Error(of))
	case i18n.Localizable:
		return p.localized(of)
	}
	return of
}

// line writes a text on its line.
func (p page) line(format string, args ...any) { fmt.Fprintln(p.w, p.say(format, args...)) }

// part writes lines under a title, and nothing if there are none.
func (p page) part(title i18n.Text, lines []string) {
	if len(lines) > 0 {
		fmt.Fprintf(p.w, "\n%s%s%s\n  %s\n", p.bold, p.localized(title), p.off, strings.Join(lines, "\n  "))
	}
}

// table writes rows with their columns aligned.
func (p page) table(rows ...[]string) {
	w := tabwriter.NewWriter(p.w, 0, 0, 2, ' ', 0)
	for _, row := range rows {
		fmt.Fprintln(w, strings.Join(linesOf(row, content.Printable), "\t"))
	}
	_ = w.Flush() // into the page
}

// linesOf are the lines of a part.
func linesOf[T any](all []T, line func(T) string) (text []string) {
	for _, one := range all {
		text = append(text, line(one))
	}
	return text
}

// finding writes a finding, with the line that it is about.
func (p page) finding(r checked, f content.Finding) {
	tint := map[content.Severity]string{
		content.Error: p.red, content.Warning: p.yellow, content.Note: p.blue,
	}[f.Severity]
	f = check.Told(f, locale(p.getenv))
	p.line(
		"%s: %s: %s %s[%s]%s", tinted{p.bold, location(f)}, tinted{tint, f.Severity}, f.Message, raw(p.dim), f.Rule,
		raw(p.off),
	)
	if line, ok := r.excerpt(f); ok {
		// on the screen escaped characters are wider
		before := utf8.RuneCountInString(content.Printable(string([]rune(line.Text)[:line.Caret])))
		p.line("%s%6d |%s %s", raw(p.dim), f.Line, raw(p.off), line.Text)
		p.line("       %s %s%s", tinted{p.dim, "|"}, strings.Repeat(" ", before), tinted{tint, "^"})
	}
	for _, line := range advice(p.printer, f) {
		p.line("  %s", line)
	}
}

// raw is an argument that is printed as it is.
type raw string

// field writes what changed in a field, what kind of change that is, and what to look at.
func (p page) field(f change.Field, indent, tint string) {
	p.line(
		"%s%s %s: %s, %s", indent, tinted{tint, f.Path}, f.What, tinted{p.colourOf(f.Class), f.Class}, f.Why,
	)
	if f.Look.Doubt != "" {
		p.line("%s  look: %s", indent, f.Look)
	}
}

// words writes a text with the removed and added words in it, like git diff --word-diff; on a
// terminal only by colour.
func (p page) words(f change.Field, effort *change.Effort) {
	var before, after string
	if json.Unmarshal(f.Old, &before) != nil || json.Unmarshal(f.New, &after) != nil {
		return // both are texts
	}
	marks := map[change.Verb][2]string{change.Removed: {"[-", "-]"}, change.Added: {"{+", "+}"}}
	if p.colours != (colours{}) {
		marks = map[change.Verb][2]string{change.Removed: {p.red, p.off}, change.Added: {p.green, p.off}}
	}
	var b strings.Builder
	segments, whole := effort.Phrases(before, after)
	if whole {
		p.line("  %s", i18n.New("the text is too long to be compared by words: all between equal ends is marked"))
	}
	for _, s := range segments {
		b.WriteString(marks[s.What][0] + content.PrintableLines(s.Text) + marks[s.What][1])
	}
	fmt.Fprintf(p.w, "  %s\n", strings.ReplaceAll(b.String(), "\n", "\n  "))
}

// value writes a value of one of two versions.
func (p page) value(tint, sign string, value json.RawMessage) {
	var b bytes.Buffer
	if value == nil || json.Indent(&b, value, "", "  ") != nil {
		return // it was JSON before
	}
	for line := range strings.Lines(string(content.PrintableJSON(b.Bytes()))) {
		fmt.Fprintf(p.w, "  %s%s %s%s\n", tint, sign, strings.TrimSuffix(line, "\n"), p.off)
	}
}

// colourOf returns the colour of a class.
func (c colours) colourOf(class change.Class) string {
	return [...]string{c.dim, c.blue, c.green, c.red}[class]
}

// told is a finding on one line, in the language of the user.
func (e *env) told(f content.Finding) string { return check.Told(f, locale(e.getenv)).String() }

package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

// printers write the result of a validation to stdout, by format.
var printers = map[string]func(*validation) error{
	"text":   (*validation).printText,
	"json":   (*validation).printJSON,
	"sarif":  (*validation).printSARIF,
	"github": (*validation).printGitHub,
}

// printText writes the result for a person: each finding with the line that it
// is about.
func (v *validation) printText() error {
	w, c := bufio.NewWriter(v.stdout), v.colours()
	for _, f := range v.result.Findings {
		v.result.textFinding(v.env, w, c, f)
	}
	if v.result.Change != nil {
		v.result.Change.text(v.env, w, c)
	}
	v.printUnseen(w)
	return w.Flush()
}

// printUnseen lists what could not be checked.
func (v *validation) printUnseen(w io.Writer) {
	for _, u := range v.result.Unseen {
		v.printer.Fprintf(w, "not seen: %s\n", content.Printable(u.in(v.printer)))
	}
}

// textFinding writes a finding for a person, with the line that it is about.
func (r checked) textFinding(e *env, w *bufio.Writer, c colours, f content.Finding) {
	tint := map[content.Severity]string{
		content.Error: c.red, content.Warning: c.yellow, content.Note: c.blue,
	}[f.Severity]
	f = check.Told(f, locale(e.getenv))
	fmt.Fprintf(w, "%s%s%s: %s%s%s: ", c.bold, content.Printable(location(f)), c.off, tint, f.Severity, c.off)
	fmt.Fprintf(w, "%s %s[%s]%s\n", content.Printable(f.Message), c.dim, f.Rule, c.off)
	if line, ok := r.printableExcerpt(f); ok {
		fmt.Fprintf(w, "%s%6d |%s %s\n", c.dim, f.Line, c.off, line.Text)
		fmt.Fprintf(w, "       %s|%s %s%s^%s\n", c.dim, c.off, strings.Repeat(" ", line.Caret), tint, c.off)
	}
	if f.Hint != "" {
		fmt.Fprintf(w, "  %s\n", content.Printable(f.Hint))
	}
	for _, line := range r.describeField(e.printer, f) {
		fmt.Fprintf(w, "  %s\n", content.Printable(line))
	}
}

// describeField describes the field of a finding: its content, an example, and the file with the whole
// format, if the repository has it.
func (r checked) describeField(p *i18n.Printer, f content.Finding) (lines []string) {
	a := f.About
	if a == (content.About{}) {
		return nil
	}
	lines = append(lines, fmt.Sprintf("%s, «%s»: %s", a.Field, a.Title, a.Description))
	if a.Example != "" {
		lines = append(lines, p.Sprintf("example: %s", a.Example))
	}
	if r.hasSchemas {
		lines = append(lines, p.Sprintf("the format: %s", schemaFile(a.Format)))
	}
	return lines
}

// schemaFile is where a repository of authors has a format.
func schemaFile(format string) string { return editorSchemas + format + ".json" }

// location names where a finding is, as compilers do.
func location(f content.Finding) string {
	where := f.Path
	if f.Tag != "" {
		where = strings.TrimSuffix(f.Tag+": "+f.Path, ": ")
	}
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", where, f.Line, f.Column)
	}
	return where
}

// excerpt cuts the line of a finding from its file.
func (r checked) excerpt(f content.Finding) (content.Excerpt, bool) {
	raw, ok := r.raw[f.Path]
	if !ok {
		return content.Excerpt{}, false
	}
	return content.ExcerptAt(raw, f.Line, f.Column)
}

// printableExcerpt cuts an excerpt to its width on the screen, where escaped characters are wider.
func (r checked) printableExcerpt(f content.Finding) (content.Excerpt, bool) {
	e, ok := r.excerpt(f)
	before := content.Printable(string([]rune(e.Text)[:e.Caret]))
	return content.Excerpt{Text: content.Printable(e.Text), Caret: utf8.RuneCountInString(before)}, ok
}

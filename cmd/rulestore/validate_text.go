package main

import (
	"bufio"
	"bytes"
	"fmt"
	"strings"
	"unicode/utf8"

	"rulestore/content"
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
		v.result.textFinding(w, c, f)
	}
	if v.result.Change != nil {
		v.result.Change.text(w, c)
	}
	for _, u := range v.result.Unseen {
		fmt.Fprintf(w, "not seen: %s\n", printable(u))
	}
	return w.Flush()
}

func (r checked) textFinding(w *bufio.Writer, c colours, f content.Finding) {
	tint := map[content.Severity]string{content.Error: c.red, content.Warning: c.yellow, content.Note: c.blue}[f.Severity]
	fmt.Fprintf(w, "%s%s%s: %s%s%s: %s %s[%s]%s\n", c.bold, printable(place(f)), c.off, tint, f.Severity, c.off, printable(f.Message), c.dim, f.Rule, c.off)
	if s, ok := r.snippet(f); ok {
		fmt.Fprintf(w, "%s%6d |%s %s\n       %s|%s %s%s^%s\n", c.dim, f.Line, c.off, s.text, c.dim, c.off, strings.Repeat(" ", s.caret), tint, c.off)
	}
	if f.Hint != "" {
		fmt.Fprintf(w, "  %s\n", printable(f.Hint))
	}
}

// place names where a finding is, as compilers do.
func place(f content.Finding) string {
	where := f.Path
	if f.Tag != "" {
		where = strings.TrimPrefix(f.Tag+": "+f.Path, ": ")
	}
	if f.Line > 0 {
		return fmt.Sprintf("%s:%d:%d", where, f.Line, f.Column)
	}
	return where
}

// snippet is the line of a finding, as far as it fits, and where in it to look.
type snippet struct {
	text  string
	caret int // how many columns stand before
}

// maxSnippet is how much of a line is shown, in characters.
const maxSnippet = 100

// snippet cuts the line of a finding from its file.
func (r checked) snippet(f content.Finding) (snippet, bool) {
	raw, ok := r.raw[f.Path]
	if !ok || f.Line < 1 {
		return snippet{}, false
	}
	for range f.Line - 1 {
		_, rest, found := bytes.Cut(raw, []byte("\n"))
		if !found {
			return snippet{}, false
		}
		raw = rest
	}
	line, _, _ := bytes.Cut(raw, []byte("\n"))
	line = bytes.TrimPrefix(line, []byte("\uFEFF")) // no column counts it
	text := []rune(printable(strings.ReplaceAll(strings.TrimRight(strings.ToValidUTF8(string(line), "\uFFFD"), "\r"), "\t", " ")))
	caret := max(f.Column-1, 0)
	if from := caret - maxSnippet/2; from > 0 && len(text) > maxSnippet {
		text, caret = append([]rune("…"), text[min(from, len(text)):]...), caret-from+1
	}
	if len(text) > maxSnippet {
		text = append(text[:maxSnippet:maxSnippet], '…')
	}
	s := strings.TrimRight(string(text), " ")
	return snippet{s, min(caret, utf8.RuneCountInString(s))}, true
}

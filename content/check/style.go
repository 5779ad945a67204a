package check

import (
	"bytes"
	"slices"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// Style reports leftovers of editing in a root file: they change nothing that is served, and
// [Fix] fixes them once the file parses. Invisible characters are among them: such a file stays
// in force, although an item with them would be refused, since nothing is served without a root
// file.
func Style(path string, raw []byte) []content.Finding {
	doc, _ := Parse(path, raw)
	found := style(path, raw, doc)
	if doc == nil {
		return found
	}
	for _, f := range slices.Concat(doc.hidden(), doc.decomposed(), doc.indents()) {
		f.Severity = content.Warning
		found = append(found, f)
	}
	return found
}

// style is Style for a parsed file; doc is nil if it cannot be parsed.
func style(path string, raw []byte, doc *Document) (found []content.Finding) {
	add := func(line, column int, s content.RuleText) {
		found = append(found, foundAt(path, line, column, s.Advise(say("", "fix", nil))))
	}
	if !utf8.Valid(raw) {
		return nil
	}
	if bytes.HasPrefix(raw, []byte(string(bom))) {
		add(1, 1, say("bom", "begins", nil))
	}
	if i := bytes.Index(raw, []byte("\r\n")); i >= 0 {
		first := raw[:i]
		add(
			1+bytes.Count(first, []byte("\n")), 1+columns(first[bytes.LastIndexByte(first, '\n')+1:]),
			say("crlf", "ends", nil),
		)
	}
	if line, column, n := trailing(raw); n > 0 {
		s := say("trailing-space", "line", nil)
		if n > 1 {
			s = say("trailing-space", "lines", args{"lines": n})
		}
		add(line, column, s)
	}
	if !bytes.HasSuffix(raw, []byte("\n")) {
		add(1+bytes.Count(raw, []byte("\n")), 1, say("final-newline", "open", nil))
	}
	if doc == nil {
		return found
	}
	for _, n := range doc.oddNumbers() {
		spelled, _ := canonicalNumber(n.Value)
		add(n.Line, n.Column, say("number-spelling", "served", args{"written": n.Value, "served": spelled}))
	}
	return found
}

// columns counts the characters of a line without a byte order mark.
func columns(line []byte) int { return utf8.RuneCount(cutBOM("", line)) }

// trailing counts the lines that end in spaces or tabs and finds the first.
func trailing(raw []byte) (line, column, n int) {
	at := 0
	for text := range bytes.Lines(raw) {
		at++
		text = bytes.TrimRight(text, "\r\n")
		if kept := bytes.TrimRight(text, " \t"); len(kept) < len(text) {
			if n++; n == 1 {
				line, column = at, 1+columns(kept)
			}
		}
	}
	return line, column, n
}

// oddNumbers lists the numbers that are not in canonical form.
func (d *Document) oddNumbers() (odd []*yaml.Node) {
	var walk func(n *yaml.Node)
	walk = func(n *yaml.Node) {
		if n.Kind == yaml.ScalarNode && n.Style == 0 && n.Tag != "!!merge" && jsonNumber.MatchString(n.Value) {
			spelled, problem := canonicalNumber(n.Value)
			if spelled != n.Value && (problem == nil || spelled == "0" && digits(n.Value) == 0) {
				odd = append(odd, n)
			}
		}
		for i, c := range n.Content {
			isKey := n.Kind == yaml.MappingNode && i%2 == 0
			if isFormat := i%2 == 1 && n == d.tree() && slices.Contains(formats, n.Content[i-1].Value); !isKey &&
				!isFormat {
				walk(c)
			}
		}
	}
	walk(d.tree())
	return odd
}

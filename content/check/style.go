package check

import (
	"bytes"
	"math"
	"slices"
	"unicode/utf8"

	"rulestore/content"
)

// Style reports in a root file what editors leave behind: it changes nothing that is served, and
// [Fix] fixes it once the file parses. Invisible characters are among them: such a file stays
// in force, although an item with them would be refused, since nothing is served without a root
// file.
func Style(path string, raw []byte) []content.Finding {
	doc, _ := Parse(path, raw)
	found := style(path, raw)
	if doc == nil {
		return found
	}
	for _, f := range slices.Concat(doc.hidden(), doc.decomposed(), indents(path, raw, math.MaxInt)) {
		f.Severity = content.Warning
		found = append(found, f)
	}
	return found
}

// style finds a byte order mark and ends of lines of Windows.
func style(path string, raw []byte) (found []content.Finding) {
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
		last := first[bytes.LastIndexByte(first, '\n')+1:]
		add(1+bytes.Count(first, []byte("\n")), 1+columns(last), say("crlf", "ends", nil))
	}
	return found
}

// columns counts the characters of a line without a byte order mark.
func columns(line []byte) int { return utf8.RuneCount(cutBOM("", line)) }

package check

import (
	"bytes"
	"fmt"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"
	"golang.org/x/text/unicode/norm"
	"golang.org/x/text/unicode/rangetable"

	"rulestore/content"
)

// changesDirection reports whether a character changes the direction of the surrounding text,
// so that people and programs read it in a different order.
func changesDirection(c rune) bool {
	return c == '\u061C' || c == '\u200E' || c == '\u200F' || c >= '\u202A' && c <= '\u202E' ||
		c >= '\u2066' && c <= '\u2069'
}

// codePoint formats the number of a character as in U+200B, without U+.
func codePoint(c rune) string { return fmt.Sprintf("%04X", c) }

// charName returns the name of a character: its code point, where the words have that.
func charName(c rune) content.Word {
	word := content.Word("U+" + codePoint(c))
	switch _, named := shared().words[word]; {
	case named:
		return word
	case unicode.Is(unicode.Variation_Selector, c):
		return "variation selector"
	case c >= 0xE0000 && c <= 0xE007F:
		return "tag character"
	case unicode.Is(unicode.Zs, c):
		return "space of another width"
	case unicode.IsControl(c):
		return "control character"
	}
	return "invisible character"
}

// isSymbol reports whether a character can be a part of an emoji.
func isSymbol(c rune) bool {
	return unicode.In(c, unicode.So, unicode.Sm) || c >= 0x1F3FB && c <= 0x1F3FF || strings.ContainsRune("‼⁉ℹ〰〽", c)
}

// isHidden reports whether a character is invisible. Not so within an emoji are the joiner
// between its symbols and one variation selector after a symbol or a keycap digit.
func isHidden(before, c, after rune) bool {
	switch {
	case !content.Invisible(c):
		return false
	case c == '\u200D':
		return !(isSymbol(before) || before == '\uFE0F') || !isSymbol(after)
	case c == '\uFE0E' || c == '\uFE0F':
		return !isSymbol(before) && after != '\u20E3'
	}
	return true
}

// character is a character of a file and its position.
type character struct {
	c            rune
	line, column int
}

// hidden finds invisible characters: literal ones anywhere in the file, and in names and values those that are
// only written as escapes.
func (d *Document) hidden() (found []content.Finding) {
	for _, m := range hiddenIn(d.raw) {
		found = append(found, hiddenAt(d.Path, m.line, m.column, m.c))
	}
	if !bytes.ContainsRune(d.raw, '\\') {
		return found
	}
	eachScalar(d.root, func(n *yaml.Node) {
		for _, m := range hiddenIn([]byte(n.Value)) {
			if len(found) <= maxFindings && !bytes.ContainsRune(d.raw, m.c) {
				found = append(found, hiddenAt(d.Path, n.Line, n.Column, m.c))
			}
		}
	})
	return found
}

func hiddenAt(path string, line, column int, c rune) content.Finding {
	s := say("invisible", "shows", args{"code": codePoint(c), "name": charName(c)})
	if changesDirection(c) {
		s = say("direction", "turns", args{"code": codePoint(c), "name": charName(c)})
	}
	return foundAt(path, line, column, s)
}

// hiddenLead has the first bytes of invisible characters in UTF-8. Few bytes of Russian text
// are among them, so most of a file is scanned byte by byte.
var hiddenLead = func() (lead [256]bool) {
	rangetable.Visit(content.InvisibleTable, func(c rune) { lead[string(c)[0]] = true })
	return lead
}()

// hiddenIn finds the invisible characters in a text, at most as many as findings can report.
func hiddenIn(raw []byte) (found []character) {
	start, line := 0, 1 // the offset and the number of the current line
	for i := 0; i < len(raw) && len(found) <= maxFindings; {
		if b := raw[i]; !hiddenLead[b] {
			if i++; b == '\n' || b == '\r' && (i == len(raw) || raw[i] != '\n') {
				start, line = i, line+1
			}
			continue
		}
		c, n := utf8.DecodeRune(raw[i:])
		if !content.Invisible(c) {
			i += n
			continue
		}
		before, _ := utf8.DecodeLastRune(raw[:i])
		after, _ := utf8.DecodeRune(raw[i+n:])
		if isHidden(before, c, after) && (i > 0 || c != bom) { // at the start that is a finding of Style
			found = append(found, character{c: c, line: line, column: 1 + columns(raw[start:i])})
		}
		i += n
	}
	return found
}

// maxCodes is the maximum number of characters that are named as codes.
const maxCodes = 4

// decomposed finds the first name or value that is not in normal form C: another text looks the same.
func (d *Document) decomposed() (found []content.Finding) {
	if isComposed(d.raw) && !bytes.ContainsRune(d.raw, '\\') {
		return nil
	}
	codes := func(text string) string {
		runes := []rune(text)
		return strings.ReplaceAll(strings.Trim(fmt.Sprintf("%U", runes[:min(len(runes), maxCodes)]), "[]"), " ", " + ")
	}
	eachScalar(d.root, func(n *yaml.Node) {
		if len(found) > 0 || norm.NFC.IsNormalString(n.Value) {
			return
		}
		part, composed := firstDecomposed(n.Value)
		line, column := d.place(n, "", part, 1)
		found = append(found, foundAt(d.Path, line, column, say("composed", "other", args{
			"codes": codes(part), "composed": codes(composed),
		}).Advise(say("composed", "fix", nil))))
	})
	return found
}

// composedLead has the first bytes in UTF-8 of characters of which each is its own normal form C and joins none
// before it: all letters of Russian texts.
var composedLead = func() (lead [256]bool) {
	for b := range lead {
		lead[b] = b < 0xE0 // with the second bytes, since they follow such a first one
	}
	for c := rune(utf8.RuneSelf); c < 0x800; c++ { // longer ones are looked at one by one
		lead[string(c)[0]] = lead[string(c)[0]] && standsAlone([]byte(string(c)))
	}
	return lead
}()

// standsAlone reports whether the character at the beginning of a text is its own normal form C and joins none
// before it.
func standsAlone(text []byte) bool {
	p := norm.NFC.Properties(text)
	return p.BoundaryBefore() && norm.NFC.IsNormal(text[:p.Size()])
}

// isComposed reports whether a text is in normal form C. Most files have no character that could be in another, and
// all are checked.
func isComposed(text []byte) bool {
	for i := 0; i < len(text); {
		if composedLead[text[i]] {
			i++
			continue
		}
		_, n := utf8.DecodeRune(text[i:])
		if n > 1 && !standsAlone(text[i:]) {
			return norm.NFC.IsNormal(text)
		}
		i += n
	}
	return true
}

// firstDecomposed returns the first part of a text that is not in normal form C, and its normal form.
func firstDecomposed(text string) (part, composed string) {
	var parts norm.Iter
	parts.InitString(norm.NFC, text)
	for !parts.Done() {
		from := parts.Pos()
		composed = string(parts.Next())
		if part = text[from:parts.Pos()]; part != composed {
			break
		}
	}
	return part, composed
}

// eachScalar visits the names and values of a document.
func eachScalar(n *yaml.Node, visit func(*yaml.Node)) {
	if n.Kind == yaml.ScalarNode {
		visit(n)
	}
	for _, c := range n.Content {
		eachScalar(c, visit)
	}
}

// textLines converts the lines of a file to runes. Scalars are visited in order and can share
// a long line, so the last one is cached.
type textLines struct {
	raw  [][]byte
	nth  int
	line []rune
}

func (d *Document) lines() *textLines {
	return &textLines{raw: bytes.SplitAfter(d.raw, []byte("\n")), nth: -1}
}

// at returns the nth line, counted from 0.
func (t *textLines) at(nth int) []rune {
	if t.nth != nth {
		t.nth, t.line = nth, []rune(string(cutBOM("", t.raw[nth])))
	}
	return t.line
}

// indents finds lines, up to one of them, that are indented with spaces unknown to YAML: they become part of the
// name or the text that follows.
func indents(path string, raw []byte, last int) (found []content.Finding) {
	n := 0
	for line := range bytes.Lines(raw) {
		if n++; n > last || len(found) > maxFindings {
			break
		}
		if column, c := oddIndent(line); column > 0 {
			said := say("indentation", "line", args{"code": codePoint(c), "name": charName(c)})
			found = append(found, foundAt(path, n, column, said))
		}
	}
	return found
}

// oddIndent finds the first space other than U+0020 in the indentation of a line or after a
// list dash in it; the column is 0 if there is none.
func oddIndent(line []byte) (column int, c rune) {
	for i := 0; i < len(line); {
		c, n := utf8.DecodeRune(line[i:])
		switch {
		case n > 1 && unicode.Is(unicode.Zs, c):
			return 1 + columns(line[:i]), c
		case c != ' ' && c != '\t' && c != '-' && c != bom:
			return 0, 0
		}
		i += n
	}
	return 0, 0
}

// oddSpaceBefore finds the odd space that makes a file unparsable: in the indentation of a
// line up to the broken one, or after the colon of a field.
func oddSpaceBefore(path string, raw []byte, broken int) []content.Finding {
	if found := indents(path, raw, broken); found != nil {
		return found[:1]
	}
	if column, c := oddAfterColon(lineOf(raw, broken)); column > 0 {
		said := say("indentation", "colon", args{"code": codePoint(c), "name": charName(c)})
		return []content.Finding{foundAt(path, broken, column, said)}
	}
	return nil
}

// lineOf returns a line of a file, counted from 1, empty if there is none.
func lineOf(raw []byte, nth int) []byte {
	if lines := bytes.SplitAfterN(raw, []byte("\n"), nth+1); nth <= len(lines) {
		return lines[nth-1]
	}
	return nil
}

// oddAfterColon finds a space other than U+0020 at the beginning of a field's value.
func oddAfterColon(line []byte) (column int, c rune) {
	i := bytes.IndexByte(line, ':')
	if i < 0 || i+1 == len(line) {
		return 0, 0
	}
	if c, n := utf8.DecodeRune(line[i+1:]); n > 1 && unicode.Is(unicode.Zs, c) {
		return 2 + columns(line[:i]), c
	}
	return 0, 0
}

package lsp

import (
	"fmt"
	"strings"
	"testing"
)

// cursor is where the cursor is in the texts of tests.
const cursor = "¦"

// marked takes the cursor out of a text.
func marked(t testing.TB, s string) (*text, spot) {
	t.Helper()
	before, after, ok := strings.Cut(s, cursor)
	if !ok || strings.Contains(after, cursor) {
		t.Fatalf("one cursor is needed in %q", s)
	}
	at := spot{strings.Count(before, "\n"), len(before) - strings.LastIndexByte(before, '\n') - 1}
	return newText([]byte(before + after)), at
}

func (p place) describe(t *text) string {
	if p.role == noRole {
		return "nowhere"
	}
	s := [...]string{"", "name", "value", "below", "dash", "text"}[p.role] + " /" + strings.Join(p.path, "/")
	if p.role != textRole {
		s += fmt.Sprintf(" %q", t.slice(p.word))
	}
	if p.role == nameRole {
		s += fmt.Sprintf(" beside %v", p.siblingFields)
	}
	if p.hasColon {
		s += " named"
	}
	if p.needsSpace {
		s += " tight"
	}
	return s
}

// Each case is a file as it is being typed, and what is known of the cursor in it.
func TestPlaces(t *testing.T) {
	for _, c := range []struct{ text, want string }{
		{"¦", `name / "" beside []`},
		{"a: b\n¦", `name / "" beside [a]`},
		{"a: b\nti¦t\n", `name / "tit" beside [a]`},
		{"a: b\nti¦t\nc: d\n", `name / "tit" beside [a c]`},
		{"a: b\n¦c: d\n", `name / "c" beside [a] named`},
		{"a: b\nc¦c: d\n", `name / "cc" beside [a] named`},
		{"a:¦", `value /a "" tight`},
		{"a: ¦", `value /a ""`},
		{"a: ¦\nb: c\n", `value /a ""`},
		{"a: b¦b\n", `value /a "bb"`},
		{"a: b¦ # c\n", `value /a "b"`},
		{"a: b # c¦\n", `nowhere`},
		{"# a¦\n", `nowhere`},
		{"a: \"b¦\n", `value /a "b"`},
		{"a: \"b¦\nc: d\n", `value /a "b"`},
		{"a: 'b¦'\n", `value /a "b"`},
		{"a:\n  ¦", `below /a ""`},
		{"a:\n  b¦", `below /a "b"`},
		{"a:\n  b¦\n  c: d\n", `name /a "b" beside [c]`},
		{"a:\n  c: d\n  ¦\n", `name /a "" beside [c]`},
		{"a:\n  c: d\n  ¦\n  e: f\n", `name /a "" beside [c e]`},
		{"a:\n  c: d\n¦\n", `name / "" beside [a]`},
		{"a:\n  - ¦", `value /a/0 ""`},
		{"a:\n  -¦", `value /a/0 "" tight`},
		{"a:\n  - b¦", `value /a/0 "b"`},
		{"a:\n  - b: c\n    ¦", `name /a/0 "" beside [b]`},
		{"a:\n  - b: c\n    d¦", `name /a/0 "d" beside [b]`},
		{"a:\n  - d¦\n    b: c\n", `name /a/0 "d" beside [b]`},
		{"a:\n  - b: c\n  ¦", `dash /a/0 ""`},
		{"a:\n- b\n¦", `name / "" beside [a]`},
		{"a:\n  - b: c\n  - ¦\n", `value /a/1 ""`},
		{"a:\n  - b: c\n    d: ¦\n  - b: e\n", `value /a/0/d ""`},
		{"a:\n  - b: c\n    d:\n      - e\n      - ¦\n", `value /a/0/d/1 ""`},
		{"a:\n  - - ¦\n", `value /a/0/0 ""`},
		{"a: [¦]", `value /a/0 ""`},
		{"a: [b, ¦]", `value /a/1 ""`},
		{"a: [b, c¦]", `value /a/1 "c"`},
		{"a: [b, c¦", `value /a/1 "c"`},
		{"a: [b, c¦\nd: e\n", `value /a/1 "c"`},
		{"a: [b, c\nd¦: e\n", `name / "d" beside [a] named`},
		{"a: [¦\nd: e\n", `value /a/0 ""`},
		{"a:\n  - {b: c, ¦}\n", `name /a/0 "" beside [b]`},
		{"a:\n  - {b: c, d¦}\n", `name /a/0 "d" beside [b]`},
		{"a:\n  - {b: ¦, d: e}\n", `value /a/0/b ""`},
		{"a:\n  - {b: c¦, d: e}\n", `value /a/0/b "c"`},
		{"a: {b: [¦]}\n", `value /a/b/0 ""`},
		{"a: |\n  b\n  c¦\n", `text /a`},
		{"a: >-\n  b: ¦c\n", `text /a`},
		{"a: >-\n  b\n  ¦\n", `text /a`},
		{"a: >-\n  b\n¦\n", `name / "" beside [a]`},
		{"a: >-¦\n  b\n", `nowhere`},
		{"a: b\n  c¦\n", `text /a`},
		{"rules:\n  - rule_id: x\n    severity: ¦\n    title: [\n", `value /rules/0/severity ""`},
		{"\ta: b\n\tc¦\n", `name / "c" beside [a]`},
		{"a: b\r\nc: ¦\r\n", `value /c ""`},
		{"я: ы¦ы\n", `value /я "ыы"`},
		{"a: «𝔸»: \"¦\n", `value /a "«𝔸»: \""`},
		{"a: b\n---\nc: ¦\n", `value /c ""`},
	} {
		t.Run(c.text, func(t *testing.T) {
			text, at := marked(t, c.text)
			got := outlineOf(text).place(text, at).describe(text)
			if got != c.want {
				t.Errorf("it is %s, expected %s", got, c.want)
			}
		})
	}
}

// Whatever is in a file, and wherever the cursor is, there is an answer, and what is
// to be replaced is in the line of the cursor.
func FuzzPlaces(f *testing.F) {
	for _, seed := range []string{"a: [b, {c: \"d\n", "- - a\n -\n", "\uFEFF", "'a'': b\n: c\n?\n", "a: |\n\tb\n",
		"{}]\n}", "a:\n  b\n c: d\n- e\n"} {
		f.Add([]byte(seed), 1, 2)
	}
	f.Fuzz(func(t *testing.T, raw []byte, line, column int) {
		text := newText(raw)
		o := outlineOf(text)
		for n := range text.lines {
			for c := 0; c <= len(text.line(n)); c++ {
				at := spot{n, c}
				p := o.place(text, at)
				if p.role != noRole && p.role != textRole && !p.word.contains(at) {
					t.Fatalf("in %q the word at %v is %v", raw, at, p.word)
				}
				text.slice(p.word)
			}
		}
		o.place(text, spot{max(line, 0), max(column, 0)})
	})
}

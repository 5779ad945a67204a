package check_test

import (
	"fmt"
	"testing"

	"rulestore/content/check"
)

// A name or value that is not in normal form C is found where it is written.
func TestComposed(t *testing.T) {
	for _, test := range []struct{ name, raw, want string }{
		{"composed", "title: Лучший\n", ""},
		{"in a value", "title: Лучшии\u0306\n", "1:13 U+0438 + U+0306"},
		{"in a key", "a: 1\nмои\u0306: 1\n", "2:3 U+0438 + U+0306"},
		{"in a block", "a: |\n  Один\n  Мои\u0306\n", "3:5 U+0438 + U+0306"},
		{"the second of two", "a: й\nb: е\u0308\nc: и\u0306\n", "2:4 U+0435 + U+0308"},
		{"after a comment with it", "# и\u0306\na: и\u0306\n", "2:4 U+0438 + U+0306"},
		{"only in a comment", "a: 1 # и\u0306\n", ""},
		{"a letter of another name", "a: 5 \u212A\n", "1:6 U+212A"},
		{"as an escape", "a: 1\nb: \"и\\u0306\"\n", "2:4 U+0438 + U+0306"},
		{"with a byte order mark", "\uFEFFa: и\u0306\n", "1:4 U+0438 + U+0306"},
		{"a letter with its accent", "a: café — “quoted” 1 000 €\n", ""},
		{"an accent of its own", "a: é cafe\u0301\n", "1:9 U+0065 + U+0301"},
		{"parts of a Korean syllable", "a: \u1100\u1161\n", "1:4 U+1100 + U+1161"},
		{"many marks", "a: и\u0301\u0306\u0301\u0301\u0301\n", ""},
		{"marks out of order", "a: и\u0301\u0323\n", "1:4 U+0438 + U+0301 + U+0323"},
	} {
		t.Run(test.name, func(t *testing.T) {
			found := ""
			for _, f := range check.Style("rulestore.yaml", []byte(test.raw)) {
				if f.Rule == "composed" {
					found += fmt.Sprintf("%d:%d %s", f.Line, f.Column, f.Message)
				}
			}
			if len(found) < len(test.want) || found[:len(test.want)] != test.want || test.want == "" && found != "" {
				t.Errorf("%q, want %q", found, test.want)
			}
		})
	}
}

package content_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
)

func TestPrintable(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"nothing", "", ""},
		{"Russian", "Вклад «Ёлочка» — 5 % годовых, 1\u00a0000\u202f₽…",
			"Вклад «Ёлочка» — 5 % годовых, 1\u00a0000\u202f₽…"},
		{"other alphabets", "Zürich 東京 ελ عربي é e\u0301 ½ ↔ 😀", "Zürich 東京 ελ عربي é e\u0301 ½ ↔ 😀"},
		{"signs", `a\b "c" 'd' <e> {f} $g %h ~`, `a\b "c" 'd' <e> {f} $g %h ~`},
		{"a replaced character", "\uFFFD", "\uFFFD"},
		{"an escape sequence", "a\x1b[2Jb", `a\u001b[2Jb`},
		{"a line", "a\nb\r\nc\td", `a\nb\u000d\nc\td`},
		{"a carriage return alone", "wrong\rright", `wrong\u000dright`},
		{"a workflow command", "x\n::error::y", `x\n::error::y`},
		{"an older command", "a###[error]b##", `a###\u005berror]b##`},
		{"C0", "\x00\x07\x08\x0b\x1f", `\u0000\u0007\u0008\u000b\u001f`},
		{"DEL and C1", "\x7f\u0080\u0085\u009b31m\u009f", `\u007f\u0080\u0085\u009b31m\u009f`},
		{"bidi", "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c",
			`\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069\u200e\u200f\u061c`},
		{"of no width", "\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u034f\u115f\u3164\uffa0\ufe0f\u2800",
			`\u200b\u200c\u200d\u2060\ufeff\u00ad\u180e\u034f\u115f\u3164\uffa0\ufe0f\u2800`},
		{"separators", "\u2028\u2029", `\u2028\u2029`},
		{"private use", "\ue000\U000f0000", `\ue000\udb80\udc00`},
		{"tags", "\U000e0041\U000e0100", `\udb40\udc41\udb40\udd00`},
		{"unassigned", "\u0378\ufffe\uffff", `\u0378\ufffe\uffff`},
		{"no UTF-8", "a\x9b31m\xff\xc3", `a\x9b31m\xff\xc3`},
		{"overlong and surrogates", "\xc0\x9b\xed\xa0\x80", `\xc0\x9b\xed\xa0\x80`},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := content.Printable(tt.text); got != tt.want {
				t.Errorf("got %s, expected %s", got, tt.want)
			}
			if got := content.Printable(tt.want); got != tt.want {
				t.Errorf("what is printable becomes %s", got)
			}
		})
	}
}

func FuzzPrintable(f *testing.F) {
	f.Add("a\x1b[2J\u202e\n\xff")
	f.Fuzz(func(t *testing.T, s string) {
		got := content.Printable(s)
		if !utf8.ValidString(got) || strings.ContainsFunc(got, content.Hidden) ||
			strings.ContainsFunc(got, unicode.IsControl) || strings.Contains(got, "##[") {
			t.Errorf("%q becomes %q", s, got)
		}
		raw, err := json.Marshal(map[string]string{s: s})
		if err != nil {
			t.Fatal(err)
		}
		fit := content.PrintableJSON(raw)
		if strings.ContainsFunc(string(fit), content.Hidden) {
			t.Errorf("%s becomes %s", raw, fit)
		}
		var before, after map[string]string
		if json.Unmarshal(raw, &before) != nil || json.Unmarshal(fit, &after) != nil || len(after) != 1 {
			t.Fatalf("%s becomes %s", raw, fit)
		}
		for name, value := range before {
			if after[name] != value {
				t.Errorf("%s means something else than %s", fit, raw)
			}
		}
	})
}

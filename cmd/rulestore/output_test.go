package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/content"
)

// inParts writes a text in parts of so many bytes.
func inParts(t *testing.T, o *output, text string, size int) string {
	t.Helper()
	var out bytes.Buffer
	o.to = &out
	for rest := text; rest != ""; {
		n := min(size, len(rest))
		if m, err := o.Write([]byte(rest[:n])); m != n || err != nil {
			t.Fatal(m, err)
		}
		rest = rest[n:]
	}
	if err := o.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestOutput(t *testing.T) {
	tests := []struct{ name, text, want string }{
		{"Russian", "Вклад:\n\t«Ёлка» — 5 %\n", "Вклад:\n\t«Ёлка» — 5 %\n"},
		{"an escape sequence", "\x1b[31mred\x1b[0m", `\u001b[31mred\u001b[0m`},
		{"a direction", "a\u202eb", `a\u202eb`},
		{"a carriage return", "wrong\rright\r\n", "wrong\\u000dright\\u000d\n"},
		{"no UTF-8", "a\x9bb\xd0", `a\x9bb\xd0`},
		{"a command", "::error::x\n", ":\\u003aerror::x\n"},
		{"a command after spaces", "a\n \t\u00a0\u2003::error::x\n", "a\n \t\u00a0\u2003:\\u003aerror::x\n"},
		{"an older command", "a ##[error]x\n###[b\n# #[c\n", "a ##\\u005berror]x\n###\\u005bb\n# #[c\n"},
		{"colons elsewhere", "a::b: :c\n: :d\nx\n :e\n", "a::b: :c\n: :d\nx\n :e\n"},
		{"three colons", ":::\n", ":\\u003a:\n"},
		{"JSON", "{\n  \"::a\": \"\u202e##[b\"\n}\n", "{\n  \"::a\": \"\\u202e##\\u005bb\"\n}\n"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for size := 1; size <= len(tt.text); size++ {
				got := inParts(t, &output{}, tt.text, size)
				// a part may be the beginning of a line
				if problem := unfit(got); problem != "" || got != tt.want && size == len(tt.text) {
					t.Errorf("in parts of %d bytes: %s %q, expected %q", size, problem, got, tt.want)
				}
			}
		})
	}
}

// Our own colours reach a terminal, and nothing else does.
func TestOutputInColour(t *testing.T) {
	const text = "\x1b[31mred\x1b[0m \x1b[2J\x1b[1"
	for _, size := range []int{1, 2, 3, len(text)} {
		got, want := inParts(t, &output{coloured: true}, text, size), "\x1b[31mred\x1b[0m \\u001b[2J\\u001b[1"
		if got != want {
			t.Errorf("in parts of %d bytes: %q, expected %q", size, got, want)
		}
	}
}

// unfit says what in an output a terminal or a workflow would obey.
func unfit(out string) string {
	if !utf8.ValidString(out) {
		return "no UTF-8"
	}
	for line := range strings.Lines(out) {
		line = strings.ReplaceAll(strings.TrimSuffix(line, "\n"), "\t", " ")
		if strings.ContainsFunc(line, content.Hidden) {
			return "a hidden character in " + content.Printable(line)
		}
		if strings.HasPrefix(strings.TrimSpace(line), "::") || strings.Contains(line, "##[") {
			return "a command in " + line
		}
	}
	return ""
}

func FuzzOutput(f *testing.F) {
	f.Add("\n ::error::x ##[y \x1b[2J", 3)
	f.Fuzz(func(t *testing.T, text string, size int) {
		if problem := unfit(inParts(t, &output{}, text, max(size, 1))); problem != "" {
			t.Errorf("%q: %s", text, problem)
		}
	})
}

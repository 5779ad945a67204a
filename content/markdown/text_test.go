package markdown_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/markdown"
)

// A text stands in four kinds of places. What each test expects was read with
// CommonMark parsers (commonmark.js, markdown-it, goldmark) once: they give
// back the text on the left.

func TestParagraph(t *testing.T) {
	for text, want := range map[string]string{
		// What looks like Markdown and is none stays as it is.
		"Ставка 7,5 % - это много!": "Ставка 7,5 % - это много!",
		"rule_id и __init__py":      `rule_id и \_\_init__py`,
		"2 * 3 = 6, a _ b":          "2 * 3 = 6, a _ b",
		"#тег и C#":                 "#тег и C#",
		"#######":                   "#######",
		"1.5 млн; 2026.":            "1.5 млн; 2026.",
		"-5 °C":                     "-5 °C",
		"+7 495 000-00-00":          "+7 495 000-00-00",
		"a < b & c > d":             "a < b & c > d",
		"AT&T, R&D;":                "AT&T, R\\&D;",
		"<5 % и <<ещё>>":            "<5 % и <<ещё>>",
		"(в скобках) [нет]!":        `(в скобках) \[нет]!`,
		"~5 % и ~10 %":              "~5 % и ~10 %",
		`C:\temp`:                   `C:\temp`,
		"a | b":                     "a | b",
		"1234567890. слишком длинно":    "1234567890. слишком длинно",
		"см. https://a.example/x_y?z=1": "см. https://a.example/x_y?z=1",

		// What begins a block.
		"# раз":          `\# раз`,
		"######":         `\######`,
		"- раз":          `\- раз`,
		"-":              `\-`,
		"+ раз":          `\+ раз`,
		"* раз":          `\* раз`,
		"1. раз":         `1\. раз`,
		"12) раз":        `12\) раз`,
		"2026.":          `2026\.`,
		"> раз":          `\> раз`,
		"---":            `\---`,
		"-- -":           `\-- -`,
		"--\t-":          `\-- -`,
		"***":            `\*\*\*`,
		"_ _ _":          `\_ _ \_`,
		"===":            `\===`,
		"~~~":            `\~\~\~`,
		"```go":          "\\`\\`\\`go",
		"    код":        "код",
		"<div>":          `\<div>`,
		"[a]: b":         `\[a]: b`,
		"a | b\n--|--":   "a | b\\\n\\--|--",
		"a | b\n:-:|:-:": "a | b\\\n\\:-:|:-:",
		"| a |\n|---|":   "\\| a |\\\n\\|---|",

		// What is interpreted within a line.
		"*раз* и **два**":       `\*раз\* и \*\*два\*\*`,
		"_раз_ и слово_":        `\_раз\_ и слово\_`,
		"звёздочка*":            `звёздочка\*`,
		"`код`":                 "\\`код\\`",
		"[a](b) и ![c](d)":      `\[a](b) и !\[c](d)`,
		"<b> </b> <!-- <?":      `\<b> \</b> \<!-- \<?`,
		"<https://a.example>":   `\<https://a.example>`,
		"&amp; &#35; &#x23;":    `\&amp; \&#35; \&#x23;`,
		"a~b~ и ~~c~~":          `a\~b\~ и \~\~c\~\~`,
		`\* и \\ и конец\`:      `\\\* и \\\ и конец\\`,
		"a\x00b\x1b[0m\x7f\tz.": "a\uFFFDb\uFFFD\\[0m\uFFFD z.",

		// Lines and paragraphs.
		"раз\nдва":                      "раз\\\nдва",
		"раз  \r\n  два\rтри":           "раз\\\nдва\\\nтри",
		"раз\n\n \n\nдва\n":             "раз\n\nдва",
		"раз\u2028два\u2029три\u0085.":  "раз\\\nдва\n\nтри\\\n.",
		"раз\n- два\n# три\n\n4. пять.": "раз\\\n\\- два\\\n\\# три\n\n4\\. пять.",
	} {
		t.Run(text, func(t *testing.T) {
			md := render(t, "summary", text)
			if got := strings.TrimPrefix(md, "# Без названия\n\n"); got != want+"\n" {
				t.Errorf("%q:\n got %q\nwant %q", text, got, want+"\n")
			}
		})
	}
}

func TestHeading(t *testing.T) {
	for text, want := range map[string]string{
		"Вклад":           "# Вклад",
		"1. Вклад":        "# 1. Вклад",
		"- Вклад\n\nдва":  "# - Вклад два",
		"C#":              "# C#",
		"Вклад ##":        `# Вклад \##`,
		"#":               `# \#`,
		"# Вклад":         "# # Вклад",
		"HTTPS":           "# HTTPS",
		"Вклад *лучший*":  `# Вклад \*лучший\*`,
		"Вклад\\":         `# Вклад\\`,
		"ставка | доход ": "# ставка | доход",
	} {
		t.Run(text, func(t *testing.T) {
			if got := render(t, "title", text); got != want+"\n" {
				t.Errorf("%q: got %q, want %q", text, got, want+"\n")
			}
		})
	}
}

func TestCell(t *testing.T) {
	for text, want := range map[string]string{
		"":                      "—",
		" ":                     "—",
		"1. раз":                "1. раз",
		"- раз":                 "- раз",
		"a|b":                   `a\|b`,
		`a\|b`:                  `a\\\|b`,
		"product.deposit.001":   "`product.deposit.001`",
		"STOP":                  "`STOP`",
		"ru":                    "`ru`",
		"Банк":                  "Банк",
		"Bank":                  "Bank",
		"1.2.0-rc.1":            "1.2.0-rc.1",
		"2026-05-01":            "2026-05-01",
		"2026-05-01T00:00:00Z":  "2026-05-01T00:00:00Z",
		"15 000.00":             "15 000.00",
		"https://a.example/x_y": "<https://a.example/x_y>",
		"http://a.example/?a|b": `http://a.example/?a\|b`,
		"https://a.example/ b*": `https://a.example/ b\*`,
		"https://":              "https://",
	} {
		t.Run(text, func(t *testing.T) {
			row := content.Object{{Name: "поле", Value: content.String(text)},
				{Name: "число", Value: []byte("1")}}.AppendJSON(nil)
			md := string(markdown.Render(content.Object{{Name: "ряды",
				Value: slices.Concat([]byte("["), row, []byte(","), row, []byte("]"))}}, nil))
			if !strings.HasSuffix(md, "| "+want+" | 1 |\n") {
				t.Errorf("%q: got %q, want a cell %q", text, md, want)
			}
		})
	}
}

// TestEscapesOnly checks that nothing is lost: without the escapes every line
// is the line that the author wrote.
func TestEscapesOnly(t *testing.T) {
	const letters = "aЖ1  \\`*_[]()<>&;~|#-+.!:=\"'"
	r := rand.New(rand.NewPCG(1, 2))
	for range 20_000 {
		var b strings.Builder
		for range 1 + r.IntN(12) {
			b.WriteRune([]rune(letters)[r.IntN(len([]rune(letters)))])
		}
		text := strings.TrimSpace(b.String())
		if text == "" {
			continue
		}
		md := strings.TrimPrefix(render(t, "summary", text), "# Без названия\n\n")
		if got := unescape(md); got != text+"\n" {
			t.Fatalf("%q became %q, which reads as %q", text, md, got)
		}
	}
}

func render(t testing.TB, name, text string) string {
	t.Helper()
	md := markdown.Render(content.Object{{Name: name, Value: content.String(text)}}, nil)
	wellFormed(t, md)
	return string(md)
}

// unescape reads backslashes as CommonMark does.
func unescape(md string) string {
	var b strings.Builder
	for i := 0; i < len(md); i++ {
		if md[i] == '\\' && strings.IndexByte("!\"#$%&'()*+,-./:;<=>?@[\\]^_`{|}~", md[i+1]) >= 0 {
			i++
		}
		b.WriteByte(md[i])
	}
	return b.String()
}

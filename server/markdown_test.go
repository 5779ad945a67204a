package server_test

import (
	"regexp"
	"strings"
	"testing"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
)

// The test above can fail.
func TestComplaints(t *testing.T) {
	e := &content.Entry{Publication: &content.Publication{Text: content.Written{Object: content.Object{{Name: "title",
		Value: content.String("KASKO")}}}}}
	for page, want := range map[string]string{
		"# Правило\n\n| А | Б |\n|---|---|\n| 1 | `a|b` |\n\n## Часть\n\nКод: `x`\n\nKASKO: да\n\nЧасти:\n- одна": "",
		"# Rule":                 "a heading in another language",
		"# Правило\n\n### Часть": "a heading of the wrong level",
		"# Правило\n\n# Второе":  "a heading of the wrong level",
		"# Правило\n\n| А | Б |\n|---|---|\n| 1 | 2 | 3 |": "a row of another length",
		"# Правило\n\n\\- раз":                             "a list that is none",
		"# Правило\n\n- Owner: отдел":                      "a label in another language",
		"# Правило\n\nЧасть:\n\nЕщё: да":                   "nothing after a label",
		"# Правило\n\n- {\"code\":\"x\"}":                  "raw JSON",
		"# Правило\n\n- map[code:x]":                       "raw JSON",
		"# Правило\n\n\nтекст":                             "two blank lines",
	} {
		t.Run(page, func(t *testing.T) {
			got := strings.Join(complaints(page, e), "; ")
			if what, _, _ := strings.Cut(got, ": "); what != want {
				t.Errorf("%q: %q, want %q", page, got, want)
			}
		})
	}
}

var (
	inCode     = regexp.MustCompile("`[^`]*`")
	autolink   = regexp.MustCompile(`<https?://[^>]*>`)
	day        = regexp.MustCompile(`\b\d{4}-\d{2}-\d{2}\b`) // of a period: no language
	pathInText = regexp.MustCompile(`(GET|POST|https:/)? ?/[A-Za-z0-9/{}_.-]+`)
	label      = regexp.MustCompile(`^ *(?:- )?([^:·|0-9]+):(?: |$)`)
	rawJSON    = regexp.MustCompile(`map\[|\[\{|\{"|"\}|":|&#|<nil>|\bnull\b|\bundefined\b`)
)

// complaints says what is wrong with a page, line by line.
func complaints(page string, e *content.Entry) (all []string) {
	complain := func(what, line string) {
		all = append(all, what+": "+strings.TrimSpace(line))
	}
	level, columns := 0, 0
	lines := strings.Split(strings.TrimSuffix(page, "\n"), "\n")
	for n, line := range lines {
		plain := line
		for _, code := range []*regexp.Regexp{inCode, autolink, day, pathInText} {
			plain = code.ReplaceAllString(plain, "")
		}
		switch {
		case strings.HasPrefix(line, "#"):
			deeper := strings.IndexByte(line, ' ')
			if deeper > level+1 || (n == 0) != (deeper == 1) {
				complain("a heading of the wrong level", line)
			}
			if level = deeper; strings.Trim(plain, "# ") != "" && !russian(plain) && !strings.Contains(line, "`") {
				complain("a heading in another language", line)
			}
		case strings.HasPrefix(line, "|"):
			if cells := strings.Count(strings.ReplaceAll(inCode.ReplaceAllString(line, ""), `\|`, ""),
				"|"); columns == 0 {
				columns = cells
			} else if cells != columns {
				complain("a row of another length", line)
			}
		case strings.HasPrefix(strings.TrimSpace(line), `\-`):
			complain("a list that is none", line)
		}
		if !strings.HasPrefix(line, "|") {
			columns = 0
		}
		if m := label.FindStringSubmatch(line); m != nil && !russian(m[1]) &&
			!strings.Contains(m[1], "`") && !named(e, m[1]) {
			complain("a label in another language", line)
		}
		if rawJSON.MatchString(plain) {
			complain("raw JSON", line)
		}
		if strings.HasSuffix(line, " ") || label.MatchString(line) && strings.HasSuffix(line, ":") &&
			(n+1 == len(lines) || !strings.HasPrefix(strings.TrimLeft(lines[n+1], " "), "- ")) {
			complain("nothing after a label", line)
		}
		if n > 0 && line == "" && lines[n-1] == "" {
			complain("two blank lines", line)
		}
	}
	return all
}

func russian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// named says whether an author wrote the words: the name of a product or of a
// standard may be in another language, a label of ours may not.
func named(e *content.Entry, words string) bool {
	return utf8.RuneCountInString(words) > 1 && strings.Contains(string(e.Body().AppendJSON(nil)), `"`+words+`"`)
}

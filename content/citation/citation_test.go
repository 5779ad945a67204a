package citation_test

import (
	"encoding/json"
	"mime/quotedprintable"
	"reflect"
	"regexp"
	"strings"
	"testing"

	"rulestore/content/citation"
)

const (
	one = "sha256:a83a6ebb4a8f6b8af84ae83db6cd57d5184dad0b1a4b9cf153c84fdad8729166"
	two = "sha256:0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
)

func index(n int64) *int64 { return &n }

// cited are citations as the service gives them, of a section and of a whole item.
var cited = []citation.Citation{{
	ID: "guidelines/product.common.001", Version: "1.2.0", Checksum: one, Title: "Общие правила: «любой» продукт",
	Section: "rules/keep-for-next_steps", SectionTitle: "Сохраните для следующих шагов",
	Published: "2026-05-12T12:20:00+03:00", Log: index(12), Publisher: "Хранилище правил",
	Address: "https://rules.example.org/api/v1/guidelines/product.common.001/versions/1.2.0?section=rules/keep-for-next_steps",
}, {
	ID: "registries/fraud-signals", Version: "2.0.0-rc.1", Checksum: two, Title: "Признаки [мошенничества]",
	Published: "2026-01-02T00:00:00Z", Address: "http://127.0.0.1:8080/x/api/v1/fraud/signals/versions/2.0.0-rc.1",
}}

// forms are the citation in every form, by name.
func forms(c citation.Citation) map[string]string {
	raw, err := json.Marshal(c)
	if err != nil {
		panic(err)
	}
	return map[string]string{"letter": c.Letter(), "footnote": c.Footnote(),
		"markdown": c.Markdown(), "json": string(raw)}
}

func find(text string) []citation.Found {
	all, _ := citation.Find(text, func(id string) bool { return id == "product.common.001" })
	return all
}

// says fails the test unless what was found names the citation, and says nothing false of it.
func says(t *testing.T, found citation.Found, c citation.Citation) {
	t.Helper()
	if found.ID != c.ID || found.Version != c.Version || found.Checksum != c.Checksum || found.Section != c.Section ||
		found.Address != c.Address || !reflect.DeepEqual(found.Log, c.Log) {
		t.Errorf("got  %+v\nwant %+v", found, c)
	}
	if !strings.HasPrefix(c.Published, found.Published) || found.Published == "" {
		t.Errorf("published %q, not %q", found.Published, c.Published)
	}
	if found.Title != "" && !citation.Alike(found.Title, c.Title) {
		t.Errorf("title %q, not %q", found.Title, c.Title)
	}
	if found.Publisher != "" && !citation.Alike(found.Publisher, c.Publisher) {
		t.Errorf("publisher %q, not %q", found.Publisher, c.Publisher)
	}
	if !found.Headed(c) {
		t.Errorf("%q does not end with the title", found.Heading)
	}
}

// What is done to texts on their way.
var ways = map[string]func(string) string{
	"as it is": func(s string) string { return s },
	"in a letter": func(s string) string {
		return "Добрый день!\n\nВы писали:\n" + s + "\n\nС уважением,\n2 отдел"
	},
	"quoted":  func(s string) string { return "> > " + strings.ReplaceAll(s, "\n", "\r\n> > ") },
	"wrapped": func(s string) string { return wrapped(s, 30) },
	"wrapped and quoted": func(s string) string {
		return "> " + strings.ReplaceAll(wrapped(s, 40), "\n", "\n> ")
	},
	"spaces that cannot be broken": func(s string) string { return strings.ReplaceAll(s, " ", "\u00A0") },
	"dashes":                       func(s string) string { return strings.ReplaceAll(s, "-", "\u2011") },
	"other quotation marks": func(s string) string {
		return strings.NewReplacer(`"`, "“", "«", "\"", "»", "\"").Replace(s)
	},
	"what nobody sees": func(s string) string { return strings.ReplaceAll(s, "a", "a\u200B\u00AD") },
	"a checksum in two lines": func(s string) string {
		return strings.NewReplacer("4a8f6b8a", "4a8f\n   6b8a").Replace(s)
	},
	"quoted-printable": func(s string) string {
		return strings.NewReplacer("4a8f6b8a", "4a8f=\r\n6b8a").Replace(s)
	},
	"escaped slashes":      func(s string) string { return strings.ReplaceAll(s, "/", `\/`) },
	"a mail as it is sent": printable,
	"HTML": func(s string) string {
		s = strings.NewReplacer("&", "&amp;", `"`, "&quot;", "«", "&laquo;", "/", "&#47;", "\n", "<br>").Replace(s)
		return `<div class="x">` + s + "</div>"
	},
	"links of HTML": func(s string) string {
		return regexp.MustCompile(`https?:[^\s")]+`).ReplaceAllString(s, `<a href="$0">$0</a>`)
	},
	"letters of two characters": func(s string) string {
		return strings.NewReplacer("й", "и\u0306", "ё", "е\u0308").Replace(s)
	},
	"quoted with bars": func(s string) string {
		return "| " + strings.ReplaceAll(wrapped(s, 40), "\n", "\n| ")
	},
	"bullets":       func(s string) string { return "* " + strings.ReplaceAll(s, "\n", "\n* ") },
	"large letters": func(s string) string { return strings.ReplaceAll(s, one, strings.ToUpper(one)) },
}

// printable is a text in the coding of mails.
func printable(s string) string {
	var b strings.Builder
	w := quotedprintable.NewWriter(&b)
	_, _ = w.Write([]byte(s))
	_ = w.Close()
	return b.String()
}

// wrapped breaks lines at spaces and behind hyphens, as mail programs do.
func wrapped(s string, width int) string {
	var b strings.Builder
	n := 0
	for _, r := range s {
		n++
		switch {
		case n > width && r == ' ':
			b.WriteByte('\n')
			n = 0
			continue
		case n > width && r == '-':
			b.WriteString("-\n")
			n = 0
			continue
		case r == '\n':
			n = 0
		}
		b.WriteRune(r)
	}
	return b.String()
}

// Whatever form a citation was kept in, and whatever a mail program did to it, it is found.
func TestFind(t *testing.T) {
	for _, c := range cited {
		for form, text := range forms(c) {
			for way, become := range ways {
				t.Run(form+" "+way+" "+c.ID, func(t *testing.T) {
					if way == "escaped slashes" && form != "json" {
						t.Skip("a backslash is escaped by JSON alone")
					}
					all := find(become(text))
					if len(all) != 1 {
						t.Fatalf("%d found in\n%s\n%+v", len(all), become(text), all)
					}
					says(t, all[0], c)
					if form != "markdown" && all[0].Publisher == "" && c.Publisher != "" {
						t.Errorf("no publisher in\n%s", become(text))
					}
				})
			}
		}
	}
}

// The address of a link may be broken anywhere: it is one address.
func TestFindBrokenLink(t *testing.T) {
	for _, c := range cited {
		text := c.Markdown()
		at := strings.Index(text, c.Address)
		for i := at; i <= at+len(c.Address); i++ {
			if text[i-1] == '=' {
				continue // a soft break of quoted-printable
			}
			broken := "> " + text[:i] + "\n> " + text[i:]
			all := find(broken)
			if len(all) != 1 {
				t.Fatalf("%d found in\n%s\n%+v", len(all), broken, all)
			}
			says(t, all[0], c)
		}
	}
}

// Any two forms one after the other are two citations.
func TestFindTwo(t *testing.T) {
	for first, before := range forms(cited[0]) {
		for second, after := range forms(cited[1]) {
			t.Run(first+" and "+second, func(t *testing.T) {
				all := find("Сначала: " + before + "\n" + after)
				if len(all) != 2 {
					t.Fatalf("%d found: %+v", len(all), all)
				}
				says(t, all[0], cited[0])
				says(t, all[1], cited[1])
			})
		}
	}
}

// A title that is another one is told, in each form; a text that gives none says nothing.
func TestHeading(t *testing.T) {
	for _, c := range cited {
		for form, text := range forms(c) {
			for was, becomes := range map[string]string{"о": "o", "и": "", "продукт": "вклад",
				"мошенничества": "порядочности"} {
				t.Run(was, func(t *testing.T) {
					other := strings.ReplaceAll(text, c.Title, strings.ReplaceAll(c.Title, was, becomes))
					if form == "markdown" {
						other = strings.Replace(text, was, becomes, 1)
					}
					if other == text {
						return
					}
					got := find(other)
					if len(got) != 1 || got[0].Headed(c) && (got[0].Title == "" ||
						citation.Alike(got[0].Title, c.Title)) {
						t.Errorf("%s with %q for %q: %+v", form, becomes, was, got)
					}
				})
			}
		}
	}
	for _, text := range []string{"Документ: guidelines/product.common.001, " + one,
		"[см. тут](/api/v1/guidelines/a.001) " + one} {
		if got := find(text); len(got) != 1 || !got[0].Headed(cited[0]) {
			t.Errorf("%s: %+v", text, got)
		}
	}
	for _, numbers := range [][2]string{{"1,5 %", "15 %"}, {"5 %", "5 ₽"}, {"1.2", "12"}} {
		if citation.Alike(numbers[0], numbers[1]) {
			t.Errorf("%q is like %q", numbers[0], numbers[1])
		}
	}
}

// What was cut off is not there, and what is there is no less true.
func TestFindHalf(t *testing.T) {
	letter := cited[0].Letter()
	for _, test := range []struct{ name, text, id, version, checksum, broken string }{
		{"the first half", letter[:strings.Index(letter, "Контрольная")], cited[0].ID, "1.2.0", "", ""},
		{"half a checksum", letter[:strings.Index(letter, "f84ae83db6")], cited[0].ID, "1.2.0", "", "a83a6ebb4a8f6b8a"},
		{"a checksum that is too long", letter[:strings.Index(letter, "\nАдрес: http")] + "0", cited[0].ID,
			"1.2.0", "", one[7:] + "0"},
		{"a checksum alone", one, "", "", one, ""},
		{"without its prefix", "(" + one[7:] + ")", "", "", one, ""},
		{"an address alone", "см. " + cited[0].Address + ".", cited[0].ID, "1.2.0", "", ""},
		{"a tag", "guidelines/product.common.001/v1.2.0", cited[0].ID, "1.2.0", "", ""},
		{"words", "product.common.001, версия 1.2.0, " + one, "product.common.001", "1.2.0", one, ""},
		{"an id alone", "по правилу product.common.001 нельзя", "product.common.001", "", "", ""},
		{"whole JSON", `{"guideline_id":"product.common.001","guideline_version":"1.2.0",` +
			`"title":"x","sources":[{"title":"y"},{"title":"z"}],` +
			`"canonical_url":"` + cited[0].Address + `","content_checksum":"` + one + `"}`,
			"product.common.001", "1.2.0", one, ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			all := find(test.text)
			if len(all) != 1 {
				t.Fatalf("%+v", all)
			}
			got := all[0]
			if got.ID != test.id || got.Version != test.version || got.Checksum != test.checksum ||
				got.Broken != test.broken {
				t.Errorf("%+v", got)
			}
		})
	}
	for _, text := range []string{"", "Здравствуйте!", "/api/v1/guidelines", "версия", "sha256:", "раздел: «rules»"} {
		if all := find(text); len(all) > 0 {
			t.Errorf("%q: %+v", text, all)
		}
	}
	if all, left := citation.Find(strings.Repeat(one+"\n", 50),
		func(string) bool { return false }); len(all) != citation.Most || left != 30 {
		t.Errorf("%d and %d", len(all), left)
	}
}

func FuzzFind(f *testing.F) {
	for _, c := range cited {
		for _, text := range forms(c) {
			f.Add(text)
		}
	}
	f.Fuzz(func(t *testing.T, text string) {
		for _, found := range find(text) {
			if found.Empty() || found.Checksum != "" && found.Broken != "" {
				t.Errorf("%+v", found)
			}
		}
	})
}

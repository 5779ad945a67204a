package server_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"rulestore/content/search"
)

var (
	facetIn = regexp.MustCompile(`<li><a href="([^"]*)"( aria-current="true")?>([^<]*) <span ` +
		`class="number">(\d+)</span>`)
	tallyIn   = regexp.MustCompile(`<p class="tally" role="status">(?:Наш\S+ )?(?:Подходит )?(\d+)`)
	sectionIn = regexp.MustCompile(`Раздел: <a href="([^"]*)">([^<]+)</a>`)
	shown     = regexp.MustCompile(`<th scope="row"><a href="[^"]*">([^<]*)</a>`)
)

// searchPath asks for a question.
func searchPath(words string) string { return "/api/v1/search?q=" + url.QueryEscape(words) }

// tally is how much a page says that there is.
func (c client) tally(page string) int {
	c.Helper()
	m := tallyIn.FindStringSubmatch(page)
	if m == nil {
		c.Fatalf("it does not say how much there is:\n%s", page)
	}
	return must(strconv.Atoi(m[1]))
}

// What is found is counted by kind, and each count is what its link leads to, with the
// other filters as they are; the sum is all of it.
func TestFacets(t *testing.T) {
	c := ask(t, starterSite())
	for _, path := range []string{
		searchPath("досрочное погашение"), searchPath("календарь") + "&kind=calendar",
		searchPath("код из смс") + "&scenario=fraud_risk",
		"/api/v1/search?kind=signal", searchPath("вклод"),
	} {
		facets := facetIn.FindAllStringSubmatch(c.page(path, http.StatusOK), -1)
		if len(facets) == 0 {
			t.Fatalf("%s: %q", path, facets)
		}
		sum := 0
		for i, f := range facets {
			count := must(strconv.Atoi(f[4]))
			if got := c.tally(c.page(html.UnescapeString(f[1]), http.StatusOK)); got != count {
				t.Errorf("%s: %s is %d, its page has %d", path, f[3], count, got)
			}
			if i > 0 {
				sum += count
			}
		}
		if all := must(strconv.Atoi(facets[0][4])); facets[0][3] == "Всё" && all != sum {
			t.Errorf("%s: all are %d, the kinds %d", path, all, sum)
		}
	}
	calendars := c.page(searchPath("календарь")+"&kind=calendar", http.StatusOK)
	if !strings.Contains(calendars, `aria-current="true">Производственные календари`) ||
		!strings.Contains(calendars, ">Всё <") {
		t.Errorf("it is not marked which kind is chosen:\n%s", calendars)
	}
	if p := c.page(searchPath("производственный календарь 2026"),
		http.StatusOK); !strings.Contains(p, "/api/v1/calendars/ru-2026") {
		t.Error("a calendar is not found")
	}
}

// A hit leads to the section that its words are from: an anchor of the page of the item, or
// the section alone.
func TestHitsLeadToSections(t *testing.T) {
	c := ask(t, starterSite())
	n := 0
	for _, words := range []string{
		"досрочное погашение", "срок ответа финансовой организации", "сколько раз могут звонить коллекторы",
		"код из смс", "ключевая ставка",
		"омбудсмен", "страховка навязали вернуть", "лимит 500000", "сообщить в банк о мошенниках", "возврат билета",
	} {
		for _, m := range sectionIn.FindAllStringSubmatch(c.page(searchPath(words)+"&limit=100", http.StatusOK), -1) {
			n++
			path, anchor, _ := strings.Cut(html.UnescapeString(m[1]), "#")
			body := c.page(path, http.StatusOK)
			if anchor != "" {
				c.has(path, body, []string{must(url.PathUnescape(anchor))})
			} else if !strings.Contains(path, "?section=") {
				t.Errorf("%q leads to no section: %s", words, path)
			}
		}
	}
	if n < 50 {
		t.Errorf("only %d hits name a section", n)
	}
}

// Days and values in results are written as people write them.
func TestHitsInWords(t *testing.T) {
	c := ask(t, starterSite())
	for words, want := range map[string]string{
		"1400000": "<mark>1 400 000</mark> рублей", "353-ФЗ": "Значения по периодам › 1 января 2023<",
		"пск": "Ограничения › ",
	} {
		t.Run(words, func(t *testing.T) {
			body := strings.ReplaceAll(c.page(searchPath(words)+"&limit=100", http.StatusOK), "\u00A0", " ")
			if !strings.Contains(body, want) || regexp.MustCompile(`› (\d{4}-\d\d|[a-z]+_[a-z]+)`).MatchString(body) {
				t.Errorf("%s: no %s, or a day as programs write it", words, want)
			}
		})
	}
}

// A search without a good result says what may have been meant, and of what there is
// something, by links that find it.
func TestSuggestionsOnPages(t *testing.T) {
	c := ask(t, starterSite())
	for _, test := range []struct{ name, path, has string }{
		{"a word put right, in the whole question", searchPath("ипотика сроки рассмотрения"), `?q=`},
		{"nothing passes the filter", searchPath("омбудсмен") + "&kind=calendar", ">Внешние параметры <"},
		{"nothing like it", searchPath("ыъыъ"), ">Термины <"},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := c
			c.TB = t
			p := c.page(test.path, http.StatusOK)
			if !strings.Contains(p, test.has) {
				t.Fatalf("%s is missing:\n%s", test.has, p)
			}
			for _, f := range facetIn.FindAllStringSubmatch(p, -1) {
				if got := c.tally(c.page(html.UnescapeString(f[1]), http.StatusOK)); strconv.Itoa(got) != f[4] {
					t.Errorf("%s is %s, its page has %d", f[3], f[4], got)
				}
			}
		})
	}
	if p := c.page(searchPath("ипотика"), http.StatusOK); !strings.Contains(p, "Возможно, вы искали:") {
		t.Errorf("nothing is put right:\n%s", p)
	}
}

// The counts of an index are what its searches find.
func TestKindsAreWhatIsFound(t *testing.T) {
	entries := []*search.AnalysedDocument{
		search.Analyse(search.Document{Kind: "a", ID: "1", Title: "банковский вклад"}),
		search.Analyse(search.Document{Kind: "a", ID: "2", Title: "вклад"}),
		search.Analyse(search.Document{Kind: "b", ID: "3", Title: "вклады", Scenarios: []string{"x"}}),
		search.Analyse(search.Document{Kind: "b", ID: "4", Title: "кредит"}),
	}
	x := search.New(entries, nil)
	for _, q := range []search.Query{{Text: "вклад"}, {Text: "вклад", Kinds: []string{"b"}},
		{Scenario: "x"}, {}, {Text: "ничего"}} {
		for _, c := range x.Kinds(q) {
			own := q
			own.Kinds = []string{c.Kind}
			if got := x.Search(own).Total; got != c.Total {
				t.Errorf("%+v: %d of %s, a search finds %d", q, c.Total, c.Kind, got)
			}
		}
	}
	if got := x.Kinds(search.Query{Text: "вклад", Kinds: []string{"b"}}); len(got) != 2 || got[0].Kind != "a" {
		t.Errorf("%v: the kind that is asked for counts", got)
	}
}

// Codes of other registries in the rows of one are said by their titles, and lead there.
func TestRowsNameOtherRegistries(t *testing.T) {
	body := ask(t, starterSite()).page("/api/v1/fraud/routes", http.StatusOK)
	if !strings.Contains(body, `href="/api/v1/authority-resources/mvd">`) || strings.Contains(body, "</span> mvd") {
		t.Errorf("routes do not say whose resources they are:\n%.3000s", body)
	}
}

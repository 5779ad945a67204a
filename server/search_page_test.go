package server_test

import (
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strconv"
	"strings"
	"testing"
)

var (
	facetIn = regexp.MustCompile(`<li><a href="([^"]*)"( aria-current="true")?>([^<]*) <span ` +
		`class="number">(\d+)</span>`)
	tallyIn   = regexp.MustCompile(`<p class="tally" role="status">(?:Наш\S+ )?(?:Подходит )?(\d+)`)
	sectionIn = regexp.MustCompile(`Раздел: <a href="([^"]*)">([^<]+)</a>`)
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

// What is found, or instead of it, is counted by kind, and each count is what its link leads to, with the
// other filters as they are; the sum is all of it.
func TestFacets(t *testing.T) {
	c := ask(t, kindsSite())
	for path, has := range map[string]string{
		searchPath("код"): ">Всё <", searchPath("срок") + "&kind=parameter": `aria-current="true">Внешние параметры`,
		searchPath("код") + "&scenario=fraud_risk": "", "/api/v1/search?kind=signal": "",
		searchPath("депозит") + "&kind=calendar": ">Термины <", searchPath("ыъыъ"): ">Термины <",
		searchPath("претензея банк"): "Возможно, вы искали:",
	} {
		body, sum := c.page(path, http.StatusOK), 0
		facets := facetIn.FindAllStringSubmatch(body, -1)
		if len(facets) == 0 || !strings.Contains(body, has) {
			t.Fatalf("%s: %q, no %s in\n%s", path, facets, has, body)
		}
		for i, f := range facets {
			count := must(strconv.Atoi(f[4]))
			if got := c.tally(c.page(html.UnescapeString(f[1]), http.StatusOK)); got != count {
				t.Errorf("%s: %s is %d, its page has %d", path, f[3], count, got)
			}
			if i > 0 {
				sum += count
			}
		}
		if all := must(strconv.Atoi(facets[0][4])); facets[0][3] == "Всё" && all != sum && tallyIn.MatchString(body) {
			t.Errorf("%s: all are %d, the kinds %d", path, all, sum)
		}
	}
}

// Rows of every list are chosen by words, together with the other filters, by an address that says so;
// what is for programs has no such parameter.
func TestWordsOfLists(t *testing.T) {
	c := ask(t, kindsSite())
	for path, words := range map[string]string{
		"/api/v1/guidelines?": "сообщение", "/api/v1/external-parameters?": "срок ответа",
		"/api/v1/external-parameters?in_force=2026-03-01&": "ПРЕДЕЛЫ", "/api/v1/fraud/signals?severity=critical&": "файлы",
		"/api/v1/glossary?sort=-term&": "вклады",
	} {
		path += "q=" + url.QueryEscape(words)
		p := c.page(path, http.StatusOK)
		if some := c.tally(p); some == 0 || strings.Contains(html.UnescapeString(p), "format=json&q=") {
			t.Errorf("%s: %d, or the data is asked for by words", path, some)
		}
		if r := c.get(path); r.status != http.StatusBadRequest {
			t.Errorf("%s: as data %d", path, r.status)
		}
		none := c.page(strings.Split(path, "q=")[0]+"q="+url.QueryEscape(`ыъыъ"><script>alert(1)</script>`), http.StatusOK)
		if !strings.Contains(none, "ничего не подходит") || strings.Contains(none, "<script>alert") {
			t.Errorf("%s: nothing says that there is nothing: %s", path, none)
		}
	}
	for _, word := range []string{"ипотека", "Ипотеки"} {
		if p := c.page("/api/v1/math?q="+url.QueryEscape(word), http.StatusOK); !strings.Contains(p,
			"mortgage_early_repayment") || strings.Contains(p, "kasko_premium") {
			t.Errorf("calculations are not chosen by words:\n%s", p)
		}
	}
}

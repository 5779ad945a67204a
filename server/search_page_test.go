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

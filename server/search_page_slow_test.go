//go:build slow

package server_test

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"rulestore/server/calc"
)

// Rows of every list are chosen by words, together with the other filters, by an address
// that says so; what is for programs has no such parameter.
func TestWordsOfLists(t *testing.T) {
	c := ask(t, starterSite())
	for _, test := range []struct {
		path, words string
		want        string // the name of a row
	}{
		{"/api/v1/guidelines", "МФЦ", "Внесудебное банкротство через МФЦ"},
		{"/api/v1/external-parameters", "bankruptcy. срок", "Срок внесудебного банкротства"},
		{"/api/v1/external-parameters?in_force=2026-01-01", "уполномоченн", ""},
		{"/api/v1/fraud/signals?category=certificate", "браузер", ""},
		{"/api/v1/glossary?sort=-term", "счёт", ""},
		{"/api/v1/glossary", "СЧЕТ эскроу", ""},
		{"/api/v1/glossary", "счетами эскроу", ""},
		{"/api/v1/fraud/signals?category=certificate", "браузеров", ""},
		{"/api/v1/calendars", "2026", ""},
	} {
		t.Run(test.words, func(t *testing.T) {
			whole := c.tally(strings.ReplaceAll(c.page(test.path, http.StatusOK), "Всего: ", "Подходит "))
			separator := "?"
			if strings.Contains(test.path, "?") {
				separator = "&"
			}
			path := test.path + separator + "q=" + url.QueryEscape(test.words)
			p := c.page(path, http.StatusOK)
			some := c.tally(p)
			if some == 0 || some >= whole || len(shown.FindAllString(p, -1)) != min(some, 100) {
				t.Errorf("%s: %d of %d, %d rows", path, some, whole, len(shown.FindAllString(p, -1)))
			}
			if test.want != "" && !strings.Contains(p, ">"+test.want+"</a>") {
				t.Errorf("%s: %q is not shown", path, test.want)
			}
			if strings.Contains(html.UnescapeString(p), "format=json&q=") {
				t.Errorf("%s: the data is asked for by words", path)
			}
			if r := c.get(path); r.status != http.StatusBadRequest {
				t.Errorf("%s: as data %d", path, r.status)
			}
			if none := c.page(test.path+separator+"q=ыъыъ", http.StatusOK); !strings.Contains(none,
				"ничего не подходит") {
				t.Errorf("%s: nothing says that there is nothing", test.path)
			}
		})
	}
	p := c.page("/api/v1/math?q="+url.QueryEscape("досрочное"), http.StatusOK)
	if !strings.Contains(p, "mortgage_early_repayment") || strings.Contains(p, "kasko_premium") {
		t.Errorf("calculations are not chosen by words:\n%s", p)
	}
	for _, word := range []string{"ипотека", "ипотеку", "Ипотеки"} {
		p := c.page("/api/v1/math?q="+url.QueryEscape(word), http.StatusOK)
		for tool := range calc.New().Tools() {
			if tool.Family == "mortgage" && !strings.Contains(p, `/tools/`+tool.ID+`"`) {
				t.Errorf("%s: %s is not shown", word, tool.ID)
			}
		}
	}
	const hostile = `"><script>alert(1)</script>`
	for _, path := range []string{"/api/v1/guidelines?q=", "/api/v1/fraud/signals?q=",
		"/api/v1/math?q=", "/api/v1/search?q="} {
		if p := c.page(path+url.QueryEscape(hostile), http.StatusOK); strings.Contains(p, "<script>alert") {
			t.Errorf("%s: a script of somebody else's", path)
		}
	}
}

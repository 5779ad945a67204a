package server_test

import (
	"bytes"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// browser is what a browser accepts.
const browser = "text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"

// page asks for a path as a browser does.
func (c client) page(path string, status int) string {
	c.Helper()
	r := c.get(path, "Accept", browser)
	if kind := r.header.Get("Content-Type"); r.status != status || kind != "text/html; charset=utf-8" {
		c.Errorf("%s: %d %s, want a page with %d", path, r.status, kind, status)
	}
	return string(r.body)
}

var (
	linkIn = regexp.MustCompile(` (?:href|src)="([^"]*)"`)
	idIn   = regexp.MustCompile(` id="([^"]*)"`)
	values = regexp.MustCompile(`"[^"]*"`)
	inline = regexp.MustCompile(`<[^>]*\s(on[a-z]+|style)\s*=`)
)

// has says whether a page has the places that are linked to.
func (c client) has(path, body string, anchors []string) {
	c.Helper()
	var ids []string
	for _, m := range idIn.FindAllStringSubmatch(body, -1) {
		ids = append(ids, html.UnescapeString(m[1]))
	}
	for _, anchor := range anchors {
		if !slices.Contains(ids, anchor) {
			c.Errorf("%s has no place %s", path, anchor)
		}
	}
}

// The same request gives the same page, and a page that the client has is not sent
// again.
func TestPagesAreValidated(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{"/", "/api/v1/guidelines", deposit, deposit + "/versions", "/api/v1/changelog"} {
		first, again := c.get(path, "Accept", browser), c.get(path, "Accept", browser)
		if !bytes.Equal(first.body, again.body) || c.get(path).header.Get("Etag") == first.header.Get("Etag") {
			t.Errorf("%s: two answers, or the page and the data have one tag", path)
		}
		if r := c.get(path, "Accept", browser, "If-None-Match",
			first.header.Get("Etag")); r.status != http.StatusNotModified {
			t.Errorf("%s: %d for what the client has", path, r.status)
		}
	}
	r := c.get(deposit, "Accept", browser)
	for name, want := range map[string]string{"X-Guideline-Version": "2.0.0", "Vary": "Accept, Accept-Encoding",
		"Content-Language": "ru"} {
		if got := r.header.Get(name); got != want {
			t.Errorf("%s is %q", name, got)
		}
	}
	for _, a := range regexp.MustCompile(`/assets/[^"]+`).FindAllString(string(r.body), -1) {
		if got := c.get(a).header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control is %q", a, got)
		}
	}
}

// What a form leaves empty is not asked for, and whoever asks for more than there is finds a way back.
func TestPageForms(t *testing.T) {
	c := ask(t, kindsSite())
	search := "/api/v1/search?q=" + url.QueryEscape("код")
	for path, want := range map[string]string{
		"/api/v1/guidelines?scenario=&status=&product_type=&as_of=":          "1\u00A0запис",
		"/api/v1/guidelines?scenario=fraud_risk&status=":                     "по условиям отбора",
		"/api/v1/fraud/signals?category=&severity=&sufficient_for_stop=true": "Подходит 2 из 3",
		"/api/v1/fraud/signals?offset=1000":                                  `список кончается раньше. <a href="/api/v1/fraud/signals">`,
		"/api/v1/guidelines?scenario=fraud_risk&offset=1000":                 `<a href="/api/v1/guidelines?scenario=fraud_risk">`,
		"/api/v1/changelog?offset=1000":                                      `<a href="/api/v1/changelog">`,
		"/api/v1/changelog?since=2030-01-01&offset=1000":                     "Изменений нет.",
		search + "&offset=999":                                               `<a href="` + search + `">К началу`,
		"/api/v1/health":                                                     ", из них нет в списке: ",
		"/api/v1/search?q=":                                                  "Что найти",
		search + "&scenario=&product_type=":                                  "<mark>",
		"/api/v1/changelog?since=2026-01-01&limit=500":                       "Всего понемногу",
		"/api/v1/math?family=kasko&release=":                                 "каско",
	} {
		body := c.page(path, http.StatusOK)
		if !strings.Contains(body[strings.Index(body, "<h1"):], want) {
			t.Errorf("%s: no %q in\n%s", path, want, body)
		}
	}
	c.page("/api/v1/guidelines?format=xml", http.StatusBadRequest)
	c.page("/api/v1/fraud/signals?sort=nothing", http.StatusBadRequest)
}

// The link to JSON on a page leads to what the page shows, not to more.
func TestDataOfPages(t *testing.T) {
	c := ask(t, kindsSite())
	for page, data := range map[string]string{
		"/api/v1/guidelines?as_of=2026-05-01&offset=1":        "/api/v1/guidelines?as_of=2026-05-01",
		"/api/v1/fraud/signals?category=money&offset=1":       "/api/v1/fraud/signals?category=money",
		"/api/v1/changelog?since=2026-01-01&limit=1&offset=1": "/api/v1/changelog?since=2026-01-01&limit=1&offset=1",
		"/api/v1/math?family=kasko&release=":                  "/api/v1/math?family=kasko",
		"/api/v1/instructions/assistant?as_of=2026-02-02":     "/api/v1/instructions/assistant?as_of=2026-02-02",
		"/api/v1/instructions/assistant/versions/1.0.0?x=any": "/api/v1/instructions/assistant/versions/1.0.0",
	} {
		links := regexp.MustCompile(`<(?:a|link) [^>]*type="application/json"[^>]*>`)
		for _, m := range links.FindAllString(c.page(page, http.StatusOK), -1) {
			link := html.UnescapeString(linkIn.FindStringSubmatch(m)[1])
			if got, want := c.get(link, "Accept", browser), c.get(data); got.status != http.StatusOK ||
				!bytes.Equal(got.blanked(), want.blanked()) {
				t.Errorf("%s leads to %s: %d, not %s", page, link, got.status, data)
			}
		}
	}
}

// An error is a page that says what is wrong and what to do, and offers a search.
func TestErrorPages(t *testing.T) {
	c := ask(t, storeSite())
	for path, test := range map[string]struct {
		status int
		want   string
	}{
		"/nowhere":                                      {404, "По этому адресу ничего нет"},
		"/api/v1/guidelines/product.nothing.001":        {404, `href="/api/v1/guidelines"`},
		"/api/v1/guidelines/investment.secret.001":      {410, "изъята"},
		"/api/v1/guidelines?stauts=new":                 {400, "<code>stauts</code>"},
		"/compare/guidelines/nothing":                   {404, `href="/api/v1/guidelines"`},
		"/compare/guidelines/product.deposit.001?to=9":  {400, "Допустимые значения: 2.0.0"},
		"/api/v1/math/tools/loan_paymnt":                {404, "loan_payment"},
		"/api/v1/math/tools/loan_payment?principal=100": {400, "principal"},
	} {
		body := c.page(path, test.status)
		if !strings.Contains(body, test.want) || !strings.Contains(body, `role="search"`) ||
			strings.Contains(body, "<script>") {
			t.Errorf("%s: no %q in\n%s", path, test.want, body)
		}
	}
	// The search suggests what a wrong address was meant to lead to, and nothing else.
	for path, want := range map[string]string{
		"/api/v1/guidelines/product.nothing.001":                "product.nothing.001",
		"/api/v1/guidelines/product.deposit.001/versions/9.9.9": "product.deposit.001",
		"/api/v1/guidelines/investment.secret.001":              "",
		"/api/v1/guidelines?stauts=new":                         "",
	} {
		_, body, _ := strings.Cut(string(c.get(path, "Accept", browser).body), `<form class="find`)
		field, _, _ := strings.Cut(body, "</form>")
		if !strings.Contains(field, ` value="`+want+`"`) {
			t.Errorf("%s: %s", path, field)
		}
	}
	r := c.do(http.MethodPost, deposit, "Accept", browser)
	if r.status != http.StatusMethodNotAllowed || !r.isPage() || r.header.Get("Allow") == "" {
		t.Errorf("POST: %d %v", r.status, r.header)
	}
}

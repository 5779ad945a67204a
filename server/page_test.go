package server_test

import (
	"bytes"
	"fmt"
	"html"
	"net/http"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server"
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

// part is what asks for a section, of which one is as good as another of the same resource,
// or for a form, of which one of the same name is.
var part = regexp.MustCompile(`&(section=|format=[a-z]+)`)

// otherwise are addresses of a page that was seen, in another order or form.
var otherwise = regexp.MustCompile(`[?&](sort|class|view)=`)

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

// short says whether pages are shorter than 100 KB before they are compressed.
func (c client) short(pages map[string]string) {
	c.Helper()
	for path, body := range pages {
		if len(body) > 100<<10 {
			c.Errorf("%s: %d bytes", path, len(body))
		}
	}
}

// follow asks for what a page links to, and looks at it if it is a page.
func (c client) follow(path string) string {
	c.Helper()
	r := c.get(path, "Accept", browser)
	if r.status != http.StatusOK && r.status != http.StatusGone {
		c.Errorf("%s: %d", path, r.status)
	}
	if !r.isPage() {
		return ""
	}
	body := string(r.body)
	if m := inline.FindString(values.ReplaceAllString(body, "")); m != "" {
		c.Errorf("%s: code inline: %s", path, m)
	}
	if strings.Count(body, "<h1") != 1 || strings.Count(body, "<main") != 1 ||
		!strings.Contains(body, `<html lang="ru">`) || strings.Contains(body, "<title> ") {
		c.Errorf("%s: no page with one title", path)
	}
	ids := map[string]bool{}
	for _, m := range idIn.FindAllStringSubmatch(body, -1) {
		if ids[m[1]] {
			c.Errorf("%s: two places are called %s", path, m[1])
		}
		ids[m[1]] = true
	}
	return body
}

// small asks for a page, which is below 100 KB without any coding.
func (c client) small(path string) {
	c.Helper()
	if size := len(c.page(path, http.StatusOK)); size > 100_000 {
		c.Errorf("%s: %d bytes", path, size)
	}
}

// The same request gives the same page, and a page that the client has is not sent
// again.
func TestPagesAreValidated(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{"/", "/api/v1/guidelines", deposit, deposit + "/versions/1.0.0",
		deposit + "/versions", "/api/v1/changelog"} {
		first, again := c.get(path, "Accept", browser), c.get(path, "Accept", browser)
		if !bytes.Equal(first.body, again.body) {
			t.Errorf("%s: two answers", path)
		}
		if data := c.get(path); data.header.Get("Etag") == first.header.Get("Etag") {
			t.Errorf("%s: the page and the data have one tag", path)
		}
		if r := c.get(path, "Accept", browser, "If-None-Match",
			first.header.Get("Etag")); r.status != http.StatusNotModified {
			t.Errorf("%s: %d for what the client has", path, r.status)
		}
	}
	r := c.get(deposit, "Accept", browser)
	for name, want := range map[string]string{"X-Guideline-Version": "2.0.0", "Vary": "Accept, Accept-Encoding",
		"Content-Language": "ru"} {
		t.Run(name, func(t *testing.T) {
			if got := r.header.Get(name); got != want {
				t.Errorf("%s is %q", name, got)
			}
		})
	}
	for _, a := range regexp.MustCompile(`/assets/[^"]+`).FindAllString(string(r.body), -1) {
		if got := c.get(a).header.Get("Cache-Control"); got != "public, max-age=31536000, immutable" {
			t.Errorf("%s: Cache-Control is %q", a, got)
		}
	}
}

// What a form leaves empty is not asked for; a link on a page may ask for data.
func TestPageForms(t *testing.T) {
	c, rules := ask(t, starterSite()), currentItems(starterSite(), content.Guidelines)
	for i, test := range []struct{ path, want, not string }{
		{"/api/v1/guidelines?scenario=&status=&product_type=&as_of=", strconv.Itoa(rules) + "\u00A0запис", "по условиям"},
		{"/api/v1/guidelines?scenario=fraud_risk&status=", "по условиям отбора", "Разбор вклада"},
		{"/api/v1/fraud/signals?category=&severity=&sufficient_for_stop=true", "Подходит 31 из 121", ""},
		{"/api/v1/fraud/signals?sort=-severity", `aria-sort="descending"`, ""},
		{"/api/v1/fraud/signals?offset=1000", `список кончается раньше. <a href="/api/v1/fraud/signals">`,
			"Под условия отбора ничего не подходит."},
		{"/api/v1/guidelines?offset=1000", `список кончается раньше. <a href="/api/v1/guidelines">`,
			"Пока ничего нет."},
		{"/api/v1/guidelines?scenario=fraud_risk&offset=1000", `<a href="/api/v1/guidelines?scenario=fraud_risk">`,
			"Под условия отбора ничего не подходит."},
		{"/api/v1/changelog?offset=1000", `<a href="/api/v1/changelog">`, "Изменений нет."},
		{"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4&offset=999",
			`<a href="/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4">К началу`, "Ничего не нашлось."},
		{"/api/v1/health", ", из них нет в списке: 4", ""},
		{"/api/v1/search", "Что найти", "results"},
		{"/api/v1/search?q=", "Что найти", "results"},
		{"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4&scenario=&product_type=", "<mark>", ""},
		{"/api/v1/changelog?since=2026-10-01&limit=500", "Ещё семь расчётов", "Первая публикация"},
		{"/api/v1/math?family=kasko&release=", "каско", "Ставка вклада"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			body := c.page(test.path, http.StatusOK)
			main := body[strings.Index(body, "<h1"):]
			if !strings.Contains(main, test.want) || test.not != "" &&
				strings.Contains(main[strings.Index(main, "</header>"):], test.not+"</") {
				t.Errorf("%s: want %q and not %q", test.path, test.want, test.not)
			}
		})
	}
	for path, kind := range map[string]string{
		deposit2 + "?format=json": jsonType, deposit2 + "?format=markdown": markdownType + "; charset=utf-8",
		"/api/v1/guidelines?format=json":                   jsonType,
		"/api/v1/fraud/signals?category=money&format=json": jsonType, "/api/v1/health?format=json": jsonType,
	} {
		t.Run(path, func(t *testing.T) {
			if r := c.get(path, "Accept", browser); r.status != http.StatusOK || r.header.Get("Content-Type") != kind {
				t.Errorf("%s: %d %s", path, r.status, r.header.Get("Content-Type"))
			}
		})
	}
	c.page("/api/v1/guidelines?format=xml", http.StatusBadRequest)
	c.page("/api/v1/fraud/signals?sort=nothing", http.StatusBadRequest)
	// data is sorted by who reads it
	c.get("/api/v1/fraud/signals?sort=severity").want(t, http.StatusBadRequest, "invalid_query")
}

// The link to JSON on a page leads to what the page shows, not to more.
func TestDataOfPages(t *testing.T) {
	c := ask(t, starterSite())
	for page, data := range map[string]string{
		"/api/v1/guidelines?scenario=fraud_risk&status=":             "/api/v1/guidelines?scenario=fraud_risk",
		"/api/v1/guidelines?as_of=2026-05-01&offset=1":               "/api/v1/guidelines?as_of=2026-05-01",
		"/api/v1/fraud/signals?sort=-title&offset=3":                 "/api/v1/fraud/signals",
		"/api/v1/fraud/signals?category=money&sort=title":            "/api/v1/fraud/signals?category=money",
		"/api/v1/fraud/signals?category=money&as_of=2026-11-20":      "/api/v1/fraud/signals?category=money&as_of=2026-11-20",
		"/api/v1/changelog?since=2026-10-01&limit=2&offset=1":        "/api/v1/changelog?since=2026-10-01&limit=2&offset=1",
		"/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4&limit=2":    "/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4&limit=2",
		"/api/v1/math?family=kasko&release=":                         "/api/v1/math?family=kasko",
		"/api/v1/guidelines/product.common.001?as_of=2026-02-02":     "/api/v1/guidelines/product.common.001?as_of=2026-02-02",
		"/api/v1/guidelines/product.common.001/versions/1.0.0?x=any": "/api/v1/guidelines/product.common.001/versions/1.0.0",
	} {
		t.Run(page, func(t *testing.T) {
			links := regexp.MustCompile(`<(?:a|link) [^>]*type="application/json"[^>]*>`)
			for _, m := range links.FindAllString(c.page(page, http.StatusOK), -1) {
				link := html.UnescapeString(linkIn.FindStringSubmatch(m)[1])
				if got, want := c.get(link, "Accept", browser), c.get(data); got.status != http.StatusOK ||
					!bytes.Equal(got.blanked(), want.blanked()) {
					t.Errorf("%s leads to %s: %d, not %s", page, link, got.status, data)
				}
			}
		})
	}
}

// Whoever asks for more than there is finds a way back.
func TestPagesBeyondTheEnd(t *testing.T) {
	c := ask(t, starterSite())
	for _, path := range []string{
		"/api/v1/changelog?limit=2&offset=", "/api/v1/search?q=%D0%B2%D0%BA%D0%BB%D0%B0%D0%B4&limit=2&offset=",
		"/api/v1/guidelines?offset=", "/api/v1/fraud/signals?offset=", "/api/v1/changelog?since=2030-01-01&offset=",
	} {
		body := c.page(path+"1000000", http.StatusOK)
		if strings.Contains(body, "000000") || strings.Contains(body, "–0 из") {
			t.Errorf("%s1000000 counts what is not there", path)
		}
		back := regexp.MustCompile(`<a rel="prev" href="([^"]+)"`).FindStringSubmatch(body)
		if strings.Contains(path, "2030") != (back == nil) {
			t.Errorf("%s1000000: the way back is %q", path, back)
		}
		if back == nil {
			continue
		}
		if last := c.page(html.UnescapeString(back[1]), http.StatusOK); !strings.Contains(last, "<li") ||
			strings.Contains(last, `rel="next"`) {
			t.Errorf("%s is not the last page", back[1])
		}
	}
}

const deposit2 = "/api/v1/guidelines/product.deposit.analysis.001"

// Sorting changes the order and nothing else, by the order of the schema.
func TestSortedRecords(t *testing.T) {
	c := ask(t, starterSite())
	row, next := regexp.MustCompile(`<tr id="r-([^"]+)">`), regexp.MustCompile(`rel="next" href="([^"]+)"`)
	codes := func(path string) (all []string) {
		for path != "" { // a page holds as many as fit
			body := c.page(path, http.StatusOK)
			for _, m := range row.FindAllStringSubmatch(body, -1) {
				all = append(all, m[1])
			}
			path = ""
			if m := next.FindStringSubmatch(body); m != nil {
				path = html.UnescapeString(m[1])
			}
		}
		return all
	}
	plain, up, down := codes("/api/v1/fraud/signals"), codes("/api/v1/fraud/signals?sort=severity"),
		codes("/api/v1/fraud/signals?sort=-severity")
	if len(plain) != 121 || slices.Equal(plain, up) || slices.Equal(up, down) {
		t.Errorf("%d rows", len(plain))
	}
	severity := func(code string) string {
		return decode[content.Object](t, c.get("/api/v1/fraud/signals/"+code).body).Text("severity")
	}
	if severity(up[0]) != "info" || severity(down[0]) != "critical" {
		t.Errorf("the first are %s and %s", up[0], down[0])
	}
	for _, all := range [][]string{plain, up, down} {
		slices.Sort(all)
	}
	if !slices.Equal(plain, up) || !slices.Equal(plain, down) {
		t.Error("sorting loses rows")
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
		"/%3Cscript%3Ealert(1)%3C/script%3E":            {404, "ничего нет"},
		"/compare/guidelines/nothing":                   {404, `href="/api/v1/guidelines"`},
		"/compare/nothing":                              {404, "ничего нет"},
		"/compare/guidelines/product.deposit.001?to=9":  {400, ">2.0.0</a>"},
		"/api/v1/math/tools/loan_paymnt":                {404, "loan_payment"},
		"/api/v1/math/tools/loan_payment?principal=100": {400, "principal"},
	} {
		t.Run(path, func(t *testing.T) {
			body := c.page(path, test.status)
			if !strings.Contains(body, test.want) || !strings.Contains(body, `role="search"`) ||
				strings.Contains(body, "<script>") {
				t.Errorf("%s: no %q in\n%s", path, test.want, body)
			}
		})
	}
	// The search suggests what a wrong address was meant to lead to, and nothing else.
	for path, want := range map[string]string{
		"/api/v1/guidelines/product.nothing.001":                "product.nothing.001",
		"/api/v1/guidelines/product.deposit.001/versions/9.9.9": "product.deposit.001",
		"/api/v1/guidelines/investment.secret.001":              "",
		"/api/v1/guidelines?stauts=new":                         "",
	} {
		t.Run(path, func(t *testing.T) {
			_, body, _ := strings.Cut(string(c.get(path, "Accept", browser).body), `<form class="find`)
			field, _, _ := strings.Cut(body, "</form>")
			if !strings.Contains(field, ` value="`+want+`"`) {
				t.Errorf("%s: %s", path, field)
			}
		})
	}
	r := c.do(http.MethodPost, deposit, "Accept", browser)
	if r.status != http.StatusMethodNotAllowed || !r.isPage() || r.header.Get("Allow") == "" {
		t.Errorf("POST: %d %v", r.status, r.header)
	}
}

// Health as a page says which publication is not served, where and why.
func TestHealthPage(t *testing.T) {
	result := load(readScript("testdata/broken.txtar"))
	c := start(t, server.Config{
		Sites:  serving(build(nil, result.Snapshot)),
		Status: func() server.Status { return server.Status{Report: result.Report, LastError: "repository <gone>"} },
	})
	body := c.page("/api/v1/health", http.StatusOK)
	for _, tag := range slices.Concat(result.Report.Refused, result.Report.Held) {
		if !strings.Contains(body, tag) {
			t.Errorf("no %s", tag)
		}
	}
	for _, f := range result.Report.Findings {
		if f.Line > 0 && !strings.Contains(body, fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)) {
			t.Errorf("no %s", f)
		}
	}
	if !strings.Contains(body, `id="last-title"`) || strings.Contains(body, "gone") {
		t.Error("it does not say that loading failed, or too much of why")
	}
	away := start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status {
		return server.Status{Remote: &server.Remote{Error: "no route to <host>"}}
	}})
	if body := away.page("/api/v1/health", http.StatusOK); !strings.Contains(body, `id="remote-title"`) ||
		strings.Contains(body, "no route") {
		t.Error("it does not say that the repository cannot be copied, or too much of why")
	}
	draining := start(t, server.Config{Sites: serving(storeSite()),
		Status: func() server.Status { return server.Status{Draining: true} }})
	draining.page("/api/v1/health", http.StatusServiceUnavailable)
}

package server_test

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"testing"

	"rulestore/server"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

// everyRoute lists what a client can ask for, and how: each address of a site, what is
// nowhere, and what the router answers.
func everyRoute(s *site.Site) (paths []string) {
	for _, p := range places(s) {
		paths = append(paths, p.path)
	}
	return append(paths,
		api.MCPPath, api.MCPCardPath, api.MCPRegistryPath,
		"/compare/guidelines/product.deposit.001?from=1.0.0&to=1.1.0",
		"/api/v1/guidelines?status=superseded", "/api/v1/search?q=", "/api/v1/guidelines?unknown=1",
		"/api/v1/guidelines/none.at.all", "/nowhere", "/nowhere?"+strings.Repeat("x", 25<<10),
		"/api/v1/guidelines/investment.secret.001/versions/1.0.0", "/assets/none.css", string(firstAsset(s)),
	)
}

// drafting is a server of drafts.
func drafting(t testing.TB) (*current, client) {
	snapshot := *storeSite().Snapshot
	snapshot.Drafts = true
	p := serving(build(nil, &snapshot))
	return p, start(t, server.Config{Sites: p})
}

// firstAsset is the address of a file that pages need.
func firstAsset(s *site.Site) string {
	page := string(html.Page(s, s.Lookup("/")).Ready().Body.Bytes)
	_, after, _ := strings.Cut(page, `<link rel="stylesheet" href="`)
	path, _, _ := strings.Cut(after, `"`)
	return strings.TrimPrefix(path, baseURL)
}

var everyMethod = []string{http.MethodGet, http.MethodHead, http.MethodOptions, http.MethodPost,
	http.MethodPut, http.MethodDelete}

// No answer with drafts may be kept, embedded or read by a page of another origin,
// whatever is asked for and whatever comes of it.
func TestNothingOfDraftsIsForOthers(t *testing.T) {
	p, c := drafting(t)
	paths := everyRoute(p.Current())
	for _, path := range paths {
		t.Run(path[:min(len(path), 100)], func(t *testing.T) {
			for _, method := range everyMethod {
				for _, accept := range []string{"application/json", "text/markdown", browser, "image/png"} {
					r := client{TB: t, url: c.url}.bare(method, path, "", "Accept", accept, "If-None-Match", "*",
						"Accept-Encoding", "gzip")
					checkPrivate(t, fmt.Sprint(method, " as ", accept), r)
				}
			}
		})
	}
}

// The answer to a form is kept by the browser that sent it, so that Back does not send it again,
// and by nobody else; what a program posts is kept by nobody.
func TestFormsOfDrafts(t *testing.T) {
	_, c := drafting(t)
	for path, form := range map[string]url.Values{
		api.ToolsPath + "loan_payment": {"principal": {"1000000"}, "annual_rate_pct": {"18"}, "term_months": {"12"}},
	} {
		r := c.postForm(path, form)
		if got := r.header["Cache-Control"]; !slices.Equal(got, []string{"private, no-cache"}) ||
			r.header.Get("Cross-Origin-Resource-Policy") != "same-origin" || !r.isPage() {
			t.Errorf("%s: %d %v", path, r.status, r.header)
		}
	}
	checkPrivate(t, "a citation", c.post(api.CitationsPath, `{"citations":[{"id":"product.common.001","version":"1.0.0",`+
		`"content_checksum":"sha256:`+strings.Repeat("0", 64)+`"}]}`))
}

func checkPrivate(t *testing.T, what string, r response) {
	t.Helper()
	if got := r.header["Cache-Control"]; !slices.Equal(got, []string{"no-store"}) {
		t.Errorf("%s: %d with Cache-Control %q", what, r.status, got)
	}
	if got := r.header.Get("Cross-Origin-Resource-Policy"); got != "same-origin" {
		t.Errorf("%s: %d with Cross-Origin-Resource-Policy %q", what, r.status, got)
	}
	for name := range r.header {
		if strings.HasPrefix(name, "Access-Control-") {
			t.Errorf("%s: %d with %s", what, r.status, name)
		}
	}
}

// Every 304 and answer of MCP is as private as the rest.
func TestPrivateAnswersOfOtherKinds(t *testing.T) {
	_, c := drafting(t)
	tag := c.get(deposit).header.Get("Etag")
	unchanged := c.get(deposit, "If-None-Match", tag)
	unchanged.want(t, http.StatusNotModified, "")
	checkPrivate(t, "not modified", unchanged)

	for _, method := range []string{"resources/list", "resources/templates/list", "prompts/list", "tools/list"} {
		r := c.rpc(method, "")
		checkPrivate(t, method, r)
		if body := string(r.body); r.status != http.StatusOK || !strings.Contains(body, `"cacheScope":"private"`) ||
			!strings.Contains(body, `"ttlMs":0`) {
			t.Errorf("%s: %d %.300s", method, r.status, body)
		}
	}
}

// Who asks under another name, or from a page of another origin, gets none of it: server/clients tells
// which names and origins those are.
func TestDraftsAreRefused(t *testing.T) {
	p, c := drafting(t)
	_, host, _ := strings.Cut(c.url, "://")
	for code, headers := range map[string][]string{
		"foreign_host":   {"Host", "evil.example", "X-Forwarded-Host", "rules.example.org"},
		"foreign_origin": {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors", "Sec-Fetch-Dest", "script"},
	} {
		for _, path := range everyRoute(p.Current()) {
			for _, method := range everyMethod {
				r := c.bare(method, path, "", slices.Concat(headers, []string{"Accept", browser})...)
				checkPrivate(t, method+" "+path, r)
				if got := r.asProblem(); r.status != http.StatusForbidden || method != http.MethodHead &&
					(got.Code != code || got.Title == "" || len(r.body) > 25<<10) {
					t.Errorf("%s %.100s: %d %.300s", method, path, r.status, r.body)
				}
				if code == "foreign_host" && method != http.MethodHead && !strings.Contains(r.asProblem().Detail, "--base-url") {
					t.Errorf("%s %.100s does not say what to do: %s", method, path, r.body)
				}
			}
		}
	}
	for _, headers := range [][]string{
		{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest", "document"}, // a link elsewhere
		{"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors", "Origin", "http://" + host},
		{"Host", "rules.example.org", "Origin", "https://rules.example.org"},
	} {
		if r := c.bare(http.MethodGet, deposit, "", headers...); r.status != http.StatusOK {
			t.Errorf("%q: %d %s", headers, r.status, r.body)
		}
	}
}

//go:build slow

package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// Who asks under another name, or from a page of another origin, gets none of it.
func TestDraftsAreRefused(t *testing.T) {
	p, c := previewing(t)
	_, host, _ := strings.Cut(c.url, "://")
	tests := []struct {
		name    string
		code    string
		headers []string
	}{
		{"a rebound name", "foreign_host", []string{"Host", "evil.example"}},
		{"a rebound name with the port", "foreign_host", []string{"Host", "evil.example:8080"}},
		{"a name that begins with ours", "foreign_host", []string{"Host", "localhost.evil.example"}},
		{"a name that ends with ours", "foreign_host", []string{"Host", "evil-localhost"}},
		{"our name under another", "foreign_host", []string{"Host", "rules.example.org.evil.example"}},
		{"a name under ours", "foreign_host", []string{"Host", "evil.rules.example.org"}},
		{"an address of elsewhere", "foreign_host", []string{"Host", "192.0.2.1"}},
		{"every address", "foreign_host", []string{"Host", "0.0.0.0"}},
		{"an address as a number", "foreign_host", []string{"Host", "2130706433"}},
		{"the host that a proxy names", "foreign_host", []string{"Host", "evil.example",
			"X-Forwarded-Host", "rules.example.org"}},
		{"a page elsewhere", "foreign_origin", []string{"Origin", "https://evil.example"}},
		{"a page without an origin", "foreign_origin", []string{"Origin", "null"}},
		{"a page on another port", "foreign_origin", []string{"Origin", "http://127.0.0.1:1"}},
		{"a script elsewhere", "foreign_origin", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors",
			"Sec-Fetch-Dest", "script"}},
		{"a script of a neighbour", "foreign_origin", []string{"Sec-Fetch-Site", "same-site", "Sec-Fetch-Mode",
			"no-cors", "Sec-Fetch-Dest", "script"}},
		{"a form in a sandbox", "foreign_origin", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
			"Sec-Fetch-Dest", "document", "Origin", "null"}},
		{"a frame elsewhere", "foreign_origin", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
			"Sec-Fetch-Dest", "iframe"}},
		{"a prefetch elsewhere", "foreign_origin", []string{"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "no-cors",
			"Sec-Fetch-Dest", "empty"}},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			for _, path := range everyRoute(p.Current()) {
				for _, method := range everyMethod {
					r := client{TB: t, url: c.url}.bare(method, path,
						slices.Concat(tt.headers, []string{"Accept", browser})...)
					checkPrivate(t, method+" "+path, r)
					if method == http.MethodHead {
						r.want(t, http.StatusForbidden, "")
						continue
					}
					if got := r.asProblem(); r.status != http.StatusForbidden || got.Code != tt.code ||
						got.Title == "" || len(r.body) > 25<<10 {
						t.Errorf("%s %.100s: %d %.300s", method, path, r.status, r.body)
					}
					if tt.code == "foreign_host" && !strings.Contains(r.asProblem().Detail, "--base-url") {
						t.Errorf("%s %.100s does not say what to do: %s", method, path, r.body)
					}
				}
			}
			preflight := client{TB: t, url: c.url}.bare(http.MethodOptions, deposit,
				slices.Concat(tt.headers, []string{"Access-Control-Request-Method", "GET"})...)
			checkPrivate(t, "preflight", preflight)
			if preflight.status != http.StatusForbidden {
				t.Errorf("a preflight: %d", preflight.status)
			}
		})
	}
	for name, headers := range map[string][]string{
		"the address bar": {"Sec-Fetch-Site", "none", "Sec-Fetch-Mode", "navigate",
			"Sec-Fetch-Dest", "document"},
		"a link elsewhere": {"Sec-Fetch-Site", "cross-site", "Sec-Fetch-Mode", "navigate",
			"Sec-Fetch-Dest", "document"},
		"a form of ours": {"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "navigate", "Sec-Fetch-Dest",
			"document", "Origin", "null"},
		"a page of ours": {"Sec-Fetch-Site", "same-origin", "Sec-Fetch-Mode", "cors",
			"Origin", "http://" + host},
		"a page behind a proxy":    {"Host", "rules.example.org", "Origin", "https://rules.example.org"},
		"a proxy that hides it":    {"Origin", "https://rules.example.org"},
		"a proxy that says a port": {"Host", "rules.example.org:443", "Origin", "https://rules.example.org"},
		"upper case":               {"Host", "RULES.Example.ORG", "Origin", "https://rules.example.org"},
		"a dot at the end":         {"Host", "rules.example.org."},
		"another port":             {"Host", "localhost:1"},
	} {
		t.Run(name, func(t *testing.T) {
			if r := (client{TB: t, url: c.url}).bare(http.MethodGet, deposit, headers...); r.status != http.StatusOK {
				t.Errorf("%d %s", r.status, r.body)
			}
		})
	}
}

package server_test

import (
	"encoding/json"
	"html"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// address is one of ours, as it stands in a body or a header.
var address = regexp.MustCompile(regexp.QuoteMeta(baseURL) + `[^\s"'<>)]*`)

// Every address that an answer names leads somewhere; what is redacted says so.
func TestNoDeadLinks(t *testing.T) {
	for name, s := range map[string]*site.Site{"store": storeSite(), "kinds": kindsSite()} {
		t.Run(name, func(t *testing.T) {
			known := walk(ask(t, s), s)
			for _, path := range append(
				[]string{"/", "/api/v1/health", "/api/v1/guidelines", "/scenarios/fraud_risk/current.md"},
				leads[name]...,
			) {
				if !known[path] {
					t.Errorf("nothing leads to %s", path)
				}
			}
		})
	}
}

// leads are places of a store that must be found from its entrances.
var leads = map[string][]string{
	"store": {deposit + "/versions/1.0.0"},
	"kinds": {
		"/instructions/assistant.md", "/instructions/fallback-policy.md", "/instructions/integration-profile.md",
		"/api/v1/schemas/math/claim",
		"/api/v1/fraud/signals/versions/1.2.0", "/api/v1/registries/currencies",
		"/api/v1/external-parameters/bank.days", "/api/v1/calendars/ru-2026",
		"/.well-known/api-catalog", "/openapi.yaml", "/schemas/registries/fraud-signals/1.0.json",
		"/schemas/schemas/1.0.json",
	},
}

// walk follows every address from the entrances on and returns the paths.
func walk(c client, s *site.Site) map[string]bool {
	known := map[string]bool{"": true}
	queue := []string{"/", "/llms.txt"}
	for len(queue) > 0 {
		path := queue[0]
		queue = queue[1:]
		r := c.get(path)
		if r.status != http.StatusOK && r.status != http.StatusGone && !r.isPosted() {
			c.Errorf("%s: %d", path, r.status)
		}
		body := string(r.body)
		if r.isPage() {
			body = html.UnescapeString(body) // commands are quoted
		}
		text := body + headerText(r.header)
		if strings.HasPrefix(path, "/openapi.") { // its examples are examples
			continue
		}
		for _, found := range address.FindAllString(text, -1) {
			found, _, _ = strings.Cut(found, "#") // places of pages: see TestPagesByTheirLinks
			if next := filled(s, strings.TrimPrefix(found, baseURL)); !known[next] {
				known[next] = true
				queue = append(queue, next)
			}
		}
	}
	return known
}

// filled puts a name and a version into a path that leaves them open, and a
// question where one is needed. It returns "" if there is nothing to fill in.
func filled(s *site.Site, path string) string {
	if path == "/api/v1/search" {
		return path + "?q=%D0%BA%D0%BE%D0%B4"
	}
	if path == api.FraudBriefPath {
		return path + "?signal=" + aSignal(s)
	}
	if strings.Contains(path, "{") {
		return pathFor(s, path)
	}
	return path
}

// aSignal is the code of the first signal of a site.
func aSignal(s *site.Site) string {
	var signals []struct{ Code string }
	raw := s.Snapshot.Item(content.Registries, "fraud-signals").Current.Body().Get("signals")
	if err := json.Unmarshal(raw, &signals); err != nil {
		panic(err)
	}
	return signals[0].Code
}

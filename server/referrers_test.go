package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

type referred struct {
	View       string
	Total      int
	Referenced []struct {
		Kind, ID, Title, URL string
		Sections             []string
	} `json:"referenced_by"`
}

// What names a thing is said where it is found and where it has an address, as data, as Markdown and on
// its page; each of them is there.
func TestReferencedBy(t *testing.T) {
	c := ask(t, kindsSite())
	for path, test := range map[string]struct{ kind, by string }{
		"/api/v1/fraud/signals/CODE_REQUESTED":                      {"signal", "fraud_scenario safe_account"},
		"/api/v1/fraud/routes/bank-block.001":                       {"route", "state CONTACT_ACTIVE"},
		"/api/v1/authority-resources/user_bank":                     {"authority", "route bank-block.001"},
		"/api/v1/glossary/deposit":                                  {"term", "term chargeback"},
		"/api/v1/external-parameters/bank.limit?view=referenced_by": {"parameter", "instruction service.claims.001"},
	} {
		item, _, _ := strings.Cut(path, "?")
		id := item[strings.LastIndexByte(item, '/')+1:]
		var found, listed []string
		for _, h := range seek(t, c, "q", id, "kind", test.kind).Results {
			if h.ID == id {
				for _, r := range h.ReferencedBy {
					found = append(found, r.Kind+" "+r.ID)
				}
			}
		}
		r := c.get(path)
		for _, r := range decode[referred](t, r.body).Referenced {
			listed = append(listed, r.Kind+" "+r.ID)
			at := strings.TrimPrefix(r.URL, baseURL)
			if c.get(at).status != http.StatusOK || !strings.Contains(c.page(item, http.StatusOK), at) ||
				!strings.Contains(string(c.get(path, "Accept", markdownType).body), r.URL) {
				t.Errorf("%s: nothing is at %s, or no page or Markdown leads there", path, r.URL)
			}
			for _, section := range r.Sections {
				if part := c.get(at + "?section=" + section); !strings.HasPrefix(at, "/api/v1/fraud") && !strings.HasPrefix(at,
					"/api/v1/glossary") && !strings.Contains(string(part.body), id) {
					t.Errorf("%s, section %s: %d %s", at, section, part.status, part.body)
				}
			}
		}
		if !slices.Contains(found, test.by) || !slices.Contains(listed, test.by) || slices.Contains(listed, test.kind+" "+id) {
			t.Errorf("%s is named by %q, found with %q, expected %s among them", path, listed, found, test.by)
		}
		if r.header.Get("X-Content-Checksum")+r.header.Get("Last-Modified") != "" {
			t.Errorf("%s: %v", path, r.header)
		}
		if not := c.get(path, "If-None-Match", r.header.Get("Etag")); not.status != http.StatusNotModified {
			t.Errorf("%s: %d for what the client has", path, not.status)
		}
	}
}

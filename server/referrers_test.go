package server_test

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// What is found says what names it: a signal, who uses it in their rules and records.
func TestReferencedBy(t *testing.T) {
	c := ask(t, starterSite())
	for _, want := range []struct{ name, id, kind, by string }{
		{"a signal by compound rules", "PRETEXT_MOBILE_OPERATOR_5G", "signal",
			"instruction service.fraud-response.001"},
		{"a signal by scenarios", "APK_INSTALLATION_REQUESTED", "signal", "fraud_scenario malicious_app_remote_access"},
		{"a route by states", "bank-urgent-response.001", "route", "state MONEY_TRANSFERRED_BY_USER"},
		{"an authority by routes", "bank-of-russia", "authority", "route illegal-provider-report.001"},
		{"a parameter by instructions", "consumer-rights.ombudsman-amount-limit", "parameter",
			"instruction service.consumer-rights-response.001"},
		{"a term by terms", "claim", "term", "term property_claim"},
		{"a calculation by instructions", "loan_payment", "calculation", "instruction service.math-module.001"},
	} {
		t.Run(want.name, func(t *testing.T) {
			results := seek(t, c, "q", want.id, "kind", want.kind).Results
			i := slices.IndexFunc(results, func(h hit) bool { return h.ID == want.id })
			if i < 0 {
				t.Fatalf("%s is not found", want.id)
			}
			var by []string
			for _, r := range results[i].ReferencedBy {
				by = append(by, r.Kind+" "+r.ID)
				if path := r.URL[strings.Index(r.URL, "/api/"):]; c.get(path).status != http.StatusOK {
					t.Errorf("nothing is at %s", r.URL)
				}
			}
			if !slices.Contains(by, want.by) || slices.Contains(by, want.kind+" "+want.id) {
				t.Errorf("it is named by %q, expected %s among them", by, want.by)
			}
		})
	}
}

type referred struct {
	View       string
	Total      int
	Referenced []struct {
		Kind, ID, Title, URL string
		Sections             []string
	} `json:"referenced_by"`
}

// The same is said where a record or a calculation has an address of its own, as data, as
// Markdown and on its page.
func TestReferencedByRecords(t *testing.T) {
	c := ask(t, starterSite())
	for path, by := range map[string]string{
		"/api/v1/fraud/signals/APK_INSTALLATION_REQUESTED": "fraud_scenario malicious_app_remote_access",
		"/api/v1/fraud/routes/bank-urgent-response.001":    "state MONEY_TRANSFERRED_BY_USER",
		"/api/v1/authority-resources/bank-of-russia":       "route illegal-provider-report.001",
		"/api/v1/glossary/claim":                           "term property_claim",
		toolsPath + "loan_payment":                         "instruction service.math-module.001",
	} {
		t.Run(path, func(t *testing.T) {
			r := c.get(path)
			var all []string
			for _, r := range decode[referred](t, r.body).Referenced {
				all = append(all, r.Kind+" "+r.ID)
				if page := c.get(path, "Accept", browser); !strings.Contains(string(page.body),
					strings.TrimPrefix(r.URL, baseURL)) {
					t.Errorf("%s: the page does not lead to %s", path, r.URL)
				}
				if md := c.get(path, "Accept", markdownType); md.status == http.StatusOK &&
					!strings.Contains(string(md.body), r.URL) {
					t.Errorf("%s: the Markdown does not name %s", path, r.URL)
				}
			}
			if !slices.Contains(all, by) {
				t.Errorf("%s is named by %q, expected %s among them", path, all, by)
			}
			if not := c.get(path, "If-None-Match", r.header.Get("Etag")); not.status != http.StatusNotModified {
				t.Errorf("%s: %d for what the client has", path, not.status)
			}
			if head := c.do(http.MethodHead, path); head.header.Get("Content-Length") != strconv.Itoa(len(r.body)) {
				t.Errorf("%s: HEAD says %s, there are %d", path, head.header.Get("Content-Length"), len(r.body))
			}
		})
	}
}

// Of an item it is asked for: no part of what has a checksum, and of no day or version.
func TestReferencedByView(t *testing.T) {
	c := ask(t, starterSite())
	const path = "/api/v1/external-parameters/consumer-rights.ombudsman-amount-limit"
	r := c.get(path + "?view=referenced_by")
	got := decode[referred](t, r.body)
	if got.View != "referenced_by" || got.Total != len(got.Referenced) || got.Total == 0 ||
		r.header.Get("X-Content-Checksum") != "" || r.header.Get("Last-Modified") != "" {
		t.Errorf("%+v %v", got, r.header)
	}
	for _, by := range got.Referenced {
		at := strings.TrimPrefix(by.URL, baseURL)
		if len(by.Sections) == 0 {
			t.Errorf("%s names it nowhere", by.ID)
		}
		for _, section := range by.Sections {
			if r := c.get(at + "?section=" + section); !strings.Contains(string(r.body),
				"consumer-rights.ombudsman-amount-limit") {
				t.Errorf("%s, section %s: %d %s", at, section, r.status, r.body)
			}
		}
		if md := c.get(path+"?view=referenced_by", "Accept", markdownType); !strings.Contains(string(md.body), by.URL) {
			t.Errorf("%s is not in\n%s", by.URL, md.body)
		}
	}
	for _, whole := range []string{path, path + "/versions/1.0.0", path + "?as_of=2026-06-01", path + "?view=brief"} {
		if r := c.get(whole); strings.Contains(string(r.body), "referenced_by") {
			t.Errorf("%s says who names it", whole)
		}
	}
	for _, wrong := range []string{"?view=referenced_by&as_of=2026-06-01", "/versions/1.0.0?view=referenced_by",
		"?view=referenced_by&section=value", "?view=referenced_by&view=brief"} {
		c.get(path+wrong).want(t, http.StatusBadRequest, "invalid_query")
	}
	both := c.get(path + "?view=referenced_by&section=value&as_of=2026-06-01")
	both.want(t, http.StatusBadRequest, "invalid_query")
	if n := strings.Count(string(both.body), `"inconsistent"`); n != 2 {
		t.Errorf("%d of two faults are named:\n%s", n, both.body)
	}
	alone := decode[referred](t, c.get("/api/v1/calendars/ru-2024?view=referenced_by").body)
	if alone.Referenced == nil || alone.Total != 0 {
		t.Errorf("nobody names it: %+v", alone)
	}
}

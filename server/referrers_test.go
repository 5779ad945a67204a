package server_test

import (
	"net/http"
	"slices"
	"strings"
	"testing"
)

// What is found says what names it: a signal, who uses it in their rules and records.
func TestReferencedBy(t *testing.T) {
	c := ask(t, starterSite())
	for _, want := range []struct{ name, id, kind, by string }{
		{"a signal by compound rules", "PRETEXT_MOBILE_OPERATOR_5G", "signal", "instruction service.fraud-response.001"},
		{"a signal by scenarios", "APK_INSTALLATION_REQUESTED", "signal", "fraud_scenario malicious_app_remote_access"},
		{"a route by states", "bank-urgent-response.001", "route", "state MONEY_TRANSFERRED_BY_USER"},
		{"an authority by routes", "bank-of-russia", "authority", "route illegal-provider-report.001"},
		{"a parameter by instructions", "consumer-rights.ombudsman-amount-limit", "parameter", "instruction service.consumer-rights-response.001"},
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

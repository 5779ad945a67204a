package server_test

import (
	"net/http"
	"strings"
	"testing"

	"rulestore/server/api"
)

// What is wrong with a query or with citations is described, whatever it is.
func TestOpenAPIFaults(t *testing.T) {
	s := load(readScript("testdata/store.txtar")).Snapshot
	c := checking(t, build(nil, s))
	for query, code := range map[string]string{
		"/api/v1/scenarios/fraud_risk?in_force=2026-01-01": "not_dated", "/api/v1/guidelines?format=xml": "unknown_value",
		"/api/v1/changelog?since=99999": "beyond_log", "/api/v1/guidelines?a=%zz": "malformed",
		"/compare/guidelines/investment.promise.001?from=1.1.0&as_of=2026-10-01": "inconsistent",
	} {
		if r := c.wants(http.StatusBadRequest, query); !strings.Contains(string(r.body), `"`+code+`"`) {
			t.Errorf("%s has no %s: %s", query, code, r.body)
		}
	}
	for body, code := range map[string]string{
		`[]`: "type", `{}`: "out_of_range", `{"citations":[{}]}`: "no_checksum",
		`{"citations":[{"at":"вчера"}]}`: "no_date", `{"citations":[{"id":""}]}`: "required",
	} {
		r := c.post(api.CitationsPath, body)
		r.want(t, http.StatusUnprocessableEntity, "validation_failed")
		if !strings.Contains(string(r.body), `"`+code+`"`) {
			t.Errorf("%.60s has no %s: %s", body, code, r.body)
		}
		c.described(api.CitationsPath, r, true)
	}
}

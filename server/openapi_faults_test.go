package server_test

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulestore/server/api"
)

var problemCode = regexp.MustCompile(`(?:roblem(?:\{\s*(?:Status: [^,]+,\s*)?Code: |\(\s*(?:http\.\w+, )?)|found\([^,]+, )"([a-z_]+)"`)

// Every code of an error for programs is described.
func TestOpenAPIProblemCodes(t *testing.T) {
	others := map[string]bool{
		"invalid_form": true, "too_many_previews": true, // of what only pages send
		"validation_failed": true, // in another schema
	}
	found := 0
	for _, file := range must(filepath.Glob("*.go")) {
		for _, m := range problemCode.FindAllStringSubmatch(string(must(os.ReadFile(file))), -1) {
			found++
			if err := described().valid("#/components/schemas/Problem/properties/code", m[1]); err != nil && !others[m[1]] {
				t.Errorf("%s: the document lacks the code %s", file, m[1])
			}
		}
	}
	if found < 15 {
		t.Errorf("only %d codes found", found)
	}
}

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

package server_test

import (
	"net/http"
	"testing"

	"rulestore/content"
)

// What a reader gets where there is nothing to be had; server/site has what else is answered.
func TestGolden(t *testing.T) {
	c := ask(t, storeSite())
	golden(t, "healthz.json", c.get("/healthz").blanked())
	golden(t, "problem-405.json", c.do(http.MethodPost, "/api/v1/guidelines").body)
	golden(t, "problem-406.json", c.get(deposit, "Accept", "image/png").body)
	golden(t, "problem-410.json", c.get("/api/v1/guidelines/investment.secret.001").body)
	golden(t, "problem-404-item.json", c.get("/api/v1/guidelines/product.nothing.001").body)
}

// The stores of the tests are what they say: nothing of them is refused or held.
func TestStoresAreSound(t *testing.T) {
	for _, file := range []string{"testdata/store.txtar", "testdata/kinds.txtar"} {
		report := load(readScript(file)).Report
		if len(report.Refused)+len(report.Held)+report.Count(content.Error) > 0 {
			t.Errorf("%s: refused %q, held %q, findings %v", file, report.Refused, report.Held, report.Findings)
		}
	}
}

// The headers of each sort of answer, as they are sent.
func TestGoldenHeaders(t *testing.T) {
	c := ask(t, storeSite())
	golden(t, "headers-200.txt", []byte(headerText(c.get(deposit+"/versions/1.1.0").header)))
	golden(t, "headers-304.txt", []byte(headerText(c.get(deposit, "If-None-Match", c.get(deposit).header.Get("Etag")).header)))
	golden(t, "headers-204.txt", []byte(headerText(c.do(http.MethodOptions, deposit).header)))
	golden(t, "headers-405.txt", []byte(headerText(c.do(http.MethodPut, deposit).header)))
	golden(t, "headers-health.txt", []byte(headerText(c.get("/api/v1/health").header)))
}

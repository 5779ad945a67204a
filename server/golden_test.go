package server_test

import (
	"net/http"
	"testing"
)

// What a reader gets, kept to be read: testdata/golden.
func TestGolden(t *testing.T) {
	c := ask(t, storeSite())
	for _, test := range []struct {
		name, method, path, accept string
		status                     int
	}{
		{"manifest.json", "GET", "/", "", 200},
		{"llms.txt", "GET", "/llms.txt", "", 200},
		{"guidelines.json", "GET", "/api/v1/guidelines", "", 200},
		{"guidelines-superseded.json", "GET", "/api/v1/guidelines?status=superseded&product_type=deposit", "", 200},
		{"guideline.json", "GET", "/api/v1/guidelines/product.deposit.001", "", 200},
		{"guideline.md", "GET", "/api/v1/guidelines/product.deposit.001", "text/markdown", 200},
		{"guideline-review.json", "GET", "/api/v1/guidelines/fraud.code.001", "", 200},
		{"guideline-archived.md", "GET", "/guidelines/fraud.call.001/current.md", "", 200},
		{"versions.json", "GET", "/api/v1/guidelines/product.deposit.001/versions", "", 200},
		{"versions-marked.json", "GET", "/api/v1/guidelines/investment.promise.001/versions", "", 200},
		{"scenarios.json", "GET", "/api/v1/scenarios", "", 200},
		{"scenario.json", "GET", "/api/v1/scenarios/product_analysis", "", 200},
		{"scenario.md", "GET", "/api/v1/scenarios/product_analysis", "text/markdown", 200},
		{"changelog.json", "GET", "/api/v1/changelog?limit=8&offset=1", "", 200},
		{"checksums.txt", "GET", "/api/v1/checksums", "", 200},
		{"healthz.json", "GET", "/healthz", "", 200},
		{"problem-400.json", "GET", "/api/v1/guidelines?status=new&stauts=current&scenario=a&scenario=b&product_type=", "", 400},
		{"problem-404-path.json", "GET", "/api/v2/guidelines", "", 404},
		{"problem-404-item.json", "GET", "/api/v1/guidelines/product.nothing.001", "", 404},
		{"problem-404-version.json", "GET", "/api/v1/guidelines/product.deposit.001/versions/9.9.9", "", 404},
		{"problem-404-current.json", "GET", "/api/v1/guidelines/consumer-rights.court.001", "", 404},
		{"problem-405.json", "POST", "/api/v1/guidelines", "", 405},
		{"problem-406.json", "GET", "/api/v1/guidelines/product.deposit.001", "text/html", 406},
		{"problem-410.json", "GET", "/api/v1/guidelines/investment.secret.001", "", 410},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := client{t, c.url}.do(test.method, test.path, "Accept", test.accept)
			if r.status != test.status {
				t.Errorf("status %d, want %d", r.status, test.status)
			}
			golden(t, test.name, r.blanked())
		})
	}
}

// The headers of each sort of answer, as they are sent.
func TestGoldenHeaders(t *testing.T) {
	c := ask(t, storeSite())
	const path = "/api/v1/guidelines/product.deposit.001"
	tag := c.get(path).header.Get("Etag")
	for _, test := range []struct {
		name string
		r    response
	}{
		{"200.txt", c.get(path + "/versions/1.1.0")},
		{"304.txt", c.get(path, "If-None-Match", tag)},
		{"204.txt", c.do(http.MethodOptions, path)},
		{"405.txt", c.do(http.MethodPut, path)},
		{"health.txt", c.get("/api/v1/health")},
	} {
		golden(t, "headers-"+test.name, []byte(headerText(test.r.header)))
	}
}

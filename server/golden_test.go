package server_test

import (
	"net/http"
	"testing"

	"rulestore/content"
	"rulestore/server/site"
)

// reading is a request whose answer is kept to be read: in testdata/golden.
type reading struct {
	name, method, path, accept string
	status                     int
}

// What a reader gets where there is nothing to be had. All else that is answered is compared beside
// the site.
func TestGolden(t *testing.T) {
	checkGolden(t, storeSite(), "", []reading{
		{"healthz.json", "GET", "/healthz", "", 200},
		{"problem-400.json", "GET", "/api/v1/guidelines?status=new&stauts=current&scenario=a&scenario=b&product_type=",
			"", 400},
		{"problem-404-path.json", "GET", "/api/v2/guidelines", "", 404},
		{"problem-404-item.json", "GET", "/api/v1/guidelines/product.nothing.001", "", 404},
		{"problem-404-version.json", "GET", "/api/v1/guidelines/product.deposit.001/versions/9.9.9", "", 404},
		{"problem-404-current.json", "GET", "/api/v1/guidelines/consumer-rights.court.001", "", 404},
		{"problem-405.json", "POST", "/api/v1/guidelines", "", 405},
		{"problem-406.json", "GET", "/api/v1/guidelines/product.deposit.001", "image/png", 406},
		{"problem-404-then.json", "GET", "/api/v1/guidelines/product.deposit.001?as_of=2026-01-31", "", 404},
		{"problem-410.json", "GET", "/api/v1/guidelines/investment.secret.001", "", 410},
	})
	checkGolden(t, kindsSite(), "kinds/", []reading{
		{"problem-400-filter.json", "GET", "/api/v1/fraud/signals?category=money_&sufficient=yes", "", 400},
		{"problem-400-search.json", "GET", "/api/v1/search", "", 400},
		{"problem-404-record.json", "GET", "/api/v1/fraud/signals/NO_SUCH_SIGNAL", "", 404},
	})
}

func checkGolden(t *testing.T, s *site.Site, folder string, all []reading) {
	c := ask(t, s)
	for _, test := range all {
		t.Run(test.name, func(t *testing.T) {
			r := client{TB: t, url: c.url}.do(test.method, test.path, "Accept", test.accept)
			if r.status != test.status {
				t.Errorf("status %d, want %d", r.status, test.status)
			}
			golden(t, folder+test.name, r.blanked())
		})
	}
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
		t.Run(test.name, func(t *testing.T) {
			golden(t, "headers-"+test.name, []byte(headerText(test.r.header)))
		})
	}
}

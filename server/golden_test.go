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

// What a reader gets of a store in which every status occurs.
func TestGolden(t *testing.T) {
	checkGolden(t, storeSite(), "", []reading{
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
}

// What a reader gets of a store in which every kind occurs.
func TestGoldenKinds(t *testing.T) {
	all := []reading{
		{"manifest.json", "GET", "/", "", 200},
		{"service-for-robots.json", "GET", "/.well-known/service-for-robots.json", "", 200},
		{"api-catalog.json", "GET", "/.well-known/api-catalog", "", 200},
		{"llms.txt", "GET", "/llms.txt", "", 200},

		{"instructions.json", "GET", "/api/v1/instructions", "", 200},
		{"registries.json", "GET", "/api/v1/registries", "", 200},
		{"schemas.json", "GET", "/api/v1/schemas", "", 200},
		{"calendars.json", "GET", "/api/v1/calendars", "", 200},
		{"external-parameters.json", "GET", "/api/v1/external-parameters?prefix=bank.", "", 200},
		{"versions-signals.json", "GET", "/api/v1/fraud/signals/versions", "", 200},

		{"signal.json", "GET", "/api/v1/fraud/signals/CODE_REQUESTED", "", 200},
		{"signals-stop.json", "GET", "/api/v1/fraud/signals?sufficient_for_stop=true", "", 200},
		{"states-none.json", "GET", "/api/v1/fraud/states?route=police.001", "", 200},
		{"search.json", "GET", "/api/v1/search?q=%D0%BA%D0%BE%D0%B4&scenario=fraud_risk&limit=2", "", 200},
		{"search-signal.json", "GET", "/api/v1/search?signal=CODE_REQUESTED", "", 200},

		{"problem-400-filter.json", "GET", "/api/v1/fraud/signals?category=money_&sufficient=yes", "", 400},
		{"problem-400-search.json", "GET", "/api/v1/search", "", 400},
		{"problem-404-record.json", "GET", "/api/v1/fraud/signals/NO_SUCH_SIGNAL", "", 404},
	}
	for name, path := range map[string]string{
		"assistant": "/api/v1/instructions/assistant", "fraud-response": "/api/v1/instructions/fraud-response",
		"instruction": "/api/v1/instructions/claims",
		"policy":      "/api/v1/instructions/fallback-policy", "profile": "/api/v1/instructions/integration-profile",
		"schema": "/api/v1/schemas/fraud-response-output", "taxonomy": "/api/v1/taxonomy",
		"glossary":      "/api/v1/glossary",
		"fraud-signals": "/api/v1/fraud/signals", "fraud-states": "/api/v1/fraud/states",
		"fraud-scenarios": "/api/v1/fraud/scenarios",
		"fraud-routes":    "/api/v1/fraud/routes", "authority-resources": "/api/v1/authority-resources",
		"registry":  "/api/v1/registries/currencies",
		"parameter": "/api/v1/external-parameters/bank.limit", "calendar": "/api/v1/calendars/ru-2026",
		"scenario": "/api/v1/scenarios/fraud_risk",
	} {
		all = append(all, reading{name + ".json", "GET", path, "", 200},
			reading{name + ".md", "GET", path, markdownType, 200})
	}
	checkGolden(t, kindsSite(), "kinds/", all)
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

package server_test

import (
	"net/http"
	"strings"
	"testing"

	"rulestore/content"
)

// What marks and dates do to what is served (design, section 4).
func TestLifecycle(t *testing.T) {
	c := ask(t, storeSite())
	const day = "Mon, 01 Jun 2026 00:00:00 GMT" // of the marks
	for _, test := range []struct{ path, version, status, modified string }{
		{"fraud.call.001", "1.1.0", "archived", day}, // as a whole: it is served by its last version
		{"fraud.call.001/versions/1.0.0", "1.0.0", "superseded", "Tue, 03 Mar 2026 08:30:00 GMT"},

		// An archived version is served, and the one before it is current again.
		{"consumer-rights.claim.001", "1.0.0", "current", day},
		{"consumer-rights.claim.001/versions/1.1.0", "1.1.0", "archived", day},

		// What is to be reviewed stays current in all but name: by a mark, or since the day after recheck_after.
		{"fraud.code.001", "1.0.0", "review_required", day},
		{"product.loan.001", "1.0.0", "review_required", "Wed, 01 Jul 2026 00:00:00 GMT"},
		{"product.deposit.001", "2.0.0", "current", "Tue, 12 May 2026 12:20:00 GMT"},
		{"product.deposit.001/versions/1.0.0", "1.0.0", "superseded", "Tue, 03 Mar 2026 08:30:00 GMT"}, // by its successor

		// What is left beside a redacted version.
		{"investment.promise.001", "1.1.0", "current", "Tue, 12 May 2026 12:20:00 GMT"},
	} {
		r := c.get("/api/v1/guidelines/" + test.path)
		body := decode[content.Object](t, r.body)
		if r.status != http.StatusOK || body.Text("guideline_version") != test.version || body.Text("status") != test.status {
			t.Errorf("%s: %d %s, want %v", test.path, r.status, r.body, test)
		}
		if r.header.Get("X-Guideline-Version") != test.version || r.header.Get("X-Guideline-Status") != test.status ||
			r.header.Get("Last-Modified") != test.modified {
			t.Errorf("%s: headers %v, want %v", test.path, r.header, test)
		}
		if sum, err := content.Checksum(body); err != nil || sum != r.header.Get("X-Content-Checksum") {
			t.Errorf("%s: a mark changed the checksum: %s (%v)", test.path, sum, err)
		}
		md := c.get("/api/v1/guidelines/"+test.path, "Accept", markdownType)
		if !strings.Contains(string(md.body), "(`"+test.status+"`)") {
			t.Errorf("%s: the Markdown does not say %s", test.path, test.status)
		}
	}
	for _, path := range []string{"/llms.txt", "/api/v1/guidelines", "/api/v1/guidelines?scenario=fraud_risk"} {
		if strings.Contains(string(c.get(path).body), "fraud.call.001") {
			t.Errorf("%s sends to what is archived", path)
		}
	}
}

func TestRedacted(t *testing.T) {
	c := ask(t, storeSite())
	s := storeSite().Snapshot
	for path, e := range map[string]*content.Entry{
		"/api/v1/guidelines/investment.secret.001":                 s.Item(content.Guidelines, "investment.secret.001").Entries[0],
		"/guidelines/investment.secret.001/current.md":             s.Item(content.Guidelines, "investment.secret.001").Entries[0],
		"/api/v1/guidelines/investment.promise.001/versions/1.0.0": s.Item(content.Guidelines, "investment.promise.001").Entries[1],
	} {
		r := c.get(path)
		r.want(t, http.StatusGone, "redacted")
		p, reason := r.asProblem(), "Лишние сведения о человеке"
		if e.Name == "investment.secret.001" {
			reason = "Тайна <банка> & клиента"
		}
		if p.Reason != reason || p.Checksum != e.Checksum || !strings.Contains(p.Detail, reason) || p.Instance != path {
			t.Errorf("%s: %+v", path, p)
		}
		for name := range r.header {
			if strings.HasPrefix(name, "X-Guideline") || name == "X-Content-Checksum" || name == "Link" {
				t.Errorf("%s: a redacted version has %s", path, name)
			}
		}
		c.do(http.MethodHead, path).want(t, http.StatusGone, "")
	}
}

// What is not there says of what it is one, and where to look for it.
func TestNotFound(t *testing.T) {
	store, kinds := ask(t, storeSite()), ask(t, kindsSite())
	const guidelines, signals = "/api/v1/guidelines", "/api/v1/fraud/signals"
	for _, test := range []struct {
		client
		path, code, hint string
	}{
		{store, guidelines + "/consumer-rights.court.001", "no_current_version",
			guidelines + "/consumer-rights.court.001/versions"},
		{store, "/guidelines/consumer-rights.court.001/current.md", "no_current_version",
			guidelines + "/consumer-rights.court.001/versions"},
		{store, deposit + "/versions/v1.0.0", "version_not_found", deposit + "/versions"},
		{store, guidelines + "/PRODUCT.DEPOSIT.001", "guideline_not_found", guidelines},
		{store, guidelines + "/product.nothing.001/versions?limit=1", "guideline_not_found", guidelines},
		{store, "/guidelines/product.nothing.001/current.json", "guideline_not_found", guidelines},
		{store, "/api/v1/", "path_not_found", "/"},
		{store, "/guidelines/product.deposit.001/current.html", "path_not_found", "/"},
		{store, deposit + "/versions/1.0.0/rules", "path_not_found", "/"},

		{kinds, signals + "/code_requested", "record_not_found", signals},
		{kinds, "/api/v1/registries/currencies/USD", "record_not_found", "/api/v1/registries/currencies"},
		{kinds, signals + "/", "path_not_found", "/"},
		{kinds, signals + "/CODE_REQUESTED/versions", "path_not_found", "/"},
		{kinds, signals + "/versions/9.9.9", "version_not_found", signals + "/versions"},
		{kinds, "/api/v1/taxonomy/fraud_risk", "path_not_found", "/"}, // not a list of records
		{kinds, "/api/v1/registries/fraud-signals", "registry_not_found", "/api/v1/registries"},
		{kinds, "/api/v1/registries/nothing/RUB", "registry_not_found", "/api/v1/registries"},
		{kinds, "/instructions/nothing.md", "instruction_not_found", "/api/v1/instructions"},
		{kinds, "/api/v1/policies/fallback-policy", "path_not_found", "/"},
		{kinds, "/api/v1/schemas/math", "schema_not_found", "/api/v1/schemas"},
		{kinds, "/schemas/guidelines/99.0.json", "path_not_found", "/"},

		// What is said of an item is missing with the item.
		{kinds, "/compare/guidelines/nothing", "guideline_not_found", guidelines},
		{kinds, "/feeds/guidelines/nothing.atom", "guideline_not_found", guidelines},
		{kinds, "/api/v1/external-parameters/nothing/periods", "parameter_not_found", "/api/v1/external-parameters"},
		{kinds, guidelines + "/fraud.code.001/periods", "path_not_found", "/"},
		{kinds, "/schemas/output/nothing/1.0.0.json", "schema_not_found", "/api/v1/schemas"},
		{kinds, "/schemas/output/math/claim/9.9.9.json", "version_not_found", "/api/v1/schemas/math/claim/versions"},
	} {
		r := test.get(test.path)
		r.want(t, http.StatusNotFound, test.code)
		if p := r.asProblem(); p.Instance != strings.Split(test.path, "?")[0] ||
			!strings.HasSuffix(p.Detail, baseURL+test.hint) {
			t.Errorf("%s: %+v", test.path, p)
		}
		head := test.do(http.MethodHead, test.path)
		if head.status != r.status || head.header.Get("Content-Length") != r.header.Get("Content-Length") ||
			head.header.Get("Content-Type") != r.header.Get("Content-Type") {
			t.Errorf("HEAD %s: %d %v, GET has %v", test.path, head.status, head.header, r.header)
		}
		if post := test.do(http.MethodPost, test.path).status; (post == http.StatusNotFound) != (test.code == "path_not_found") {
			t.Errorf("POST %s: %d", test.path, post)
		}
	}
}

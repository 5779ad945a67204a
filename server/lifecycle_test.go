package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rulestore/content"
)

// What marks and dates do to what is served (design, section 4).
func TestLifecycle(t *testing.T) {
	c := ask(t, storeSite())
	const day = "Mon, 01 Jun 2026 00:00:00 GMT" // of the marks
	for _, test := range []struct {
		path, version, status, modified string
	}{
		// An archived item is served, by its last version.
		{"fraud.call.001", "1.1.0", "archived", day},
		{"fraud.call.001/versions/1.1.0", "1.1.0", "archived", day},
		{"fraud.call.001/versions/1.0.0", "1.0.0", "superseded", "Tue, 03 Mar 2026 08:30:00 GMT"},

		// An archived version is served, and the one before it is current again.
		{"consumer-rights.claim.001", "1.0.0", "current", day},
		{"consumer-rights.claim.001/versions/1.0.0", "1.0.0", "current", day},
		{"consumer-rights.claim.001/versions/1.1.0", "1.1.0", "archived", day},
		{"consumer-rights.court.001/versions/1.0.0", "1.0.0", "archived", day},

		// What is to be reviewed stays current in all but name.
		{"fraud.code.001", "1.0.0", "review_required", day},
		// the day after recheck_after
		{"product.loan.001", "1.0.0", "review_required", "Wed, 01 Jul 2026 00:00:00 GMT"},
		{"product.deposit.001", "2.0.0", "current", "Tue, 12 May 2026 12:20:00 GMT"},
		// since its successor
		{"product.deposit.001/versions/1.0.0", "1.0.0", "superseded", "Tue, 03 Mar 2026 08:30:00 GMT"},

		// What is left beside a redacted version.
		{"investment.promise.001", "1.1.0", "current", "Tue, 12 May 2026 12:20:00 GMT"},
	} {
		t.Run(test.path, func(t *testing.T) {
			r := c.get("/api/v1/guidelines/" + test.path)
			if r.status != http.StatusOK {
				t.Errorf("%s: %d\n%s", test.path, r.status, r.body)
				return
			}
			body := decode[content.Object](t, r.body)
			if body.Text("guideline_version") != test.version || body.Text("status") != test.status {
				t.Errorf("%s: %s %s, want %s %s", test.path, body.Text("guideline_version"), body.Text("status"),
					test.version, test.status)
			}
			if r.header.Get("X-Guideline-Version") != test.version ||
				r.header.Get("X-Guideline-Status") != test.status ||
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
		})
	}
}

func TestRedacted(t *testing.T) {
	c := ask(t, storeSite())
	s := storeSite().Snapshot
	secret := s.Item(content.Guidelines, "investment.secret.001").Entries[0].Checksum
	promise := s.Item(content.Guidelines, "investment.promise.001").Entries[1].Checksum
	for _, test := range []struct{ path, reason, checksum string }{
		{"/api/v1/guidelines/investment.secret.001", "Тайна <банка> & клиента", secret},
		{"/api/v1/guidelines/investment.secret.001/versions/1.0.0", "Тайна <банка> & клиента", secret},
		{"/guidelines/investment.secret.001/current.json", "Тайна <банка> & клиента", secret},
		{"/guidelines/investment.secret.001/current.md", "Тайна <банка> & клиента", secret},
		{"/api/v1/guidelines/investment.promise.001/versions/1.0.0", "Лишние сведения о человеке", promise},
	} {
		t.Run(test.path, func(t *testing.T) {
			r := c.get(test.path)
			r.want(t, http.StatusGone, "redacted")
			p := r.asProblem()
			if p.Reason != test.reason || p.Checksum != test.checksum || !strings.Contains(p.Detail, test.reason) ||
				p.Instance != test.path {
				t.Errorf("%s: %+v", test.path, p)
			}
			for name := range r.header {
				if strings.HasPrefix(name, "X-Guideline") || name == "X-Content-Checksum" || name == "Link" {
					t.Errorf("%s: a redacted version has %s", test.path, name)
				}
			}
			c.do(http.MethodHead, test.path).want(t, http.StatusGone, "")
		})
	}
	for _, path := range []string{"/", "/llms.txt", "/api/v1/guidelines", "/api/v1/guidelines?status=superseded",
		"/api/v1/guidelines?status=archived"} {
		if body := string(c.get(path).body); strings.Contains(body, "investment.secret") ||
			strings.Contains(body, "Чужая тайна") || strings.Contains(body, "с лишними сведениями") {
			t.Errorf("%s shows what was redacted", path)
		}
	}
}

// A page never says what is in a redacted version, nor what it was called.
func TestRedactedOnPages(t *testing.T) {
	c := ask(t, storeSite())
	const promise, secret = "investment.promise.001", "investment.secret.001"
	for i, test := range []struct {
		path   string
		status int
	}{
		{"/", http.StatusOK},
		{"/api/v1/guidelines", http.StatusOK},
		{"/api/v1/guidelines?as_of=2026-04-01", http.StatusOK},
		{"/api/v1/guidelines?status=superseded", http.StatusOK},
		{"/api/v1/guidelines?status=archived", http.StatusOK},
		{"/api/v1/guidelines/" + promise, http.StatusOK},
		{"/api/v1/guidelines/" + promise + "?as_of=2026-04-01", http.StatusGone},
		{"/api/v1/guidelines/" + promise + "/versions", http.StatusOK},
		{"/api/v1/guidelines/" + promise + "/versions/1.0.0", http.StatusGone},
		{"/api/v1/guidelines/" + secret, http.StatusGone},
		{"/api/v1/guidelines/" + secret + "/versions", http.StatusOK},
		{"/api/v1/guidelines/" + secret + "/versions/1.0.0", http.StatusGone},
		{"/api/v1/guidelines/" + secret + "/versions/2.0.0", http.StatusNotFound},
		{"/api/v1/changelog", http.StatusOK},
		{"/api/v1/changelog?since=2026-03-01", http.StatusOK},
		{"/api/v1/search?q=%D1%82%D0%B0%D0%B9%D0%BD%D0%B0", http.StatusOK}, // тайна
		{"/api/v1/search?q=" + secret, http.StatusOK},
		{"/api/v1/search?q=%D0%BB%D0%B8%D1%88%D0%BD%D0%B8%D0%BC%D0%B8", http.StatusOK}, // лишними
		{"/compare/guidelines/" + promise + "?from=1.0.0&to=1.1.0", http.StatusGone},
		{"/compare/guidelines/" + promise + "?as_of=2026-04-01", http.StatusGone},
		{"/compare/guidelines/" + secret, http.StatusGone},
		{"/compare/guidelines/" + secret + "?from=1.0.0", http.StatusGone},
		{"/api/v1/health", http.StatusOK},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			body := c.page(test.path, test.status)
			for _, text := range []string{"Чужая", "Правило, которое нельзя", "Опубликовано по ошибке", "Молчать.",
				"Обещание дохода, с лишними", "с лишними сведениями"} {
				if strings.Contains(body, text) {
					t.Errorf("%s shows what was redacted: %q", test.path, text)
				}
			}
		})
	}
	if versions := c.page("/api/v1/guidelines/"+secret+"/versions", http.StatusOK); !strings.Contains(versions,
		"<h1>Версии: "+secret+"</h1>") {
		t.Error("the list of versions is called by something else than the id")
	}
}

// Nobody is sent to what is archived.
func TestArchivedIsNotAdvertised(t *testing.T) {
	c := ask(t, storeSite())
	for _, path := range []string{"/llms.txt", "/api/v1/guidelines", "/api/v1/guidelines?scenario=fraud_risk"} {
		if strings.Contains(string(c.get(path).body), "fraud.call.001") {
			t.Errorf("%s shows what is archived", path)
		}
	}
}

func TestNotFound(t *testing.T) {
	c := ask(t, storeSite())
	for _, test := range []struct{ path, code, hint string }{
		{"/api/v1/guidelines/consumer-rights.court.001", "no_current_version",
			"/api/v1/guidelines/consumer-rights.court.001/versions"},
		{"/guidelines/consumer-rights.court.001/current.json", "no_current_version",
			"/api/v1/guidelines/consumer-rights.court.001/versions"},
		{"/guidelines/consumer-rights.court.001/current.md", "no_current_version",
			"/api/v1/guidelines/consumer-rights.court.001/versions"},

		{"/api/v1/guidelines/product.deposit.001/versions/1.0.1", "version_not_found",
			"/api/v1/guidelines/product.deposit.001/versions"},
		{"/api/v1/guidelines/product.deposit.001/versions/v1.0.0", "version_not_found", "/versions"},
		{"/api/v1/guidelines/product.deposit.001/versions/1.0", "version_not_found", "/versions"},
		{"/api/v1/guidelines/product.deposit.001/versions/latest", "version_not_found", "/versions"},
		{"/api/v1/scenarios/fraud_risk/versions/2.0.0", "version_not_found", "/api/v1/scenarios/fraud_risk/versions"},

		{"/api/v1/guidelines/product.nothing.001", "guideline_not_found", "/api/v1/guidelines"},
		{"/api/v1/guidelines/PRODUCT.DEPOSIT.001", "guideline_not_found", "/api/v1/guidelines"},
		{"/api/v1/guidelines/product.nothing.001/versions", "guideline_not_found", "/api/v1/guidelines"},
		{"/api/v1/guidelines/product.nothing.001/versions?limit=1", "guideline_not_found", "/api/v1/guidelines"},
		{"/api/v1/guidelines/product.nothing.001/versions/1.0.0", "guideline_not_found", "/api/v1/guidelines"},
		{"/guidelines/product.nothing.001/current.json", "guideline_not_found", "/api/v1/guidelines"},
		{"/api/v1/scenarios/product.deposit.001", "scenario_not_found", "/api/v1/scenarios"},
		{"/scenarios/math_module/current.md", "scenario_not_found", "/api/v1/scenarios"},

		{"/api/v1", "path_not_found", "/"},
		{"/api/v1/", "path_not_found", "/"},
		{"/api/v2/guidelines", "path_not_found", "/"},
		{"/api/v1/guideline", "path_not_found", "/"},
		{"/guidelines/product.deposit.001", "path_not_found", "/"},
		{"/guidelines/product.deposit.001/current.html", "path_not_found", "/"},
		{"/guidelines/product.deposit.001/current", "path_not_found", "/"},
		{"/api/v1/guidelines/product.deposit.001/latest", "path_not_found", "/"},
		{"/api/v1/guidelines/product.deposit.001/versions/1.0.0/rules", "path_not_found", "/"},
		{"/favicon.ico", "path_not_found", "/"},
	} {
		t.Run(test.path, func(t *testing.T) {
			r := c.get(test.path)
			r.want(t, http.StatusNotFound, test.code)
			p := r.asProblem()
			if p.Instance != strings.Split(test.path, "?")[0] || !strings.HasSuffix(p.Detail, baseURL+test.hint) &&
				!strings.HasSuffix(p.Detail, test.hint) {
				t.Errorf("%s: %+v", test.path, p)
			}
			head := c.do(http.MethodHead, test.path)
			if head.status != r.status || head.header.Get("Content-Length") != r.header.Get("Content-Length") ||
				head.header.Get("Content-Type") != r.header.Get("Content-Type") {
				t.Errorf("HEAD %s: %d %v, GET has %v", test.path, head.status, head.header, r.header)
			}
		})
	}
}

package server_test

import (
	"fmt"
	"net/http"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// toldSite is a site whose pages say what its load found.
func toldSite(prev *site.Site, r loader.Loaded) *site.Site {
	return site.Build(prev, r.Snapshot, site.Config{
		BaseURL: baseURL, Version: "0.0.0-test", Schemas: schemas.Embedded(), Requests: counted,
	})
}

const evilName = `"</pre><script>alert(1)</script>`

// rejecting says of the only item of the broken store that these versions of it were refused.
func rejecting(r loader.Loaded, item string, n int) loader.Loaded {
	r.Report.Origins = map[string]content.Origin{}
	r.Report.Refused, r.Report.Held, r.Report.Findings = nil, nil, nil
	for i := range n {
		tag := fmt.Sprintf("%s/v9.0.%d", item, i)
		r.Report.Refuse(tag, content.Finding{
			Rule: "syntax", Severity: content.Error, Message: evilName, Hint: evilName,
			Path: evilName, Line: 1, Column: 1,
			Excerpt: content.Excerpt{Text: evilName + "line"},
		})
		r.Report.Origins[tag] = content.Origin{Commit: strings.Repeat("ab", 20),
			Author: evilName + " <author@example.org>", Committed: today}
	}
	return r
}

// The page of health counts, and tells each refusal once; who made it and what it says only
// operators are told. A thousand refusals make no large page.
func TestRefusalsOnHealthPage(t *testing.T) {
	r := rejecting(load(readScript("testdata/broken.txtar")), "scenarios/fraud_risk", 1000)
	s := toldSite(nil, r)
	st := server.Status{Report: r.Report, Repository: "https://git.internal.example/rules.git",
		LastError: "pack 7 is broken"}
	c := start(t, server.Config{Sites: serving(s), Status: func() server.Status { return st }})
	public := c.page("/api/v1/health", http.StatusOK)
	for _, w := range []string{"<strong>1000</strong> отклонено", "<strong>0</strong> ждут", `href="#refused"`,
		"scenarios/fraud_risk/v9.0.0<", strings.Repeat("ab", 20), "Что отдаётся вместо неё", "Ещё "} {
		if !strings.Contains(public, w) {
			t.Errorf("no %q", w)
		}
	}
	if n := strings.Count(public, "scenarios/fraud_risk/v9.0.7<"); n != 1 {
		t.Errorf("a refusal stands %d times on the page", n)
	}
	html, ok := server.PageForOperators(s, st)
	operators := string(html)
	for _, w := range []string{"author@example.org", "&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;line",
		"git.internal.example", "pack 7 is broken"} {
		if !ok || !strings.Contains(operators, w) {
			t.Errorf("operators are not told %q", w)
		}
		if strings.Contains(public, w) {
			t.Errorf("everybody is told %q", w)
		}
	}
	for name, shown := range map[string]string{"public": public, "operators": operators} {
		if len(shown) > 100<<10 || strings.Contains(shown, "<script>alert") {
			t.Errorf("%s: %d bytes", name, len(shown))
		}
	}
	if _, ok := server.PageForOperators(nil, st); ok {
		t.Error("a page before there is a site")
	}
}

// The page of a problem says what to do, and names what may have been meant.
func TestAdvice(t *testing.T) {
	c := ask(t, kindsSite())
	const item = "/api/v1/guidelines/fraud.code.001"
	for path, want := range map[string][]string{
		"/api/v1/guidelines/fraud.cod.001": {"Возможно, вы искали", `href="` + item + `"`, "Что делать",
			`value="fraud.cod.001"`},
		"/api/v1/fraud/signals/CODE_REQESTED": {`href="/api/v1/fraud/signals/CODE_REQUESTED"`},
		item + "/versions/9": {"Такой версии нет.</p>", `href="` + item + `">Открыть действующую версию: Код из сообщения`,
			`href="` + item + `/versions">Посмотреть все версии`},
		item + "?as_of=2020-01-01":                           {"у элемента «Код из сообщения» не было", "Открыть действующую версию"},
		"/compare/parameters/bank.limit?in_force=2001-01-01": {" из «", "Посмотреть все версии"},
		"/nowhere/%3Cscript%3Ealert(1)":                      {"&lt;script&gt;alert(1)", "Что делать"},
		"/api/v1/guidelines?stauts=x": {`href="/api/v1/guidelines"`, "откройте страницу без них",
			"Параметры запроса заданы неверно:"},
	} {
		status := http.StatusNotFound
		if strings.Contains(path, "stauts") {
			status = http.StatusBadRequest
		}
		shown := c.page(path, status)
		for _, w := range want {
			if !strings.Contains(shown, w) {
				t.Errorf("%s: no %q in\n%s", path, w, shown)
			}
		}
	}
	if r := c.get("/api/v1/log", "Accept", "text/html"); r.status != http.StatusNotAcceptable ||
		!strings.Contains(string(r.body), `href="/api/v1/log?format=json"`) {
		t.Errorf("the log as a page: %d %s", r.status, r.body)
	}
	if r := c.get("/api/v1/log?format=json", "Accept", "text/html"); r.status != http.StatusOK {
		t.Errorf("what that leads to: %d", r.status)
	}
}

// Health as a page says which publication is not served, where and why, and that loading failed, or
// copying, but not why.
func TestHealthPage(t *testing.T) {
	report := load(readScript("testdata/broken.txtar")).Report
	broken := start(t, server.Config{Sites: serving(storeSite()),
		Status: func() server.Status { return server.Status{Report: report} }}).page("/api/v1/health", http.StatusOK)
	for _, f := range report.Findings {
		if !strings.Contains(broken, f.Tag) || f.Line > 0 &&
			!strings.Contains(broken, fmt.Sprintf("%s:%d:%d", f.Path, f.Line, f.Column)) {
			t.Errorf("no %s", f)
		}
	}
	for title, status := range map[string]server.Status{
		"last-title": {LastError: "repository <gone>"}, "remote-title": {Remote: &server.Remote{Error: "no route to <gone>"}},
		"": {Draining: true},
	} {
		c := start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status { return status }})
		code := http.StatusOK
		if status.Draining {
			code = http.StatusServiceUnavailable
		}
		if body := c.page("/api/v1/health", code); strings.Contains(body, "gone") || strings.Count(body, `id="`+title+`"`) > 1 ||
			title != "" && !strings.Contains(body, `id="`+title+`"`) {
			t.Errorf("%s: it is not said, or too much of why: %s", title, body)
		}
	}
}

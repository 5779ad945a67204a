package server_test

import (
	"fmt"
	"net/http"
	"slices"
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
			Excerpt: content.Excerpt{Text: evilName + "line", Caret: 2},
		})
		r.Report.Origins[tag] = content.Origin{Commit: strings.Repeat("ab", 20),
			Author: evilName + " <author@example.org>", Committed: today}
	}
	slices.Sort(r.Report.Refused) // as a finished report has them
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
	if n := strings.Count(public, "scenarios/fraud_risk/v9.0.1<"); n != 1 {
		t.Errorf("a refusal stands %d times on the page", n)
	}
	html, ok := server.PageForOperators(s, st)
	operators := string(html)
	for _, w := range []string{
		"author@example.org",
		"    1 | &#34;&lt;/pre&gt;&lt;script&gt;alert(1)&lt;/script&gt;line\n" + "      |   ^<",
		"git.internal.example", "pack 7 is broken",
	} {
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

// What is sealed for a day to come is no warning: it is meant so.
func TestPlannedOnHealthPage(t *testing.T) {
	for script, want := range map[string]bool{"as it is": true, "sealed": false} {
		repository := readScript("testdata/coming.txtar")
		if script == "sealed" {
			repository = sealed(repository)
		}
		loaded := load(repository)
		c := start(t, server.Config{
			Sites:  serving(build(nil, loaded.Snapshot)),
			Status: func() server.Status { return server.Status{Report: loaded.Report} },
		})
		body := c.page("/api/v1/health", http.StatusOK)
		warned := slices.ContainsFunc(loaded.Report.Findings, func(f content.Finding) bool {
			return f.Rule == "future" && f.Severity == content.Warning
		})
		if warned != want || !strings.Contains(body, " предстоит</a>") ||
			!strings.Contains(body, "<strong>0</strong> ждут") {
			t.Errorf("%s: warned %v\n%s", script, warned, body)
		}
	}
}

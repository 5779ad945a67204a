package server_test

import (
	"bytes"
	"fmt"
	"log/slog"
	"net/http"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server"
	"rulestore/server/site"
)

// health is the health document as an operator reads it.
type health struct {
	Status        string
	Reason        string
	LoadedAt      string  `json:"loaded_at"`
	AgeSeconds    int     `json:"age_seconds"`
	CheckedAt     string  `json:"checked_at"`
	WatchMode     string  `json:"watch_mode"`
	LastError     *string `json:"last_error"`
	FindingsTotal int     `json:"findings_total"`
	Counts        struct {
		Items                                         map[string]int
		Publications, Refused, Held, Errors, Warnings int
	}
	Refused, Held []rejected
	Findings      []content.Finding
}

type rejected struct {
	Tag    string
	Causes []content.Finding
}

// When it was loaded and checked, and in which order all is said.
func TestHealthFields(t *testing.T) {
	loaded, checked := time.Now().Add(-90*time.Second), time.Now().Add(-5*time.Second)
	c := start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status {
		return server.Status{LoadedAt: loaded, CheckedAt: checked, WatchMode: "events"}
	}})
	r := c.get("/api/v1/health")
	want := "status build snapshot commit branch date drafts loaded_at age_seconds checked_at watch_mode last_error " +
		"counts refused held findings_total findings fetched_at"
	if got := strings.Join(fieldsOf(decode[content.Object](t, r.body)), " "); got != want {
		t.Errorf("the fields are %q, want %q", got, want)
	}
	h := decode[health](t, r.body)
	if h.LoadedAt != loaded.UTC().Format(site.TimeFormat) || h.CheckedAt != checked.UTC().Format(site.TimeFormat) ||
		h.AgeSeconds < 90 || h.AgeSeconds > 120 || h.WatchMode != "events" {
		t.Errorf("%s", r.body)
	}
}

func TestHealthStatus(t *testing.T) {
	warning := content.Finding{Rule: "unsealed", Severity: content.Warning, Message: "no seal"}
	wrong := content.Finding{Tag: "guidelines/a/v1.0.0", Path: "guidelines/a.yaml", Line: 1, Column: 2,
		Rule: "reference", Severity: content.Error, Message: "it refers to <nothing> & nobody", Hint: "mend it"}
	now := time.Now()
	for _, test := range []struct {
		name   string
		status server.Status
		code   int
		want   string
		reason string
	}{
		{"nothing wrong", server.Status{}, 200, "ok", ""},
		{"warnings", server.Status{Report: content.Report{Findings: []content.Finding{warning}}}, 200, "ok", ""},
		{"errors", server.Status{Report: content.Report{Findings: []content.Finding{warning, wrong}}}, 200, "degraded",
			""},
		{"refused and held", server.Status{Report: content.Report{Findings: []content.Finding{wrong},
			Refused: []string{wrong.Tag}, Held: []string{"guidelines/b/v1.0.0"}}}, 200, "degraded", ""},
		{"failed load", server.Status{LastError: "read refs: permission denied"}, 200, "degraded", ""},
		{"draining", server.Status{Draining: true}, 503, "unavailable", "draining"},
		{"fresh", server.Status{StaleAfter: time.Hour, CheckedAt: now}, 200, "ok", ""},
		{"stale", server.Status{StaleAfter: time.Minute, CheckedAt: now.Add(-2 * time.Minute)}, 503,
			"unavailable", "stale"},
		{"following", server.Status{Remote: &server.Remote{State: server.RemoteFollowing}}, 200, "ok", ""},
		{"not fetched", server.Status{Remote: &server.Remote{State: server.RemoteFollowing, RenewedAt: now,
			SucceededAt: now, FailedAt: now, Error: "no route"}}, 200, "degraded", ""},
	} {
		t.Run(test.name, func(t *testing.T) {
			c := checker{start(t, server.Config{Sites: serving(storeSite()),
				Status: func() server.Status { return test.status }}), described()}
			r := c.get("/api/v1/health")
			c.described("/api/v1/health", r, false)
			h := decode[health](t, r.body)
			if r.status != test.code || h.Status != test.want || h.Reason != test.reason ||
				r.header.Get("Cache-Control") != "no-store" {
				t.Errorf("got %d\n%s", r.status, r.body)
			}
			if got := h.LastError; (got == nil) != (test.status.LastError == "") ||
				got != nil && strings.Contains(*got, test.status.LastError) {
				t.Errorf("last_error: %s", r.body)
			}
			if h.FindingsTotal != len(test.status.Report.Findings) || len(h.Findings) != h.FindingsTotal ||
				h.Counts.Errors+h.Counts.Warnings != h.FindingsTotal {
				t.Errorf("findings: %s", r.body)
			}
			if strings.Contains(string(r.body), `\u00`) {
				t.Errorf("people read this: %s", r.body)
			}
			if head := c.do(http.MethodHead, "/api/v1/health"); head.status != test.code {
				t.Errorf("HEAD: %d", head.status)
			}
			legacy := c.get("/healthz")
			c.described("/healthz", legacy, false)
			simple := decode[map[string]string](t, legacy.body)
			if legacy.status != test.code || (simple["status"] == "ok") != (test.code == 200) ||
				simple["reason"] != test.reason {
				t.Errorf("/healthz: %d %s", legacy.status, legacy.body)
			}
			if r := c.get(deposit); r.status != http.StatusOK {
				t.Errorf("what is loaded goes on being served: %d", r.status)
			}
		})
	}
}

// Clients learn that something failed, operators why, and where everything is.
func TestHealthForOperators(t *testing.T) {
	secrets := []string{
		"git.internal.example", "/etc/secret", "/var/cache/mirror", "<html>who are you</html>", "rejected pack",
		"index 7 of a secret",
	}
	now := time.Now()
	st := server.Status{
		Report: content.Report{
			Refused: []string{"guidelines/x.001/v1.0.0"},
			Findings: []content.Finding{{
				Tag: "guidelines/x.001/v1.0.0", Rule: "crash", Severity: content.Error,
				Message: "checking the file crashed", Detail: "index 7 of a secret",
			}},
		},
		LastError:  "load https://git.internal.example/rules.git: read /etc/secret",
		Repository: "https://git.internal.example/rules.git",
		Remote: &server.Remote{
			State: server.RemoteFollowing, Error: "fetch https://git.internal.example/rules.git: <html>who are you</html>",
			FailedAt:  now,
			RenewedAt: now, Renewal: "rejected pack", Mirror: "/var/cache/mirror",
		},
	}
	c := start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status { return st }})
	public := []string{
		string(c.get("/api/v1/health").body), string(c.get("/api/v1/health", "Accept", "text/html").body),
		string(server.Health(storeSite(), st)),
	}
	code, document := server.ForOperators(storeSite(), st)
	for _, secret := range secrets {
		for _, body := range public {
			if strings.Contains(body, secret) {
				t.Errorf("clients see %s:\n%s", secret, body)
			}
		}
		if !strings.Contains(string(document), secret) {
			t.Errorf("operators do not see %s:\n%s", secret, document)
		}
	}
	h := decode[struct {
		Status    string
		LastError *string `json:"last_error"`
		Remote    struct {
			State       string
			LastError   *string `json:"last_error"`
			LastRenewal *string `json:"last_renewal"`
		}
	}](t, []byte(public[0]))
	if h.Status != "degraded" || h.LastError == nil || h.Remote.LastError == nil || h.Remote.State != "following" ||
		h.Remote.LastRenewal == nil || code != http.StatusOK {
		t.Errorf("%d %s", code, public[0])
	}
	code, document = server.ForOperators(nil, st)
	if code != http.StatusServiceUnavailable || !strings.Contains(string(document), "who are you") ||
		!strings.Contains(string(document), `"reason": "starting"`) {
		t.Errorf("before the first site: %d %s", code, document)
	}
}

// One bad push: what was refused and what waits is named, with tag, place and
// reason, and everything else is served.
func TestHealthOfABrokenStore(t *testing.T) {
	loaded := load(readScript("testdata/broken.txtar"))
	c := start(t, server.Config{
		Sites:  serving(build(nil, loaded.Snapshot)),
		Status: func() server.Status { return server.Status{Report: loaded.Report} },
	})
	r := c.get("/api/v1/health")
	h := decode[health](t, r.body)
	if r.status != http.StatusOK || h.Status != "degraded" || h.Counts.Refused != 1 ||
		h.Counts.Held != 1 || h.Counts.Errors != 2 {
		t.Errorf("%d\n%s", r.status, r.body)
	}
	for id, list := range map[string][]rejected{"fraud.refused.001": h.Refused, "fraud.held.001": h.Held} {
		if len(list) != 1 || list[0].Tag != "guidelines/"+id+"/v1.0.0" || len(list[0].Causes) == 0 {
			t.Errorf("%s: %+v", id, list)
			continue
		}
		for _, f := range list[0].Causes {
			if f.Tag != list[0].Tag || f.Path != "guidelines/"+id+".yaml" || f.Line == 0 && f.Rule != "unsealed" ||
				f.Message == "" {
				t.Errorf("%s: %+v", id, f)
			}
		}
		c.get("/api/v1/guidelines/"+id).want(t, http.StatusNotFound, "guideline_not_found")
	}
	if got := ids(t, c, "/api/v1/scenarios"); len(got) != 1 {
		t.Errorf("served: %v", got)
	}
}

// The document stays readable whatever happens: it counts everything and shows
// the beginning.
func TestHealthOfAManyTimesBrokenStore(t *testing.T) {
	var report content.Report
	wrong := content.Finding{Rule: "yaml", Severity: content.Error, Message: "no YAML"}
	for i := range 1000 {
		report.Refuse(fmt.Sprintf("guidelines/a.b.%03d/v1.0.0", i), slices.Repeat([]content.Finding{wrong}, 30)...)
	}
	c := start(t, server.Config{Sites: serving(storeSite()),
		Status: func() server.Status { return server.Status{Report: report} }})
	r := c.get("/api/v1/health")
	h := decode[health](t, r.body)
	if h.FindingsTotal != 30000 || h.Counts.Refused != 1000 || len(h.Findings) != 200 ||
		len(h.Refused) != 200 || len(r.body) > 1<<20 {
		t.Errorf("%d of %d findings, %d of %d refused in %d bytes", len(h.Findings), h.FindingsTotal, len(h.Refused),
			h.Counts.Refused, len(r.body))
	}
}

func TestBeforeTheFirstSite(t *testing.T) {
	c := start(t, server.Config{Sites: serving(nil)})
	for _, path := range []string{"/", "/api/v1/health", deposit, "/nowhere"} {
		for _, method := range []string{http.MethodGet, http.MethodHead, http.MethodPost} {
			r := c.do(method, path)
			if r.status != http.StatusServiceUnavailable || r.header.Get("Retry-After") == "" ||
				r.header.Get("Content-Type") != "application/problem+json" {
				t.Errorf("%s %s: %d %v", method, path, r.status, r.header)
			}
			if method == http.MethodGet {
				r.want(t, http.StatusServiceUnavailable, "not_ready")
			}
		}
	}
}

type crashing struct{}

func (crashing) Current() *site.Site { panic("secret internals of the store") }

// A crash is an answer like any other to the client, and a line in the log for
// the operator, without what the user wrote.
func TestCrash(t *testing.T) {
	for name, config := range map[string]server.Config{
		"site": {Sites: crashing{}},
		"status": {Sites: serving(storeSite()), Status: func() server.Status {
			panic([]string{"secret internals of the process"})
		}},
	} {
		t.Run(name, func(t *testing.T) {
			var log bytes.Buffer
			config.Log = slog.New(slog.NewTextHandler(&log, nil))
			c := start(t, config)
			r := c.get("/api/v1/health?user=ivanov", "Cookie", "session=1")
			r.want(t, http.StatusInternalServerError, "internal")
			if body := string(r.body); strings.Contains(body, "secret") || strings.Contains(body, ".go:") ||
				strings.Contains(body, "goroutine") {
				t.Errorf("the client sees internals: %s", body)
			}
			c.do(http.MethodHead, "/api/v1/health").want(t, http.StatusInternalServerError, "")
			text := log.String()
			if !strings.Contains(text, "secret internals") || !strings.Contains(text, "path=/api/v1/health") ||
				!strings.Contains(text, "health_test.go") ||
				!strings.Contains(text, "request_id="+r.header.Get("X-Request-Id")) {
				t.Errorf("the operator does not see the crash: %s", text)
			}
			if strings.Contains(text, "ivanov") || strings.Contains(text, "session") {
				t.Errorf("the log has what the user sent: %s", text)
			}
		})
	}
}

// People read how changes are noticed and since when it is so in words, not in codes.
func TestHealthInWords(t *testing.T) {
	for mode, want := range map[string]string{
		"none": "никак, содержание не меняется", "watch+poll": "по событиям в папке и проверкой через равное время",
		"fetch+webhook": "обращением к репозиторию через равное время и по вызову от него",
	} {
		t.Run(mode, func(t *testing.T) {
			c := start(t, server.Config{Sites: serving(storeSite()), Status: func() server.Status {
				return server.Status{WatchMode: mode, CheckedAt: today}
			}})
			body := c.page("/api/v1/health", http.StatusOK)
			if !strings.Contains(body, want) || !strings.Contains(body, "28\u00a0ноября\u00a02026, ") ||
				strings.Contains(body, today.Format("2006-01-02T")) {
				t.Errorf("%s: no %q, or days in code:\n%s", mode, want, body[strings.Index(body, "Снимок"):])
			}
		})
	}
}

package admin_test

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/prometheus/client_golang/prometheus/testutil/promlint"

	"rulestore/server/admin"
	"rulestore/server/observe"
)

// busy is a process that has seen everything.
func busy() admin.Config {
	q := observe.NewRequests()
	h := observe.Handler(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		observe.Take(w, q.Route("/api/v1/guidelines/{guideline_id}"))
		w.Header().Set("Content-Type", "application/json")
		_, _ = io.WriteString(w, "{}")
	}), observe.Config{Requests: q})
	h.ServeHTTP(httptest.NewRecorder(), httptest.NewRequest(http.MethodGet, "/api/v1/guidelines/a?q=SECRET", nil))
	return admin.Config{
		Version: "1.2.3", Requests: q,
		State: func() admin.State {
			var took observe.Histogram
			took.Observe(time.Second)
			return admin.State{
				Snapshot: &admin.Snapshot{
					ID: "0123456789abcdef", Commit: "c0ffee", Branch: "main",
					LoadedAt: time.Unix(100, 5e8), CheckedAt: time.Unix(200, 0),
					Items: map[string]int{"guidelines": 17}, Publications: 96, Refused: 1, Held: 2, Errors: 3,
					Warnings: 4, LogSize: 24, LogSigned: 25, LogDisagrees: true,
				},
				Reloads: admin.Reloads{Swapped: 5, Unchanged: 6, Failed: 7, LastFailed: true, Duration: took.Read()},
				Fetches: &admin.Fetches{
					Succeeded: 10, Failed: 11, LastSucceeded: time.Unix(400, 0),
					LastFailed: true, Duration: took.Read(),
					Renewals: 16, Unreadable: true, Webhooks: admin.Webhooks{Accepted: 19, Refused: 20},
				},
				Calculations: []admin.Calculations{{"loan_payment", "refused", 12}},
				MCP: &admin.MCP{Streams: 14,
					Calls: []admin.Calls{{"get_guideline", "failed", 21}}},
				CertificateExpires: time.Unix(300, 0),
				Connections:        8, Crashes: 15, Starter: true, Pinned: true,
				HeldBack: &admin.HeldBack{Now: true, Losses: 22, Total: 23},
			}
		},
	}
}

func ask(c admin.Config, path string) *httptest.ResponseRecorder {
	w := httptest.NewRecorder()
	admin.New(c).ServeHTTP(w, httptest.NewRequest(http.MethodGet, path, nil))
	return w
}

func TestMetrics(t *testing.T) {
	w := ask(busy(), "/metrics")
	body := w.Body.String()
	if w.Code != http.StatusOK {
		t.Fatalf("%d: %s", w.Code, body)
	}
	for _, line := range []string{
		`rulestore_http_requests_total{representation="json",route="/api/v1/guidelines/{guideline_id}",status="200"} 1`,
		`rulestore_http_request_duration_seconds_count{route="/api/v1/guidelines/{guideline_id}"} 1`,
		`rulestore_http_response_bytes_total{route="/api/v1/guidelines/{guideline_id}"} 2`,
		`rulestore_http_requests_in_flight 0`,
		`rulestore_http_connections 8`,
		`rulestore_ready 1`,
		`rulestore_snapshot_info{branch="main",commit="c0ffee",snapshot="0123456789abcdef"} 1`,
		`rulestore_snapshot_loaded_timestamp_seconds 100.5`,
		`rulestore_snapshot_checked_timestamp_seconds 200`,
		`rulestore_snapshot_items{kind="guidelines"} 17`,
		`rulestore_snapshot_publications 96`,
		`rulestore_starter_content 1`,
		`rulestore_pinned 1`,
		`rulestore_held_back 1`,
		`rulestore_held_back_losses 22`,
		`rulestore_held_back_total 23`,
		`rulestore_snapshot_publications_withheld{reason="refused"} 1`,
		`rulestore_snapshot_publications_withheld{reason="held"} 2`,
		`rulestore_log_leaves{of="all"} 24`,
		`rulestore_log_leaves{of="signed"} 25`,
		`rulestore_log_disagrees 1`,
		`rulestore_snapshot_findings{severity="error"} 3`,
		`rulestore_snapshot_findings{severity="warning"} 4`,
		`rulestore_reloads_total{result="swapped"} 5`,
		`rulestore_reloads_total{result="unchanged"} 6`,
		`rulestore_reloads_total{result="failed"} 7`,
		`rulestore_reload_duration_seconds_sum 1`,
		`rulestore_reload_failed 1`,
		`rulestore_fetches_total{result="succeeded"} 10`,
		`rulestore_fetches_total{result="failed"} 11`,
		`rulestore_fetch_succeeded_timestamp_seconds 400`,
		`rulestore_fetch_failed 1`,
		`rulestore_fetch_duration_seconds_sum 1`,
		`rulestore_mirror_renewals_total 16`,
		"rulestore_mirror_unreadable 1",
		`rulestore_webhook_calls_total{result="accepted"} 19`,
		`rulestore_webhook_calls_total{result="refused"} 20`,
		`rulestore_mcp_tool_calls_total{result="failed",tool="get_guideline"} 21`,
		`rulestore_calculations_total{result="refused",tool="loan_payment"} 12`,
		`rulestore_mcp_streams 14`,
		`rulestore_crashes_total 15`,
		`rulestore_tls_certificate_expiry_timestamp_seconds 300`,
		`rulestore_build_info{goversion="go`,
	} {
		if !strings.Contains(body, "\n"+line) {
			t.Errorf("no line %s", line)
		}
	}
	if strings.Contains(body, "SECRET") || strings.Contains(body, "unmatched") {
		t.Errorf("what was not asked for is there:\n%s", body)
	}
	problems, err := promlint.New(strings.NewReader(body)).Lint()
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range problems {
		if strings.HasPrefix(p.Metric, "rulestore_") {
			t.Errorf("%s: %s", p.Metric, p.Text)
		}
	}
}

func TestProbes(t *testing.T) {
	c := busy()
	for _, test := range []struct {
		unready, path string
		status        int
		body          string
	}{
		{"", "/livez", 200, "ok\n"},
		{"", "/readyz", 200, "ok\n"},
		{"draining", "/livez", 200, "ok\n"},
		{"draining", "/readyz", 503, "draining\n"},
		{"", "/debug/pprof/", 404, "404 page not found\n"},
	} {
		c.State = func() admin.State { return admin.State{Unready: test.unready} } // before the first snapshot, too
		w := ask(c, test.path)
		if w.Code != test.status || w.Body.String() != test.body {
			t.Errorf("%q, %s: %d %q", test.unready, test.path, w.Code, w.Body)
		}
	}
	c.Pprof = true
	if w := ask(c, "/debug/pprof/goroutine?debug=1"); w.Code != http.StatusOK ||
		!strings.Contains(w.Body.String(), "goroutine profile:") {
		t.Errorf("pprof: %d %.80q", w.Code, w.Body)
	}
	if w := ask(c, "/metrics"); w.Code != http.StatusOK || strings.Contains(w.Body.String(), "rulestore_snapshot") {
		t.Errorf("metrics before the first snapshot: %d", w.Code)
	}
}

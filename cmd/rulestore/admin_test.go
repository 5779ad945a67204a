package main

import (
	"net/http"
	"strings"
	"testing"
)

// An operator sees what the process does, and the public sees nothing of it.
func TestOperatorsAreAnswered(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	p := start(t, "--admin-addr", "127.0.0.1:0", "--repo", bare, "--access-log", "--log-format", "json", "--log-level", "debug")
	for _, path := range []string{"/livez", "/readyz", "/served", "/debug/pprof/cmdline"} {
		if status, body := p.operator(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, body)
		}
		if got := p.mustGet(path, "*/*").status; got != http.StatusNotFound {
			t.Errorf("the public gets %d at %s", got, path)
		}
	}
	p.mustGet("/api/v1/search?q=ТАЙНА", "*/*")
	p.mustGet("/TAJNA?x=TAJNA", "*/*")
	snapshot := p.mustGet("/", "*/*").header.Get("X-Snapshot")
	if status, body := p.operator("/metrics"); status != http.StatusOK ||
		!strings.Contains(body, `snapshot="`+snapshot+`"`) || strings.Contains(body, "TAJNA") {
		t.Errorf("metrics: %d\n%s", status, body)
	}
	swapped := p.metric(`rulestore_reloads_total{result="swapped"}`)
	a.publish("1.2.0", "Новое")
	p.await("the swap", func() bool { return p.metric(`rulestore_reloads_total{result="swapped"}`) != swapped })
	if got := p.metric(
		`rulestore_http_requests_total{representation="json",route="/api/v1/search",status="200"}`,
	); got != "1" {
		t.Errorf("%q searches were counted", got)
	}
	if log := p.log.String(); strings.Contains(log, "ТАЙНА") || strings.Contains(log, "TAJNA") ||
		!strings.Contains(log, `"route":"/api/v1/search"`) {
		t.Errorf("the log:\n%s", log)
	}
}

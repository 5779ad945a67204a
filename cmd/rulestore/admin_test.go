package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"
	"time"
)

// An operator sees what the process does, and the public sees nothing of it.
func TestOperatorsAreAnswered(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	p := spawn(t, nil, "--repo", bare, "--access-log", "--log-format", "json", "--pprof")
	for _, path := range []string{"/livez", "/readyz", "/debug/pprof/cmdline"} {
		if status, body := p.operator(path); status != http.StatusOK {
			t.Errorf("%s: %d %s", path, status, body)
		}
		if got := p.mustGet(path, "*/*").status; got != http.StatusNotFound {
			t.Errorf("the public gets %d at %s", got, path)
		}
	}
	p.mustGet("/api/v1/search?q=ТАЙНА&scenario=fraud_risk", "*/*")
	p.mustGet("/TAJNA?x=TAJNA", "*/*")
	snapshot := p.mustGet("/", "*/*").header.Get("X-Snapshot")
	if status, body := p.operator("/metrics"); status != http.StatusOK ||
		!strings.Contains(body, `snapshot="`+snapshot+`"`) || strings.Contains(body, "TAJNA") {
		t.Errorf("metrics: %d\n%s", status, body)
	}
	swapped := p.metric(`rulestore_reloads_total{result="swapped"}`)
	a.retitle(common, "Новое")
	a.git("tag", "-a", "guidelines/"+common+"/v1.2.0", "-m", "Новое")
	a.push()
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

// What the first load took, fetching and reading, is in the log and in the metrics.
func TestFirstLoadIsMeasured(t *testing.T) {
	manyProcesses(t)
	t.Parallel()
	bare, _ := newYoung(t)
	slow := newSlowHost(t, filepath.Dir(bare))
	const pause = 500 * time.Millisecond
	slow.pause.Store(int64(pause))
	p := spawn(t, nil, "--repo", slow.URL+"/rules.git", "--cache-dir", t.TempDir(), "--poll", "1h")
	var m []string
	p.await("the line of the log", func() bool {
		m = regexp.MustCompile(`msg=loaded .* took=(\S+)`).FindStringSubmatch(p.log.String())
		return m != nil
	})
	if took, err := time.ParseDuration(m[1]); err != nil || took < pause {
		t.Errorf("took %s, %v", m[1], err)
	}
	if sum, err := strconv.ParseFloat(p.metric("rulestore_reload_duration_seconds_sum"), 64); err != nil ||
		sum < pause.Seconds() {
		t.Errorf("the metric says %v s, %v", sum, err)
	}
}

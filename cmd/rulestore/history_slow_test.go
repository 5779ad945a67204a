//go:build slow

package main

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/server"
)

// What was served is known after a restart, by its snapshot, with commit, log and time.
func TestHistoryOfAServer(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.signLog()
	a.push()
	args := []string{"--repo", "file://" + bare, "--cache-dir", t.TempDir(), "--poll", "1s", "--base-url", baseURL,
		"--admin-addr", "127.0.0.1:0"}
	s := start(t, args...)
	first := s.mustGet("/", "*/*").header.Get("X-Snapshot")
	a.retitle(common, "Потом")
	a.git("tag", "-am", "Потом", "guidelines/"+common+"/v1.8.0")
	a.push()
	s.await("the publication", func() bool { return s.title(common) == "Потом" })
	second := s.mustGet("/", "*/*").header.Get("X-Snapshot")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s = start(t, args...)
	explain := func(id string) (p server.Past) {
		t.Helper()
		r := s.mustGet("/snapshots/"+id, "application/json")
		if r.status != http.StatusOK {
			t.Fatalf("%d %s", r.status, r.body)
		}
		if err := json.Unmarshal(r.body, &p); err != nil {
			t.Fatal(err)
		}
		return p
	}
	if p := explain(first); p.Until == nil || p.Commit != a.git("rev-parse", "main~1") || p.LogSize == 0 ||
		p.Until.Before(p.From) {
		t.Errorf("the first was %+v", p)
	}
	if p := explain(second); p.Until != nil || p.Commit != a.git("rev-parse", "main") || p.Build == "" {
		t.Errorf("the second is %+v", p)
	}
	for _, id := range []string{"0000000000000000", "x", "..", first + "0"} {
		if r := s.mustGet("/snapshots/"+id, "*/*"); r.status != http.StatusNotFound {
			t.Errorf("%s: %d", id, r.status)
		}
	}
	addr := s.admin()
	out, err := rulestoreIn(t.TempDir(), nil, "history", "--admin-addr", addr)
	if err != nil || strings.Count(out, "snapshot") != 2 || !strings.Contains(out,
		"new: guidelines/"+common+"/v1.8.0") {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := rulestoreIn(t.TempDir(), nil, "history", first, "--json", "--admin-addr", addr); err != nil ||
		strings.Count(out, "\n") != 1 || !strings.Contains(out, first) {
		t.Errorf("%v\n%s", err, out)
	}
	if out, err := rulestoreIn(t.TempDir(), nil, "history", "ffffffffffffffff", "--admin-addr", addr); err == nil {
		t.Error(out)
	}
}

// Operators are told of the oldest snapshot that clients can ask for.
func TestLongHistory(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "history.jsonl")
	var lines []byte
	for i := range 3000 {
		lines = fmt.Appendf(lines, "{\"time\":\"2026-01-01T00:00:00Z\",\"snapshot\":\"%016x\"}\n", i)
	}
	if err := os.WriteFile(file, lines, 0o644); err != nil {
		t.Fatal(err)
	}
	s := start(t, "--repo", young(t), "--history", file, "--admin-addr", "127.0.0.1:0")
	const oldest = "0000000000000000"
	if r := s.mustGet("/snapshots/"+oldest, "*/*"); r.status != http.StatusOK {
		t.Errorf("clients: %d", r.status)
	}
	addr := s.admin()
	out, err := rulestoreIn(t.TempDir(), nil, "history", oldest, "--admin-addr", addr)
	if err != nil || !strings.Contains(out, oldest) {
		t.Errorf("operators: %v\n%s", err, out)
	}
}

//go:build slow

package main

import (
	be "encoding/binary"
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/loader/gitrepo"
	"rulestore/loader/gitrepo/gitrepotest"
)

// fixedZone writes a time zone that is always so many seconds ahead of UTC (RFC 9636).
func fixedZone(t *testing.T, path string, ahead int) {
	t.Helper()
	raw := append([]byte("TZif"), make([]byte, 16)...)
	for _, count := range []uint32{0, 0, 0, 0, 1, 4} {
		raw = be.BigEndian.AppendUint32(raw, count)
	}
	raw = append(be.BigEndian.AppendUint32(raw, uint32(int32(ahead))), 0, 0, 'X', 'X', 'X', 0)
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, raw, 0o644); err != nil {
		t.Fatal(err)
	}
}

// Real processes over a real midnight: their time zones are made so that the next day
// begins in a moment.
func TestMidnight(t *testing.T) {
	t.Parallel()
	for _, zone := range []string{"Asia/Kamchatka", "Europe/Moscow"} {
		t.Run(zone, func(t *testing.T) {
			t.Parallel()
			begin := time.Now().Add(10 * time.Second).Truncate(time.Second)
			ahead := int(86400 - begin.Unix()%86400)
			zones := t.TempDir()
			fixedZone(t, filepath.Join(zones, zone), ahead)
			script, err := gitrepotest.ParseTxtar(txtar.Parse([]byte(waiting(zone, begin.UTC().Format(time.RFC3339)))))
			if err != nil {
				t.Fatal(err)
			}
			dir := filepath.Join(t.TempDir(), "rules")
			if err := gitrepo.Create(dir, script); err != nil {
				t.Fatal(err)
			}
			var all []*process
			for range 2 {
				all = append(all, spawn(t, func(c *exec.Cmd) {
					c.Env = append(os.Environ(), "ZONEINFO="+zones)
				}, "--repo", dir, "--base-url", baseURL))
			}
			version := func(p *process) string {
				body := p.mustGet("/api/v1/scenarios/one", "application/json").body
				var item struct {
					Version string `json:"scenario_version"`
				}
				if err := json.Unmarshal(body, &item); err != nil {
					t.Fatalf("%s: %v", body, err)
				}
				return item.Version
			}
			for _, p := range all {
				if got := version(p); got != "1.0.0" && time.Now().Before(begin) {
					t.Errorf("before the day, version %s is served", got)
				}
				p.await("the new day", func() bool { return version(p) == "1.1.0" })
				if late := time.Now(); late.Before(begin) {
					t.Errorf("the day began %s too soon", begin.Sub(late))
				}
			}
		})
	}
}

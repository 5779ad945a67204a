package server_test

import (
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/server/export"
)

// BenchmarkExport compares the processor time that a request for a guideline costs nginx, which
// serves an export by the settings in scripts/deploy/export, with that of a bare net/http
// handler for the same request (at most 0.4 of it). As in BenchmarkNginx, nginx is one process
// without a log, since the bare handler has none.
func BenchmarkExport(b *testing.B) {
	if _, err := exec.LookPath("nginx"); err != nil {
		b.Skip("nginx is missing: apt-get install nginx")
	}
	dir := b.TempDir()
	if _, err := export.Write(b.Context(), dir, starterSite()); err != nil {
		b.Fatal(err)
	}
	config := exportConfig(b, dir)
	for _, r := range reads(ask(b, starterSite()).get(benchmarked).header.Get("Etag")) {
		if r.name != "200" && r.name != "304" && r.name != "gzip" {
			continue
		}
		b.Run(r.name, func(b *testing.B) {
			nginx, bare := startNginx(b, config, nil), startProcess(b, "bare "+r.name, connections)
			bare.request = r.text()
			if r.name == "304" { // nginx has validators of its own
				nginx.request = reads("")[0].text()
				r.header.Set("If-None-Match", nginx.ask(b, nginx.request).Header.Get("Etag"))
			}
			nginx.request = r.text()
			expectAnswer(b, nginx.ask(b, nginx.request), r.name)
			compare(b, nginx, bare, "bare")
		})
	}
}

// expectAnswer fails unless an answer is what the way of reading is about.
func expectAnswer(b *testing.B, resp *http.Response, way string) {
	status, coding := http.StatusOK, ""
	switch way {
	case "304":
		status = http.StatusNotModified
	case "gzip":
		coding = "gzip"
	}
	if resp.StatusCode != status || resp.Header.Get("Content-Encoding") != coding {
		b.Fatalf("%s is answered with %d in %q", way, resp.StatusCode, resp.Header.Get("Content-Encoding"))
	}
}

// exportConfig are our settings for the files of an export, without the logs.
func exportConfig(b *testing.B, dir string) string {
	raw, err := os.ReadFile("../scripts/deploy/export/nginx.conf")
	if err != nil {
		b.Fatal(err)
	}
	text := string(raw)
	for _, change := range [][2]string{
		{"listen 80;", "listen ADDR;"},
		{"root /srv/rules/current;", "root " + filepath.Join(dir, export.Current) + ";"},
		{"access_log /var/log/nginx/rules.log;", "access_log off;"},
		{"error_log /var/log/nginx/rules-error.log emerg;", "error_log stderr emerg;"},
	} {
		if !strings.Contains(text, change[0]) {
			b.Fatalf("the settings do not have %q", change[0])
		}
		text = strings.Replace(text, change[0], change[1], 1)
	}
	return text
}

package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// refuses requests what no file answers, and expects the problem that says who does.
func (s *running) refuses(path, accept string) {
	s.Helper()
	r := s.mustGet(path, accept)
	var problem struct {
		Status       int
		Code, Detail string
	}
	if err := json.Unmarshal(r.body, &problem); err != nil || r.status != 400 || problem.Status != 400 ||
		problem.Code != "not_in_export" || !strings.Contains(problem.Detail, "https://service.example.org") ||
		r.header.Get("Content-Type") != "application/problem+json" {
		s.Errorf("%s: %d %v %.200s", path, r.status, r.header, r.body)
	}
}

// What cannot be exported is said at once.
func TestExportRefuses(t *testing.T) {
	t.Parallel()
	bare := young(t)
	full := t.TempDir()
	if err := os.WriteFile(filepath.Join(full, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		args []string
		says string
	}{
		"drafts":        {[]string{t.TempDir(), "--repo", bare, "--drafts", "--base-url", baseURL}, "--drafts"},
		"another's":     {[]string{full, "--repo", bare, "--base-url", baseURL}, "mine"},
		"no folder":     {[]string{"--repo", bare}, "arg"},
		"no repository": {[]string{t.TempDir(), "--repo", filepath.Join(full, "none"), "--base-url", baseURL}, "none"},
	} {
		t.Run(name, func(t *testing.T) {
			out, err := rulestoreIn(t.TempDir(), nil, append([]string{"export"}, c.args...)...)
			if err == nil || !strings.Contains(out, c.says) {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

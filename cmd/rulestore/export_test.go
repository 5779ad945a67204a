package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

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

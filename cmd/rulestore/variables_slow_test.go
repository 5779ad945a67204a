//go:build slow

package main

import (
	"encoding/json"
	"strings"
	"testing"
)

// Whoever serves the starter content is told so, wherever operators look.
func TestStarterIsSaid(t *testing.T) {
	t.Parallel()
	bare := young(t)
	for name, c := range map[string]struct {
		args    []string
		starter bool
	}{"without a repository": {nil, true}, "with one": {[]string{"--repo", bare}, false}} {
		t.Run(name, func(t *testing.T) {
			p := spawn(t, nil, c.args...)
			var h map[string]any
			if err := json.Unmarshal(p.mustGet("/api/v1/health", "*/*").body, &h); err != nil {
				t.Fatal(err)
			}
			if got := h["starter"] == true; got != c.starter || h["status"] != "ok" {
				t.Errorf("health says %v: %v", h["starter"], h["status"])
			}
			if got := strings.Contains(p.log.String(), "starter content"); got != c.starter {
				t.Errorf("the log:\n%s", p.log)
			}
			if got := p.metric("rulestore_starter_content"); got != map[bool]string{true: "1", false: "0"}[c.starter] {
				t.Errorf("the metric is %q", got)
			}
		})
	}
	for repo, want := range map[string]bool{"": true, "/srv/rules": false} {
		out, _, err := ran(t, map[string]string{"RULESTORE_REPO": repo}, "version", "--json")
		if err != nil || strings.Contains(out, `"starter": true`) != want {
			t.Errorf("with the repository %q: %v %s", repo, err, out)
		}
	}
}

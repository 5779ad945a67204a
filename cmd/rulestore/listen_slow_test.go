//go:build slow

package main

import (
	"strings"
	"testing"
)

// A server that listens on every address says which one its content names if nobody
// told it: one that can be connected to, and not from elsewhere.
func TestListensEverywhere(t *testing.T) {
	t.Parallel()
	const warning = "clients elsewhere"
	s := start(t, "--repo", young(t), "--addr", ":0")
	own := strings.Replace(s.url, "127.0.0.1", "localhost", 1)
	if body := string(s.mustGet("/", "*/*").body); !strings.Contains(body, `"canonical_base_url":"`+own+`"`) {
		t.Errorf("the manifest: %s", body)
	}
	if log := s.log.String(); !strings.Contains(log, warning) || !strings.Contains(log, own) {
		t.Errorf("no warning in\n%s", log)
	}
	for _, args := range [][]string{{"--addr", ":0", "--base-url", baseURL}, {}} {
		if log := start(t, append(args, "--repo", young(t))...).log.String(); strings.Contains(log, warning) {
			t.Errorf("%v: a warning in\n%s", args, log)
		}
	}
}

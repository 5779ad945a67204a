package main

import (
	"math"
	"strings"
	"testing"
)

// A server that listens on every address says which one its content names if nobody
// told it: one that can be connected to, and not from elsewhere.
func TestListensEverywhere(t *testing.T) {
	inTurn(t)
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

// Connections are bounded by what there is least of.
func TestMaxConnections(t *testing.T) {
	for _, test := range []struct {
		name   string
		files  uint64
		memory int64
		want   int
	}{
		{"few files", 1024, math.MaxInt64, 768},
		{"no limit of files", math.MaxUint64, math.MaxInt64, 786432},
		{"512 MiB", 1 << 20, 512 << 20, 6241},
		{"hardly any memory", 1 << 20, 1 << 10, 1},
	} {
		t.Run(test.name, func(t *testing.T) {
			if got := maxConnections(test.files, test.memory); got != test.want {
				t.Errorf("%d, want %d", got, test.want)
			}
		})
	}
}

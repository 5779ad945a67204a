package main

import (
	"net/http"
	"os"
	"strings"
	"testing"
)

const deployFiles = "../../scripts/deploy/"

// deployed reads a file that operators take, with other addresses and folders in
// it; each must be there.
func deployed(t *testing.T, file string, oldNew ...string) string {
	t.Helper()
	raw, err := os.ReadFile(deployFiles + file)
	if err != nil {
		t.Fatal(err)
	}
	text := string(raw)
	for i := 0; i < len(oldNew); i += 2 {
		if !strings.Contains(text, oldNew[i]) {
			t.Fatalf("%s does not have %q", file, oldNew[i])
		}
		text = strings.ReplaceAll(text, oldNew[i], oldNew[i+1])
	}
	return text
}

// kept asks until stale content is served, and some more.
func kept(s *running, get func(...string) reply, when string) {
	s.Helper()
	stale := 0
	s.await("stale content "+when, func() bool {
		r := get()
		if r.status != http.StatusOK {
			s.Fatalf("%s: %d", when, r.status)
		}
		if r.header.Get("X-Cache") == "STALE" {
			stale++
		}
		return stale == 20
	})
}

// ask is get with any headers, given as names and values in turn.
func (s *running) ask(path string, headers ...string) reply {
	s.Helper()
	a, err := s.getWith(path, headers...)
	if err != nil {
		s.Fatal(err)
	}
	return a
}

//go:build slow

package main

import (
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"strings"
	"testing"
	"time"
)

// Whatever a command serves and however it ends, nothing of it runs on after that.
func TestNothingRunsOn(t *testing.T) {
	bare, _ := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	secret := filepath.Join(t.TempDir(), "secret")
	if err := os.WriteFile(secret, []byte(strings.Repeat("s3cret", 10)), 0o600); err != nil {
		t.Fatal(err)
	}
	for name, args := range map[string][]string{
		"repository": {"--repo", bare, "--poll", "1s"},
		"drafts":     {"--repo", filepath.Join(filepath.Dir(bare), "author"), "--drafts"},
		"remote": {"--repo", h.URL + "/rules.git", "--cache-dir", t.TempDir(), "--webhook-addr", "127.0.0.1:0",
			"--webhook-secret-file", secret},
	} {
		t.Run(name, func(t *testing.T) {
			before := goroutines()
			s := start(t, append(args, "--admin-addr", "127.0.0.1:0")...)
			end := s.converse()
			if err := s.stop(); err != nil {
				t.Error(err)
			}
			end()
			nothingNew(t, before)
		})
	}
	for name, args := range map[string][]string{
		"no branch": {"--repo", bare, "--ref", "nowhere"},
		"no remote": {"--repo", h.URL + "/nowhere.git", "--cache-dir", t.TempDir()},
		"taken":     {"--repo", bare, "--addr", strings.TrimPrefix(h.URL, "http://")},
	} {
		t.Run(name, func(t *testing.T) {
			before := goroutines()
			if _, _, err := ran(t, nil, append([]string{"serve", "--admin-addr", "127.0.0.1:0"}, args...)...); err == nil {
				t.Error("it ended well")
			}
			nothingNew(t, before)
		})
	}
}

// nothingNew waits until no goroutines are left but those of before.
func nothingNew(t *testing.T, before map[string]string) {
	t.Helper()
	var left []string
	for deadline := time.Now().Add(20 * time.Second); ; time.Sleep(5 * time.Millisecond) {
		left = nil
		for number, stack := range goroutines() {
			if before[number] == "" {
				left = append(left, stack)
			}
		}
		if len(left) == 0 {
			return
		}
		if time.Now().After(deadline) {
			t.Fatalf("%d goroutines run on:\n%s", len(left), strings.Join(left, "\n\n"))
		}
	}
}

// goroutines are the stacks of those that the program's own code is part of, by number.
func goroutines() map[string]string {
	buf := make([]byte, 16<<20)
	all := map[string]string{}
	for stack := range strings.SplitSeq(string(buf[:runtime.Stack(buf, true)]), "\n\n") {
		number, _, _ := strings.Cut(strings.TrimPrefix(stack, "goroutine "), " ")
		if own.MatchString(stack) && !tests.MatchString(stack) {
			all[number] = stack
		}
	}
	return all
}

var (
	own   = regexp.MustCompile(`rulestore/|go-git|fsnotify|modelcontextprotocol|persistConn`)
	tests = regexp.MustCompile(`_test\.go`)
)

// converse asks for this and that, and leaves a stream open until it is told to close
// it.
func (s *running) converse() (end func()) {
	s.Helper()
	client := &http.Client{Transport: &http.Transport{}}
	for _, path := range []string{"/", "/api/v1/search?q=банк", "/api/v1/health"} {
		res, err := client.Get(s.url + path)
		if err != nil {
			s.Fatal(err)
		}
		_, _ = io.Copy(io.Discard, res.Body)
		res.Body.Close()
		if res.StatusCode != http.StatusOK {
			s.Errorf("%s: %d", path, res.StatusCode)
		}
	}
	req, err := http.NewRequest(http.MethodPost, s.url+"/mcp", strings.NewReader(listens))
	if err != nil {
		s.Fatal(err)
	}
	req.Header = listenHeader()
	stream, err := client.Do(req)
	if err != nil {
		s.Fatal(err)
	}
	return func() { stream.Body.Close() }
}

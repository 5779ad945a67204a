//go:build slow

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A server follows a repository elsewhere: it serves what is pushed, goes on
// while the host is away, says so, starts without it, and catches up.
func TestRemote(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	password, file := "s3cret-token", filepath.Join(t.TempDir(), "token")
	h.password.Store(&password)
	if err := os.WriteFile(file, []byte(password+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	args := []string{
		"--repo", h.URL + "/rules.git", "--cache-dir", t.TempDir(), "--git-password-file", file, "--poll", "1s",
		"--base-url", baseURL, "--admin-addr", "127.0.0.1:0",
	}
	s := start(t, args...)
	if got := s.health(); got.Status != "ok" || got.WatchMode != "fetch" || got.Remote == nil ||
		got.Remote.LastSuccess == nil || got.Remote.LastError != nil {
		t.Errorf("the health is %+v", got)
	}
	a.publish("1.8.0", "Опубликовано издалека")
	s.await("the first push", func() bool { return s.title(common) == "Опубликовано издалека" })

	h.away.Store(true)
	s.await("the failure", func() bool { return s.health().Status == "degraded" })
	got := s.health()
	if got.Remote.LastFailure == nil || got.Remote.State != "following" {
		t.Errorf("the health is %+v", got.Remote)
	}
	public, operators := string(s.mustGet("/api/v1/health", "*/*").body), s.toOperators()
	for _, private := range []string{h.URL, "error: 502", args[3]} {
		if strings.Contains(public, private) || !strings.Contains(operators, private) {
			t.Errorf("%s is for operators alone; clients see\n%s\noperators\n%s", private, public, operators)
		}
	}
	if got.CheckedAt != *got.Remote.LastSuccess {
		t.Errorf("checked at %s, last fetched at %s", got.CheckedAt, *got.Remote.LastSuccess)
	}
	before := s.everything()
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}

	again := start(t, args...)
	compare(t, "a restart", again.everything(), before)
	a.publish("1.9.0", "Опубликовано, пока связи не было")
	h.away.Store(false)
	again.await("what was pushed meanwhile", func() bool {
		return again.title(common) == "Опубликовано, пока связи не было"
	})
	again.await("good health", func() bool { return again.health().Status == "ok" })

	t.Log("the token is rotated")
	rotated := "another-s3cret"
	h.password.Store(&rotated)
	again.await("the refusal", func() bool { return again.health().Status == "degraded" })
	if err := os.WriteFile(file, []byte(rotated+"\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	again.await("the new token", func() bool { return again.health().Status == "ok" })
	for _, log := range []string{s.log.String(), again.log.String()} {
		if strings.Contains(log, "s3cret") {
			t.Errorf("the log gives a secret away:\n%s", log)
		}
	}
}

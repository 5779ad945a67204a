//go:build slow

package main

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"
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
	publish := func(version, title string) {
		t.Helper()
		a.retitle(common, title)
		a.git("tag", "-a", "-m", title, "guidelines/"+common+"/v"+version)
		a.push()
	}
	publish("1.8.0", "Опубликовано издалека")
	s.await("the first push", func() bool { return s.title(common) == "Опубликовано издалека" })

	h.away.Store(true)
	s.await("the failure", func() bool { return s.health().Status == "degraded" })
	got := s.health()
	if got.Remote.LastFailure == nil || got.Remote.State != "following" {
		t.Errorf("the health is %+v", got.Remote)
	}
	public, operators := string(s.mustGet("/api/v1/health", "*/*").body), s.toOperators()
	for _, private := range []string{h.URL, "502", args[3]} {
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
	if after := again.everything(); len(after) != len(before) {
		t.Errorf("%d answers before, %d after", len(before), len(after))
	} else {
		for path, want := range before {
			if after[path] != want {
				t.Errorf("%s was\n%s\nand is\n%s", path, want, after[path])
			}
		}
	}
	publish("1.9.0", "Опубликовано, пока связи не было")
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

// A restart while the host is away is as stale as the mirror is, not more.
func TestStaleAfterRestart(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	cache := t.TempDir()
	args := []string{"--repo", h.URL + "/rules.git", "--cache-dir", cache, "--poll", "1s", "--stale-after", "1h"}
	s := start(t, args...)
	fetched := s.health().Remote.LastSuccess
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	h.away.Store(true)
	again := start(t, args...)
	again.await("the failure", func() bool { return again.health().Remote.LastError != nil })
	got := again.health()
	if got.Status != "degraded" || got.Remote.LastSuccess == nil || *got.Remote.LastSuccess < *fetched ||
		got.CheckedAt != *got.Remote.LastSuccess {
		t.Errorf("within the time the health is %+v %+v; fetched at %s", got, got.Remote, *fetched)
	}
	if err := again.stop(); err != nil {
		t.Fatal(err)
	}
	mirrors, err := filepath.Glob(filepath.Join(cache, "*", "agreed"))
	if err != nil || len(mirrors) != 1 {
		t.Fatal(mirrors, err)
	}
	past := time.Now().Add(-2 * time.Hour)
	if err := os.Chtimes(mirrors[0], past, past); err != nil {
		t.Fatal(err)
	}
	late := start(t, args...)
	if got := late.health(); got.Status != "unavailable" || got.Reason != "stale" ||
		got.CheckedAt != past.UTC().Format(time.RFC3339) {
		t.Errorf("beyond the time the health is %+v", got)
	}
	h.away.Store(false)
	late.await("good health", func() bool { return late.health().Status == "ok" })
}

// A server on a mirror serves the bytes that a server on the repository itself
// serves, under the same X-Snapshot.
func TestMirrorServesTheSame(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	a.retitle(common, "Одно и то же")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v8.0.0")
	a.push()
	gitIn(t, bare, "gc", "-q", "--prune=now")
	here := start(t, "--repo", bare, "--base-url", baseURL)
	there := start(t, "--repo", "file://"+filepath.ToSlash(bare), "--cache-dir", t.TempDir(), "--base-url", baseURL)
	want, got := here.everything(), there.everything()
	if len(got) != len(want) {
		t.Errorf("%d answers, expected %d", len(got), len(want))
	}
	for path := range want {
		if got[path] != want[path] {
			t.Errorf("%s is\n%s\nexpected\n%s", path, got[path], want[path])
		}
	}
}

// A process that is killed in the middle of a fetch loses nothing: whatever was
// served before is served again, and the fetch succeeds in the end.
func TestKilledWhileFetching(t *testing.T) {
	t.Parallel()
	program := rulestore(t)
	bare, a := newYoung(t)
	cache := t.TempDir()
	slow := newSlowHost(t, filepath.Dir(bare))
	args := []string{"serve", "--addr", "127.0.0.1:0", "--repo", slow.URL + "/rules.git",
		"--cache-dir", cache, "--poll", "1s"}
	ready := func(cmd *exec.Cmd) {
		t.Helper()
		out, err := cmd.StdoutPipe()
		if err != nil {
			t.Fatal(err)
		}
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		if _, err := out.Read(make([]byte, 1)); err != nil {
			t.Fatal("no server: ", err)
		}
	}
	cmd := exec.Command(program, args...)
	ready(cmd)
	kill := func() { _ = cmd.Process.Kill(); _ = cmd.Wait() }
	for i := range 6 {
		a.retitle(common, fmt.Sprint("Название ", i))
		a.git("tag", "-a", "-m", "Новое название", fmt.Sprintf("guidelines/%s/v2.%d.0", common, i))
		stopAt := int64(150 * i) // bytes of the pack that come before the silence
		slow.after.Store(stopAt)
		a.push()
		<-slow.stuck
		kill()
		slow.after.Store(-1)
		cmd = exec.Command(program, args...)
		ready(cmd)
		if i%2 == 0 { // else it is killed again on top of what the last one left
			waitForFetch(t, slow)
		}
	}
	kill()
	s := start(t, "--repo", slow.URL+"/rules.git", "--cache-dir", cache, "--poll", "1s")
	s.await("the last title", func() bool { return s.title(common) == "Название 5" })
	if err := s.stop(); err != nil { // it would replace and remove what is looked at below
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(cache, "*", "new.git"))
	if err != nil || len(left) > 0 {
		t.Errorf("left over: %v, %v", left, err)
	}
	mirrors, err := filepath.Glob(filepath.Join(cache, "*", "*.git"))
	if err != nil || len(mirrors) == 0 {
		t.Fatal(mirrors, err)
	}
	for _, m := range mirrors {
		gitIn(t, m, "fsck", "--full", "--strict")
	}
}

func waitForFetch(t *testing.T, h *slowHost) {
	t.Helper()
	select {
	case <-h.fetched:
	case <-time.After(stuck):
		t.Fatal("nothing is fetched")
	}
}

// A check beside a server that runs needs nothing that the server holds: neither its addresses
// nor its mirror.
func TestCheckBesideAServer(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	cache := t.TempDir()
	args := []string{"--repo", "file://" + filepath.ToSlash(bare), "--poll", "1s", "--cache-dir"}
	s := start(t, append(args, cache)...)
	for name, cache := range map[string]string{"its mirror": cache, "no mirror yet": t.TempDir()} {
		var out lockedBuffer
		err := run(t.Context(), append(append([]string{"check"}, args...), cache), func(string) string { return "" },
			nil, &out, &out)
		if err != nil || !strings.Contains(out.String(), "0 refused, 0 held") {
			t.Errorf("%s: %v\n%s", name, err, &out)
		}
	}
	a.retitle(common, "После проверки")
	a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v1.8.0")
	a.push()
	s.await("what was pushed", func() bool { return s.title(common) == "После проверки" })
}

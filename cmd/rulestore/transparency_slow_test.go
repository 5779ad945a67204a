//go:build slow

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/log"
)

// A server shows the head that CI signed, follows it as it grows, and keeps the last one that
// stood when somebody else writes the log or takes it back: operators are told, and what they are
// advised to do works.
func TestLogOfAServer(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	file := filepath.Join(t.TempDir(), "log.key")
	public, err := rulestoreIn(a.dir, nil, "log", "key", "rules.example.org/log", file)
	if err != nil {
		t.Fatal(err, public)
	}
	verifier, err := log.NewVerifier(strings.Fields(public)[0])
	if err != nil {
		t.Fatal(err)
	}
	sign := func() {
		t.Helper()
		if out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", file); err != nil {
			t.Fatal(err, out)
		}
		a.push()
	}
	p := spawn(t, nil, "--repo", bare)
	if r := p.mustGet("/log/checkpoint", "*/*"); r.status != http.StatusNotFound ||
		!strings.Contains(string(r.body), "Журнала у этого репозитория нет") {
		t.Errorf("%d %s", r.status, r.body)
	}
	served := func() log.Checkpoint {
		r := p.mustGet("/log/checkpoint", "*/*")
		if r.status != http.StatusOK {
			return log.Checkpoint{}
		}
		s, err := log.OpenCheckpoint(r.body, verifier)
		if err != nil {
			t.Fatal(err)
		}
		return s.Checkpoint
	}
	sign()
	p.await("the signed head", func() bool { return served().Size > 0 })
	first := served()
	a.retitle(common, "Иначе")
	if out, err := rulestoreIn(a.dir, nil, "publish", common); err != nil {
		t.Fatal(err, out)
	}
	a.push()
	p.await("the seal", func() bool {
		return p.metric(`rulestore_log_leaves{of="all"}`) != p.metric(`rulestore_log_leaves{of="signed"}`)
	})
	sign()
	p.await("the next head", func() bool { return served().Size == first.Size+1 })
	second := served()
	if got := p.health(); got.Status != "ok" || p.metric("rulestore_log_disagrees") != "0" {
		t.Errorf("health is %+v", got)
	}

	a.write("log/entries/000", a.read("log/entries/000")+"nonsense\n")
	a.git("commit", "-q", "-a", "-m", "По ошибке")
	a.push()
	p.await("the finding", func() bool { return p.health().Status == "degraded" })
	p.await("the metric", func() bool { return p.metric("rulestore_log_disagrees") == "1" })
	if got := served(); got != second {
		t.Errorf("the checkpoint is %+v, and the last that stood %+v", got, second)
	}
	if got := p.mustGet("/api/v1/log", "*/*"); !strings.Contains(string(got.body), "последний, который сходится") {
		t.Errorf("%s", got.body)
	}
	a.git("reset", "-q", "--hard", "HEAD~1")
	a.push()
	p.await("the log as it was", func() bool { return p.health().Status == "ok" })

	a.git("revert", "--no-edit", "HEAD") // of the signature
	a.push()
	p.await("that it is taken back", func() bool { return p.health().Status == "degraded" })
	if got := served(); got != second {
		t.Errorf("the checkpoint is %+v, and was %+v", got, second)
	}
	out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", file)
	if err == nil {
		t.Fatalf("a log that was taken back is signed: %s", out)
	}
	advice := regexp.MustCompile("`git ([^`]*)`").FindStringSubmatch(err.Error() + out)
	if advice == nil {
		t.Fatal(err, out)
	}
	a.git(strings.Fields(advice[1])...)
	a.git("commit", "-q", "-m", "Как было")
	a.push()
	p.await("the log again", func() bool { return p.health().Status == "ok" })
	if got := served(); got != second {
		t.Errorf("the checkpoint is %+v, and was %+v", got, second)
	}
}

// A server that follows a repository elsewhere holds back a state whose log does not go on with the
// accepted one, also after a restart, until somebody confirms it.
func TestLogHeldBack(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	file := filepath.Join(t.TempDir(), "log.key")
	if public, err := rulestoreIn(a.dir, nil, "log", "key", "rules.example.org/log", file); err != nil {
		t.Fatal(err, public)
	}
	if out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", file); err != nil {
		t.Fatal(err, out)
	}
	a.push()
	args := []string{"--repo", "file://" + bare, "--cache-dir", t.TempDir(), "--poll", "1s", "--admin-addr",
		"127.0.0.1:0"}
	s := start(t, args...)
	signed := string(s.mustGet("/log/checkpoint", "*/*").body)
	a.git("rm", "-q", "-r", "log", content.CheckpointFile)
	a.git("commit", "-q", "-m", "Без журнала")
	a.push()
	for range 2 {
		s.await("that the state is held back", func() bool {
			return strings.Contains(s.toOperators(), "whose log does not go on")
		})
		if got := string(s.mustGet("/log/checkpoint", "*/*").body); got != signed {
			t.Errorf("the checkpoint is\n%s\nand was\n%s", got, signed)
		}
		if err := s.stop(); err != nil {
			t.Error(err)
		}
		s = start(t, args...)
	}
}

// A witness follows a log whose key was changed, and nothing that contradicts what it signed
// before, whoever signs it.
func TestWitness(t *testing.T) {
	t.Parallel()
	_, a := newYoung(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	made := func(name, key string) (public string) {
		t.Helper()
		out, err := rulestoreIn(a.dir, nil, "log", "key", name, file(key))
		if err != nil {
			t.Fatal(err, out)
		}
		return strings.Fields(out)[0]
	}
	const name = "rules.example.org/log"
	first, second, other := made(name, "first"), made(name, "second"), made("other.example.org/log", "other")
	made("audit.example.org", "audit")
	sign := func(key string) {
		t.Helper()
		if out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", file(key)); err != nil {
			t.Fatal(err, out)
		}
	}
	state := []byte(nil) // of the witness, nil: none yet
	witness := func(title, public, want string) {
		t.Helper()
		if err := os.WriteFile(file("state"), state, 0o600); state != nil && err != nil {
			t.Fatal(err)
		}
		if state == nil {
			_ = os.Remove(file("state"))
		}
		out, err := rulestoreIn(a.dir, nil, "log", "witness", "--key-file", file("audit"), "--verify-key", public,
			"--state", file("state"))
		if want == "" && err != nil || want != "" && (err == nil || !strings.Contains(err.Error()+out, want)) {
			t.Errorf("%s: %v\n%s\nexpected %q", title, err, out, want)
		}
	}
	keep := func() {
		t.Helper()
		var err error
		if state, err = os.ReadFile(file("state")); err != nil {
			t.Fatal(err)
		}
	}
	sign("first")
	witness("a log that it never saw", first, "")
	keep()
	if out, err := rulestoreIn(a.dir, nil, "mark", common, "archived", "--reason", "Ошибка", "--since",
		"2026-05-01"); err != nil {
		t.Fatal(err, out)
	}
	a.git("commit", "-q", "-a", "-m", "Пометка")
	sign("second")
	witness("a key that is no more", first, "is not signed by the key "+name)
	witness("another key of the log", second, "")
	keep()
	honest := state
	for title, damaged := range map[string]string{
		"a state that is damaged":       strings.Replace(string(honest), "\n", "\n1", 1),
		"a state that was cut off":      string(honest[:40]),
		"a state that holds nothing":    "",
		"a state of a stranger's words": "rules.example.org/log\n1\nAAAA\n\n",
	} {
		state = []byte(damaged)
		witness(title, second, "--state "+file("state"))
	}
	state = honest
	sign("other")
	witness("another log", other, "the checkpoint is of the log "+name)
	a.git("reset", "-q", "--hard", "HEAD~4") // to before the mark
	sign("second")
	witness("a log that was taken back", second, "it was rolled back")
	sign("first")
	witness("a key that was stolen", second, "is not signed by the key "+name)
}

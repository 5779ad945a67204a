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

// A private key is made where no commit takes it along.
func TestLogKeyIsNoContent(t *testing.T) {
	t.Parallel()
	_, a := smallRepository(t)
	a.write(".gitignore", "*.key\n")
	if err := os.Symlink(a.dir, a.dir+".link"); err != nil {
		t.Fatal(err)
	}
	bare := filepath.Join(t.TempDir(), "bare.git")
	a.git("init", "-q", "--bare", bare)
	for path, made := range map[string]bool{
		"log.pem": false, "scenarios/log.pem": false, a.dir + "/log.txt": false, a.dir + ".link/log.pem": false,
		"log.key": true, "../log.pem": true, bare + "/log.pem": true,
	} {
		out, err := rulestoreIn(a.dir, nil, "log", "key", "rules.example.org/log", path)
		if (err == nil) != made || !made && !strings.Contains(out, "a commit could take the private key along") {
			t.Errorf("%s: %v\n%s", path, err, out)
		}
	}
	if out := a.git("status", "--porcelain", "--untracked-files=all"); out != "?? .gitignore" {
		t.Errorf("there is %s", out)
	}
}

// ofLog is a repository whose log CI signs, and a witness.
type ofLog struct {
	*clone
	dir, own, witness string // the folder of keys, and the public ones
}

func newOfLog(a *clone) *ofLog {
	a.Helper()
	l := &ofLog{clone: a, dir: a.TempDir()}
	l.own = strings.Fields(l.do("log", "key", "rules.example.org/log", l.file("log.key")))[0]
	l.witness = strings.Fields(l.do("log", "key", "audit.example.org", l.file("audit.key")))[1]
	return l
}

func (l *ofLog) file(name string) string { return filepath.Join(l.dir, name) }

// do runs a command that succeeds.
func (l *ofLog) do(args ...string) string {
	l.Helper()
	out, err := rulestoreIn(l.clone.dir, nil, args...)
	if err != nil {
		l.Fatal(err, out)
	}
	return out
}

// sign signs the log, and pushes that.
func (l *ofLog) sign() {
	l.Helper()
	l.do("log", "sign", "--key-file", l.file("log.key"))
	l.push()
}

// attest has the witness sign the log, and pushes that.
func (l *ofLog) attest() {
	l.Helper()
	l.do("log", "witness", "--key-file", l.file("audit.key"), "--verify-key", l.own, "--state", l.file("audit.state"))
	l.push()
}

// put writes a file beside the keys.
func (l *ofLog) put(name, text string) {
	l.Helper()
	if err := os.WriteFile(l.file(name), []byte(text), 0o600); err != nil {
		l.Fatal(err)
	}
}

// A server shows the head that CI signed, follows it as it grows, and keeps the last one that
// stood when somebody else writes the log or takes it back: operators are told, and what they are
// advised to do works.
func TestLogOfAServer(t *testing.T) {
	t.Parallel()
	bare, author := newYoung(t)
	a := newOfLog(author)
	verifier, err := log.NewVerifier(a.own)
	if err != nil {
		t.Fatal(err)
	}
	p := start(t, "--repo", bare, "--admin-addr", "127.0.0.1:0")
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
	a.sign()
	p.await("the signed head", func() bool { return served().Size > 0 })
	first := served()
	a.retitle(common, "Иначе")
	a.do("publish", common)
	a.push()
	p.await("the seal", func() bool {
		return p.metric(`rulestore_log_leaves{of="all"}`) != p.metric(`rulestore_log_leaves{of="signed"}`)
	})
	a.sign()
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
	out, err := rulestoreIn(author.dir, nil, "log", "sign", "--key-file", a.file("log.key"))
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
	bare, author := newYoung(t)
	a := newOfLog(author)
	a.sign()
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

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// What is wrong with a policy is said with its line.
func TestPolicy(t *testing.T) {
	for name, c := range map[string]struct{ policy, want string }{
		"a field too much": {"log: x\nquorums: 2\n", `line 2: there is no field "quorums"`},
		"a field twice":    {"quorum: 1\nquorum: 1\n", "line 2: the field quorum stands twice"},
		"no list":          {"log: x\nwitnesses: x\n", "line 2: expected a list of public keys"},
		"no age":           {"log: x\nmax_age: 2 days\n", `line 2: "2 days" is no age: expected for example 48h`},
		"no number":        {"quorum: many\n", `line 1: "many" is no number of witnesses`},
		"no log":           {"quorum: 1\n", "the field `log` is missing"},
		"nothing":          {"", "expected the fields `log`, `witnesses`, `quorum` and `max_age`"},
		"two documents":    {"log: x\n---\nlog: x\n", "expected one document"},
		"no YAML":          {"log: [", "it is no YAML: yaml: line 1"},
		"no key":           {"log: x\n", "is no public key"},
	} {
		t.Run(name, func(t *testing.T) {
			if _, err := parsePolicy([]byte(c.policy)); err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("%v, expected %s", err, c.want)
			}
		})
	}
}

// A copy that is told whose signatures count serves nothing that the log does not hold, signed
// to its end.
func TestPolicyOfACopy(t *testing.T) {
	t.Parallel()
	bare, author := newYoung(t)
	a, dir := newOfLog(author), t.TempDir()
	a.put("policy.yaml", "log: "+a.own+"\n")
	policy := a.file("policy.yaml")
	copied := []string{"check", "--repo", "file://" + bare, "--cache-dir", t.TempDir(), "--policy", policy}
	if out, err := rulestoreIn(dir, nil, copied...); err == nil || !strings.Contains(out, "nobody has signed") {
		t.Errorf("%v\n%s", err, out)
	}
	a.sign()
	cache := t.TempDir()
	begin := func() *running {
		return start(t, "--repo", "file://"+bare, "--cache-dir", cache, "--poll", "1s", "--policy", policy,
			"--admin-addr", "127.0.0.1:0")
	}
	s := begin()
	before := s.title(common)
	a.retitle(common, "Запечатано, но не подписано")
	a.do("publish", common)
	a.push()
	s.await("that the state is not signed", func() bool {
		return s.health().Status == "degraded" && strings.Contains(s.toOperators(), "the log lacks 1 of the seals")
	})
	if got := s.title(common); got != before {
		t.Errorf("unsigned content is served: %s", got)
	}
	a.sign()
	s.await("what is signed now", func() bool { return s.title(common) == "Запечатано, но не подписано" })
	a.publish("9.0.0", "Без печати")
	s.await("that a version is not sealed", func() bool {
		return strings.Contains(s.toOperators(), "is not in the log")
	})
	if got := s.title(common); got != "Запечатано, но не подписано" {
		t.Errorf("unsealed content is served: %s", got)
	}

	t.Log("a restart remembers the head that was seen")
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	seen, err := filepath.Glob(filepath.Join(cache, "*", seenFile))
	if s = begin(); err != nil || len(seen) != 1 {
		t.Fatal(seen, err)
	}
	if _, err := os.Stat(seen[0]); err != nil || s.title(common) != "Запечатано, но не подписано" {
		t.Errorf("%q is served, %v", s.title(common), err)
	}
}

// A state that is held back is no state that was served: the next process serves what this one did, though the log
// of the other has gone on.
func TestPolicyOfAHeldState(t *testing.T) {
	t.Parallel()
	bare, author := newYoung(t)
	a := newOfLog(author)
	a.put("policy.yaml", "log: "+a.own+"\n")
	a.sign()
	cache := t.TempDir()
	begin := func() *running {
		return start(t, "--repo", "file://"+bare, "--cache-dir", cache, "--poll", "1s", "--policy",
			a.file("policy.yaml"),
			"--admin-addr", "127.0.0.1:0")
	}
	s := begin()
	before := s.title(common)
	a.git("commit", "--amend", "-q", "-m", "Переписано")
	a.retitle(common, "Удержано")
	a.do("publish", common)
	a.do("log", "sign", "--key-file", a.file("log.key"))
	a.git("push", "-q", "--force", "origin", "refs/heads/main:refs/heads/main", "refs/tags/*:refs/tags/*")
	held := func() bool {
		return s.health().Status == "degraded" && strings.Contains(s.toOperators(), `"held_back"`)
	}
	s.await("that the state is held back", held)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	s = begin()
	if got := s.title(common); got != before {
		t.Errorf("%q is served after a restart", got)
	}
	s.await("that it still is", held)
}

// A state that was accepted goes on being served however long ago it was signed, also after a restart: its
// age is a finding, until it is signed again.
func TestOldSignaturesAreAFinding(t *testing.T) {
	t.Parallel()
	_, author := newYoung(t)
	a := newOfLog(author)
	a.sign()
	a.attest()
	for age, old := range map[string]bool{"1ns": true, "48h": false} {
		a.put("policy.yaml", "log: "+a.own+"\nwitnesses:\n  - "+a.witness+"\nquorum: 1\nmax_age: "+age+"\n")
		served := []string{"--repo", author.dir, "--policy", a.file("policy.yaml")}
		out, err := rulestoreIn(t.TempDir(), nil, append([]string{"check"}, served...)...)
		if found := exitCode(err) == exitFound; found != old || err != nil && !found ||
			strings.Contains(out, "the witnesses have signed the log last at") != old {
			t.Errorf("check, %s: %v\n%s", age, err, out)
		}
		if !old {
			continue
		}
		s := start(t, append(served, "--admin-addr", "off")...)
		if health := s.health(); health.Status != "degraded" || s.mustGet("/", "*/*").status != 200 {
			t.Errorf("%+v", health)
		}
		s.await("the log", func() bool { return strings.Contains(s.log.String(), "have signed the log last at") })
	}
}

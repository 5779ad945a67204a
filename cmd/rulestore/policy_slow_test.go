//go:build slow

package main

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// A copy that is told whose signatures count serves nothing that the log does not hold, signed
// to its end.
func TestPolicyOfACopy(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	dir := t.TempDir()
	key, policy := filepath.Join(dir, "log.key"), filepath.Join(dir, "policy.yaml")
	public, err := rulestoreIn(dir, nil, "log", "key", "rules.example.org/log", key)
	if err != nil {
		t.Fatal(err, public)
	}
	if err := os.WriteFile(policy, []byte("log: "+strings.Fields(public)[0]+"\n"), 0o644); err != nil {
		t.Fatal(err)
	}
	sign := func() {
		t.Helper()
		if out, err := rulestoreIn(a.dir, nil, "log", "sign", "--key-file", key); err != nil {
			t.Fatal(err, out)
		}
		a.push()
	}
	copied := []string{"check", "--repo", "file://" + bare, "--cache-dir", t.TempDir(), "--policy", policy}
	if out, err := rulestoreIn(dir, nil, copied...); err == nil || !strings.Contains(out, "nobody has signed") {
		t.Errorf("%v\n%s", err, out)
	}
	sign()
	s := start(t, "--repo", "file://"+bare, "--cache-dir", t.TempDir(), "--poll", "1s", "--policy", policy,
		"--admin-addr", "127.0.0.1:0")
	before := s.title(common)
	a.retitle(common, "Запечатано, но не подписано")
	if out, err := rulestoreIn(a.dir, nil, "publish", common); err != nil {
		t.Fatal(err, out)
	}
	a.push()
	s.await("that the state is not signed", func() bool {
		return s.health().Status == "degraded" && strings.Contains(s.toOperators(), "the log lacks 1 of the seals")
	})
	if got := s.title(common); got != before {
		t.Errorf("unsigned content is served: %s", got)
	}
	sign()
	s.await("what is signed now", func() bool { return s.title(common) == "Запечатано, но не подписано" })
	a.publish("9.0.0", "Без печати")
	s.await("that a version is not sealed", func() bool {
		return strings.Contains(s.toOperators(), "is not in the log")
	})
	if got := s.title(common); got != "Запечатано, но не подписано" {
		t.Errorf("unsealed content is served: %s", got)
	}
}

// A state that was accepted goes on being served however long ago it was signed, also after a restart: its
// age is a finding, until it is signed again.
func TestOldSignaturesAreAFinding(t *testing.T) {
	t.Parallel()
	_, a := newYoung(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	done := func(args ...string) string {
		t.Helper()
		out, err := rulestoreIn(a.dir, nil, args...)
		if err != nil {
			t.Fatal(err, out)
		}
		return out
	}
	own := strings.Fields(done("log", "key", "rules.example.org/log", file("log.key")))[0]
	witness := strings.Fields(done("log", "key", "audit.example.org", file("audit.key")))[1]
	done("log", "sign", "--key-file", file("log.key"))
	done("log", "witness", "--key-file", file("audit.key"), "--verify-key", own, "--state", file("audit.state"))
	for age, old := range map[string]bool{"1ns": true, "48h": false} {
		policy := "log: " + own + "\nwitnesses:\n  - " + witness + "\nquorum: 1\nmax_age: " + age + "\n"
		if err := os.WriteFile(file("policy.yaml"), []byte(policy), 0o644); err != nil {
			t.Fatal(err)
		}
		served := []string{"--repo", a.dir, "--policy", file("policy.yaml")}
		out, err := rulestoreIn(dir, nil, append([]string{"check"}, served...)...)
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

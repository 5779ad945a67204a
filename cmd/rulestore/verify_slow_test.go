//go:build slow

package main

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content/log"
)

// What was published and pushed is what a server serves, and every change that
// was not published the right way shows.
func TestVerify(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare)
	out, errs, err := verified(t, s.url, "--repo", a.dir)
	if err != nil || errs != "" || !strings.Contains(out, "serves what was published: 7 publications and ") {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}

	// a version that the repository knows and the server does not
	a.retitle(common, "Проверено")
	if out, err := rulestoreIn(a.dir, nil, "publish"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, errs, err = verified(t, s.url, "--repo", a.dir)
	if exitCode(err) != 1 || !strings.HasPrefix(out, "WHAT ") ||
		!strings.Contains(errs, "does not serve what was published: 3 differences, 7 publications and") {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	for _, want := range []string{
		"guidelines/" + common + "/v1.1.1  not served",
		"guidelines/" + common + " (current)  guideline_version    1.1.1",
		"guidelines/" + common + " (current)  recomputed checksum  sha256:",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}

	// served once it is pushed, as is what is taken back
	if out, err := rulestoreIn(a.dir, nil, "mark", "guidelines/"+common+"@1.0.0", "redacted", "--reason",
		"Ошибка в тексте"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a.git("commit", "-q", "-a", "-m", "Изъято")
	if out, err := rulestoreIn(a.dir, nil, "publish", "--push"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := "/api/v1/guidelines/" + common + "/versions/1.0.0"
	s.await(path, func() bool { return s.mustGet(path, "*/*").status == 410 })
	out, _, err = verified(t, s.url, "--repo", a.dir)
	if err != nil || !strings.Contains(out, "8 publications (1 of them redacted) and ") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// On a terminal a bar shows how far it got, and leaves nothing behind.
func TestVerifyProgress(t *testing.T) {
	script, err := exec.LookPath("script")
	if err != nil {
		t.Skip("needs script, which makes a terminal")
	}
	s := start(t, "--repo", young(t))
	cmd := exec.Command(script, "--quiet", "--return", "--command", "rulestore verify "+s.url, os.DevNull)
	cmd.Env = append(os.Environ(), "TERM=xterm")
	out, err := cmd.CombinedOutput()
	if err != nil || !bytes.Contains(out, []byte("] 8/8")) || !bytes.Contains(out, []byte("\r\x1b[Khttp://")) {
		t.Errorf("%v\n%q", err, out)
	}
}

// Who has the keys of a log and what it was last needs no repository to find that it was
// taken back.
func TestVerifyLog(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	dir := t.TempDir()
	file := func(name string) string { return filepath.Join(dir, name) }
	done := func(args ...string) string {
		t.Helper()
		out, err := rulestoreIn(a.dir, nil, args...)
		if err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		return out
	}
	own := strings.Fields(done("log", "key", "rules.example.org/log", file("log.key")))[0]
	witness := strings.Fields(done("log", "key", "audit.example.org", file("audit.key")))[1]
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(file(name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	policy := "log: " + own + "\nwitnesses:\n  - " + witness + "\nquorum: 1\nmax_age: 48h\n"
	write("policy.yaml", policy)
	done("log", "sign", "--key-file", file("log.key"))
	a.push()
	s := start(t, "--repo", bare)
	args := []string{s.url, "--policy", file("policy.yaml"), "--state", file("state")}
	out, errs, err := verified(t, args...)
	if exitCode(err) != exitFound || !mentions(out, []string{"/log/checkpoint",
		"0 of 1 witnesses have signed the log of"}) {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if _, err := os.Stat(file("state")); err == nil {
		t.Error("a head that is not trusted is kept")
	}

	done("log", "witness", "--key-file", file("audit.key"), "--verify-key", own, "--state", file("audit.state"))
	a.push()
	s.await("the witness", func() bool {
		return strings.Contains(string(s.mustGet("/log/checkpoint", "*/*").body), "audit.example.org")
	})
	for range 2 { // with what was seen, and without
		if out, errs, err := verified(t, args...); err != nil ||
			!strings.Contains(out, " leaves of the log checked in ") {
			t.Fatalf("%v\n%s%s", err, out, errs)
		}
	}
	first, err := os.ReadFile(file("state"))
	if err != nil || !bytes.Equal(first, s.mustGet("/log/checkpoint", "*/*").body) {
		t.Fatalf("%v: the state is\n%s", err, first)
	}

	// what was seen of a log is no longer there, or is no log at all
	raw, err := os.ReadFile(file("log.key"))
	if err != nil {
		t.Fatal(err)
	}
	key, err := log.ParseKey(string(raw))
	if err != nil {
		t.Fatal(err)
	}
	head, err := log.ReadCheckpoint(first)
	if err != nil {
		t.Fatal(err)
	}
	head.Size++
	longer, err := head.Sign(key.Log())
	if err != nil {
		t.Fatal(err)
	}
	write("state", string(longer))
	if out, errs, err := verified(t, args...); exitCode(err) != exitFound ||
		!mentions(out, []string{"/log/checkpoint", "it was rolled back"}) {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
	for _, tt := range []struct{ name, policy, state, want string }{
		{"no state", policy, "rubbish", "does not hold what was seen of this log (this is no checkpoint"},
		{"a field too much", policy + "quorums: 2\n", string(first),
			"policy.yaml: line 6: there is no field \"quorums\""},
		{"a field twice", policy + "quorum: 1\n", string(first), "line 6: the field quorum stands twice"},
		{"no list", "log: " + own + "\nwitnesses: x\n", string(first), "line 2: expected a list of public keys"},
		{"no age", "log: " + own + "\nmax_age: 2 days\n", string(first),
			"line 2: \"2 days\" is no age: expected for example 48h"},
		{"no number", "quorum: many\n", string(first), "line 1: \"many\" is no number of witnesses"},
		{"no log", "quorum: 1\n", string(first), "the field `log` is missing"},
		{"nothing", "", string(first), "expected the fields `log`, `witnesses`, `quorum` and `max_age`"},
		{"two documents", policy + "---\n" + policy, string(first), "expected one document"},
		{"no YAML", "log: [", string(first), "it is no YAML: yaml: line 1"},
		{"an age of nobody", "log: " + own + "\nmax_age: 48h\n", string(first), "an age needs witnesses"},
		{"too large", strings.Repeat("#", 70_000), string(first), "has more than 65536 bytes"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			write("policy.yaml", tt.policy)
			write("state", tt.state)
			if _, errs, err := verified(t, args...); exitCode(err) != exitFailed || !strings.Contains(errs, tt.want) {
				t.Errorf("%s: %v\n%s", tt.name, err, errs)
			}
		})
	}
	if _, errs, err := verified(t, args[:3]...); exitCode(err) != exitUsage ||
		!strings.Contains(errs, "give both --policy") {
		t.Errorf("%v\n%s", err, errs)
	}
	if left, err := filepath.Glob(file("*.new")); err != nil || left != nil {
		t.Errorf("%v %v", left, err)
	}
}

// mentions says whether a line has all these parts.
func mentions(out string, parts []string) bool {
	for line := range strings.Lines(out) {
		found := true
		for _, p := range parts {
			found = found && strings.Contains(strings.Join(strings.Fields(line), " "), p)
		}
		if found {
			return true
		}
	}
	return false
}

package main

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content/log"
)

// verified runs the command against a server.
func verified(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	return ran(t, nil, append([]string{"verify"}, args...)...)
}

func TestVerifyRefusals(t *testing.T) {
	for i, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"rules.example.org"}, 2,
			`"rules.example.org" is no address of a server: expected for example https://rules.example.org`},
		{[]string{"http://a:secret@127.0.0.1:9/"}, 3, "verify http://a:xxxxx@127.0.0.1:9/: "},
		{[]string{"http://127.0.0.1:9", "--repo", "/nowhere"}, 3, "load /nowhere: there is no folder /nowhere"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			out, errs, err := verified(t, tt.args...)
			if exitCode(err) != tt.code || out != "" || !strings.Contains(errs, tt.want) ||
				strings.Contains(errs, "secret") {
				t.Errorf("%v: %v\n%s%s", tt.args, err, out, errs)
			}
		})
	}
}

// What shows drafts is not what anybody published, which is said once.
func TestVerifyDrafts(t *testing.T) {
	dir := store(t)
	s := start(t, "--repo", dir, "--admin-addr", "off", "--drafts")
	for _, args := range [][]string{{s.url}, {s.url, "--repo", dir}} {
		out, errs, err := verified(t, args...)
		if exitCode(err) != exitFailed || out != "" || !strings.Contains(errs, "it shows drafts, by --drafts") ||
			strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %v\n%s%s", args, err, out, errs)
		}
	}
}

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
	author := ofLog{clone: a}
	author.do("publish")
	out, errs, err = verified(t, s.url, "--repo", a.dir)
	if exitCode(err) != 1 || !strings.HasPrefix(out, "WHAT ") ||
		!strings.Contains(errs, "does not serve what was published: 4 differences, 7 publications and") {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	for _, want := range []string{
		"guidelines/" + common + "/v1.1.1  not served",
		"guidelines/" + common + "/v1.1.0  status superseded current",
		"guidelines/" + common + " (current)  guideline_version    1.1.1",
		"guidelines/" + common + " (current)  recomputed checksum  sha256:",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}

	// served once it is pushed, as is what is taken back
	author.do("mark", "guidelines/"+common+"@1.0.0", "redacted", "--reason", "Ошибка в тексте")
	a.git("commit", "-q", "-a", "-m", "Изъято")
	author.do("publish", "--push")
	path := "/api/v1/guidelines/" + common + "/versions/1.0.0"
	s.await(path, func() bool { return s.mustGet(path, "*/*").status == 410 })
	out, _, err = verified(t, s.url, "--repo", a.dir)
	if err != nil || !strings.Contains(out, "8 publications (1 of them redacted) and ") {
		t.Fatalf("%v\n%s", err, out)
	}
}

// Who has the keys of a log and what it was last needs no repository to find that it was
// taken back.
func TestVerifyLog(t *testing.T) {
	t.Parallel()
	bare, author := newYoung(t)
	a := newOfLog(author)
	a.put("policy.yaml", "log: "+a.own+"\nwitnesses:\n  - "+a.witness+"\nquorum: 1\nmax_age: 48h\n")
	a.sign()
	s := start(t, "--repo", bare)
	args := []string{s.url, "--policy", a.file("policy.yaml"), "--state", a.file("state")}
	out, errs, err := verified(t, args...)
	if exitCode(err) != exitFound || !mentions(out, []string{"/log/checkpoint",
		"0 of 1 witnesses have signed the log of"}) {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	if _, err := os.Stat(a.file("state")); err == nil {
		t.Error("a head that is not trusted is kept")
	}

	a.attest()
	s.await("the witness", func() bool {
		return strings.Contains(string(s.mustGet("/log/checkpoint", "*/*").body), "audit.example.org")
	})
	for range 2 { // with what was seen, and without
		if out, errs, err := verified(t, args...); err != nil ||
			!strings.Contains(out, " leaves of the log checked in ") {
			t.Fatalf("%v\n%s%s", err, out, errs)
		}
	}
	first, err := os.ReadFile(a.file("state"))
	if err != nil || !bytes.Equal(first, s.mustGet("/log/checkpoint", "*/*").body) {
		t.Fatalf("%v: the state is\n%s", err, first)
	}

	// what was seen of a log is no longer there
	raw, err := os.ReadFile(a.file("log.key"))
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
	a.put("state", string(longer))
	if out, errs, err := verified(t, args...); exitCode(err) != exitFound ||
		!mentions(out, []string{"/log/checkpoint", "it was rolled back"}) {
		t.Errorf("%v\n%s%s", err, out, errs)
	}
	a.put("state", "rubbish")
	if _, errs, err := verified(t, args...); exitCode(err) != exitFailed ||
		!strings.Contains(errs, "does not hold what was seen of this log (this is no checkpoint") {
		t.Errorf("%v\n%s", err, errs)
	}
	if _, errs, err := verified(t, args[:3]...); exitCode(err) != exitUsage ||
		!strings.Contains(errs, "give both --policy") {
		t.Errorf("%v\n%s", err, errs)
	}
	if left, err := filepath.Glob(a.file("*.new")); err != nil || left != nil {
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

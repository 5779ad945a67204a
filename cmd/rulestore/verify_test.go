package main

import (
	"bytes"
	"os"
	"os/exec"
	"strings"
	"testing"
)

// verified runs the command against a server.
func verified(t *testing.T, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, errs bytes.Buffer
	err = run(t.Context(), append([]string{"verify"}, args...), func(string) string { return "" }, nil, &out, &errs)
	return out.String(), errs.String(), err
}

// What was published and pushed is what a server serves, and every change that
// was not published the right way shows.
func TestVerify(t *testing.T) {
	manyProcesses(t)
	t.Parallel()
	bare, a := newYoung(t)
	s := start(t, "--repo", bare)
	out, errs, err := verified(t, s.url, "--repo", a.dir)
	if err != nil || errs != "" || !strings.Contains(out, "serves what was published: 22 publications and ") {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}

	// a version that the repository knows and the server does not
	a.retitle(common, "Проверено")
	if out, err := rulestoreIn(a.dir, nil, "publish"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	out, errs, err = verified(t, s.url, "--repo", a.dir)
	if exitCode(err) != 1 || !strings.HasPrefix(out, "WHAT ") ||
		!strings.Contains(errs, "does not serve what was published: 3 differences, 22 publications and") {
		t.Fatalf("%v\n%s%s", err, out, errs)
	}
	for _, want := range []string{
		"guidelines/" + common + "/v1.0.1  not served",
		"guidelines/" + common + " (current)  guideline_version    1.0.1",
		"guidelines/" + common + " (current)  recomputed checksum  sha256:",
	} {
		if !strings.Contains(strings.Join(strings.Fields(out), " "), strings.Join(strings.Fields(want), " ")) {
			t.Errorf("no %q in\n%s", want, out)
		}
	}

	// served once it is pushed, as is what is taken back
	if out, err := rulestoreIn(a.dir, nil, "mark", "guidelines/"+common+"@1.0.0", "redacted", "--reason", "Ошибка в тексте"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a.git("commit", "-q", "-a", "-m", "Изъято")
	if out, err := rulestoreIn(a.dir, nil, "publish", "--push"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	path := "/api/v1/guidelines/" + common + "/versions/1.0.0"
	s.await(path, func() bool { return s.mustGet(path, "*/*").status == 410 })
	out, _, err = verified(t, s.url, "--repo", a.dir)
	if err != nil || !strings.Contains(out, "23 publications (1 of them redacted) and ") {
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
	if err != nil || !bytes.Contains(out, []byte("] 23/23")) || !bytes.Contains(out, []byte("\r\x1b[Khttp://")) {
		t.Errorf("%v\n%q", err, out)
	}
}

func TestVerifyRefusals(t *testing.T) {
	for _, tt := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"rules.example.org"}, 2, `"rules.example.org" is no address of a server: expected for example https://rules.example.org`},
		{[]string{"http://a:secret@127.0.0.1:9/"}, 3, "verify http://a:xxxxx@127.0.0.1:9/: fetch /api/v1/checksums: "},
		{[]string{"http://127.0.0.1:9", "--timeout", "0s"}, 2, "--timeout 0s is too short"},
		{[]string{"http://127.0.0.1:9", "--repo", "/nowhere"}, 3, "load /nowhere: open repository"},
		{nil, 2, "accepts 1 arg"},
	} {
		out, errs, err := verified(t, tt.args...)
		if exitCode(err) != tt.code || out != "" || !strings.Contains(errs, tt.want) || strings.Contains(errs, "secret") {
			t.Errorf("%v: %v\n%s%s", tt.args, err, out, errs)
		}
	}
}

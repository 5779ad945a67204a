package main

import (
	"fmt"
	"strings"
	"testing"
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
		{[]string{"http://a:secret@127.0.0.1:9/"}, 3, "verify http://a:xxxxx@127.0.0.1:9/: fetch /api/v1/checksums: "},
		{[]string{"http://127.0.0.1:9", "--timeout", "0s"}, 2, "--timeout 0s is too short"},
		{[]string{"http://127.0.0.1:9", "--repo", "/nowhere"}, 3, "load /nowhere: open repository"},
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

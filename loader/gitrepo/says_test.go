package gitrepo_test

import (
	"errors"
	"net/http"
	"strings"
	"testing"

	"rulestore/loader/gitrepo"
)

// What a host answers in place of a repository is said in our words, with what to do; its
// own are not repeated.
func TestWhatHostsSay(t *testing.T) {
	answers := func(code int, kind string) http.Handler {
		return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
			w.Header().Set("Content-Type", kind)
			w.WriteHeader(code)
			_, _ = w.Write([]byte("<html>SECRET of the host</html>"))
		})
	}
	set := &login{pairs: [][2]string{{"anna", "s3cret"}}}
	for name, c := range map[string]struct {
		answer http.Handler
		login  gitrepo.Login
		says   string
		not    string
	}{
		"a page":                 {answers(200, "text/html; charset=utf-8"), nil, "answers with a web page", "pkt"},
		"a page for who has one": {answers(200, "text/html"), set, "answers with a web page", "RULESTORE_GIT_PASSWORD"},
		"forbidden":              {answers(403, "text/html"), nil, "RULESTORE_GIT_PASSWORD", "::"},
		"forbidden with a login": {answers(403, "text/plain"), &login{pairs: set.pairs},
			"refuses the login that is set", "RULESTORE_GIT_PASSWORD"},
		"unknown": {answers(401, "text/html"), nil, "RULESTORE_GIT_PASSWORD", "refuses the login"},
		"unknown with a login": {answers(401, "text/html"), &login{pairs: set.pairs}, "refuses the login that is set",
			"RULESTORE_GIT_PASSWORD"},
		"not found":    {answers(404, "text/html"), nil, "check the address", "::"},
		"out of order": {answers(502, "text/html"), nil, "502", "web page"},
	} {
		t.Run(name, func(t *testing.T) {
			r := serve(t, c.answer)
			r.Login = c.login
			_, err := openMirror(t, r).Fetch(t.Context())
			mustFail(t, err, c.says)
			if strings.Contains(err.Error(), "SECRET") || strings.Contains(err.Error(), c.not) {
				t.Error(err)
			}
		})
	}
}

// That there is no commit is said only where there is none.
func TestNoBranch(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*repo)
		says   string
	}{
		"nothing": {func(*repo) {}, "no commit yet"},
		"only a tag": {func(r *repo) {
			r.put("a.yaml", "1\n")
			r.git("tag", "v1")
			r.git("update-ref", "-d", "refs/heads/main")
		}, "has no branch"},
		"a deleted branch": {func(r *repo) {
			r.put("a.yaml", "1\n")
			r.git("gc", "-q")
			r.git("update-ref", "-d", "refs/heads/main")
		}, "has no branch"},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			c.change(r)
			_, err := r.refs("")
			mustFail(t, err, c.says)
			if !errors.Is(err, gitrepo.ErrEmpty) {
				t.Error("nobody can tell")
			}
		})
	}
}

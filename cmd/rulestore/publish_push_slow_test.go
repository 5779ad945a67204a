//go:build slow

package main

import (
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// turnedAway makes a push URL of a host that answers with a status to some
// requests, and to the others as git does.
func turnedAway(t *testing.T, bare string, status int, path string) string {
	t.Helper()
	gitIn(t, bare, "config", "http.receivepack", "true")
	host := newHost(t, filepath.Dir(bare))
	all := host.Config.Handler
	host.Config.Handler = http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Query().Get("service") == path || strings.HasSuffix(r.URL.Path, path) {
			http.Error(w, http.StatusText(status), status)
			return
		}
		all.ServeHTTP(w, r)
	})
	return host.URL + "/" + filepath.Base(bare)
}

// A push that somebody refused is undone, and the message says who it was; of one
// that broke off nobody knows whether it arrived, so that what was made is kept.
func TestPublishPushRefused(t *testing.T) {
	t.Parallel()
	const undone, kept = "what was done before is undone: nothing was published",
		"what was made here is kept, and the same command again goes on"
	for _, tt := range []struct {
		name, hook string
		status     int
		path       string
		want       []string
	}{
		{name: "hook", hook: "#!/bin/sh\necho 'error: лишний пробел' >&2\nexit 1\n",
			want: []string{"was stopped before anything was sent, by the pre-push hook:\n\terror: лишний пробел\n",
				undone}},
		{name: "silent hook", hook: "#!/bin/sh\nexit 3\n",
			want: []string{"was stopped before anything was sent, by the pre-push hook", undone}},
		{name: "forbidden", status: http.StatusForbidden, path: "git-receive-pack",
			want: []string{"origin refuses the push:\n", "403", undone}},
		{name: "forbidden to send", status: http.StatusForbidden, path: "/rules.git/git-receive-pack",
			want: []string{"origin refuses the push:\n", "403", undone}},
		{name: "who are you", status: http.StatusUnauthorized, path: "git-receive-pack",
			want: []string{"origin refuses the push:\n", "could not read Username", undone}},
		{name: "broken", status: http.StatusBadGateway, path: "git-receive-pack",
			want: []string{"the push did not end well:", "502", kept}},
		{name: "broken off", status: http.StatusBadGateway, path: "/rules.git/git-receive-pack",
			want: []string{"the push did not end well:", kept}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			bare, a := smallRepository(t)
			if tt.hook != "" {
				a.write(".git/hooks/pre-push", tt.hook)
				if err := os.Chmod(filepath.Join(a.dir, ".git/hooks/pre-push"), 0o755); err != nil {
					t.Fatal(err)
				}
			} else {
				a.git("remote", "set-url", "--push", "origin", turnedAway(t, bare, tt.status, tt.path))
			}
			out, err := rulestoreIn(a.dir, nil, "publish", "--push", "--release", "1.0.0")
			if err == nil {
				t.Fatal("it was pushed")
			}
			for _, want := range tt.want {
				if !strings.Contains(out, want) {
					t.Errorf("%s\nlacks %q", out, want)
				}
			}
			if strings.Contains(out, undone) {
				a.untouched()
			}
			if err := os.RemoveAll(filepath.Join(a.dir, ".git/hooks/pre-push")); err != nil {
				t.Fatal(err)
			}
			a.git("remote", "set-url", "--push", "origin", bare)
			if out, err := rulestoreIn(a.dir, nil, "publish", "--push", "--release", "1.0.0"); err != nil {
				t.Fatalf("the second run: %v\n%s", err, out)
			}
			a.published(bare)
		})
	}
}

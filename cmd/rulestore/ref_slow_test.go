//go:build slow

package main

import "testing"

// A commit or a tag is served with --ref, whatever is pushed, and health says so.
func TestRefIsACommitOrATag(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	for _, version := range []string{"8.0.0", "8.1.0"} {
		a.retitle(common, "Издание "+version)
		a.git("tag", "-a", "-m", version, "guidelines/"+common+"/v"+version)
	}
	a.git("tag", "release", "HEAD~1")
	a.push()
	for _, ref := range []string{a.git("rev-parse", "HEAD~1")[:9], "guidelines/" + common + "/v8.0.0", "release"} {
		t.Run(ref, func(t *testing.T) {
			s := start(t, "--repo", bare, "--ref", ref, "--admin-addr", "127.0.0.1:0")
			if got := s.title(common); got != "Издание 8.0.0" {
				t.Errorf("served is %q", got)
			}
			if got := s.health(); got.Status != "degraded" || s.metric("rulestore_pinned") != "1" {
				t.Errorf("health is %+v", got)
			}
			if n := s.metric(`rulestore_snapshot_findings{severity="error"}`); n != "0" { // of what came later
				t.Errorf("%s errors in %s", n, s.mustGet("/api/v1/health", "*/*").body)
			}
			if out, errs, err := verified(t, s.url, "--repo", bare, "--ref", ref); err != nil {
				t.Errorf("%v\n%s%s", err, out, errs)
			}
		})
	}
	t.Run("a branch of that name", func(t *testing.T) {
		a.git("branch", "release", "HEAD")
		a.git("push", "-q", "origin", "refs/heads/release:refs/heads/release")
		s := start(t, "--repo", "file://"+bare, "--cache-dir", t.TempDir(), "--ref", "release", "--admin-addr", "127.0.0.1:0")
		if got := s.title(common); got != "Издание 8.1.0" || s.metric("rulestore_pinned") != "0" {
			t.Errorf("served is %q", got)
		}
	})
}

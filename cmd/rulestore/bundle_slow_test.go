//go:build slow

package main

import (
	"path/filepath"
	"testing"
)

// A file that `git bundle` wrote is served and verified against, and one that takes its place is followed.
func TestBundleFile(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	file := filepath.Join(t.TempDir(), "rules.bundle")
	bundle := func() { gitIn(t, bare, "bundle", "create", "--quiet", file, "--all") }
	bundle()
	s := start(t, "--repo", file, "--cache-dir", t.TempDir(), "--poll", "1s", "--admin-addr", "off")
	if out, err := rulestoreIn(t.TempDir(), nil, "verify", s.url, "--repo", file); err != nil {
		t.Error(err, out)
	}
	a.retitle(common, "После копии")
	if out, err := rulestoreIn(a.dir, nil, "publish", common); err != nil {
		t.Fatal(err, out)
	}
	a.push()
	bundle()
	s.await("what came after", func() bool { return s.title(common) == "После копии" })
}

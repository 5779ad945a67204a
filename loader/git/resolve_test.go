package git_test

import (
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// Resolve names the commit that git rev-parse names.
func TestResolve(t *testing.T) {
	r := newRepo(t)
	first := r.put("file", "x").String()
	r.git("tag", "-a", "v1.0.0", "-m", "annotated")
	r.git("tag", "-a", "nested", "-m", "a tag of a tag", "v1.0.0")
	r.git("tag", "light")
	second := r.commit("second").String()
	r.git("branch", "feature/one", first)
	r.git("update-ref", "refs/remotes/origin/main", first)
	r.git("tag", "blob", "HEAD:file")
	repo := r.open()
	for _, name := range []string{"main", "HEAD", "HEAD~1", "HEAD^", "main~1", "v1.0.0", "nested", "light",
		"feature/one", "origin/main", "refs/heads/main", "refs/tags/light", first, second, second[:10]} {
		want := r.git("rev-parse", name+"^{commit}")
		got, err := repo.Resolve(name)
		if err != nil || got.String() != want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
	for _, name := range []string{"", "nosuch", "-x", "--all", "HEAD~9", "blob", strings.Repeat("1", 40), "main..HEAD",
		"main:file", "@{-1}", "\x00"} {
		if got, err := repo.Resolve(name); err == nil {
			t.Errorf("%q: got %s", name, got)
		}
	}
	if head, err := repo.Head(); err != nil || head.String() != second {
		t.Errorf("the head is %s, %v", head, err)
	}
	refs, err := openFrom(t, git.At(git.OnDisk(r.dir), parse(t, first))).Refs("")
	if err != nil || refs.Commit.String() != first || refs.Branch != first[:12] || refs.Head || len(refs.Tags) != 4 {
		t.Errorf("at the first commit: %+v, %v", refs, err)
	}
}

// MergeBase names the commit that git merge-base names.
func TestMergeBase(t *testing.T) {
	r := newRepo(t)
	r.commit("root")
	r.commit("base")
	r.git("branch", "merged")
	r.git("checkout", "-q", "-b", "change")
	r.commit("change")
	r.git("checkout", "-q", "merged")
	r.commit("beside")
	r.git("checkout", "-q", "main")
	r.commit("main goes on")
	r.git("merge", "-q", "--no-ff", "-m", "merge", "merged")
	r.git("checkout", "-q", "--orphan", "other")
	r.commit("another beginning")
	repo := r.open()
	for _, pair := range [][2]string{{"change", "main"}, {"main", "change"}, {"main", "main"}, {"main", "merged"},
		{"merged", "change"}, {"main~1", "main"}} {
		got, ok, err := repo.MergeBase(r.oid(pair[0]), r.oid(pair[1]))
		if want := r.oid(r.git("merge-base", pair[0], pair[1])); err != nil || !ok || got != want {
			t.Errorf("%v: got %s, %v, %v, want %s", pair, got, ok, err, want)
		}
	}
	if got, ok, err := repo.MergeBase(r.oid("other"), r.oid("main")); ok || err != nil {
		t.Errorf("two histories: got %s, %v, %v", got, ok, err)
	}
}

// A shallow clone is refused by OnDisk. CutOnDisk reads what it has, and where its
// history ends no commit is in common.
func TestCutOnDisk(t *testing.T) {
	r := newRepo(t)
	r.commit("one")
	r.commit("two")
	r.git("branch", "change")
	r.commit("three")
	clone := r.beside(filepath.Join(t.TempDir(), "shallow"))
	r.git("clone", "-q", "--depth=1", "file://"+r.dir, clone.dir)
	clone.git("fetch", "-q", "--depth=1", "origin", "change:change")
	cut := openFrom(t, git.CutOnDisk(clone.dir))
	if !cut.Cut() || openFrom(t, git.CutOnDisk(r.dir)).Cut() {
		t.Error("a clone is taken for what it is not")
	}
	if got, ok, err := cut.MergeBase(clone.oid("main"), clone.oid("change")); ok || err != nil {
		t.Errorf("got %s, %v, %v", got, ok, err)
	}
}

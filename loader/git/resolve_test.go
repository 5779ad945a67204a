package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git"
)

// clone is a repository that a test drives with the git command.
type clone struct {
	*testing.T
	dir string
	now time.Time
}

func newClone(t *testing.T) *clone {
	c := &clone{T: t, dir: t.TempDir(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)}
	c.git("init", "-q", "-b", "main")
	return c
}

func (c *clone) git(args ...string) string {
	c.Helper()
	c.now = c.now.Add(time.Minute)
	date := c.now.Format(time.RFC3339)
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = c.dir
	cmd.Env = append(os.Environ(), "GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=A", "GIT_AUTHOR_EMAIL=a@example.org", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME=A", "GIT_COMMITTER_EMAIL=a@example.org", "GIT_COMMITTER_DATE="+date)
	out, err := cmd.CombinedOutput()
	if err != nil {
		c.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

func (c *clone) commit(message string) string {
	c.Helper()
	c.git("commit", "-q", "--allow-empty", "-m", message)
	return c.git("rev-parse", "HEAD")
}

func opened(t *testing.T, s git.Opener) *git.Repo {
	t.Helper()
	r, err := s.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { r.Close() })
	return r
}

// Resolve names the commit that git rev-parse names.
func TestResolve(t *testing.T) {
	c := newClone(t)
	first := c.commit("first")
	c.git("tag", "-a", "v1.0.0", "-m", "annotated")
	c.git("tag", "-a", "nested", "-m", "a tag of a tag", "v1.0.0")
	c.git("tag", "light")
	second := c.commit("second")
	c.git("branch", "feature/one", first)
	c.git("update-ref", "refs/remotes/origin/main", first)
	os.WriteFile(filepath.Join(c.dir, "file"), []byte("x"), 0o644)
	c.git("tag", "blob", c.git("hash-object", "-w", "file"))
	r := opened(t, git.OnDisk(c.dir))
	for _, name := range []string{"main", "HEAD", "HEAD~1", "HEAD^", "main~1", "v1.0.0", "nested", "light",
		"feature/one", "origin/main", "refs/heads/main", "refs/tags/light", first, second, second[:10]} {
		want := c.git("rev-parse", name+"^{commit}")
		got, err := r.Resolve(name)
		if err != nil || got.String() != want {
			t.Errorf("%s: got %s, %v, want %s", name, got, err, want)
		}
	}
	for _, name := range []string{"", "nosuch", "-x", "--all", "HEAD~9", "blob", strings.Repeat("1", 40), "main..HEAD",
		"main:file", "@{-1}", "\x00"} {
		if got, err := r.Resolve(name); err == nil {
			t.Errorf("%q: got %s", name, got)
		}
	}
	if head, err := r.Head(); err != nil || head.String() != second {
		t.Errorf("the head is %s, %v", head, err)
	}
}

// MergeBase names the commit that git merge-base names.
func TestMergeBase(t *testing.T) {
	c := newClone(t)
	c.commit("root")
	base := c.commit("base")
	c.git("branch", "merged")
	c.git("checkout", "-q", "-b", "change")
	c.commit("change")
	c.git("checkout", "-q", "merged")
	c.commit("beside")
	c.git("checkout", "-q", "main")
	c.commit("main goes on")
	c.git("merge", "-q", "--no-ff", "-m", "merge", "merged")
	c.git("checkout", "-q", "--orphan", "other")
	c.commit("another beginning")
	r := opened(t, git.OnDisk(c.dir))
	for _, pair := range [][2]string{{"change", "main"}, {"main", "change"}, {"main", "main"}, {"main", "merged"},
		{"merged", "change"}, {"main~1", "main"}} {
		a, _ := r.Resolve(pair[0])
		b, _ := r.Resolve(pair[1])
		got, ok, err := r.MergeBase(a, b)
		if want := c.git("merge-base", pair[0], pair[1]); err != nil || !ok || got.String() != want {
			t.Errorf("%v: got %s, %v, %v, want %s", pair, got, ok, err, want)
		}
	}
	a, _ := r.Resolve("other")
	b, _ := r.Resolve("main")
	if got, ok, err := r.MergeBase(a, b); ok || err != nil {
		t.Errorf("two histories: got %s, %v, %v", got, ok, err)
	}
	if _, err := r.Resolve(base); err != nil {
		t.Error(err)
	}
}

// A shallow clone is refused by OnDisk. CutOnDisk reads what it has, and where its
// history ends no commit is in common.
func TestCutOnDisk(t *testing.T) {
	c := newClone(t)
	c.commit("one")
	c.commit("two")
	c.git("branch", "change")
	c.commit("three")
	dir := filepath.Join(t.TempDir(), "shallow")
	c.git("clone", "-q", "--depth=1", "file://"+c.dir, dir)
	c.git("-C", dir, "fetch", "-q", "--depth=1", "origin", "change:change")
	if _, err := git.OnDisk(dir).Open(); err == nil || !strings.Contains(err.Error(), "shallow") {
		t.Errorf("OnDisk: %v", err)
	}
	r := opened(t, git.CutOnDisk(dir))
	if !r.Cut() || opened(t, git.CutOnDisk(c.dir)).Cut() {
		t.Error("a clone is taken for what it is not")
	}
	a, err := r.Resolve("main")
	if err != nil {
		t.Fatal(err)
	}
	b, err := r.Resolve("change")
	if err != nil {
		t.Fatal(err)
	}
	if got, ok, err := r.MergeBase(a, b); ok || err != nil {
		t.Errorf("got %s, %v, %v", got, ok, err)
	}
}

// At reads a repository as if a commit were the head, with the same tags.
func TestAt(t *testing.T) {
	c := newClone(t)
	first := c.commit("first")
	c.git("tag", "light")
	c.commit("second")
	r := opened(t, git.OnDisk(c.dir))
	id, err := r.Resolve(first)
	if err != nil {
		t.Fatal(err)
	}
	refs, err := opened(t, git.At(git.OnDisk(c.dir), id)).Refs("")
	if err != nil || refs.Commit != id || refs.Branch != first[:12] || refs.Head || len(refs.Tags) != 1 {
		t.Errorf("%+v, %v", refs, err)
	}
}

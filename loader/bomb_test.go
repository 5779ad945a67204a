package loader_test

import (
	"fmt"
	"maps"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// tree writes a folder whose entries are given as git mktree reads them.
func (r *repo) tree(entries string) string {
	r.Helper()
	cmd := exec.Command("git", "mktree")
	cmd.Dir, cmd.Stdin = r.dir, strings.NewReader(entries)
	out, err := cmd.Output()
	must(r, err)
	return strings.TrimSpace(string(out))
}

// bomb is a folder of a few KB that stands for 810,000 files.
func (r *repo) bomb() string {
	r.Helper()
	r.write("small.yaml", guideline("test.inside.001", "= Внутри"))
	entries := "100644 blob " + r.git("hash-object", "-w", "small.yaml") + "\trule.yaml\n"
	for range 4 {
		id, list := r.tree(entries), ""
		for i := range 30 {
			list += fmt.Sprintf("040000 tree %s\tf%02d\n", id, i)
		}
		entries = list
	}
	return r.tree(entries)
}

// plant commits a folder at a path of the root or of guidelines, and returns the
// commit.
func (r *repo) plant(path, tree string) string {
	r.Helper()
	folder, name, nested := strings.Cut(path, "/")
	if nested {
		tree = r.tree(r.git("ls-tree", "HEAD:"+folder) + "\n040000 tree " + tree + "\t" + name + "\n")
	}
	var rest []string
	for line := range strings.Lines(r.git("ls-tree", "HEAD") + "\n") {
		if !strings.HasSuffix(strings.TrimSpace(line), "\t"+folder) {
			rest = append(rest, line)
		}
	}
	root := r.tree(strings.Join(rest, "") + "040000 tree " + tree + "\t" + folder + "\n")
	r.git("update-ref", "HEAD", r.git("commit-tree", "-p", "HEAD", "-m", "Plant "+path, root))
	return r.git("rev-parse", "--short=12", "HEAD")
}

// A commit may hold a folder that stands for more files than anybody can read. Such a state is not served, and not
// reviewed; when the commit is gone, everything is as it was.
func TestBombInAFolder(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	l := r.loader()
	before := describe(l.Load(t.Context()))
	commit := r.plant("guidelines/bomb", r.bomb())
	for name, l := range map[string]*loader.Loader{"known": l, "new": r.loader()} {
		if _, err := l.Load(t.Context()); err == nil || !strings.Contains(err.Error(), commit+" is too large") {
			t.Errorf("%s: %v", name, err)
		}
	}
	repo, err := git.OnDisk(r.dir).Open()
	must(t, err)
	defer repo.Close()
	head, err := repo.Head()
	must(t, err)
	if _, err := loader.ReadCommit(loader.Config{Schemas: schemas.Embedded()}, repo, head); err == nil ||
		!strings.Contains(err.Error(), "more files than can be read") {
		t.Errorf("a review: %v", err)
	}
	r.git("update-ref", "HEAD", "HEAD~1")
	if got := describe(l.Load(t.Context())); got != before {
		t.Errorf("when it is gone:\n%s\nbefore\n%s", got, before)
	}
}

// A tag that is moved to such a commit beside the branch takes nothing away: what it sealed is found on the branch.
func TestBombBesideTheBranch(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; seal")
	r.git("checkout", "-q", "-b", "side")
	r.plant("guidelines/bomb", r.bomb())
	r.git("tag", "-f", "guidelines/test.one.001/v1.0.0")
	r.git("symbolic-ref", "HEAD", "refs/heads/main")
	r.expect(r.load(), `1.0.0 current "Один" sealed`)

	// What nothing else has is lost, not damaged: the tag has to be moved back.
	r.git("checkout", "-q", "-f", "main")
	r.addLine(fmt.Sprintf("guidelines/test.two.001/v1.0.0 sha256:%064d 2026-03-01T10:00:00Z", 1))
	r.commit("Seal what is not there")
	r.git("tag", "-f", "guidelines/test.two.001/v1.0.0", "side")
	got := r.load()
	r.expect(got, "refused guidelines/test.two.001/v1.0.0", "[seal-lost]")
	r.refuse(got, "[damaged]")
}

// The work tree has limits: what a checkout would leave out of a commit is left out of
// it, links lead nowhere, and files have a limit together.
func TestReviewOfAWorkTree(t *testing.T) {
	r := newRepo(t)
	r.write("guidelines/test.one.001.yaml", guideline("test.one.001", "= Один"))
	for _, link := range []string{"guidelines/self", "guidelines/deep/self"} {
		r.write(filepath.Dir(link)+"/file.yaml", "")
		must(t, os.Symlink(".", filepath.Join(r.dir, link)))
	}
	r.write("guidelines/a/b/c/d/e/read.yaml", "")
	r.write("guidelines/a/b/c/d/e/f/deeper.yaml", "")
	paths := func() (all []string) {
		t.Helper()
		tree, err := loader.NewTreeReader(loader.Config{Schemas: schemas.Embedded()}, r.dir).Read(nil)
		must(t, err)
		for p := range tree.Raw {
			all = append(all, p)
		}
		slices.Sort(all)
		return all
	}
	want := []string{"guidelines/a/b/c/d/e/f/deeper.yaml", "guidelines/a/b/c/d/e/read.yaml",
		"guidelines/deep/file.yaml", "guidelines/file.yaml", "guidelines/test.one.001.yaml", "rulestore.yaml"}
	if got := paths(); !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	r.commit("The same in a commit")
	tree := headOf(t, git.OnDisk(r.dir))
	if got := slices.Sorted(maps.Keys(tree.Raw)); !slices.Equal(got, want) {
		t.Errorf("of the commit %q, expected %q", got, want)
	}
}

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

// A commit may hold a folder that stands for more files than anybody can read.
// What is beside it is served, what is in it is refused, and both say why; when
// it is gone, everything is as it was.
func TestBombInAFolder(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	l := r.loader()
	if _, err := l.Load(t.Context()); err != nil {
		t.Fatal(err)
	}
	commit := r.plant("guidelines/bomb", r.bomb())
	r.plant("guidelines/test.bomb.001.yaml", r.git("rev-parse", "HEAD:guidelines/bomb"))
	r.play("publish one 1.1.0; publish bomb 1.0.0")
	got := describe(l.Load(t.Context()))
	r.expect(got, `1.1.0 current "Один"`, "1.0.0 superseded",
		"finding guidelines/bomb: error: the folder is not read since commit "+commit+
			": it and the folders in it list more than 16 MiB of names [size] (keep",
		"finding guidelines/test.bomb.001.yaml: error: the folder is not read since commit ",
		"finding guidelines/test.bomb.001/v1.0.0: guidelines/test.bomb.001.yaml: error: the folder is not read")
	if fresh := r.load(); fresh != got {
		t.Errorf("a loader that has loaded before comes to\n%s\na new one to\n%s", got, fresh)
	}
	r.play("read-tree HEAD~2; commit -q -m Mend; publish one 1.2.0")
	got = describe(l.Load(t.Context()))
	r.expect(got, `1.2.0 current "Один"`, "1.1.0 superseded", "refused guidelines/test.bomb.001/v1.0.0")
	r.refuse(got, "finding guidelines/bomb", "finding guidelines/test.bomb.001.yaml", "removed")
}

// Where the folder of a kind is such a folder, what was published before goes on
// being served, and what is tagged in it is refused for that reason.
func TestBombOfAKind(t *testing.T) {
	for _, folder := range []string{"guidelines", "schemas"} {
		r := newRepo(t).play("edit one Один; publish one 1.0.0")
		commit := r.plant(folder, r.bomb())
		r.tag("test.one.001", "1.1.0")
		got := r.load()
		r.expect(got, `1.0.0 `, "finding "+folder+": error: the folder is not read since commit "+commit)
		if folder == "schemas" {
			r.expect(got, `1.1.0 current "Один"`)
			continue
		}
		r.expect(got, "1.0.0 current", "refused guidelines/test.one.001/v1.1.0",
			"finding guidelines/test.one.001/v1.1.0: guidelines/test.one.001.yaml: error: the folder guidelines is "+
				"not read in the tagged commit "+commit)
		r.refuse(got, "[removed]")
	}
}

// Reading one state of a repository, as reviews do, has the same limits.
func TestReviewOfABomb(t *testing.T) {
	r := newRepo(t).play("edit one Один")
	r.plant("guidelines/bomb", r.bomb())
	tree := headOf(t, git.OnDisk(r.dir))
	if len(tree.Items) != 1 || len(tree.Findings) != 1 || tree.Findings[0].Path != "guidelines/bomb" {
		t.Errorf("%d items, found %v", len(tree.Items), tree.Findings)
	}
}

// So has the work tree: what a checkout would leave out of a commit is left out of
// it, links lead nowhere, and files have a limit together.
func TestReviewOfAWorkTree(t *testing.T) {
	r := newRepo(t)
	r.write("guidelines/test.one.001.yaml", guideline("test.one.001", "= Один"))
	for _, link := range []string{"guidelines/self", "guidelines/deep/self"} {
		r.write(filepath.Dir(link)+"/file.yaml", "")
		must(t, os.Symlink(".", filepath.Join(r.dir, link)))
	}
	r.write("guidelines/a/b/c/d/e/read.yaml", "")
	r.write("guidelines/a/b/c/d/e/f/too-deep.yaml", "")
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
	want := []string{"guidelines/a/b/c/d/e/read.yaml", "guidelines/deep/file.yaml", "guidelines/file.yaml",
		"guidelines/test.one.001.yaml", "rulestore.yaml"}
	if got := paths(); !slices.Equal(got, want) {
		t.Errorf("%q, expected %q", got, want)
	}
	r.commit("The same in a commit")
	tree := headOf(t, git.OnDisk(r.dir))
	if got := slices.Sorted(maps.Keys(tree.Raw)); !slices.Equal(got, want) {
		t.Errorf("of the commit %q, expected %q", got, want)
	}
}

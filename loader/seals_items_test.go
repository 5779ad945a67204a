package loader_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// sealed is a repository with two sealed items.
func sealed(t *testing.T) *repo {
	r := newRepo(t)
	r.write(content.SettingsFile, settings)
	for _, id := range []string{one, two} {
		r.edit(id, "= "+id)
		r.tag(id, "1.0.0")
		r.edit(id, "= "+id+", ещё раз")
		r.tag(id, "1.1.0")
	}
	r.seal()
	return r
}

// Seals in a file per item say what they said in one file for all.
func TestSealsOfItems(t *testing.T) {
	t.Run("side by side", func(t *testing.T) {
		r := sealed(t)
		r.play("edit three Три; publish three 1.0.0; seal")
		got := r.load()
		r.expect(got, `1.0.0 current "Три" sealed`)
		r.refuse(got, "error", "unsealed")
	})
	line := func(item string) string {
		return "guidelines/" + item + "/v3.0.0 sha256:" + strings.Repeat("0", 64) + " 2026-02-02T10:00:00+03:00\n"
	}
	path := sums
	for name, c := range map[string]struct {
		do   func(r *repo)
		want []string
	}{
		"a line for another item": {func(r *repo) { r.write(path, line(two)) },
			[]string{path + ":1:1: error: the line does not count: it seals guidelines/" + two + "/v3.0.0"}},
		"another case": {func(r *repo) {
			r.write("sealed/guidelines/Test.one.001.sum", line(one))
		}, []string{"sealed/guidelines/Test.one.001.sum: error: no line of the file counts"}},
		"another suffix": {func(r *repo) {
			r.write("sealed/guidelines/test.one.001.SUM", line(one))
		}, []string{"test.one.001.SUM: error: no line of the file counts"}},
		"a folder's case": {func(r *repo) {
			r.write("sealed/Guidelines/test.one.001.sum", line(one))
		}, []string{"sealed/Guidelines/test.one.001.sum: error: no line of the file counts"}},
		"a foreign kind": {func(r *repo) { r.write("sealed/new/x.sum", line(one)) }, nil},
		"something else": {func(r *repo) { r.write("sealed/README.md", line(one)) }, nil},
		"a symbolic link": {func(r *repo) {
			r.link(path, "../../"+content.SettingsFile)
		}, []string{path + ": error: this is no file"}},
		"a linked folder": {func(r *repo) {
			r.link("sealed", "guidelines")
		}, []string{"sealed: error: this must be a folder"}},
		"a linked kind": {func(r *repo) {
			r.link("sealed/guidelines", "../guidelines")
		}, []string{"sealed/guidelines: error: this must be a folder"}},
		"a huge file": {func(r *repo) {
			r.write(path, strings.Repeat(line(one), 1<<14))
		}, []string{path + ": error: ", "at most 1048576"}},
		"a malformed line": {func(r *repo) {
			r.write(sums, r.git("show", "HEAD:"+sums)+"\nx\n")
		}, []string{sums + ":3:1: error: expected three fields"}},
		"many strange ones": {func(r *repo) { r.strangers(2000) }, []string{"sealed/guidelines/X0000.sum: error"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := sealed(t)
			c.do(r)
			r.play("add -A .; commit Do harm")
			got := r.load()
			r.expect(got, append(c.want, `1.1.0 current "test.one.001, ещё раз" sealed`,
				`1.1.0 current "test.two.001, ещё раз" sealed`)...)
			r.refuse(got, "seal-lost", "has the sealed checksum")
			if n := strings.Count(got, "error: "); n > 101 || c.want == nil && n > 0 {
				t.Errorf("%d errors:\n%s", n, got)
			}
		})
	}
	t.Run("gone", func(t *testing.T) {
		r := sealed(t)
		r.git("rm", "-q", path)
		r.commit("Take the seals of an item away")
		got := r.load()
		r.expect(got, path+": error: the file is missing; its seals stay in force",
			`1.1.0 current "test.one.001, ещё раз" sealed`)
		r.refuse(got, "seal-missing", "the line is missing")
	})
	t.Run("a line gone", func(t *testing.T) {
		r := sealed(t)
		raw, _ := os.ReadFile(filepath.Join(r.dir, path))
		_, rest, _ := strings.Cut(string(raw), "\n")
		r.write(path, rest)
		r.commit("Take a seal away")
		r.expect(r.load(), path+": error: the line is missing; it stays in force: guidelines/"+one+"/v1.0.0",
			`1.0.0 superseded "test.one.001" sealed`)
	})
}

// The file in which early repositories had all seals is not read. The finding has the command that
// moves its lines to where they count, and that command leaves the folder only with the user's will.
func TestSealsInOneFile(t *testing.T) {
	r := sealed(t)
	before := contentOf(r.load())
	var lines string
	for _, path := range []string{sums, content.SealsPath("guidelines/" + two)} {
		lines += r.git("show", "HEAD:"+path) + "\n"
	}
	r.git("reset", "-q", "--hard", "HEAD~")
	r.write("rulestore.sum", lines+"../../outside/v1.0.0 x y\n")
	r.commit("One file")
	got := r.load()
	r.expect(got, "rulestore.sum:1:1: error: the file is not read", "[seal-place]")
	r.refuse(contentOf(got), " sealed ")
	repo, err := git.OnDisk(r.dir).Open()
	must(t, err)
	defer repo.Close()
	tree, err := loader.ReadCheckout(loader.Config{Schemas: schemas.Embedded()}, repo, r.dir)
	must(t, err)
	command := ""
	for _, f := range tree.Findings {
		if f.Path == "rulestore.sum" {
			_, command, _ = strings.Cut(f.Hint, "`")
		}
	}
	cmd := exec.Command("sh", "-c", strings.TrimSuffix(command, "`"))
	cmd.Dir = r.dir
	if out, err := cmd.CombinedOutput(); err != nil || command == "" {
		t.Fatalf("%q: %v: %s", command, err, out)
	}
	r.commit("Seals by item")
	got = r.load()
	if contentOf(got) != before {
		t.Errorf("it was\n%s\nand is\n%s", before, contentOf(got))
	}
	r.refuse(got, "error", "warning")
	if _, err := os.Stat(filepath.Join(r.dir, "..", "outside.sum")); err == nil {
		t.Error("the command wrote outside the folder")
	}
}

func (r *repo) link(path, to string) {
	r.Helper()
	path = filepath.Join(r.dir, path)
	must(r, os.RemoveAll(path))
	must(r, os.MkdirAll(filepath.Dir(path), 0o755))
	must(r, os.Symlink(to, path))
}

func (r *repo) strangers(n int) {
	for i := range n {
		r.write(fmt.Sprintf("sealed/guidelines/X%04d.sum", i), "x\n")
	}
}

// A signer who writes the seal of a change anew before anybody merges it takes the one
// before back, whoever merges the change.
func TestSignedSealWrittenAnew(t *testing.T) {
	rewrite := func(r *signedRepo, by func()) {
		r.play("checkout -b change; as anna; seal one 1.0.0 До проверки")
		by()
		r.play("rm -f $sums; empty; seal one 1.0.0 После проверки; as nobody; checkout main; edit three Три")
	}
	merge := func(r *signedRepo) { r.git("merge", "-q", "--no-ff", "-m", "Merge", "change") }
	for name, c := range map[string]struct {
		do   func(r *signedRepo)
		want string
	}{
		"merged by a stranger": {func(r *signedRepo) { rewrite(r, func() {}); merge(r) }, "После"},
		"merged by a signer":   {func(r *signedRepo) { rewrite(r, func() {}); r.as(r.anna); merge(r) }, "После"},
		"by way of another branch": {func(r *signedRepo) {
			rewrite(r, func() {})
			r.through("other")
			merge(r)
		}, "После"},
		"written anew by a stranger": {func(r *signedRepo) { rewrite(r, func() { r.as("") }); merge(r) }, "До"},
		"after it was merged": {func(r *signedRepo) {
			rewrite(r, func() {
				r.play("branch first; checkout main; merge --no-ff -m Merge first; checkout change")
			})
			r.git("merge", "-q", "--no-ff", "-X", "theirs", "-m", "Merge", "change")
		}, "До"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newSignedRepo(t, "")
			c.do(r)
			r.serves(c.want)
		})
	}
}

// through merges a change into a branch of its own before it comes to the main one.
func (r *signedRepo) through(branch string) {
	r.git("checkout", "-q", "-b", branch)
	r.git("merge", "-q", "--no-ff", "-m", "Merge", "change")
	r.git("branch", "-f", "change", branch)
	r.play("checkout main; edit four Четыре")
}

// A publication has the loader read the seals of its item, and no others: those may be as
// many as there are items.
func TestSealsReadAnew(t *testing.T) {
	r := newRepo(t)
	for _, id := range []string{one, two} {
		text := guideline(id, "= "+id)
		r.write(content.Guidelines.File(id), text)
		r.write(content.SealsPath("guidelines/"+id), sealOf(t, "guidelines/"+id+"/v1.0.0", text))
	}
	r.commit("Begin")
	l := r.loader()
	r.expect(describe(l.Load(t.Context())), `1.0.0 current "test.one.001" sealed`,
		`1.0.0 current "test.two.001" sealed`)
	text := guideline(one, "= Один, ещё раз")
	r.write(content.Guidelines.File(one), text)
	r.write(content.SealsPath("guidelines/"+one), r.git("show", "HEAD:"+content.SealsPath("guidelines/"+one))+"\n"+
		sealOf(t, "guidelines/"+one+"/v1.1.0", text))
	r.commit("Publish")
	r.remove("HEAD:" + content.SealsPath("guidelines/"+two))
	r.remove("HEAD~:" + content.SealsPath("guidelines/"+one))
	r.expect(describe(l.Load(t.Context())), `1.1.0 current "Один, ещё раз" sealed`,
		`1.0.0 current "test.two.001" sealed`)
}

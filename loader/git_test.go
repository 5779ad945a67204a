package loader_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// repo is a real repository that a test drives with the git command line. Every
// commit and tag is a minute younger than the one before.
type repo struct {
	*testing.T
	dir string
	now time.Time

	options []string                        // of git, for each call
	signer  *sshSigner                      // signs commits; nil: they are not signed
	keys    map[string]string               // the files of private keys, by their owners
	verbs   map[string]func(words []string) // more steps of scripts
}

func newRepo(t *testing.T) *repo {
	t.Helper()
	r := &repo{T: t, dir: t.TempDir(), now: time.Date(2026, 3, 1, 12, 0, 0, 0, time.FixedZone("", 3*60*60))}
	r.git("init", "-q", "-b", "main")
	r.write(content.SettingsFile, settings)
	return r
}

func (r *repo) git(args ...string) string {
	r.Helper()
	r.now = r.now.Add(time.Minute)
	if out, done := r.native(args...); done {
		return out
	}
	date := r.now.Format(time.RFC3339)
	// Without maintenance, a commit is one process and not three.
	cmd := exec.Command("git", slices.Concat([]string{"-c", "maintenance.auto=false"}, r.options, args)...)
	cmd.Dir = r.dir
	cmd.Env = append(os.Environ(),
		"GIT_CONFIG_GLOBAL=/dev/null", "GIT_CONFIG_SYSTEM=/dev/null",
		"GIT_AUTHOR_NAME=Author", "GIT_AUTHOR_EMAIL=author@example.org", "GIT_AUTHOR_DATE="+date,
		"GIT_COMMITTER_NAME=Author", "GIT_COMMITTER_EMAIL=author@example.org", "GIT_COMMITTER_DATE="+date,
		"GIT_MERGE_AUTOEDIT=no")
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	out, err := cmd.Output()
	if err != nil {
		r.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, stderr.String())
	}
	return strings.TrimSpace(string(out))
}

func (r *repo) write(path, data string) {
	r.Helper()
	file := filepath.Join(r.dir, path)
	must(r, os.MkdirAll(filepath.Dir(file), 0o755))
	must(r, os.WriteFile(file, []byte(data), 0o644))
}

// edit writes a guideline, given short, and commits everything.
func (r *repo) edit(id, short string) {
	r.Helper()
	r.write(content.Guidelines.File(id), guideline(id, short))
	r.commit(short)
}

// seal writes seals for what has none, as the hints of the findings give them.
func (r *repo) seal() {
	r.Helper()
	result, err := r.loader().Load(r.Context())
	must(r, err)
	for _, f := range result.Report.Findings {
		if _, line, ok := strings.Cut(f.Hint, ".sum: "); ok && f.Rule == "unsealed" {
			r.addLine(line + "\n")
		}
	}
	r.commit("Seal")
}

// sums is the file with the seals of the first item.
const sums = "sealed/guidelines/" + one + ".sum"

// addLine adds a line to the seals of its item, in the work tree.
func (r *repo) addLine(line string) {
	r.Helper()
	tag, _, _ := strings.Cut(line, " ")
	path := sums
	if item := (content.Seal{Tag: tag}).Item(); item != "" {
		path = content.SealsPath(item)
	}
	old, _ := os.ReadFile(filepath.Join(r.dir, path))
	lines := slices.Collect(strings.Lines(string(old) + line))
	slices.Sort(lines)
	r.write(path, strings.Join(lines, ""))
}

func (r *repo) loader() *loader.Loader {
	return loader.New(loader.Config{
		Source: git.OnDisk(r.dir), Schemas: schemas.Embedded(),
		Now: func() time.Time { return time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC) },
	})
}

// load loads afresh and describes the result.
func (r *repo) load() string {
	r.Helper()
	return describe(r.loader().Load(r.Context()))
}

// expect looks for lines in what a load came to.
func (r *repo) expect(got string, wants ...string) {
	r.Helper()
	for _, want := range wants {
		if !strings.Contains(got, want) {
			r.Errorf("%q is not in\n%s", want, got)
		}
	}
}

func (r *repo) refuse(got string, unwanted ...string) {
	r.Helper()
	for _, s := range unwanted {
		if strings.Contains(got, s) {
			r.Errorf("%q should not be in\n%s", s, got)
		}
	}
}

func TestTagsOfOtherThings(t *testing.T) {
	r := newRepo(t).play(`
		edit one Один; publish one 1.0.0; tag guidelines/test.one.001/v1.1.0 HEAD:guidelines/test.one.001.yaml
	`)
	r.git("tag", "-a", "guidelines/test.one.001/v1.2.0", "HEAD:guidelines", "-m", "A folder")
	r.git("tag", "-a", "guidelines/test.one.001/v1.3.0", "guidelines/test.one.001/v1.0.0", "-m", "A tag of a tag")
	r.expect(r.load(),
		`1.3.0 current "Один"`, `note "A tag of a tag"`, "1.0.0 superseded",
		"refused guidelines/test.one.001/v1.1.0", "does not point to a commit but to a blob",
		"refused guidelines/test.one.001/v1.2.0", "does not point to a commit but to a tree")
}

func TestNotMergedIsNotPublished(t *testing.T) {
	r := newRepo(t).play(`
		edit one Один; publish one 1.0.0; checkout -b feature; edit one Один, с ветки; publish one 1.1.0
		edit two Два; publish two 1.0.0
	`)
	r.git("tag", "-a", "v1.0.0", "-m", "Выпуск с ветки")
	r.git("checkout", "-q", "main")
	got := r.load()
	r.expect(got, "1.0.0 current", "refused guidelines/test.one.001/v1.1.0", "refused v1.0.0",
		"is not part of branch main [not-merged]")
	r.refuse(got, "1.1.0 ")
	r.expect(r.after("merge --no-ff feature"), `1.1.0 current "Один, с ветки"`, "release 1.0.0", `note "Version 1.0.0"`)
}

// A seal keeps a publication whatever becomes of its tag.
func TestSealedOutlivesItsTag(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; seal")
	sealed := `1.0.0 current "Один" sealed published 2026-03-01T12:04:00+03:00 updated 2026-03-01T12:03:00+03:00`
	r.expect(r.load(), sealed, `note "Version 1.0.0"`)

	r.git("tag", "-d", "guidelines/test.one.001/v1.0.0")
	r.expect(r.load(), sealed, `note "= Один"`)

	r.play("edit one Один, подменён; publish one 1.0.0")
	got := r.load()
	r.expect(got, sealed, "finding guidelines/test.one.001/v1.0.0: guidelines/test.one.001.yaml: error: the tag "+
		"points to commit", "[seal-disagrees]")
	r.refuse(got, "подменён", "refused")

	r.play("empty; commit Lose the seals")
	r.expect(r.load(), sealed, "[seal-missing]")

	r.write(sums, "guidelines/test.one.001/v1.0.0 sha256:"+strings.Repeat("0", 64)+
		" 2026-03-02T10:00:00Z\n")
	r.commit("Change the seal")
	r.expect(r.load(), sealed, "finding guidelines/test.one.001/v1.0.0: "+sums+":1:1: error: the line is from "+
		"commit "+r.git("rev-parse", "--short=12", "HEAD")+" and differs from the first one", "[seal-changed]")
}

// A squash merge leaves the tagged commit behind; the seal serves the content
// all the same, from the tag.
func TestSealedTagOutOfReach(t *testing.T) {
	r := newRepo(t).play(`
		edit one Один; publish one 1.0.0; checkout -b feature; edit one Один, второй; publish one 1.1.0
	`)
	r.seal() // knows only what is merged into the branch checked out, which is feature
	r.play("checkout main; merge --squash feature; commit -m Squash; branch -D feature")
	r.expect(r.load(), `1.1.0 current "Один, второй" sealed`, `note "Version 1.1.0"`)
	r.git("tag", "-d", "guidelines/test.one.001/v1.1.0")
	r.expect(r.load(), `1.1.0 current "Один, второй" sealed`, `note "Squash"`)
}

func TestSealedContentLost(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	r.write(sums, "guidelines/test.one.001/v1.0.0 sha256:"+strings.Repeat("0", 64)+
		" 2026-03-02T10:00:00Z\n")
	r.addLine("guidelines/test.two.001/v1.0.0 sha256:" + strings.Repeat("1", 64) + " 2026-03-02T10:00:00Z\n")
	r.play("edit three Три; publish three 1.0.0")
	got := r.load()
	r.expect(got, "refused guidelines/test.one.001/v1.0.0", "refused guidelines/test.two.001/v1.0.0", "[seal-lost]",
		"guidelines/test.three.001")
	r.refuse(got, `"Один"`)
}

// What earlier loads saw changes nothing: the loader that was there before and a fresh one serve the same, and
// say the same.
func TestMemoryChangesNothing(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; edit one Один, второй; publish one 1.1.0")
	r.expect(r.after("tag -f -a -m Moved guidelines/test.one.001/v1.1.0 HEAD~1"), `1.1.0 current "Один"`)
	r.expect(r.after("tag -d guidelines/test.one.001/v1.1.0"), "1.0.0 current")
	r.after("commit --amend -m Rewritten")
}

func contentOf(description string) string {
	before, _, _ := strings.Cut(description, "finding ")
	return before
}

func TestFilesThatAreNoFiles(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	must(t, os.Symlink("test.one.001.yaml", filepath.Join(r.dir, "guidelines/test.link.001.yaml")))
	r.write("guidelines/test.lfs.001.yaml", "version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 1\n")
	r.write("guidelines/test.latin.001.yaml", "title: \xe9t\xe9\n")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+r.git("rev-parse", "HEAD")+
		",guidelines/test.module.001.yaml")
	r.git("add", "guidelines/test.l*")
	r.git("commit", "-q", "-m", "Odd files")
	for _, id := range []string{"test.link.001", "test.lfs.001", "test.latin.001", "test.module.001"} {
		r.tag(id, "1.0.0")
	}
	got := r.load()
	r.expect(got, `1.0.0 current "Один"`,
		"guidelines/test.link.001.yaml: error: the file is a symbolic link [symlink]",
		"guidelines/test.lfs.001.yaml: error: the file is a Git LFS pointer",
		"guidelines/test.latin.001.yaml:1:8: error: the file is not UTF-8",
		"guidelines/test.module.001.yaml: error: the path is a submodule")
}

// updated_at is what git log -1 says, on a history with merges that take either
// side, a revert and a cherry-pick.
func TestUpdatedAtAgreesWithGit(t *testing.T) {
	r := newRepo(t).play(`
		edit one Один; edit two Два; publish one 1.0.0; checkout -b side; edit one Один, сбоку; publish one 1.1.0
		checkout main; edit two Два, прямо; merge --no-ff side; publish one 1.2.0; publish two 1.0.0
		revert --no-edit -m 1 HEAD; publish one 1.3.0; cherry-pick side; publish one 1.4.0
		checkout -b ours HEAD~1; edit one Один, отвергнуто; checkout main; merge -s ours ours; publish one 1.5.0
	`)

	result, err := r.loader().Load(t.Context())
	must(t, err)
	checked := 0
	for _, item := range result.Snapshot.Items {
		for _, e := range item.Entries {
			want, err := time.Parse(time.RFC3339, r.git("log", "-1", "--format=%cI", e.Tag(), "--",
				item.Kind.File(item.Name)))
			must(t, err)
			checked++
			if !e.UpdatedAt.Equal(want) {
				t.Errorf("%s: updated %s, git says %s", e.Tag(), e.UpdatedAt, want)
			}
		}
	}
	if checked != 7 {
		t.Errorf("%d publications were checked, expected 7", checked)
	}
}

// The work tree counts only with drafts, and only for the branch it belongs to.
func TestWorkTreeDrafts(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; branch other")
	head := r.git("rev-parse", "--short=12", "HEAD")
	r.write("guidelines/test.one.001.yaml", guideline("test.one.001", "= Один, набирается"))
	r.write("guidelines/test.new.001.yaml", guideline("test.new.001", "= Новый файл"))
	r.write("guidelines/test.broken.001.yaml", "title: [")
	must(t, os.Symlink("/etc/hostname", filepath.Join(r.dir, "guidelines/test.link.001.yaml")))
	drafts := func(branch string) string {
		t.Helper()
		return describe(loader.New(loader.Config{Source: git.OnDisk(r.dir), Branch: branch, Drafts: true,
			Schemas: schemas.Embedded(), Now: time.Now}).Load(t.Context()))
	}
	got := drafts("")
	r.expect(got, fmt.Sprintf(`1.0.1-0.20260301090300-%s.dirty current "Один, набирается"`, head),
		fmt.Sprintf(`0.0.0-20260301090300-%s.dirty current "Новый файл"`, head),
		"1.0.0 superseded", "guidelines/test.broken.001.yaml:1:1: error: this is no YAML",
		"guidelines/test.link.001.yaml: error: the file is a symbolic link")
	r.refuse(drafts("other"), "набирается", "Новый файл")
	r.refuse(r.load(), "набирается", "Новый файл")
}

func TestWholeRepositoryErrors(t *testing.T) {
	empty := t.TempDir()
	if out, err := exec.Command("git", "init", "-q", "-b", "main", empty).CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	unborn := newRepo(t)
	unborn.edit("test.one.001", "= Один")
	unborn.git("symbolic-ref", "HEAD", "refs/heads/gone")
	shallow := filepath.Join(t.TempDir(), "shallow")
	deep := newRepo(t)
	deep.edit("test.one.001", "= Один")
	deep.edit("test.one.001", "= Два")
	deep.tag("test.one.001", "1.0.0")
	deep.git("clone", "-q", "--depth=1", "file://"+deep.dir, shallow)
	for _, tc := range []struct{ name, dir, want string }{
		{"empty", empty, "the repository has no commit yet, or no branch: commit your content"},
		{"not a repository", t.TempDir(), "no git repository in"},
		{"missing", filepath.Join(t.TempDir(), "none"), "there is no folder"},
		{"unborn branch", unborn.dir, `there is no branch, tag or commit "gone": choose one with --ref: main`},
		{"shallow", shallow, "run `git fetch --unshallow --tags`"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			_, err := loader.New(loader.Config{Source: git.OnDisk(tc.dir), Schemas: schemas.Embedded(),
				Now: time.Now}).Load(t.Context())
			if err == nil || !strings.Contains(err.Error(), tc.want) {
				t.Errorf("error %v, expected %q", err, tc.want)
			}
		})
	}
	shallowMended(t, shallow)
}

// shallowMended does what the error says, and loads.
func shallowMended(t *testing.T, dir string) {
	t.Helper()
	cmd := exec.Command("git", "fetch", "-q", "--unshallow", "--tags")
	cmd.Dir = dir
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatal(err, string(out))
	}
	if _, err := loader.New(loader.Config{Source: git.OnDisk(dir), Schemas: schemas.Embedded(),
		Now: time.Now}).Load(t.Context()); err != nil {
		t.Errorf("after git fetch --unshallow --tags: %v", err)
	}
}

// Every load of a repository that does not change hands out the very same
// publications, so that whatever was made of them can be used again.
func TestPublicationsAreShared(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	l := r.loader()
	first, err := l.Load(t.Context())
	must(t, err)
	r.play("edit two Два; publish two 1.0.0; gc --prune=now")
	second, err := l.Load(t.Context())
	must(t, err)
	if len(second.Snapshot.Items) != 2 {
		t.Fatalf("%d items", len(second.Snapshot.Items))
	}
	a := first.Snapshot.Item(content.Guidelines, "test.one.001").Current.Publication
	b := second.Snapshot.Item(content.Guidelines, "test.one.001").Current.Publication
	if a != b {
		t.Error("an unchanged publication was made again")
	}
}

// One tag that is not what git makes, or says more than anybody reads, takes
// nothing else away.
func TestOddTags(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	head := "object " + r.git("rev-parse", "HEAD") + "\ntype commit\ntag guidelines/test.one.001/v%s\n"
	odd := func(version, text string) {
		t.Helper()
		r.write("tag", text)
		r.write(".git/refs/tags/guidelines/test.one.001/v"+version,
			r.git("hash-object", "-t", "tag", "-w", "--literally", "tag")+"\n")
	}
	odd("1.1.0", "nothing at all")
	odd("1.2.0", fmt.Sprintf(head, "1.2.0")+"tagger A <a@example.org> 1767225600 +0000\n\nLong\n\n"+
		strings.Repeat("long ", 1<<20))
	odd("1.3.0", fmt.Sprintf(head, "1.3.0")+"tagger A <a@example.org> 317310000000 +0000\n\nTen thousand years later\n")
	got := r.load()
	r.expect(got, `1.2.0 current "Один"`, `note "Long`, "1.0.0 superseded",
		"finding guidelines/test.one.001/v1.1.0: error: the tag does not point to a commit: malformed tag",
		"held guidelines/test.one.001/v1.3.0")
}

// What was read beside the branch, for a seal whose tag was not merged, is not read
// again by the next load, no more than the branch is.
func TestReloadReadsWhatIsNew(t *testing.T) {
	r := newRepo(t).play(`
		edit one Один; publish one 1.0.0; checkout -b feature; edit one Один, второй; publish one 1.1.0; seal
		checkout main; merge --squash feature; commit -m Squash
	`)
	l := r.loader()
	first := describe(l.Load(t.Context()))
	r.expect(first, `1.1.0 current "Один, второй" sealed`)
	for _, commit := range []string{"guidelines/test.one.001/v1.1.0^{commit}", "main~1"} {
		id := r.git("rev-parse", commit)
		must(t, os.Remove(filepath.Join(r.dir, ".git/objects", id[:2], id[2:])))
	}
	for range 2 {
		if again := describe(l.Load(t.Context())); again != first {
			t.Errorf("the next load comes to\n%s\nthe first came to\n%s", again, first)
		}
	}
	if got := r.load(); !strings.Contains(got, "the object is missing") {
		t.Errorf("a new loader does without:\n%s", got)
	}
}

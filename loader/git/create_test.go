package git_test

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/fstest"
	"time"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content/starter"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
)

const small = `A comment does not count.
-- commit 2026-02-02T10:00:00+03:00 --
Add the first rule

With a body.
-- guidelines/product.common.001.yaml --
guideline_id: product.common.001
-- rulestore.yaml --
title: Правила
-- tag guidelines/product.common.001/v1.0.0 --
First publication

Criticality: critical
-- tag light --
-- commit 2026-03-02T10:00:00Z --
Change it, and move a file
-- guidelines/product.common.001.yaml --
guideline_id: product.common.001
title: Новое название
-- remove rulestore.yaml --
-- guidelines.yaml --
sorts between the file and the folder
-- tag v1.0.0 --
The first release
`

func parseScript(t testing.TB, text string) git.Script {
	t.Helper()
	s, err := gittest.ParseTxtar(txtar.Parse([]byte(text)))
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// inMemory opens the repository that the script makes in memory.
func inMemory(t testing.TB, s git.Script) *git.Repo {
	t.Helper()
	source, err := git.InMemory(s)
	if err != nil {
		t.Fatal(err)
	}
	if tree := source.WorkTree(); tree != "" {
		t.Errorf("a repository in memory has the work tree %q", tree)
	}
	r, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// git makes the same objects from the same names, dates, messages and files.
func TestScriptAsGitMakesIt(t *testing.T) {
	r := newRepo(t)
	git := func(date string, args ...string) {
		t.Helper()
		cmd := r.command("", args...)
		cmd.Env = append(cmd.Env, "GIT_AUTHOR_NAME=Редакция правил", "GIT_AUTHOR_EMAIL=editors@rulestore.example",
			"GIT_AUTHOR_DATE="+date,
			"GIT_COMMITTER_NAME=Редакция правил", "GIT_COMMITTER_EMAIL=editors@rulestore.example",
			"GIT_COMMITTER_DATE="+date)
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("git %v: %v\n%s", args, err, out)
		}
	}
	r.write("guidelines/product.common.001.yaml", "guideline_id: product.common.001\n")
	r.write("rulestore.yaml", "title: Правила\n")
	r.git("add", ".")
	first, second := "2026-02-02T10:00:00+03:00", "2026-03-02T10:00:00Z"
	git(first, "commit", "--quiet", "-m", "Add the first rule\n\nWith a body.")
	git(first, "tag", "-a", "-m", "First publication\n\nCriticality: critical", "guidelines/product.common.001/v1.0.0")
	git(first, "tag", "light")
	r.write("guidelines/product.common.001.yaml", "guideline_id: product.common.001\ntitle: Новое название\n")
	r.write("guidelines.yaml", "sorts between the file and the folder\n")
	r.git("rm", "--quiet", "rulestore.yaml")
	r.git("add", ".")
	git(second, "commit", "--quiet", "-m", "Change it, and move a file")
	git(second, "tag", "-a", "-m", "The first release", "v1.0.0")

	sameRefs(t, inMemory(t, parseScript(t, small)), r.open())
}

// sameRefs compares ids: equal ids, equal objects.
func sameRefs(t *testing.T, a, b *git.Repo) {
	t.Helper()
	x, err := a.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	y, err := b.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	if x.Hash() != y.Hash() || !slices.Equal(x.Tags, y.Tags) {
		t.Errorf("the refs differ:\n%+v\n%+v", x, y)
	}
}

// What Create makes is an ordinary repository that git finds nothing wrong with.
func TestCreate(t *testing.T) {
	fromStarter, err := git.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	for name, script := range map[string]git.Script{"small": parseScript(t, small), "starter": fromStarter} {
		t.Run(name, func(t *testing.T) {
			dir := filepath.Join(t.TempDir(), "new", "folder")
			if err := git.Create(dir, script); err != nil {
				t.Fatal(err)
			}
			created := open(t, dir)
			sameRefs(t, inMemory(t, script), created)

			r := newRepo(t).beside(dir)
			if out, err := r.command("", "fsck", "--strict", "--full").CombinedOutput(); err != nil || len(out) > 0 {
				t.Errorf("git fsck: %v\n%s", err, out)
			}
			if out := r.git("status", "--porcelain"); out != "" {
				t.Errorf("git status:\n%s", out)
			}
			if loose := r.git("count-objects"); !strings.HasPrefix(loose, "0 objects") {
				t.Errorf("not packed, as git would, are %s", loose)
			}
			if branch := r.git("symbolic-ref", "--short", "HEAD"); branch != git.Branch {
				t.Errorf("HEAD is on %s", branch)
			}
			var subjects, tags []string
			for _, step := range script {
				subjects = append(subjects, strings.SplitN(step.Message, "\n", 2)[0])
				for _, tag := range step.Tags {
					tags = append(tags, tag.Name)
				}
			}
			slices.Reverse(subjects)
			if got := lines(r.git("log", "--format=%s")); !slices.Equal(got, subjects) {
				t.Errorf("git log has %q, expected %q", got, subjects)
			}
			slices.Sort(tags)
			var got []string
			for _, line := range lines(r.git("tag", "-n")) {
				got = append(got, strings.Fields(line)[0])
			}
			slices.Sort(got)
			if !slices.Equal(got, tags) {
				t.Errorf("git tag has %q, expected %q", got, tags)
			}
			r.put("more.yaml", "1\n") // it can be worked with
			if refs, err := r.refs(""); err != nil || refs.Commit != r.oid("HEAD") {
				t.Errorf("after one more commit: %+v, %v", refs, err)
			}
		})
	}
}

func TestCreateWhere(t *testing.T) {
	script := parseScript(t, small)
	full := t.TempDir()
	writeFile(t, filepath.Join(full, "mine.txt"), "do not touch\n")
	err := git.Create(full+"/", script)
	mustFail(t, err, full+" is not empty", "choose a new folder")
	if entries, err := os.ReadDir(full); err != nil || len(entries) != 1 ||
		readFile(t, filepath.Join(full, "mine.txt")) != "do not touch\n" {
		t.Errorf("the folder was touched: %v, %v", entries, err)
	}
	err = git.Create(filepath.Join(full, "mine.txt"), script)
	mustFail(t, err, "mine.txt")
	if readFile(t, filepath.Join(full, "mine.txt")) != "do not touch\n" {
		t.Error("the file was touched")
	}
	empty := t.TempDir()
	if err := git.Create(empty, script); err != nil {
		t.Errorf("into an empty folder: %v", err)
	}
	mustFail(t, git.Create(empty, script), "is not empty")
}

func TestScriptErrors(t *testing.T) {
	date := time.Date(2026, 2, 2, 10, 0, 0, 0, time.UTC)
	for name, c := range map[string]struct {
		script git.Script
		says   []string
	}{
		"remove what is not there": {git.Script{{Date: date, Remove: []string{"a.yaml"}}},
			[]string{"commit 1", "remove a.yaml", "no such file"}},
		"remove twice": {git.Script{{Date: date, Files: map[string][]byte{"a.yaml": nil}},
			{Date: date, Remove: []string{"a.yaml", "a.yaml"}}}, []string{"commit 2", "remove a.yaml"}},
		"no date": {git.Script{{Message: "first\n"}}, []string{"commit 1", "there is no date"}},
		"a tag that is no ref": {git.Script{{Date: date, Tags: []git.NewTag{{Name: "../../config"}}}},
			[]string{"commit 1", "tag ../../config"}},
	} {
		t.Run(name, func(t *testing.T) {
			err := git.Create(filepath.Join(t.TempDir(), "new"), c.script)
			mustFail(t, err, append(c.says, "create repository")...)
			_, err = git.InMemory(c.script)
			mustFail(t, err, c.says...)
		})
	}
}

// releases is a script kept as folders.
func releases(files map[string]string) fstest.MapFS {
	fsys := fstest.MapFS{}
	for name, text := range files {
		fsys[name] = &fstest.MapFile{Data: []byte(text)}
	}
	return fsys
}

func TestReadReleases(t *testing.T) {
	script, err := git.ReadReleases(releases(map[string]string{
		"rulestore.sum":                    "a/v1.0.0 sha256:1 2026\na/v2.0.0 sha256:2 2026\nb/v1.0.0 sha256:3 2026\n",
		"releases/001-first/release.yaml":  "date: \"2026-02-02T10:00:00+03:00\"\nmessage: |\n  First\n",
		"releases/001-first/deep/a/b.yaml": "1\n",
		"releases/002-second/release.yaml": "date: 2026-02-03T10:00:00Z\nmessage: |\n  Second\nremove: [deep/a/b.yaml]\ntags:\n  - {name: a/v2.0.0, message: \"Tag\\n\"}\n  - {name: light}\n",
		"releases/002-second/a.yaml":       "1\n2\n3\n4\n5\n",
		"releases/010-third/release.yaml":  "date: 2026-02-04T10:00:00Z\nmessage: |\n  Third\ntags: [{name: a/v1.0.0}]\n",
		"releases/010-third/changes.diff": "diff --git a/a.yaml b/a.yaml\nindex 1..2 100644\n--- a/a.yaml\n+++ b/a.yaml\n" +
			"@@ -0,0 +1 @@\n+zero\n@@ -2,2 +3 @@ 1\n-2\n-3\n+--- two\n@@ -5,0 +6,2 @@ 4\n+six\n+seven\n",
	}))
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, step := range script {
		var files []string
		for name, raw := range step.Files {
			files = append(files, fmt.Sprintf("%s=%q", name, raw))
		}
		slices.Sort(files)
		got = append(got, fmt.Sprintf("%s %q files %v remove %v tags %q", step.Date.Format(time.RFC3339), step.Message,
			files, step.Remove, step.Tags))
	}
	want := []string{
		`2026-02-02T10:00:00+03:00 "First\n" files [deep/a/b.yaml="1\n"] remove [] tags []`,
		`2026-02-03T10:00:00Z "Second\n" files [a.yaml="1\n2\n3\n4\n5\n" sealed/a.sum="a/v2.0.0 sha256:2 2026\n"] remove ` +
			`[deep/a/b.yaml] tags [{"a/v2.0.0" "Tag\n"} {"light" ""}]`,
		`2026-02-04T10:00:00Z "Third\n" files [a.yaml="zero\n1\n--- two\n4\n5\nsix\nseven\n" ` +
			`sealed/a.sum="a/v1.0.0 sha256:1 2026\na/v2.0.0 sha256:2 2026\n"] remove [] tags [{"a/v1.0.0" ""}]`,
	}
	if !slices.Equal(got, want) {
		t.Errorf("\n%s\nexpected\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
	sameRefs(t, inMemory(t, script), inMemory(t, script))
}

// What a source of releases has is there at every opening, also after its objects were forgotten.
func TestReleasesAreMadeAgain(t *testing.T) {
	source := git.Releases(starter.Files)
	read := func() (texts []string) {
		r, err := source.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		refs, err := r.Refs("")
		if err != nil {
			t.Fatal(err)
		}
		files, err := r.Files(refs.Commit, func(string, git.Mode) bool { return true })
		if err != nil || len(files) < 100 {
			t.Fatalf("%d files: %v", len(files), err)
		}
		for _, f := range files {
			text, err := r.Blob(f.OID, 1<<20)
			if err != nil {
				t.Fatalf("%s: %v", f.Path, err)
			}
			texts = append(texts, f.Path+"\n"+string(text))
		}
		slices.Sort(texts)
		return texts
	}
	if first := read(); !slices.Equal(read(), first) {
		t.Error("the second opening has other files than the first")
	}
}

func TestReadReleasesErrors(t *testing.T) {
	good := "date: 2026-02-02T10:00:00Z\nmessage: First\n"
	for name, c := range map[string]struct {
		files map[string]string
		says  []string
	}{
		"nothing":  {map[string]string{}, []string{"releases"}},
		"no seals": {map[string]string{"releases/1/release.yaml": good}, []string{"rulestore.sum"}},
		"no release.yaml": {map[string]string{"rulestore.sum": "", "releases/1/a.yaml": ""},
			[]string{"1: ", "release.yaml"}},
		"a stray file": {map[string]string{"rulestore.sum": "", "releases/README.md": ""}, []string{"README.md: "}},
		"an unknown field": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": good + "author: me\n"},
			[]string{"1: release.yaml", "author"}},
		"a bad date": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": "date: yesterday\n"},
			[]string{"1: release.yaml", "yesterday"}},
		"no YAML": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": "a: [\n"},
			[]string{"1: release.yaml"}},
		"a diff of no file": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": good,
			"releases/1/changes.diff": "--- a/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n"}, []string{"1: changes.diff: line 3: b "}},
		"a diff of other lines": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": good,
			"releases/1/a": "1\n2\n", "releases/2/release.yaml": good,
			"releases/2/changes.diff": "+++ b/a\n@@ -2 +2 @@\n-1\n+2\n"},
			[]string{"2: changes.diff: line 2: a "}},
		"a diff beyond the end": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": good,
			"releases/1/a": "1\n", "releases/2/release.yaml": good,
			"releases/2/changes.diff": "+++ b/a\n@@ -9 +9 @@\n-9\n+1\n"},
			[]string{"2: changes.diff: line 2: a "}},
		"an empty file": {map[string]string{"rulestore.sum": "", "releases/1/release.yaml": ""},
			[]string{"1: release.yaml"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := git.ReadReleases(releases(c.files))
			mustFail(t, err, c.says...)
		})
	}
}

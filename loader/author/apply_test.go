package author

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/gitrepo"
)

// sums is a file of seals.
const sums = "sealed/guidelines/a.sum"

// newClone returns a clone with two commits, oldest first.
func newClone(t *testing.T) (r *Repository, commits []string) {
	t.Helper()
	dir := t.TempDir()
	for key, value := range map[string]string{
		"GIT_CONFIG_GLOBAL": os.DevNull, "GIT_CONFIG_SYSTEM": os.DevNull,
		"GIT_AUTHOR_NAME": "A", "GIT_AUTHOR_EMAIL": "a@example.org", "GIT_COMMITTER_NAME": "A",
		"GIT_COMMITTER_EMAIL": "a@example.org",
	} {
		t.Setenv(key, value)
	}
	if err := os.MkdirAll(filepath.Join(dir, ".git", "objects"), 0o755); err != nil {
		t.Fatal(err)
	}
	r = &Repository{Dir: dir, place: gitrepo.Location{WorkTree: dir}, program: "git"}
	run := func(args ...string) string {
		t.Helper()
		out, err := r.git(t.Context(), args...)
		if err != nil {
			t.Fatal(err)
		}
		return strings.TrimSpace(out)
	}
	run("init", "--quiet", "--initial-branch=main")
	for _, seals := range []string{"one\n", "two\n"} {
		if err := r.write(sums, seals); err != nil {
			t.Fatal(err)
		}
		run("add", ".")
		run("commit", "--quiet", "--message="+seals)
		commits = append(commits, run("rev-parse", "HEAD"))
	}
	return r, commits
}

// What cannot be finished is undone: a tag that was made goes, one that was moved
// is where it was.
func TestUndo(t *testing.T) {
	r, commits := newClone(t)
	if _, err := r.git(t.Context(), "tag", "--annotate", "--message=Before", "v1.0.0", commits[0]); err != nil {
		t.Fatal(err)
	}
	before, err := r.git(t.Context(), "for-each-ref")
	if err != nil {
		t.Fatal(err)
	}
	tags, err := r.tagRefs(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	p := &Plan{repo: r, base: commits[1], before: sealFiles{sums: "two\n"},
		seals: sealFiles{sums: "three\n"}, Steps: []TagStep{
			{Tag: "v1.0.0", Message: "Moved", was: tags["v1.0.0"].oid}, {Tag: "v1.1.0", Message: "Made"},
			{Tag: "v1 2", Message: "No name of a tag"},
		}}
	if err := p.Apply(t.Context()); err == nil || !strings.Contains(err.Error(), "nothing was published") {
		t.Fatal(err)
	}
	after, err := r.git(t.Context(), "for-each-ref")
	if err != nil || after != before {
		t.Errorf("%v, there is\n%s\nthere was\n%s", err, after, before)
	}
	if text, err := r.read(sums); err != nil || text != "two\n" {
		t.Errorf("%s holds %q, %v", sums, text, err)
	}
}

// If git does not even answer, the file is what it was.
func TestRestoreWithoutGit(t *testing.T) {
	r, commits := newClone(t)
	p := &Plan{
		repo: r, base: commits[1], before: sealFiles{sums: "two\n"},
		seals: sealFiles{sums: "three\n"},
	}
	r.program = filepath.Join(t.TempDir(), "git")
	if err := p.Apply(t.Context()); err == nil {
		t.Fatal("published without git")
	}
	if text, err := r.read(sums); err != nil || text != "two\n" {
		t.Errorf("%s holds %q, %v", sums, text, err)
	}
}

// The settings of signatures are asked for once, however many tags there are.
func TestManyTags(t *testing.T) {
	r, commits := newClone(t)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	runs := filepath.Join(t.TempDir(), "runs")
	r.program = filepath.Join(t.TempDir(), "git")
	script := fmt.Sprintf("#!/bin/sh\necho \"$5\" >>%s\nexec %s \"$@\"\n", runs, git)
	if err := os.WriteFile(r.program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	p := &Plan{repo: r, base: commits[1]}
	for i := range 20 {
		p.Steps = append(p.Steps, TagStep{Tag: fmt.Sprintf("v1.0.%d", i), Message: "Made"})
	}
	if err := p.Apply(t.Context()); err != nil {
		t.Fatal(err)
	}
	said, err := os.ReadFile(runs)
	if n := strings.Count(string(said), "config\n"); err != nil || n > 2 {
		t.Errorf("git was asked for settings %d times, %v", n, err)
	}
	if n := strings.Count(string(said), "tag\n"); n != 20 {
		t.Errorf("%d tags were made", n)
	}
	if err := errors.Join(os.Remove(runs), (&Plan{repo: r, base: commits[1]}).Apply(t.Context())); err != nil {
		t.Fatal(err)
	}
	if said, err := os.ReadFile(runs); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("git was run for no tag: %s, %v", said, err)
	}
}

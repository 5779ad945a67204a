package git_test

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"

	"rulestore/loader/git"
)

func TestLocate(t *testing.T) {
	main := newRepo(t)
	main.put("guidelines/deep/a.yaml", "1\n")
	dir := main.dir
	dotGit := filepath.Join(dir, ".git")
	top := t.TempDir()
	in := func(name string) string { return filepath.Join(top, name) }

	main.git("clone", "--quiet", "--bare", ".", in("bare.git"))
	main.git("worktree", "add", "--quiet", in("linked"), "-b", "linked")
	main.git("worktree", "add", "--quiet", in("relative"), "-b", "relative")
	rel, err := filepath.Rel(in("relative"), filepath.Join(dotGit, "worktrees/relative"))
	if err != nil {
		t.Fatal(err)
	}
	writeFile(t, in("relative/.git"), "gitdir: "+rel+"\n")
	writeFile(t, in("separate/.git"), "gitdir: "+dotGit)
	symlink(t, dir, in("link"))
	symlink(t, dotGit, in("linked-git/.git"))
	mkdir(t, filepath.Join(dir, "guidelines/.git")) // empty: not a repository, git looks further up
	mkdir(t, in("bare.git/somewhere/inside"))

	worktree := func(name string) git.Location {
		return git.Location{GitDir: filepath.Join(dotGit, "worktrees", name), CommonDir: dotGit, WorkTree: in(name)}
	}
	ordinary := git.Location{GitDir: dotGit, CommonDir: dotGit, WorkTree: dir}
	bare := git.Location{GitDir: in("bare.git"), CommonDir: in("bare.git")}
	for path, want := range map[string]git.Location{
		dir:                                   ordinary,
		filepath.Join(dir, "guidelines"):      ordinary,
		filepath.Join(dir, "guidelines/deep"): ordinary,
		dotGit:                                ordinary,
		filepath.Join(dotGit, "refs/heads"):   ordinary,
		filepath.Join(dotGit, "worktrees/linked"): ordinary,
		dir + "/guidelines/..//":                  ordinary,
		in("bare.git"):                            bare,
		in("bare.git/objects"):                    bare,
		in("bare.git/somewhere/inside"):           bare,
		in("linked"):                              worktree("linked"),
		in("linked/guidelines"):                   worktree("linked"),
		in("relative"):                            worktree("relative"),
		in("separate"):                            {GitDir: dotGit, CommonDir: dotGit, WorkTree: in("separate")},
		in("link"): {GitDir: in("link/.git"),
			CommonDir: in("link/.git"), WorkTree: in("link")},
		in("linked-git"): {GitDir: in("linked-git/.git"), CommonDir: in("linked-git/.git"),
			WorkTree: in("linked-git")},
	} {
		t.Run(path, func(t *testing.T) {
			got, err := git.Locate(path)
			if err != nil || got != want {
				t.Errorf("Locate(%s)\n = %+v, %v\n want %+v", path, got, err, want)
				return
			}
			if got := git.OnDisk(path).WorkTree(); got != want.WorkTree {
				t.Errorf("the work tree of %s is %q", path, got)
			}
			refs, err := open(t, path).Refs("main")
			if err != nil || refs.Commit != main.oid("main") {
				t.Errorf("%s is at %s, %v", path, refs.Commit, err)
			}
			if refs.Head != (want.GitDir == want.CommonDir) {
				t.Errorf("%s: is main what HEAD names? %t", path, refs.Head)
			}
		})
	}
	if refs, err := open(t, in("linked")).Refs(""); err != nil || refs.Branch != "linked" || !refs.Head {
		t.Errorf("the linked work tree is on %+v, %v", refs, err)
	}
}

// A relative path means the same repository, whoever resolves it.
func TestLocateHere(t *testing.T) {
	r := newRepo(t)
	r.put("guidelines/a.yaml", "1\n")
	t.Chdir(filepath.Join(r.dir, "guidelines"))
	for _, path := range []string{".", "..", "", "../.git"} {
		if got, err := git.Locate(path); err != nil || !sameFile(t, got.GitDir, filepath.Join(r.dir, ".git")) {
			t.Errorf("Locate(%q) = %+v, %v", path, got, err)
		}
	}
}

func TestLocateRefusals(t *testing.T) {
	top := t.TempDir()
	in := func(name string) string { return filepath.Join(top, name) }
	mkdir(t, in("plain"))
	writeFile(t, in("file"), "text\n")
	mkdir(t, in("empty/.git"))
	mkdir(t, in("half.git/objects"))
	writeFile(t, in("half.git/HEAD"), "ref: refs/heads/main\n")
	writeFile(t, in("nowhere/.git"), "gitdir: ../gone/.git/worktrees/nowhere\n")
	writeFile(t, in("nonsense/.git"), "nonsense\n")
	writeFile(t, in("blank/.git"), "gitdir: \n")
	symlink(t, in("gone"), in("dangling"))

	for _, c := range []struct {
		path string
		is   error
		says []string
	}{
		{"plain", git.ErrNotRepository, []string{in("plain"), "`git init`", "`rulestore init DIR`"}},
		{"empty", git.ErrNotRepository, nil},
		{"half.git", git.ErrNotRepository, nil},
		{"file", nil, []string{in("file"), "is a file, not a folder"}},
		{"missing", fs.ErrNotExist, []string{in("missing"), "`rulestore init "}},
		{"dangling", fs.ErrNotExist, []string{in("dangling")}},
		{"nowhere", nil, []string{in("nowhere/.git"), in("gone/.git/worktrees/nowhere"), "`git worktree repair`"}},
		{"nonsense", nil, []string{in("nonsense/.git"), "does not say where the repository is"}},
		{"blank", nil, []string{in("blank/.git"), "does not say where the repository is"}},
	} {
		t.Run(c.path, func(t *testing.T) {
			_, err := git.Locate(in(c.path))
			mustFail(t, err, c.says...)
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%s: %v, expected %v", c.path, err, c.is)
			}
			source := git.OnDisk(in(c.path))
			if _, again := source.Open(); again == nil || again.Error() != err.Error() {
				t.Errorf("Open(%s) says %v, Locate says %v", c.path, again, err)
			}
			if tree := source.WorkTree(); tree != "" {
				t.Errorf("the work tree of %s is %q", c.path, tree)
			}
		})
	}
}

// A symbolic link is followed at every opening, and what is open stays what it is.
func TestSwappedLink(t *testing.T) {
	link := filepath.Join(t.TempDir(), "current")
	one, two := newRepo(t), newRepo(t)
	a, b := one.put("rule.yaml", "1\n"), two.put("rule.yaml", "2\n")
	bare := filepath.Join(t.TempDir(), "bare.git")
	two.git("clone", "--quiet", "--bare", ".", bare)

	symlink(t, one.dir, link)
	source := git.OnDisk(link)
	first, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer first.Close()
	for _, target := range []string{two.dir, bare, one.dir} {
		symlink(t, target, link+".new")
		if err := os.Rename(link+".new", link); err != nil {
			t.Fatal(err)
		}
		refs, err := open(t, link).Refs("")
		if want := map[bool]git.OID{true: a, false: b}[target == one.dir]; err != nil || refs.Commit != want {
			t.Errorf("with %s behind the link the branch is at %s, %v", target, refs.Commit, err)
		}
		if refs, err := first.Refs(""); err != nil || refs.Commit != a {
			t.Errorf("with %s behind the link, what was open before is at %s, %v", target, refs.Commit, err)
		}
	}
}

func writeFile(t testing.TB, path, text string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

func readFile(t testing.TB, path string) string {
	t.Helper()
	raw, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	return string(raw)
}

func mkdir(t testing.TB, path string) {
	t.Helper()
	if err := os.MkdirAll(path, 0o755); err != nil {
		t.Fatal(err)
	}
}

func symlink(t testing.TB, target, path string) {
	t.Helper()
	mkdir(t, filepath.Dir(path))
	if err := os.Symlink(target, path); err != nil {
		t.Fatal(err)
	}
}

func sameFile(t testing.TB, a, b string) bool {
	t.Helper()
	x, err := os.Stat(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := os.Stat(b)
	if err != nil {
		t.Fatal(err)
	}
	return os.SameFile(x, y)
}

package git_test

import (
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"testing"

	"rulestore/loader/git"
)

// What could only be read in part is refused, with the command that mends it.
func TestRefusals(t *testing.T) {
	origin := newRepo(t)
	origin.put("rule.yaml", "1\n")
	origin.put("rule.yaml", "2\n")
	origin.git("tag", "v1.0.0")
	origin.git("config", "uploadpack.allowFilter", "true")
	url := "file://" + filepath.ToSlash(origin.dir)
	refused := func(t *testing.T, dir string, says ...string) {
		t.Helper()
		_, err := git.OnDisk(dir).Open()
		mustFail(t, err, says...)
		if git.IsTransient(err) {
			t.Errorf("%v passes for transient", err)
		}
	}

	t.Run("shallow", func(t *testing.T) {
		clone := origin.beside(filepath.Join(t.TempDir(), "clone"))
		origin.git("clone", "--quiet", "--depth", "1", url, clone.dir)
		refused(t, clone.dir, "is shallow", "dates and ancestry would be wrong", "`git fetch --unshallow --tags`")
		clone.git("fetch", "--quiet", "--unshallow", "--tags")
		if refs, err := clone.refs(""); err != nil || len(refs.Tags) != 1 {
			t.Errorf("after the command: %+v, %v", refs, err)
		}
	})
	t.Run("partial", func(t *testing.T) {
		dir := filepath.Join(t.TempDir(), "clone")
		origin.git("clone", "--quiet", "--filter=blob:none", url, dir)
		refused(t, dir, "is a partial clone", "some of its files are missing", "without --filter")
	})
	t.Run("sha256", func(t *testing.T) {
		r := newRepo(t, "--object-format=sha256")
		r.write("rule.yaml", "1\n")
		r.git("add", ".")
		r.git("commit", "--quiet", "-m", "first")
		refused(t, r.dir, "sha256", "make one with sha1 ids")
	})
	for name, c := range map[string]struct {
		config string
		says   []string
	}{
		"partialClone":    {"[extensions]\n\tpartialClone = origin\n", []string{"is a partial clone"}},
		"PARTIALCLONE":    {"[Extensions]\n\tPARTIALCLONE = origin\n", []string{"is a partial clone"}},
		"promisor":        {"[remote \"origin\"]\n\tpromisor = true\n", []string{"is a partial clone"}},
		"promisor yes":    {"[remote \"origin\"]\n\tPromisor = Yes\n", []string{"is a partial clone"}},
		"promisor, plain": {"[remote \"origin\"]\n\tpromisor\n", []string{"is a partial clone"}},
		"SHA256":          {"[extensions]\n\tobjectFormat = SHA256\n", []string{"sha256"}},
		"reftable": {"[extensions]\n\trefStorage = reftable\n",
			[]string{`as "reftable"`, "`git refs migrate --ref-format=files`"}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "1\n")
			appendConfig(t, r, c.config)
			refused(t, r.dir, c.says...)
		})
	}
	t.Run("broken config", func(t *testing.T) {
		r := newRepo(t)
		appendConfig(t, r, "[core\n")
		refused(t, r.dir, "read the repository's config")
	})
}

// What git accepts in a config and is of no concern here does no harm.
func TestHarmlessConfig(t *testing.T) {
	for name, config := range map[string]string{
		"other extensions": "[core]\n\trepositoryformatversion = 1\n[extensions]\n\tworktreeConfig = true\n" +
			"\tpreciousObjects = true\n",
		"no promisor": "[remote \"origin\"]\n\turl = x\n\tpromisor = false\n",
		"negative refspec": "[remote \"origin\"]\n\turl = x\n\tfetch = +refs/heads/*:refs/remotes/origin/*\n" +
			"\tfetch = ^refs/heads/wip/*\n",
		"comments and quotes": "; a comment\n# another\n[alias]\n" +
			"\tx = \"!f() { echo \\\"a\\\"; }; f\" ; why\n\ty = a \\\n b\n",
		"include": "[include]\n\tpath = nowhere.inc\n[includeIf \"gitdir:/x/\"]\n\tpath = y\n",
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			head := r.put("rule.yaml", "1\n")
			appendConfig(t, r, config)
			r.git("config", "--list")
			if refs, err := r.refs(""); err != nil || refs.Commit != head {
				t.Error(refs, err)
			}
		})
	}
	t.Run("no config at all", func(t *testing.T) {
		r := newRepo(t)
		head := r.put("rule.yaml", "1\n")
		if err := os.Remove(filepath.Join(r.dir, ".git/config")); err != nil {
			t.Fatal(err)
		}
		if refs, err := r.refs(""); err != nil || refs.Commit != head {
			t.Error(refs, err)
		}
	})
}

func appendConfig(t *testing.T, r *repo, text string) {
	t.Helper()
	file := filepath.Join(r.dir, ".git/config")
	writeFile(t, file, readFile(t, file)+text)
}

// The branch that is served: the one asked for, or the one that HEAD names.
func TestBranches(t *testing.T) {
	r := newRepo(t)
	if _, err := r.refs(""); !errors.Is(err, git.ErrEmpty) {
		t.Errorf("an empty repository: %v", err)
	}
	if _, err := r.refs("main"); !errors.Is(err, git.ErrEmpty) {
		t.Errorf("an empty repository, asked for main: %v", err)
	}
	first := r.put("rule.yaml", "1\n")
	r.git("branch", "next/2026")
	second := r.put("rule.yaml", "2\n")

	for i, c := range []struct {
		ask, branch string
		commit      git.OID
		head        bool
	}{
		{"", "main", second, true},
		{"main", "main", second, true},
		{"refs/heads/main", "main", second, true},
		{"next/2026", "next/2026", first, false},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			refs, err := r.refs(c.ask)
			if err != nil || refs.Branch != c.branch || refs.Commit != c.commit || refs.Head != c.head {
				t.Errorf("asked for %q: %+v, %v", c.ask, refs, err)
			}
		})
	}
	_, err := r.refs("master")
	mustFail(t, err, `there is no branch, tag or commit "master"`, "--ref", "main, next/2026")

	r.git("checkout", "--quiet", "--orphan", "unborn")
	_, err = r.refs("")
	mustFail(t, err, `there is no branch, tag or commit "unborn"`, "--ref", "main, next/2026")
	if refs, err := r.refs("main"); err != nil || refs.Commit != second || refs.Head {
		t.Errorf("main beside an unborn branch: %+v, %v", refs, err)
	}

	r.git("checkout", "--quiet", "--force", "--detach", first.String())
	if refs, err := r.refs(""); err != nil || refs.Branch != "HEAD" || refs.Commit != first || !refs.Head {
		t.Errorf("a detached HEAD: %+v, %v", refs, err)
	}
	if refs, err := r.refs("main"); err != nil || refs.Commit != second || refs.Head {
		t.Errorf("main beside a detached HEAD: %+v, %v", refs, err)
	}
}

// git itself is only needed to make repositories: reading them needs no command.
func TestReadsWithoutTheCommand(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	t.Setenv("PATH", t.TempDir())
	if _, err := exec.LookPath("git"); err == nil {
		t.Fatal("git is still found")
	}
	if refs, err := r.refs(""); err != nil || refs.Commit != head {
		t.Errorf("%+v, %v", refs, err)
	}
}

// A repository may borrow another's objects, and that one a third's: git reads them, and nothing does without git.
func TestAlternates(t *testing.T) {
	origin := newRepo(t)
	loose := origin.put("rule.yaml", "loose\n")
	shared, again := filepath.Join(t.TempDir(), "shared"), filepath.Join(t.TempDir(), "again")
	origin.git("clone", "--quiet", "--shared", ".", shared)
	origin.git("clone", "--quiet", "--shared", shared, again)
	own := origin.beside(again).put("own.yaml", "1\n")
	h, err := git.NewWalker(everything).History(open(t, again), own, nil)
	if err != nil || !h.Contains(loose) {
		t.Errorf("the history is cut: %v", err)
	}
	writeFile(t, filepath.Join(shared, ".git/objects/info/alternates"), filepath.Join(shared, "gone")+"\n")
	if _, err := open(t, again).Commit(loose); !git.IsTransient(err) {
		t.Error(err)
	}
	t.Setenv("PATH", t.TempDir())
	_, err = git.OnDisk(again).Open()
	mustFail(t, err, "borrows objects", "which git alone reads", "not installed")
}

package watch

import (
	"context"
	"log/slog"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// git runs a git command that no configuration of this machine changes.
func git(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false", "-c", "user.name=Анна", "-c",
		"user.email=anna@rulestore.example"}, args...)...)
	cmd.Dir = dir
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+os.DevNull, "LC_ALL=C")
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %v: %v\n%s", args, err, out)
	}
	return strings.TrimSpace(string(out))
}

// newRepo makes a repository with a commit on main.
func newRepo(t *testing.T) string {
	t.Helper()
	dir := t.TempDir()
	git(t, dir, "init", "--quiet", "--initial-branch=main")
	git(t, dir, "commit", "--quiet", "--allow-empty", "-m", "first")
	return dir
}

func write(t *testing.T, path, text string) {
	t.Helper()
	if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}

// follow watches with nothing but events: the poll is an hour away.
func follow(t *testing.T, c Config) *Watcher {
	t.Helper()
	log := &output{}
	c.Poll, c.Log = time.Hour, slog.New(slog.NewTextHandler(log, nil))
	w := New(c)
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan struct{})
	go func() { defer close(ended); w.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		await(t, ended, "the end")
		if log.String() != "" {
			t.Errorf("the log says:\n%s", log)
		}
	})
	if w.Mode() != "watch+poll" {
		t.Errorf("the mode is %q", w.Mode())
	}
	return w
}

func ordinary(dir string) Config {
	return Config{Path: dir, GitDir: filepath.Join(dir, ".git"), Common: filepath.Join(dir, ".git")}
}

// settle waits until nothing has been noticed for a while, so that what comes
// next is the work of what is done next.
func (w *Watcher) settle() {
	for {
		select {
		case <-w.looks:
		case <-time.After(patience + 2*quiet):
			return
		}
	}
}

// step is something done to a repository that must be noticed.
type step struct {
	what string
	do   func(t *testing.T)
}

// noticed does one step after another and awaits a look for each.
func noticed(t *testing.T, c Config, steps ...step) {
	t.Helper()
	w := follow(t, c)
	for _, s := range steps {
		w.settle()
		s.do(t)
		await(t, w.Looks(), "a look after "+s.what)
	}
}

func TestWhatIsNoticed(t *testing.T) {
	command := func(what, dir string, args ...string) step {
		return step{what, func(t *testing.T) { t.Helper(); git(t, dir, args...) }}
	}
	tag := func(dir, name string) step { return command("the tag "+name, dir, "tag", name) }
	commit := func(dir string) step {
		return command("a commit", dir, "commit", "--quiet", "--allow-empty", "-m", "next")
	}
	typed := func(dir, name, text string) step {
		return step{"typing " + name, func(t *testing.T) { write(t, filepath.Join(dir, name), text) }}
	}

	t.Run("commits", func(t *testing.T) {
		t.Parallel()
		dir := newRepo(t)
		noticed(t, ordinary(dir), commit(dir), commit(dir))
	})
	t.Run("tags", func(t *testing.T) {
		t.Parallel()
		dir := newRepo(t)
		noticed(t, ordinary(dir),
			tag(dir, "guidelines/a/v1.0.0"), // in new folders
			tag(dir, "guidelines/a/v1.1.0"), // in the same
			tag(dir, "guidelines/b/v1.0.0"), // beside it
			command("an annotated tag", dir, "tag", "-a", "-m", "x", "guidelines/b/v2.0.0"),
			command("a moved tag", dir, "tag", "--force", "guidelines/b/v2.0.0", "HEAD"),
			command("a deleted tag", dir, "tag", "-d", "guidelines/a/v1.1.0"),
			command("packed refs", dir, "pack-refs", "--all"), // the folders are gone
			command("a deleted tag that was packed", dir, "tag", "-d", "guidelines/a/v1.0.0"),
			tag(dir, "guidelines/a/v1.2.0"), // the folders are back
			tag(dir, "guidelines/a/v1.3.0"),
		)
	})
	t.Run("branches", func(t *testing.T) {
		t.Parallel()
		dir := newRepo(t)
		git(t, dir, "branch", "next")
		noticed(t, ordinary(dir),
			command("another branch", dir, "checkout", "--quiet", "next"),
			command("a detached HEAD", dir, "checkout", "--quiet", "--detach"),
			commit(dir),
			command("a branch moved", dir, "branch", "--force", "main", "HEAD"),
			command("a branch set back", dir, "branch", "--force", "main", "HEAD~1"),
			command("a new branch in a folder", dir, "branch", "fix/1"),
			command("a branch renamed in that folder", dir, "branch", "--move", "fix/1", "fix/2"),
		)
	})
	t.Run("a collection", func(t *testing.T) {
		t.Parallel()
		dir := newRepo(t)
		noticed(t, ordinary(dir), command("a collection", dir, "gc", "--quiet", "--prune=now"), commit(dir))
	})
	t.Run("pushes into a bare repository", func(t *testing.T) {
		t.Parallel()
		dir, bare := newRepo(t), filepath.Join(t.TempDir(), "bare.git")
		git(t, dir, "clone", "--quiet", "--bare", ".", bare)
		push := func(t *testing.T) {
			git(t, dir, "commit", "--quiet", "--allow-empty", "-m", "next")
			git(t, dir, "push", "--quiet", bare, "main")
		}
		noticed(t, Config{Path: bare, GitDir: bare, Common: bare},
			step{"a push", push},
			step{"a push of a tag", func(t *testing.T) {
				git(t, dir, "tag", "guidelines/a/v1.0.0")
				git(t, dir, "push", "--quiet", bare, "guidelines/a/v1.0.0")
			}},
			step{"a push of another", func(t *testing.T) {
				git(t, dir, "tag", "guidelines/a/v1.1.0")
				git(t, dir, "push", "--quiet", bare, "guidelines/a/v1.1.0")
			}},
			command("a push that deletes", dir, "push", "--quiet", bare, ":guidelines/a/v1.0.0"),
			step{"one more push", push},
		)
	})
	t.Run("a linked work tree", func(t *testing.T) {
		t.Parallel()
		dir, linked := newRepo(t), filepath.Join(t.TempDir(), "linked")
		git(t, dir, "worktree", "add", "--quiet", linked, "-b", "linked")
		git(t, dir, "branch", "third")
		noticed(t, Config{Path: linked, GitDir: filepath.Join(dir, ".git/worktrees/linked"),
			Common: filepath.Join(dir, ".git"), Work: linked, Tops: []string{"guidelines"}},
			commit(linked), commit(dir), tag(linked, "v1.0.0"), tag(dir, "a/v1.0.0"), tag(linked, "a/v1.1.0"),
			command("another branch", linked, "checkout", "--quiet", "third"),
			typed(linked, "guidelines/a.yaml", "1\n"),
		)
	})
	t.Run("a work tree", func(t *testing.T) {
		t.Parallel()
		dir := newRepo(t)
		write(t, filepath.Join(dir, "math/old.yaml"), "1\n")
		c := ordinary(dir)
		c.Work, c.Tops = dir, []string{"guidelines", "math", "settings.yaml"}
		noticed(t, c,
			typed(dir, "math/old.yaml", "2\n"),
			typed(dir, "settings.yaml", "1\n"),
			typed(dir, "settings.yaml", "2\n"),
			typed(dir, "math/new.yaml", "1\n"),
			typed(dir, "guidelines/a.yaml", "1\n"), // the folder is new
			typed(dir, "guidelines/a.yaml", "2\n"),
			typed(dir, "guidelines/deep/b.yaml", "1\n"), // another, inside
			typed(dir, "guidelines/deep/b.yaml", "2\n"),
			step{"a file renamed, as editors do", func(t *testing.T) {
				write(t, filepath.Join(dir, "math/.old.yaml.swp"), "3\n")
				if err := os.Rename(filepath.Join(dir, "math/.old.yaml.swp"),
					filepath.Join(dir, "math/old.yaml")); err != nil {
					t.Fatal(err)
				}
			}},
			step{"a file removed", func(t *testing.T) {
				if err := os.Remove(filepath.Join(dir, "math/new.yaml")); err != nil {
					t.Fatal(err)
				}
			}},
			step{"a folder removed", func(t *testing.T) {
				if err := os.RemoveAll(filepath.Join(dir, "guidelines")); err != nil {
					t.Fatal(err)
				}
			}},
			typed(dir, "guidelines/a.yaml", "3\n"), // and back
			typed(dir, "guidelines/a.yaml", "4\n"),
		)
	})
}

// Whatever part of the path is replaced, the repository that it then leads to is watched.
func TestReplacedPart(t *testing.T) {
	const tag = "guidelines/a/v1.0.0"
	rename := func(t *testing.T, from, to string) {
		t.Helper()
		if err := os.Rename(from, to); err != nil {
			t.Fatal(err)
		}
	}
	link := func(t *testing.T, target, path string) {
		t.Helper()
		if err := os.Symlink(target, path+".new"); err != nil {
			t.Fatal(err)
		}
		rename(t, path+".new", path)
	}
	// the repositories are top/store/{one,two}/rules
	type test struct {
		path string // of the repository, below top
		lay  func(t *testing.T, top string)
		swap func(t *testing.T, top string) // from store/one to store/two
	}
	linked := func(what string) test { // the path itself is a link to a part of a repository
		to := func(one string) func(t *testing.T, top string) {
			return func(t *testing.T, top string) {
				link(t, filepath.Join(top, "store", one, what), filepath.Join(top, "served"))
			}
		}
		return test{"served", to("one"), to("two")}
	}
	for name, test := range map[string]test{
		"a link to a work tree":       linked("rules"),
		"a link to a bare repository": linked("rules/.git"),
		"a link in the middle": {
			path: "current/rules",
			lay:  func(t *testing.T, top string) { link(t, "store/one", filepath.Join(top, "current")) },
			swap: func(t *testing.T, top string) { link(t, "store/two", filepath.Join(top, "current")) },
		},
		"a link that a link leads to": {
			path: "served",
			lay: func(t *testing.T, top string) {
				link(t, "one", filepath.Join(top, "store/current"))
				link(t, "store/current/rules", filepath.Join(top, "served"))
			},
			swap: func(t *testing.T, top string) {
				link(t, filepath.Join(top, "store/two"), filepath.Join(top, "store/current"))
			},
		},
		"the folder itself": {
			path: "store/one/rules",
			lay:  func(*testing.T, string) {},
			swap: func(t *testing.T, top string) {
				rename(t, filepath.Join(top, "store/one/rules"), filepath.Join(top, "store/old"))
				rename(t, filepath.Join(top, "store/two/rules"), filepath.Join(top, "store/one/rules"))
			},
		},
		"a folder in the middle": {
			path: "store/one/rules",
			lay:  func(*testing.T, string) {},
			swap: func(t *testing.T, top string) {
				rename(t, filepath.Join(top, "store/one"), filepath.Join(top, "store/old"))
				rename(t, filepath.Join(top, "store/two"), filepath.Join(top, "store/one"))
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			top := t.TempDir()
			for _, one := range []string{"one", "two"} {
				if err := os.MkdirAll(filepath.Join(top, "store", one), 0o755); err != nil {
					t.Fatal(err)
				}
				rename(t, newRepo(t), filepath.Join(top, "store", one, "rules"))
			}
			test.lay(t, top)
			path := filepath.Join(top, test.path)
			c := ordinary(path)
			if _, err := os.Stat(c.GitDir); err != nil {
				c.GitDir, c.Common = path, path
			}
			noticed(t, c,
				step{"a tag", func(t *testing.T) { git(t, path, "tag", "guidelines/b/v1.0.0") }},
				step{"the swap", func(t *testing.T) { test.swap(t, top) }},
				step{"a tag in the other", func(t *testing.T) { git(t, path, "tag", tag) }},
				step{"a branch in the other", func(t *testing.T) { git(t, path, "branch", "next") }},
			)
		})
	}
}

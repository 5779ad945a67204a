package git_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git"
)

// repo is a repository in a folder of its own that the git command works on.
type repo struct {
	t   testing.TB
	dir string
	now time.Time // when the next commit or tag is made
}

// newRepo makes a repository whose branch is main.
func newRepo(t testing.TB, options ...string) *repo {
	t.Helper()
	r := &repo{t, t.TempDir(), time.Date(2026, 2, 2, 10, 0, 0, 0, time.FixedZone("", 3*60*60))}
	r.git(append([]string{"init", "--quiet", "--initial-branch=main"}, options...)...)
	return r
}

// beside is the same hand working on another repository.
func (r *repo) beside(dir string) *repo { return &repo{r.t, dir, r.now} }

// git runs a git command that must succeed and returns what it prints.
func (r *repo) git(args ...string) string {
	r.t.Helper()
	return r.gitInput("", args...)
}

func (r *repo) gitInput(stdin string, args ...string) string {
	r.t.Helper()
	out, err := r.command(stdin, args...).Output()
	if err != nil {
		if failed, ok := err.(*exec.ExitError); ok {
			r.t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, failed.Stderr)
		}
		r.t.Fatalf("git %s: %v", strings.Join(args, " "), err)
	}
	return strings.TrimSpace(string(out))
}

// command is a git command that no configuration of this machine changes.
func (r *repo) command(stdin string, args ...string) *exec.Cmd {
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false", "-c", "advice.detachedHead=false", "-c",
		"protocol.file.allow=always"}, args...)...)
	cmd.Dir = r.dir
	cmd.Stdin = strings.NewReader(stdin)
	when := r.now.Format(time.RFC3339)
	cmd.Env = append(slices.DeleteFunc(os.Environ(), func(v string) bool { return strings.HasPrefix(v, "GIT_") }),
		"GIT_CONFIG_GLOBAL="+os.DevNull, "GIT_CONFIG_SYSTEM="+os.DevNull, "HOME="+os.DevNull,
		"XDG_CONFIG_HOME="+os.DevNull,
		"LC_ALL=C", "TZ=UTC", "GIT_EDITOR=true", "GIT_TERMINAL_PROMPT=0",
		"GIT_AUTHOR_NAME=Анна", "GIT_AUTHOR_EMAIL=anna@rulestore.example", "GIT_AUTHOR_DATE="+when,
		"GIT_COMMITTER_NAME=Борис", "GIT_COMMITTER_EMAIL=boris@rulestore.example", "GIT_COMMITTER_DATE="+when)
	return cmd
}

// write puts a file into the work tree.
func (r *repo) write(path, text string) {
	r.t.Helper()
	file := filepath.Join(r.dir, path)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		r.t.Fatal(err)
	}
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		r.t.Fatal(err)
	}
}

// commit commits the whole work tree, a minute after the commit before.
func (r *repo) commit(message string) git.OID {
	r.t.Helper()
	r.now = r.now.Add(time.Minute)
	r.git("add", "--all")
	r.git("commit", "--quiet", "--allow-empty", "-m", message)
	return r.oid("HEAD")
}

// put commits one file.
func (r *repo) put(path, text string) git.OID {
	r.t.Helper()
	r.write(path, text)
	return r.commit("Write " + path)
}

// oid resolves a revision as git does. The head is read without a process, if it is in a file:
// every commit asks for it.
func (r *repo) oid(rev string) git.OID {
	r.t.Helper()
	if rev == "HEAD" {
		text, _ := os.ReadFile(filepath.Join(r.dir, ".git", "HEAD"))
		branch, _ := strings.CutPrefix(strings.TrimSpace(string(text)), "ref: ")
		text, _ = os.ReadFile(filepath.Join(r.dir, ".git", branch))
		if id, err := git.ParseOID(strings.TrimSpace(string(text))); err == nil {
			return id
		}
	}
	return parse(r.t, r.git("rev-parse", "--verify", rev))
}

// open opens the repository for the length of the test.
func (r *repo) open() *git.Repo {
	r.t.Helper()
	return open(r.t, r.dir)
}

func open(t testing.TB, path string) *git.Repo {
	t.Helper()
	return openFrom(t, git.OnDisk(path))
}

func openFrom(t testing.TB, source git.Opener) *git.Repo {
	t.Helper()
	opened, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := opened.Close(); err != nil {
			t.Error(err)
		}
	})
	return opened
}

// refs lists the refs from a handle of their own.
func (r *repo) refs(branch string) (git.Refs, error) {
	r.t.Helper()
	return r.open().Refs(branch)
}

func parse(t testing.TB, hex string) git.OID {
	t.Helper()
	id, err := git.ParseOID(hex)
	if err != nil {
		t.Fatal(err)
	}
	return id
}

func everything(string, git.Mode) bool { return true }

// lines splits what git prints.
func lines(out string) []string {
	return strings.FieldsFunc(out, func(c rune) bool { return c == '\n' })
}

// mustFail checks that an error says all that it should.
func mustFail(t testing.TB, err error, says ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, expected one that says %q", says)
	}
	for _, part := range says {
		if !strings.Contains(err.Error(), part) {
			t.Errorf("the error %q does not say %q", err, part)
		}
	}
}

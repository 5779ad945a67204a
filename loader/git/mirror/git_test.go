package mirror_test

import (
	"io"
	"net/http"
	"net/http/cgi"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
)

// TestMain keeps git from the configuration of this machine.
func TestMain(m *testing.M) {
	for _, v := range os.Environ() {
		if name, _, _ := strings.Cut(v, "="); strings.HasPrefix(name, "GIT_") {
			_ = os.Unsetenv(name)
		}
	}
	home, err := os.MkdirTemp("", "home")
	if err != nil {
		panic(err)
	}
	for name, value := range map[string]string{
		"GIT_CONFIG_SYSTEM": os.DevNull, "HOME": home, "XDG_CONFIG_HOME": home, "GIT_AUTHOR_NAME": "Анна",
		"GIT_AUTHOR_EMAIL": "anna@rulestore.example", "GIT_COMMITTER_NAME": "Анна",
		"GIT_COMMITTER_EMAIL": "anna@rulestore.example",
	} {
		_ = os.Setenv(name, value)
	}
	code := m.Run()
	_ = os.RemoveAll(home)
	os.Exit(code)
}

// repo is a repository that the git command works on.
type repo struct {
	testing.TB
	dir string
}

// newRepo makes a repository whose branch is main, with a commit and a tag.
func newRepo(t testing.TB) *repo {
	t.Helper()
	r := &repo{t, filepath.Join(t.TempDir(), "rules.git")}
	if err := os.Mkdir(r.dir, 0o755); err != nil {
		t.Fatal(err)
	}
	r.git("init", "--quiet", "--initial-branch=main")
	r.put("1\n")
	r.git("tag", "-a", "-m", "one", "guidelines/a/v1.0.0")
	return r
}

func (r *repo) git(args ...string) string {
	r.Helper()
	cmd := exec.Command("git", append([]string{"-c", "maintenance.auto=false"}, args...)...)
	cmd.Dir = r.dir
	out, err := cmd.CombinedOutput()
	if err != nil {
		r.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return strings.TrimSpace(string(out))
}

// put commits a file and returns the commit.
func (r *repo) put(text string) string {
	r.Helper()
	if err := os.WriteFile(filepath.Join(r.dir, "a.yaml"), []byte(text), 0o644); err != nil {
		r.Fatal(err)
	}
	r.git("add", "a.yaml")
	r.git("commit", "--quiet", "--allow-empty", "-m", text[:min(len(text), 9)])
	return r.git("rev-parse", "HEAD")
}

func remote(t testing.TB, address string) mirror.Remote {
	t.Helper()
	a, err := git.ParseAddress(address)
	if err != nil {
		t.Fatal(err)
	}
	return mirror.Remote{Address: a}
}

func (r *repo) overFile() mirror.Remote { return remote(r, "file://"+r.dir) }

// backend is git's own server, behind net/http.
func backend(t testing.TB, root string) http.Handler {
	t.Helper()
	out, err := exec.Command("git", "--exec-path").Output()
	if err != nil {
		t.Fatal(err)
	}
	program := filepath.Join(strings.TrimSpace(string(out)), "git-http-backend")
	if _, err := os.Stat(program); err != nil {
		t.Skip("git has no http-backend here: ", err)
	}
	return &cgi.Handler{Path: program, Stderr: io.Discard, Env: []string{
		"GIT_PROJECT_ROOT=" + root, "GIT_HTTP_EXPORT_ALL=1", "HOME=" + os.Getenv("HOME"),
	}}
}

// serve returns the remote that a server is.
func serve(t testing.TB, h http.Handler) mirror.Remote {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return remote(t, s.URL+"/rules.git")
}

func (r *repo) overHTTP() mirror.Remote { return serve(r, backend(r, filepath.Dir(r.dir))) }

func open(t testing.TB, cache string, r mirror.Remote) *mirror.Mirror {
	t.Helper()
	m, err := mirror.Open(t.Context(), cache, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

func fetch(t testing.TB, m *mirror.Mirror, changed bool) {
	t.Helper()
	got, err := m.Fetch(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	if got != changed {
		t.Fatalf("changed: %t, expected %t", got, changed)
	}
}

// state is what an opener shows: branch, commit and tags, all of which can be read.
func state(t testing.TB, o git.Opener) string {
	t.Helper()
	r, err := o.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	refs, err := r.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	everything := func(string, git.Mode) bool { return true }
	if _, err := git.NewWalker(everything).History(r, refs.Commit, nil); err != nil {
		t.Fatal(err)
	}
	for _, tag := range refs.Tags {
		if _, err := r.Tag(tag.OID); err != nil {
			t.Fatal(err)
		}
	}
	return refs.Hash()
}

// same checks that what has arrived is what the repository has, and can be read in full.
func same(t testing.TB, m *mirror.Mirror, origin *repo) {
	t.Helper()
	m.Select(false)
	if got, want := state(t, m), state(t, git.OnDisk(origin.dir)); got != want {
		t.Fatalf("the mirror has %s, the repository %s", got, want)
	}
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
	if runes := []rune(err.Error()); len(runes) > 900 || slices.ContainsFunc(runes, func(c rune) bool { return c < ' ' }) {
		t.Errorf("the error repeats too much: %q", err)
	}
}

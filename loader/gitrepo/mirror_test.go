package gitrepo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
)

func openMirror(t testing.TB, r gitrepo.Remote) *gitrepo.Mirror {
	t.Helper()
	return openMirrorIn(t, t.TempDir(), r)
}

func openMirrorIn(t testing.TB, cache string, r gitrepo.Remote) *gitrepo.Mirror {
	t.Helper()
	m, err := gitrepo.OpenMirror(t.Context(), cache, r)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = m.Close() })
	return m
}

// fetch fetches, and checks whether that brought anything.
func fetch(t testing.TB, m *gitrepo.Mirror, changed bool) {
	t.Helper()
	got, err := m.Fetch(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	if got != changed {
		t.Fatalf("changed: %t, expected %t", got, changed)
	}
}

// same checks that a mirror holds what the repository does, and all of it.
func same(t testing.TB, m *gitrepo.Mirror, origin *repo) {
	t.Helper()
	r, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	got, err := r.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	want, err := origin.refs("")
	if err != nil {
		t.Fatal(err)
	}
	if got.Hash() != want.Hash() || got.Branch != want.Branch {
		t.Fatalf("the mirror has\n%+v, the repository\n%+v", got, want)
	}
	if _, err := gitrepo.NewWalker(everything).History(r, got.Commit, nil); err != nil {
		t.Fatal(err)
	}
	for _, tag := range got.Tags {
		if _, err := r.Tag(tag.OID); err != nil {
			t.Fatal(err)
		}
	}
}

// generations lists the bare repositories under a cache folder.
func generations(t testing.TB, cache string) []string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(cache, "*", "*.git"))
	if err != nil {
		t.Fatal(err)
	}
	return all
}

// The mirror follows whatever happens to the repository, over every transport;
// and git finds nothing wrong with it.
func TestMirror(t *testing.T) {
	for name, over := range map[string]func(testing.TB, string) gitrepo.Remote{
		"https": func(t testing.TB, dir string) gitrepo.Remote { return overHTTP(t, dir, nil) },
		"ssh":   overSSH,
		"file":  overFile,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := newRepo(t)
			origin.put("guidelines/a.yaml", "1\n")
			origin.git("tag", "-a", "-m", "one", "guidelines/a/v1.0.0")
			first := origin.oid("HEAD")
			cache := t.TempDir()
			bare := filepath.Join(t.TempDir(), "rules.git")
			origin.git("clone", "--quiet", "--mirror", origin.dir, bare)
			served := origin.beside(bare)
			m := openMirrorIn(t, cache, over(t, bare))
			step := func(what string, changed bool, change func()) {
				t.Helper()
				change()
				origin.git("push", "--quiet", "--mirror", bare)
				fetch(t, m, changed)
				same(t, m, served)
				if err := m.Keep(); err != nil {
					t.Fatal(err)
				}
				all := generations(t, cache)
				if len(all) != 1 {
					t.Fatalf("%s: there are the generations %v", what, all)
				}
				origin.beside(all[0]).git("fsck", "--full", "--strict")
			}
			step("the first fetch", true, func() {})
			step("nothing", false, func() {})
			step("a commit", true, func() { origin.put("guidelines/a.yaml", "2\n") })
			step("a tag", true, func() { origin.git("tag", "-a", "-m", "two", "guidelines/a/v1.1.0") })
			step("a lightweight tag of what is there", true, func() {
				origin.git("tag", "guidelines/a/v1.0.1", first.String())
			})
			step("a tag of a tag", true, func() {
				origin.git("tag", "-a", "-m", "nested", "nested", "guidelines/a/v1.1.0")
			})
			step("a tag that moves", true, func() {
				origin.git("tag", "-f", "-a", "-m", "moved", "guidelines/a/v1.0.0")
			})
			step("a tag that goes", true, func() { origin.git("tag", "-d", "guidelines/a/v1.1.0") })
			step("a force-push", true, func() {
				origin.git("reset", "--quiet", "--hard", first.String())
				origin.put("guidelines/a.yaml", "3\n")
			})
			step("another branch", true, func() { origin.git("branch", "side") })
			step("and it goes", true, func() { origin.git("branch", "-D", "side") })
			step("a merge", true, func() {
				origin.git("checkout", "--quiet", "-b", "side", first.String())
				origin.put("guidelines/b.yaml", "1\n")
				origin.git("checkout", "--quiet", "main")
				origin.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
			})
			step("the branch has another name", true, func() {
				origin.git("branch", "-m", "main", "trunk")
				served.git("symbolic-ref", "HEAD", "refs/heads/trunk")
			})

			t.Log("the repository is deleted, and put back with another history")
			if err := os.Rename(bare, bare+".gone"); err != nil {
				t.Fatal(err)
			}
			_, err := m.Fetch(t.Context())
			mustFail(t, err, "fetch "+strings.SplitN(over(t, bare).String(), "://", 2)[0])
			same(t, m, origin.beside(bare+".gone"))
			other := newRepo(t)
			other.put("guidelines/z.yaml", "1\n")
			other.git("clone", "--quiet", "--mirror", other.dir, bare)
			fetch(t, m, true)
			same(t, m, other.beside(bare))
		})
	}
}

// Pull requests and the like are not served, so they are not fetched.
func TestOnlyBranchesAndTags(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	origin.git("update-ref", "refs/pull/1/head", "HEAD")
	m := openMirror(t, overFile(t, origin.dir))
	fetch(t, m, true)
	origin.git("update-ref", "refs/pull/2/head", "HEAD")
	fetch(t, m, false)
}

// Where HEAD of the remote is at no branch, there is none to follow by default.
func TestDetachedHead(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	origin.git("branch", "rules")
	origin.git("checkout", "--quiet", "--detach")
	m := openMirror(t, overFile(t, origin.dir))
	fetch(t, m, true)
	refs := func(branch string) (gitrepo.Refs, error) {
		t.Helper()
		r, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		defer r.Close()
		return r.Refs(branch)
	}
	if got, err := refs(""); err != nil || got.Branch != "main" || got.Commit != origin.oid("main") {
		t.Errorf("at the commit of a branch: %+v, %v", got, err)
	}
	origin.git("branch", "-D", "main")
	origin.put("a.yaml", "2\n")
	fetch(t, m, true)
	_, err := refs("")
	mustFail(t, err, `there is no branch, tag or commit "main": choose one with --ref: rules`)
	if got, err := refs("rules"); err != nil || got.Commit != origin.oid("rules") {
		t.Errorf("%+v, %v", got, err)
	}
}

// A new process finds what the one before fetched, though the remote is away.
func TestMirrorSurvives(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache, r := t.TempDir(), overFile(t, origin.dir)
	m := openMirrorIn(t, cache, r)
	if _, err := m.Open(); err != gitrepo.ErrNotFetched {
		t.Fatal(err)
	}
	fetch(t, m, true)
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	leftover := filepath.Join(filepath.Dir(generations(t, cache)[0]), "new-killed")
	if err := os.MkdirAll(filepath.Join(leftover, "objects", "pack"), 0o755); err != nil {
		t.Fatal(err)
	}
	again := openMirrorIn(t, cache, r)
	same(t, again, origin)
	if _, err := os.Stat(leftover); !os.IsNotExist(err) {
		t.Error("what a killed process left is still there: ", err)
	}
	fetch(t, again, false)
}

// A mirror is as old as the last fetch that succeeded, whoever made it, and
// whether it brought anything.
func TestFetched(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache, r := t.TempDir(), overFile(t, origin.dir)
	m := openMirrorIn(t, cache, r)
	if got := m.Fetched(); !got.IsZero() {
		t.Errorf("before the first fetch: %v", got)
	}
	since := time.Now().Add(-time.Second) // of some disks
	fetch(t, m, true)
	if got := m.Fetched(); got.Before(since) {
		t.Errorf("after a fetch: %v", got)
	}
	age := func(generation string) (past time.Time) {
		t.Helper()
		past = time.Now().Add(-time.Hour).Truncate(time.Second)
		if err := os.Chtimes(filepath.Join(generation, "FETCH_HEAD"), past, past); err != nil {
			t.Fatal(err)
		}
		return past
	}
	age(generations(t, cache)[0])
	fetch(t, m, false)
	if got := m.Fetched(); got.Before(since) {
		t.Errorf("after a fetch that brought nothing: %v", got)
	}
	past := age(generations(t, cache)[0])
	origin.put("a.yaml", "2\n")
	fetch(t, m, true)
	same(t, m, origin)
	if !m.Pass() {
		t.Error("there is no generation before")
	}
	if r, err := m.Open(); err != nil || r.Close() != nil || !m.Fetched().Equal(past) {
		t.Errorf("the generation before is of %v, not of %v: %v", m.Fetched(), past, err)
	}
	away, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := m.Fetch(away); err == nil || !m.Fetched().Equal(past) {
		t.Errorf("after a fetch that failed (%v): %v", err, m.Fetched())
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	past = age(generations(t, cache)[1])
	if again := openMirrorIn(t, cache, r); !again.Fetched().Equal(past) {
		t.Errorf("for the next process: %v", again.Fetched())
	}
}

// Two processes never write to one mirror.
func TestMirrorIsLocked(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache, r := t.TempDir(), overFile(t, origin.dir)
	m := openMirrorIn(t, cache, r)
	over := errors.New("the patience is over")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, over)
	defer cancel()
	for range 2 { // while it waits, and with a context that has ended
		_, err := gitrepo.OpenMirror(ctx, cache, r)
		mustFail(t, err, over.Error())
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	openMirrorIn(t, cache, r)
}

// What cannot be read is passed over: the generation before is used until the next
// fetch, which asks for everything again.
func TestPass(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache := t.TempDir()
	m := openMirrorIn(t, cache, overFile(t, origin.dir))
	fetch(t, m, true)
	same(t, m, origin)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	before := origin.oid("HEAD")
	origin.put("a.yaml", "2\n")
	fetch(t, m, true)
	same(t, m, origin)
	if !m.Failed(&gitrepo.ReadError{What: i18n.New("read"), Err: errors.New("damaged")}) || !m.Pass() {
		t.Fatal("there was one before")
	}
	r, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	if refs, err := r.Refs(""); err != nil || refs.Commit != before {
		t.Errorf("%+v, %v", refs, err)
	}
	_ = r.Close()
	if m.Pass() {
		t.Error("there was none before that")
	}
	same(t, m, origin)
	fetch(t, m, true)
	same(t, m, origin)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	if all := generations(t, cache); len(all) != 1 {
		t.Errorf("%v is left", all)
	}
	if r := m.Renewal(); r.Count != 1 || r.Why != "read: damaged" || m.Condemned() != "" {
		t.Errorf("%+v, condemned: %q", r, m.Condemned())
	}
	fetch(t, m, false)
}

// login is a fixed list of logins, one for each time it is asked.
type login struct {
	pairs  [][2]string
	asked  int
	judged []bool
}

func (l *login) Login(_ context.Context, _ string, refused bool) (string, string, error) {
	if refused != (l.asked == 1) {
		return "", "", errors.New("asked out of turn")
	}
	pair := l.pairs[min(l.asked, len(l.pairs)-1)]
	l.asked++
	return pair[0], pair[1], nil
}

func (l *login) Judge(_ context.Context, _, _, _ string, accepted bool) {
	l.judged = append(l.judged, accepted)
}

func TestLogin(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	right, wrong, none := [2]string{"anna", "s3cret"}, [2]string{"anna", "s3crets"}, [2]string{}
	for name, c := range map[string]struct {
		pairs  [][2]string
		judged []bool
		ok     bool
	}{
		"right":                      {[][2]string{right}, []bool{true}, true},
		"none, then right":           {[][2]string{none, right}, []bool{true}, true},
		"an old one, then right":     {[][2]string{wrong, right}, []bool{false, true}, true},
		"none":                       {[][2]string{none}, nil, false},
		"wrong, asked only once":     {[][2]string{wrong}, []bool{false}, false},
		"wrong, then wrong in other": {[][2]string{wrong, {"anna", "x"}}, []bool{false, false}, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := overHTTP(t, origin.dir+"/.git", signIn("anna", "s3cret"))
			l := &login{pairs: c.pairs}
			r.Login = l
			_, err := openMirror(t, r).Fetch(t.Context())
			if c.ok != (err == nil) || !slices.Equal(l.judged, c.judged) {
				t.Errorf("%v, judged %v", err, l.judged)
			}
			if err != nil {
				says := "RULESTORE_GIT_USERNAME"
				if len(c.judged) > 0 { // they are set
					says = "refuses the login that is set"
				}
				mustFail(t, err, "authentication required", says)
				if strings.Contains(err.Error(), "s3cret") {
					t.Error("the error gives the password away")
				}
			}
		})
	}
	t.Run("in the clear", func(t *testing.T) {
		r := remote(t, "http://rules.example.org/rules.git")
		r.Login = &login{pairs: [][2]string{right}}
		_, err := openMirror(t, r).Fetch(t.Context())
		mustFail(t, err, "anybody on the way could read it: use https")
	})
}

// A generation with a damaged object is read and kept until there is another, which
// shares nothing with it, though the remote has nothing new.
func TestRenew(t *testing.T) {
	origin := newRepo(t)
	origin.put("guidelines/a.yaml", strings.Repeat("rule\n", 100))
	origin.put("guidelines/b.yaml", "2\n")
	cache := t.TempDir()
	m := openMirrorIn(t, cache, overFile(t, origin.dir))
	fetch(t, m, true)
	same(t, m, origin)
	before := generations(t, cache)
	if !m.Failed(gitrepo.ErrDamaged) {
		t.Error("it is not fetched anew")
	}
	if now := generations(t, cache); !slices.Equal(now, before) {
		t.Errorf("%v became %v", before, now)
	}
	fetch(t, m, true)
	same(t, m, origin)
	now := generations(t, cache)
	if len(now) != 2 {
		t.Fatalf("%v", now)
	}
	packs := func(generation string) []string {
		all, err := filepath.Glob(filepath.Join(generation, "objects/pack/*.pack"))
		if err != nil || len(all) != 1 {
			t.Fatal(all, err)
		}
		return all
	}
	if sameFile(t, packs(now[0])[0], packs(now[1])[0]) {
		t.Error("they share the pack")
	}
	if err := m.Keep(); err != nil || len(generations(t, cache)) != 1 {
		t.Errorf("%v, %v", generations(t, cache), err)
	}
	fetch(t, m, false)
}

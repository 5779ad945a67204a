package gitrepo_test

import (
	"context"
	"errors"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"syscall"
	"testing"

	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/gitrepo"
)

// bareOf makes a bare copy of a repository to push to.
func bareOf(t *testing.T, origin *repo) string {
	t.Helper()
	bare := filepath.Join(t.TempDir(), "rules.git")
	origin.git("clone", "--quiet", "--mirror", origin.dir, bare)
	return bare
}

// A change that is undone and made again comes in the very pack that is here already.
func TestUndoneAndMadeAgain(t *testing.T) {
	for name, over := range map[string]func(testing.TB, string) gitrepo.Remote{
		"https": func(t testing.TB, dir string) gitrepo.Remote { return overHTTP(t, dir, nil) },
		"file":  overFile,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := newRepo(t)
			origin.put("guidelines/a.yaml", "1\n")
			first := origin.oid("HEAD")
			bare := bareOf(t, origin)
			served := origin.beside(bare)
			m := openMirror(t, over(t, bare))
			step := func(changed bool) {
				t.Helper()
				origin.git("push", "--quiet", "--mirror", bare)
				fetch(t, m, changed)
				same(t, m, served)
				if err := m.Keep(); err != nil {
					t.Fatal(err)
				}
			}
			step(true)
			origin.put("guidelines/a.yaml", "2\n")
			second := origin.oid("HEAD")
			for range 3 {
				origin.git("reset", "--quiet", "--hard", second.String())
				step(true)
				origin.git("reset", "--quiet", "--hard", first.String())
				step(true)
			}
			origin.git("tag", "-a", "-m", "one", "guidelines/a/v1.0.0")
			tag := origin.oid("guidelines/a/v1.0.0")
			for range 3 {
				origin.git("update-ref", "refs/tags/guidelines/a/v1.0.0", tag.String())
				step(true)
				origin.git("tag", "-d", "guidelines/a/v1.0.0")
				step(true)
			}
			step(false)
			if r := m.Renewal(); r.Count != 0 {
				t.Errorf("everything was fetched again: %+v", r)
			}
		})
	}
}

// Whatever is wrong with the files of a mirror, that is seen before the next fetch, which
// goes on from nothing then.
func TestIntact(t *testing.T) {
	write := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, g string) {
			file := filepath.Join(g, name)
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
				os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	change := func(pattern string, how func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, g string) {
			files, err := filepath.Glob(filepath.Join(g, pattern))
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			raw, err := os.ReadFile(files[0])
			if err != nil {
				t.Fatal(err)
			}
			_ = os.Remove(files[0])
			if raw = how(raw); raw != nil {
				write("", string(raw))(t, files[0])
			}
		}
	}
	half := func(b []byte) []byte { return b[:len(b)/2] }
	zeros := func(b []byte) []byte { return make([]byte, len(b)) }
	gone := func([]byte) []byte { return nil }
	cases := map[string]func(*testing.T, string){
		"a loose ref":         write("refs/heads/main", strings.Repeat("1", 40)+"\n"),
		"a loose object":      write("objects/12/"+strings.Repeat("3", 38), "x"),
		"a list of borrowed":  write("objects/info/alternates", "/nowhere\n"),
		"a shallow list":      write("shallow", strings.Repeat("1", 40)+"\n"),
		"a common folder":     write("commondir", "..\n"),
		"no folder of refs":   func(t *testing.T, g string) { _ = os.RemoveAll(filepath.Join(g, "refs")) },
		"no objects":          func(t *testing.T, g string) { _ = os.RemoveAll(filepath.Join(g, "objects")) },
		"a file in its place": func(t *testing.T, g string) { _ = os.RemoveAll(g); write("", "x")(t, g) },
		"a link to nothing": func(t *testing.T, g string) {
			_ = os.RemoveAll(g)
			if err := os.Symlink(g+".gone", g); err != nil {
				t.Fatal(err)
			}
		},
		"nothing in its place": func(t *testing.T, g string) { _ = os.RemoveAll(g) },
	}
	for file, pattern := range map[string]string{"pack": "objects/pack/*.pack", "index": "objects/pack/*.idx",
		"packed-refs": "packed-refs",
		"HEAD":        "HEAD", "config": "config", "inventory": "rulestore-inventory"} {
		cases["half of the "+file] = change(pattern, half)
		cases["zeros for the "+file] = change(pattern, zeros)
		cases["no "+file] = change(pattern, gone)
	}
	for name, damage := range cases {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := newRepo(t)
			origin.put("guidelines/a.yaml", strings.Repeat("rule\n", 100))
			cache := t.TempDir()
			m := openMirrorIn(t, cache, overFile(t, origin.dir))
			fetch(t, m, true)
			same(t, m, origin)
			if err := errors.Join(m.Keep(), m.Intact()); err != nil {
				t.Fatal(err)
			}
			damage(t, generations(t, cache)[0])
			if err := m.Intact(); err == nil {
				t.Error("nobody sees it")
			}
			fetch(t, m, true)
			same(t, m, origin)
			if err := errors.Join(m.Intact(), m.Keep()); err != nil {
				t.Error(err)
			}
			if r := m.Renewal(); r.Count != 1 || r.Why == "" || r.At.IsZero() {
				t.Errorf("%+v", r)
			}
			if all := generations(t, cache); len(all) != 1 {
				t.Errorf("%v is left", all)
			}
			fetch(t, m, false)
		})
	}
}

// Files that a killed git leaves beside others change nothing.
func TestLocksLeftBehind(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache := t.TempDir()
	m := openMirrorIn(t, cache, overFile(t, origin.dir))
	fetch(t, m, true)
	for _, name := range []string{"HEAD.lock", "packed-refs.lock", "config.lock", "refs/heads/main.lock"} {
		if err := os.WriteFile(filepath.Join(generations(t, cache)[0], name), nil, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	same(t, m, origin)
	fetch(t, m, false)
}

// What fails twice over the same generation is tried from nothing, once; a crash and a
// shortage are nobody's fault.
func TestFailedTwice(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	m := openMirror(t, overFile(t, origin.dir))
	fetch(t, m, true)
	same(t, m, origin)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	origin.put("a.yaml", "2\n")
	fetch(t, m, true)
	same(t, m, origin)
	for _, err := range []error{crash.Of("a defect"), context.Canceled,
		&os.PathError{Op: "open", Err: syscall.EMFILE}} {
		for range 3 {
			if m.Failed(err) {
				t.Errorf("%v condemns it", err)
			}
		}
	}
	unfit := errors.New("rulestore.yaml is not valid")
	if m.Failed(unfit) {
		t.Error("condemned after the first failure")
	}
	if !m.Failed(unfit) || m.Condemned() != unfit.Error() {
		t.Errorf("after the second: %q", m.Condemned())
	}
	fetch(t, m, true)
	same(t, m, origin)
	unread := &gitrepo.ReadError{What: i18n.New("read"), Err: unfit}
	for _, err := range []error{unfit, unfit, unfit, unread} {
		if m.Failed(err) {
			t.Errorf("what has just come is condemned again, by %v", err)
		}
	}
	fetch(t, m, false)
}

// A number that nobody would have reached by counting is no obstacle.
func TestGenerationNumbers(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache, r := t.TempDir(), overFile(t, origin.dir)
	m := openMirrorIn(t, cache, r)
	fetch(t, m, true)
	if err := errors.Join(m.Close(), os.Mkdir(filepath.Join(m.Folder(), "99999999.git"), 0o755)); err != nil {
		t.Fatal(err)
	}
	m = openMirrorIn(t, cache, r)
	fetch(t, m, true)
	same(t, m, origin)
	if err := errors.Join(m.Keep(), m.Close()); err != nil {
		t.Fatal(err)
	}
	if all := generations(t, cache); len(all) != 1 || !slices.Contains(all,
		filepath.Join(m.Folder(), "100000000.git")) {
		t.Errorf("there is %v", all)
	}
	m = openMirrorIn(t, cache, r)
	same(t, m, origin)
	fetch(t, m, false)
}

// What stands where the mirror's folder or its lock should is no obstacle either.
func TestMirrorMakesRoom(t *testing.T) {
	origin := newRepo(t)
	origin.put("a.yaml", "1\n")
	cache, r := t.TempDir(), overFile(t, origin.dir)
	m := openMirrorIn(t, cache, r)
	if err := errors.Join(m.Close(), os.RemoveAll(m.Folder()),
		os.WriteFile(m.Folder(), []byte("x"), 0o644)); err != nil {
		t.Fatal(err)
	}
	m = openMirrorIn(t, cache, r)
	fetch(t, m, true)
	lock := filepath.Join(m.Folder(), "lock")
	if err := errors.Join(m.Close(), os.Remove(lock), os.MkdirAll(filepath.Join(lock, "x"), 0o755)); err != nil {
		t.Fatal(err)
	}
	m = openMirrorIn(t, cache, r)
	same(t, m, origin)
	fetch(t, m, false)
}

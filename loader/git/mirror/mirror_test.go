package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"net/http"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"
	"time"

	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
)

// A mirror has what the remote has, over every transport, whatever happens there.
func TestFetch(t *testing.T) {
	for name, over := range map[string]func(*repo) mirror.Remote{
		"https": (*repo).overHTTP,
		"file":  (*repo).overFile,
		"ssh":   func(r *repo) mirror.Remote { return overSSH(r) },
		"dumb":  func(r *repo) mirror.Remote { return serve(r, dumb(r)) },
		"a slash at the end": func(r *repo) mirror.Remote {
			over := r.overHTTP()
			return remote(r, over.Address.String()+"/")
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin := newRepo(t)
			r := over(origin)
			m := open(t, t.TempDir(), r)
			if _, err := m.Open(); !errors.Is(err, mirror.ErrNotFetched) {
				t.Errorf("before the first fetch: %v", err)
			}
			step := func(changed bool) {
				t.Helper()
				fetch(t, m, changed)
				same(t, m, origin)
			}
			step(true)
			step(false)
			origin.put("2\n")
			origin.git("tag", "v1")
			step(true)
			origin.git("tag", "-d", "v1")
			origin.git("tag", "v1/a") // where v1 was
			step(true)
			origin.git("branch", "other")
			origin.git("symbolic-ref", "HEAD", "refs/heads/other")
			step(true)
			origin.git("symbolic-ref", "HEAD", "refs/heads/main")
			origin.git("reset", "--quiet", "--hard", "HEAD~1") // rewritten
			step(true)
			origin.git("checkout", "--quiet", "--detach")
			fetch(t, m, false) // main is at the same commit
			origin.git("update-ref", "refs/pull/1/head", "other")
			fetch(t, m, false)
		})
	}
}

// dumb serves the files of a repository, as any server of files does.
func dumb(r *repo) http.Handler {
	files := http.StripPrefix("/rules.git", http.FileServer(http.Dir(filepath.Join(r.dir, ".git"))))
	return http.HandlerFunc(func(w http.ResponseWriter, req *http.Request) {
		r.git("update-server-info")
		files.ServeHTTP(w, req)
	})
}

// What is served stays as it was until somebody says otherwise, for this process and the next, and git keeps its
// objects: also when they are collected, and in a fetch into an empty folder.
func TestServed(t *testing.T) {
	for name, renew := range map[string]bool{"collected": false, "renewed": true} {
		t.Run(name, func(t *testing.T) {
			origin, cache := newRepo(t), t.TempDir()
			m := open(t, cache, origin.overFile())
			fetch(t, m, true)
			want := state(t, m)
			if err := m.Serve(); err != nil {
				t.Fatal(err)
			}
			origin.git("tag", "-d", "guidelines/a/v1.0.0")
			origin.git("commit", "--quiet", "--amend", "-m", "rewritten")
			if renew {
				m.Failed(&git.ReadError{What: i18n.New("read"), Err: errors.New("damaged")})
			}
			fetch(t, m, true)
			same(t, m, origin)
			gitIn(t, filepath.Join(m.Folder(), "repo.git"), "gc", "--quiet", "--prune=now")
			for range 2 { // the second time in another process
				m.Select(true)
				if got := state(t, m); got != want {
					t.Errorf("%s is served, not %s", got, want)
				}
				_ = m.Close()
				m = open(t, cache, origin.overFile())
			}
			if err := m.Serve(); err != nil {
				t.Fatal(err)
			}
			if m.Select(true); state(t, m) == want {
				t.Error("what is served cannot change")
			}
		})
	}
}

func gitIn(t testing.TB, dir string, args ...string) string {
	t.Helper()
	return (&repo{t, dir}).git(args...)
}

// corruptions are what may become of a mirror's files. repo.git is what git works on.
func corruptions() map[string]func(t *testing.T, dir string) {
	each := func(pattern string, change func([]byte) []byte) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			files, err := filepath.Glob(filepath.Join(dir, pattern))
			if err != nil || len(files) == 0 {
				t.Fatal(files, err)
			}
			for _, file := range files {
				raw, err := os.ReadFile(file)
				if err = errors.Join(err, os.Remove(file)); err != nil {
					t.Fatal(err)
				}
				if raw = change(raw); raw != nil {
					if err := os.WriteFile(file, raw, 0o644); err != nil {
						t.Fatal(err)
					}
				}
			}
		}
	}
	gone := func([]byte) []byte { return nil }
	half := func(b []byte) []byte { return b[:len(b)/2] }
	zeros := func(b []byte) []byte { return make([]byte, len(b)) }
	write := func(name, text string) func(*testing.T, string) {
		return func(t *testing.T, dir string) {
			file := filepath.Join(dir, name)
			_, _ = os.RemoveAll(file), os.Remove(filepath.Dir(file)) // that may be a file
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
				os.WriteFile(file, []byte(text), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
	}
	remove := func(name string) func(*testing.T, string) {
		return func(t *testing.T, dir string) { _ = os.RemoveAll(filepath.Join(dir, name)) }
	}
	return map[string]func(*testing.T, string){
		"no HEAD":                     remove("repo.git/HEAD"),
		"no config":                   remove("repo.git/config"),
		"a config of another format":  write("repo.git/config", "[extensions]\n\trefstorage = reftable\n"),
		"no packed-refs":              remove("repo.git/packed-refs"),
		"half of packed-refs":         each("repo.git/packed-refs", half),
		"no refs":                     remove("repo.git/refs"),
		"a loose ref of nothing":      write("repo.git/refs/incoming/heads/main", ""),
		"a ref to what is not there":  write("repo.git/refs/incoming/heads/main", strings.Repeat("1", 40)+"\n"),
		"no pack":                     each("repo.git/objects/pack/*.pack", gone),
		"half of a pack":              each("repo.git/objects/pack/*.pack", half),
		"zeros for a pack":            each("repo.git/objects/pack/*.pack", zeros),
		"no index":                    each("repo.git/objects/pack/*.idx", gone),
		"half of an index":            each("repo.git/objects/pack/*.idx", half),
		"no objects":                  remove("repo.git/objects"),
		"a file in place of objects":  write("repo.git/objects", "x"),
		"a list of shallow commits":   write("repo.git/shallow", strings.Repeat("1", 40)+"\n"),
		"objects borrowed of nobody":  write("repo.git/objects/info/alternates", "/nowhere/objects\n"),
		"locks left behind":           write("repo.git/refs/incoming/heads/main.lock", ""),
		"nothing in its place":        remove("repo.git"),
		"a file in its place":         write("repo.git", "x"),
		"no refs of what has arrived": remove("incoming"),
		"half of what has arrived":    each("incoming", half),
		"no refs of what is served":   remove("served"),
		"a killed replacement": func(t *testing.T, dir string) {
			if err := os.Rename(filepath.Join(dir, "repo.git"), filepath.Join(dir, "old.git")); err != nil {
				t.Fatal(err)
			}
		},
	}
}

// Whatever becomes of a mirror's files, a few fetches later it has what the remote has.
func TestCorruptions(t *testing.T) {
	for name, corrupt := range corruptions() {
		for _, news := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s/news=%t", name, news), func(t *testing.T) {
				t.Parallel()
				origin, cache := newRepo(t), t.TempDir()
				m := open(t, cache, origin.overFile())
				fetch(t, m, true)
				if err := m.Serve(); err != nil {
					t.Fatal(err)
				}
				_ = m.Close()
				corrupt(t, m.Folder())
				if news {
					origin.put("2\n")
				}
				m = open(t, cache, origin.overFile())
				readable := func() (err error) {
					_, err = m.Fetch(t.Context())
					if err != nil {
						return err
					}
					repo, err := m.Open()
					if err != nil {
						return err
					}
					defer repo.Close()
					refs, err := repo.Refs("")
					if err == nil {
						_, err = git.NewWalker(func(string, git.Mode) bool { return true }).History(
							repo, refs.Commit, nil)
					}
					if err == nil && len(refs.Tags) > 0 {
						_, err = repo.Tag(refs.Tags[0].OID)
					}
					return err
				}
				for i := 0; ; i++ {
					err := readable()
					if err == nil {
						break
					}
					m.Failed(err)
					if t.Log(err); i == 4 {
						t.Fatal("it does not heal")
					}
				}
				same(t, m, origin)
				gitIn(t, filepath.Join(m.Folder(), "repo.git"), "fsck", "--full", "--strict")
			})
		}
	}
}

// What has lost files of git alone is served without the remote; what has arrived since, which may be held back,
// never takes its place.
func TestServedWithoutTheRemote(t *testing.T) {
	for name, corrupt := range corruptions() {
		switch name {
		case "no pack", "half of a pack", "zeros for a pack", "no index", "half of an index", "no objects",
			"a file in place of objects", "nothing in its place", "a file in its place", "no refs of what is served":
			continue // what is served is lost
		}
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			origin, cache := newRepo(t), t.TempDir()
			r := origin.overFile()
			m := open(t, cache, r)
			fetch(t, m, true)
			want := state(t, m)
			if err := m.Serve(); err != nil {
				t.Fatal(err)
			}
			origin.git("checkout", "--quiet", "-b", "other")
			origin.put("2\n")
			fetch(t, m, true)
			_ = m.Close()
			corrupt(t, m.Folder())
			m = open(t, cache, r)
			m.Select(true)
			if got := state(t, m); got != want {
				t.Errorf("%s is served, not %s", got, want)
			}
		})
	}
}

// Only what cannot be read is fetched anew, and not again and again.
func TestFailed(t *testing.T) {
	origin := newRepo(t)
	m := open(t, t.TempDir(), origin.overFile())
	fetch(t, m, true)
	for _, err := range []error{
		crash.Of("a defect"), context.Canceled, &os.PathError{Op: "open", Err: syscall.EMFILE},
		errors.New("rulestore.yaml is not valid"),
	} {
		if m.Failed(err) {
			t.Errorf("%v condemns it", err)
		}
	}
	unreadable := &git.ReadError{What: i18n.New("read"), Err: errors.New("damaged")}
	if !m.Failed(unreadable) || m.Renewal().Next != "read: damaged" {
		t.Errorf("condemned: %q", m.Renewal().Next)
	}
	fetch(t, m, true)
	same(t, m, origin)
	if r := m.Renewal(); r.Count != 1 || r.Why != "read: damaged" || r.Next != "" {
		t.Errorf("%+v", r)
	}
	if m.Failed(unreadable) {
		t.Error("what has just come is condemned again")
	}
	fetch(t, m, false)
}

// What the remote agreed to last is known to the next process.
func TestAgreed(t *testing.T) {
	origin, cache := newRepo(t), t.TempDir()
	m := open(t, cache, origin.overFile())
	if !m.Agreed().IsZero() {
		t.Error("it agreed to nothing")
	}
	at := time.Now().Add(-time.Hour).Truncate(time.Second)
	m.Agree(at)
	_ = m.Close()
	if m = open(t, cache, origin.overFile()); !m.Agreed().Equal(at) {
		t.Errorf("%s, not %s", m.Agreed(), at)
	}
}

// Two processes never write to one mirror, and what a killed one left is no obstacle.
func TestPlace(t *testing.T) {
	origin, cache := newRepo(t), t.TempDir()
	m := open(t, cache, origin.overFile())
	over := errors.New("the patience is over")
	ctx, cancel := context.WithTimeoutCause(t.Context(), 100*time.Millisecond, over)
	defer cancel()
	for range 2 { // while it waits, and with a context that has ended
		_, err := mirror.Open(ctx, cache, origin.overFile())
		mustFail(t, err, over.Error())
	}
	fresh := filepath.Join(m.Folder(), "new.git")
	if err := errors.Join(m.Close(), os.WriteFile(fresh, nil, 0o644)); err != nil {
		t.Fatal(err)
	}
	m = open(t, cache, origin.overFile())
	m.Failed(&git.ReadError{What: i18n.New("read"), Err: errors.New("damaged")})
	fetch(t, m, true)
	if _, err := os.Stat(fresh); !errors.Is(err, fs.ErrNotExist) {
		t.Error("what a killed process left is still there")
	}
}

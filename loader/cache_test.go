package loader_test

import (
	"crypto/sha256"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// author is a work tree whose files are checked against their formats a number of times.
type author struct {
	*testing.T
	dir    string
	checks atomic.Int64
}

// newAuthor has a few items, published and sealed.
func newAuthor(t *testing.T) *author {
	t.Helper()
	r := newRepo(t)
	for i := range 5 {
		id := fmt.Sprintf("test.rule-%d.001", i)
		r.edit(id, "= Правило")
		r.tag(id, "1.0.0")
	}
	r.edit("test.rule-1.001", "= Правило иначе")
	r.seal()
	return &author{T: t, dir: r.dir}
}

func (a *author) store() string { return filepath.Join(a.dir, ".git", "rulestore") }

// counting are schemas that count how often something is checked against them.
type counting struct {
	content.Schemas
	checks *atomic.Int64
}

func (c counting) Schema(folder, format string) content.Schema {
	if s := c.Schemas.Schema(folder, format); s != nil {
		return countingSchema{s, c.checks}
	}
	return nil
}

type countingSchema struct {
	content.Schema
	checks *atomic.Int64
}

func (c countingSchema) Validate(value any) []content.Violation {
	c.checks.Add(1)
	return c.Schema.Validate(value)
}

func program(name string) [sha256.Size]byte { return sha256.Sum256([]byte(name)) }

// judged validates the work tree, and tells everything that is known of it.
func (a *author) judged(cache *loader.Cache) string {
	a.Helper()
	c := loader.Config{
		Source: git.OnDisk(a.dir), Schemas: counting{schemas.Embedded(), &a.checks}, Cache: cache,
		Now: func() time.Time { return time.Date(2026, 11, 22, 12, 0, 0, 0, time.UTC) },
	}
	repo, err := c.Source.Open()
	if err != nil {
		a.Fatal(err)
	}
	defer repo.Close()
	tree, err := loader.ReadCheckout(c, repo, a.dir)
	if err != nil {
		a.Fatal(err)
	}
	l := loader.New(c)
	r, err := l.Load(a.Context())
	said := described(a.T, r, err)
	l.CheckTree(tree, r.Snapshot)
	tree.Today = "2026-11-22"
	tree.Review(c.Schemas)
	var b strings.Builder
	for _, f := range tree.Findings {
		fmt.Fprintf(&b, "%+v\n", f)
	}
	for _, f := range tree.Items {
		fmt.Fprintln(&b, f.Item(), string(f.Body.AppendJSON(nil)), f.References, f.OK())
		for _, n := range f.Names(c.Schemas) {
			line, column := f.Position(n.Pointer...)
			fmt.Fprintln(&b, n, line, column, f.Value(n.Pointer...), f.Pointer(line, column))
		}
	}
	return b.String() + said
}

// expectSame validates with a cache and without.
func (a *author) expectSame(cache *loader.Cache) {
	a.Helper()
	a.expect(a.judged(nil), cache)
}

// expect validates with a cache.
func (a *author) expect(want string, cache *loader.Cache) {
	a.Helper()
	if got := a.judged(cache); got != want {
		a.Fatalf("with the cache, and without:\n%s", firstDifference(got, want))
	}
}

func firstDifference(got, want string) string {
	g, w := strings.Split(got, "\n"), strings.Split(want, "\n")
	for i := range min(len(g), len(w)) {
		if g[i] != w[i] {
			return g[i] + "\n" + w[i]
		}
	}
	return fmt.Sprintf("%d and %d lines", len(g), len(w))
}

// files lists the files of items.
func (a *author) files() []string {
	a.Helper()
	found, err := filepath.Glob(filepath.Join(a.dir, "*", "*.yaml"))
	if err != nil {
		a.Fatal(err)
	}
	return found
}

// A file is checked once by one program, in all of its runs, and again by another one.
func TestCacheSavesChecks(t *testing.T) {
	a := newAuthor(t)
	git := filepath.Join(a.dir, ".git")
	run := func(cache *loader.Cache) int64 {
		t.Helper()
		before := a.checks.Load()
		a.judged(cache)
		if err := cache.Save(); err != nil {
			t.Fatal(err)
		}
		return a.checks.Load() - before
	}
	items := int64(len(a.files()))
	roots := run(loader.OpenCache(git, program("this"))) // items, and files of the root
	if again := run(loader.OpenCache(git, program("this"))); again > roots-items {
		t.Errorf("%d checks, and %d by the next run, of %d items", roots, again, items)
	} else if other := run(loader.OpenCache(git, program("other"))); other != roots {
		t.Errorf("another program makes %d checks, the first made %d", other, roots)
	}
	memory := loader.NewCache()
	if first := run(memory); first != roots {
		t.Errorf("%d checks in memory, %d expected", first, roots)
	}
	if err := os.RemoveAll(a.store()); err != nil {
		t.Fatal(err)
	}
	if anew := run(loader.OpenCache(git, program("this"))); anew != roots {
		t.Errorf("%d checks after the cache was deleted, %d expected", anew, roots)
	}
}

// A published file that was checked is not read again: nothing is missed when it is gone.
func TestCacheSavesReads(t *testing.T) {
	a := newAuthor(t)
	git := filepath.Join(a.dir, ".git")
	cache := loader.OpenCache(git, program("this"))
	want := a.judged(cache)
	if err := cache.Save(); err != nil {
		t.Fatal(err)
	}
	r := &repo{T: t, dir: a.dir}
	blob := r.git("rev-parse", "guidelines/test.rule-1.001/v1.0.0:guidelines/test.rule-1.001.yaml")
	if err := os.Remove(filepath.Join(git, "objects", blob[:2], blob[2:])); err != nil {
		t.Fatal(err)
	}
	if got := a.judged(loader.OpenCache(git, program("this"))); got != want {
		t.Error(firstDifference(got, want))
	}
	if got := a.judged(loader.OpenCache(git, program("other"))); !strings.Contains(got, "damaged") {
		t.Errorf("another program does not read it:\n%s", got)
	}
}

// Where nothing can be written, there is no cache.
func TestCacheNowhere(t *testing.T) {
	a := newAuthor(t)
	for name, put := range map[string]func(dir string) error{
		"a file in its place":           func(dir string) error { return os.WriteFile(dir, nil, 0o644) },
		"a link that leaves the folder": func(dir string) error { return os.Symlink(a.TempDir(), dir) },
		"a link to nothing":             func(dir string) error { return os.Symlink("nothing", dir) },
	} {
		t.Run(name, func(t *testing.T) {
			if err := os.RemoveAll(a.store()); err != nil {
				t.Fatal(err)
			}
			if err := put(a.store()); err != nil {
				t.Fatal(err)
			}
			cache := loader.OpenCache(filepath.Join(a.dir, ".git"), program("this"))
			a.expectSame(cache)
			if err := cache.Save(); err == nil {
				t.Error("nobody is told")
			}
		})
	}
	cache := loader.OpenCache(filepath.Join(a.dir, "nowhere"), program("this"))
	a.expectSame(cache)
	if err := cache.Save(); err == nil {
		t.Error("nobody is told that there is no git directory")
	}
}

// Programs that run at once leave a cache that is whole, and nothing else.
func TestCacheOfManyPrograms(t *testing.T) {
	a := newAuthor(t)
	git := filepath.Join(a.dir, ".git")
	stale := filepath.Join(a.store(), "new-LEFT")
	if err := os.MkdirAll(a.store(), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(stale, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.Chtimes(stale, time.Time{}, time.Now().Add(-2*time.Hour)); err != nil {
		t.Fatal(err)
	}
	want := a.judged(nil)
	var wg sync.WaitGroup
	for i := range 6 {
		wg.Go(func() {
			cache := loader.OpenCache(git, program(fmt.Sprint(i%2)))
			if got := a.judged(cache); got != want {
				t.Error(firstDifference(got, want))
			}
			if err := cache.Save(); err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	err := filepath.WalkDir(a.store(), func(path string, e fs.DirEntry, err error) error {
		if err == nil && !e.IsDir() && !strings.HasPrefix(e.Name(), "checked-") {
			t.Errorf("%s is left", path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}

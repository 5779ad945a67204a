package loader_test

import (
	"crypto/sha256"
	"encoding/binary"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/cespare/xxhash/v2"

	"rulestore/content"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
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

// newAuthorOfMuch has the starter content; in a short run its first releases, which have items of
// most kinds and in several versions.
func newAuthorOfMuch(t *testing.T) *author {
	t.Helper()
	script, err := gitrepo.ReadReleases(starter.Files)
	if testing.Short() {
		script = script[:12]
	}
	a := &author{T: t, dir: filepath.Join(t.TempDir(), "rules")}
	if err != nil || gitrepo.Create(a.dir, script) != nil {
		t.Fatal(err)
	}
	return a
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
		Source: gitrepo.OnDisk(a.dir), Schemas: counting{schemas.Embedded(), &a.checks}, Cache: cache,
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

// What is found does not depend on what was found before, whatever authors do to files
// between one run and the next.
func TestCacheChangesNothing(t *testing.T) {
	large(t)
	a := newAuthorOfMuch(t)
	random := rand.New(rand.NewPCG(16, 17))
	edits := []func(text string) string{
		func(s string) string { return strings.Replace(s, "title: ", "title: Иначе ", 1) },
		func(s string) string { return strings.Replace(s, "\n", "   \n", 1) }, // style
		func(s string) string { return strings.ReplaceAll(s, "\n", "\r\n") },  // style
		func(s string) string { return s + "checksum_algorithm: sha256\n" },   // left out
		func(s string) string { return s + "colour: red\n" },                  // unknown field
		func(s string) string { return strings.Replace(s, `schema_version: "1.0"`, "schema_version: 1.0", 1) },
		func(s string) string { return s + "x: &a [1, 01, yes, 1e400, .inf, *a]\n? [k]\n: v\n" },            // no JSON
		func(s string) string { return s + "\t" },                                                           // no YAML
		func(s string) string { return "" },                                                                 // nothing
		func(s string) string { return strings.ReplaceAll(s, "STOP_", "STOPS_") },                           // codes
		func(s string) string { return strings.Replace(s, "title: ", "title: \"Мeню \\u202E**b**\" #", 1) }, // letters
		func(s string) string { return strings.Replace(s, "_id: ", "_id: x", 1) },
	}
	edit := func() {
		all := a.files()
		file, other := all[random.IntN(len(all))], all[random.IntN(len(all))]
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		switch n := random.IntN(len(edits) + 3); n {
		case 0:
			err = os.Remove(file)
		case 1:
			err = os.Rename(file, other)
		case 2:
			err = os.WriteFile(other, raw, 0o644)
		default:
			err = os.WriteFile(file, []byte(edits[n-3](string(raw))), 0o644)
		}
		if err != nil {
			t.Fatal(err)
		}
	}
	published := a.judged(nil)
	for i := range 5 {
		for range 9 {
			edit()
		}
		cache := loader.OpenCache(filepath.Join(a.dir, ".git"), program("this"))
		a.expectSame(cache)
		if err := cache.Save(); err != nil {
			t.Fatal(err)
		}
		if i%2 == 1 { // back to what is published, which is known
			(&repo{T: t, dir: a.dir}).git("checkout", "-q", ".")
			a.expect(published, loader.OpenCache(filepath.Join(a.dir, ".git"), program("this")))
		}
	}
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

// Whatever stands in place of the cache is no reason to find anything else, nor to wait,
// and is replaced.
func TestCacheInBadState(t *testing.T) {
	inTurn(t)
	each := func(do func(t *testing.T, file string)) func(t *testing.T, a *author) {
		return func(t *testing.T, a *author) {
			found, err := filepath.Glob(filepath.Join(a.store(), "checked-*"))
			if err != nil || len(found) == 0 {
				t.Fatal(found, err)
			}
			for _, file := range found {
				do(t, file)
			}
		}
	}
	change := func(edit func(raw []byte) []byte) func(t *testing.T, a *author) {
		return each(func(t *testing.T, file string) {
			raw, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file, edit(raw), 0o644)
			}
			if err != nil {
				t.Fatal(err)
			}
		})
	}
	rehashed := func(edit func(entries []byte) []byte) func(t *testing.T, a *author) {
		return change(func(raw []byte) []byte {
			entries := edit(raw[sha256.Size+8:])
			return append(binary.BigEndian.AppendUint64(raw[:sha256.Size:sha256.Size], xxhash.Sum64(entries)),
				entries...)
		})
	}
	replace := func(put func(file string) error) func(t *testing.T, a *author) {
		return each(func(t *testing.T, file string) {
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			if err := put(file); err != nil {
				t.Skip(err)
			}
		})
	}
	for name, spoil := range map[string]func(t *testing.T, a *author){
		"cut off":                change(func(raw []byte) []byte { return raw[:len(raw)*2/3] }),
		"empty":                  change(func([]byte) []byte { return nil }),
		"a bit turned":           change(func(raw []byte) []byte { raw[len(raw)/2] ^= 1; return raw }),
		"a head turned":          change(func(raw []byte) []byte { raw[0] ^= 1; return raw }),
		"nonsense":               change(func([]byte) []byte { return []byte(strings.Repeat("nonsense", 1000)) }),
		"cut off, with its hash": rehashed(func(e []byte) []byte { return e[:len(e)*2/3] }),
		"zeros, with their hash": rehashed(func(e []byte) []byte { return make([]byte, len(e)) }),
		"bytes set, with a hash": rehashed(func(e []byte) []byte { return []byte(strings.Repeat("\xff", len(e))) }),
		"too large": each(func(t *testing.T, file string) {
			if err := os.Truncate(file, 1<<40); err != nil {
				t.Skip(err)
			}
		}),
		"folders": replace(func(file string) error { return os.MkdirAll(filepath.Join(file, "in"), 0o755) }),
		"links":   replace(func(file string) error { return os.Symlink("/dev/zero", file) }),
		"pipes":   replace(func(file string) error { return syscall.Mkfifo(file, 0o644) }),
	} {
		t.Run(name, func(t *testing.T) {
			a := newAuthor(t)
			git := filepath.Join(a.dir, ".git")
			cache := loader.OpenCache(git, program("this"))
			a.judged(cache)
			if err := cache.Save(); err != nil {
				t.Fatal(err)
			}
			a.checks.Store(0)
			a.judged(loader.OpenCache(git, program("this")))
			known := a.checks.Load()
			spoil(t, a)
			cache = loader.OpenCache(git, program("this"))
			a.expectSame(cache)
			if err := cache.Save(); err != nil {
				t.Fatal(err)
			}
			a.checks.Store(0)
			a.judged(loader.OpenCache(git, program("this")))
			if again := a.checks.Load(); again != known {
				t.Errorf("it is not replaced: %d checks, %d before", again, known)
			}
		})
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

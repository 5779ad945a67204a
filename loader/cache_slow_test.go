//go:build slow

package loader_test

import (
	"crypto/sha256"
	"encoding/binary"
	"hash/crc64"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/git"
)

// newAuthorOfMuch has the starter content.
func newAuthorOfMuch(t *testing.T) *author {
	t.Helper()
	script, err := git.ReadReleases(starter.Files)
	a := &author{T: t, dir: filepath.Join(t.TempDir(), "rules")}
	if err != nil || git.Create(a.dir, script) != nil {
		t.Fatal(err)
	}
	return a
}

// What is found does not depend on what was found before, whatever authors do to files
// between one run and the next.
func TestCacheChangesNothing(t *testing.T) {
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

// Whatever stands in place of the cache is no reason to find anything else, nor to wait,
// and is replaced.
func TestCacheInBadState(t *testing.T) {
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
			return append(binary.BigEndian.AppendUint64(raw[:sha256.Size:sha256.Size], crc64.Checksum(entries, crc64.MakeTable(crc64.ECMA))),
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

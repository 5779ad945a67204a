//go:build slow

package main

import (
	"errors"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// damage changes every file that a pattern finds, and returns what undoes it.
func damage(t *testing.T, pattern string, change func([]byte) []byte) (undo func()) {
	t.Helper()
	files, err := filepath.Glob(pattern)
	if err != nil || len(files) == 0 {
		t.Fatalf("nothing is %s: %v", pattern, err)
	}
	sound := map[string][]byte{}
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		sound[file] = raw
		overwrite(t, file, change(append([]byte(nil), raw...)))
	}
	return func() {
		for file, raw := range sound {
			overwrite(t, file, raw)
		}
	}
}

// overwrite puts another file in the place of one; git's own cannot be written, and
// other repositories may have them by hard links.
func overwrite(t *testing.T, file string, raw []byte) {
	t.Helper()
	if err := errors.Join(os.WriteFile(file+".tmp", raw, 0o644), os.Rename(file+".tmp", file)); err != nil {
		t.Fatal(err)
	}
}

func half(raw []byte) []byte { return raw[:len(raw)/2] }

func scrambled(raw []byte) []byte {
	for i := 20; i < len(raw); i += 7 {
		raw[i] ^= 0x5a
	}
	return raw
}

// Whatever becomes of the repository on disk, what was served goes on being
// served, byte for byte; health says what is wrong; and when the repository is
// whole again, what was published meanwhile comes. A server that starts on a
// damaged repository says so and does not start.
func TestDamagedRepository(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		pack    bool
		pattern string
		change  func([]byte) []byte
	}{
		"a truncated loose object": {false, "objects/[0-9a-f][0-9a-f]/*", half},
		"a scrambled loose object": {false, "objects/[0-9a-f][0-9a-f]/*", scrambled},
		"a truncated pack":         {true, "objects/pack/*.pack", half},
		"a scrambled pack":         {true, "objects/pack/*.pack", scrambled},
		"a truncated index":        {true, "objects/pack/*.idx", half},
		"a scrambled index":        {true, "objects/pack/*.idx", scrambled},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bare, a := newYoung(t)
			s := start(t, "--repo", bare, "--poll", "1s")
			a.retitle(common, "Опубликовано перед бедой")
			a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v8.0.0")
			a.push()
			s.await("the push", func() bool { return s.title(common) == "Опубликовано перед бедой" })
			if c.pack {
				gitIn(t, bare, "gc", "-q", "--prune=now")
			}
			served := s.mustGet("/api/v1/guidelines/"+common+"/versions/8.0.0", "application/json")
			undo := damage(t, filepath.Join(bare, c.pattern), c.change)
			overwrite(t, filepath.Join(bare, "refs/tags/new"), []byte(a.git("rev-parse", "HEAD")+"\n"))
			if err := errors.Join(os.MkdirAll(filepath.Join(bare, "refs/tags/guidelines", common), 0o755),
				os.Rename(filepath.Join(bare, "refs/tags/new"),
					filepath.Join(bare, "refs/tags/guidelines", common, "v8.1.0"))); err != nil {
				t.Fatal(err)
			}
			s.await("bad health", func() bool { return s.health().Status == "degraded" })
			after := s.mustGet("/api/v1/guidelines/"+common+"/versions/8.0.0", "application/json")
			if before, now := fetchedAt.ReplaceAll(served.body, nil),
				fetchedAt.ReplaceAll(after.body, nil); string(before) != string(now) {
				t.Errorf("served was\n%s\nand is\n%s", before, now)
			}
			var out strings.Builder
			if err := run(t.Context(), []string{"serve", "--addr", "127.0.0.1:0", "--repo", bare},
				func(string) string { return "" }, nil, &out, &out); err == nil {
				t.Error("a server started on it")
			}
			t.Log(strings.SplitN(out.String(), "\n", 2)[0])
			undo()
			s.await("the tag that could not be read", func() bool {
				return s.mustGet("/api/v1/guidelines/"+common+"/versions/8.1.0", "application/json").status == 200
			})
			s.await("good health", func() bool { return s.health().Status == "ok" })
		})
	}
}

// A repository that is deleted and put back is served all the while, whether it
// is on this machine or mirrored.
func TestDeletedRepository(t *testing.T) {
	t.Parallel()
	for _, scheme := range []string{"", "file://"} {
		t.Run("at "+scheme, func(t *testing.T) {
			t.Parallel()
			bare, a := newYoung(t)
			s := start(t, "--repo", scheme+filepath.ToSlash(bare), "--cache-dir", t.TempDir(), "--poll", "1s")
			title := s.title(common)
			if err := os.Rename(bare, bare+".gone"); err != nil {
				t.Fatal(err)
			}
			s.await("bad health", func() bool { return s.health().Status == "degraded" })
			if got := s.title(common); got != title {
				t.Errorf("the title is %q, it was %q", got, title)
			}
			if err := os.Rename(bare+".gone", bare); err != nil {
				t.Fatal(err)
			}
			a.retitle(common, "Опубликовано после возвращения")
			a.git("tag", "-a", "-m", "Новое название", "guidelines/"+common+"/v8.0.0")
			a.push()
			s.await("what came after", func() bool { return s.title(common) == "Опубликовано после возвращения" })
			s.await("good health", func() bool { return s.health().Status == "ok" })
		})
	}
}

//go:build slow

package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// mirrorIn is the repository of the mirror in a folder.
func mirrorIn(t *testing.T, cache string) string {
	t.Helper()
	all, err := filepath.Glob(filepath.Join(cache, "*", "repo.git"))
	if err != nil || len(all) != 1 {
		t.Fatal(all, err)
	}
	return all[0]
}

// spoilBlob damages the bytes of a file in the only pack of a repository.
func spoilBlob(t *testing.T, dir, id string) {
	t.Helper()
	packs, err := filepath.Glob(filepath.Join(dir, "objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		t.Fatal(packs, err)
	}
	raw, err := os.ReadFile(packs[0])
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(gitIn(t, dir, "verify-pack", "-v", packs[0])) {
		var kind string
		var size, packed, offset int
		if _, err := fmt.Sscanf(line, id+" %s %d %d %d", &kind, &size, &packed, &offset); err == nil {
			for i := offset + packed/2; i < offset+packed; i++ {
				raw[i] ^= 0x5a
			}
		}
	}
	// git's own cannot be written, and other repositories may have it by a hard link
	if err := errors.Join(os.WriteFile(packs[0]+".tmp", raw, 0o644), os.Rename(packs[0]+".tmp", packs[0])); err != nil {
		t.Fatal(err)
	}
}

// A mirror in which an object is damaged is served, but for what that object is of, and
// fetched anew: nobody has to do anything, and nothing else is missed meanwhile.
func TestDamagedMirrorHeals(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	a.publish("8.0.0", "Опубликовано перед бедой")
	args := []string{"--repo", h.URL + "/rules.git", "--cache-dir", t.TempDir(), "--poll", "1s"}
	s := start(t, args...)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	spoilBlob(t, mirrorIn(t, args[3]), a.git("rev-parse", "HEAD:guidelines/"+common+".yaml"))
	h.away.Store(true)
	s = start(t, args...)
	if got := s.title(common); got == "Опубликовано перед бедой" {
		t.Errorf("the damaged file is served: %q", got)
	}
	if body := string(s.mustGet("/api/v1/health", "*/*").body); !strings.Contains(body, `"damaged"`) ||
		!strings.Contains(body, "guidelines/"+common+"/v8.0.0") {
		t.Errorf("health does not say so: %s", body)
	}
	h.away.Store(false)
	s.await("the publication", func() bool { return s.title(common) == "Опубликовано перед бедой" })
	s.await("good health", func() bool { return s.health().Status == "ok" })
	gitIn(t, mirrorIn(t, args[3]), "fsck", "--full", "--strict")
}

// A mirror that has lost a file of git, but no objects, is served by the next process while the host is away.
func TestMirrorWithoutFilesIsServed(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	h := newHost(t, filepath.Dir(bare))
	a.publish("8.0.0", "Опубликовано перед бедой")
	whole := t.TempDir()
	s := start(t, "--repo", h.URL+"/rules.git", "--cache-dir", whole)
	if err := s.stop(); err != nil {
		t.Fatal(err)
	}
	h.away.Store(true)
	for _, lost := range []string{"repo.git/HEAD", "repo.git/config", "repo.git/packed-refs", "served", "incoming"} {
		t.Run(lost, func(t *testing.T) {
			cache := t.TempDir()
			if err := os.CopyFS(cache, os.DirFS(whole)); err != nil {
				t.Fatal(err)
			}
			file := filepath.Join(filepath.Dir(mirrorIn(t, cache)), filepath.FromSlash(lost))
			if err := os.Remove(file); err != nil {
				t.Fatal(err)
			}
			s := start(t, "--repo", h.URL+"/rules.git", "--cache-dir", cache)
			if got := s.title(common); got != "Опубликовано перед бедой" {
				t.Errorf("%q is served", got)
			}
			if err := s.stop(); err != nil {
				t.Error(err)
			}
		})
	}
}

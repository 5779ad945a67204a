//go:build slow

package gitrepo_test

import (
	"fmt"
	"os"
	"path/filepath"
	"testing"

	"rulestore/loader/gitrepo"
)

// After many fetches all packs are put into one, which git can read, and nothing is asked
// for again: what the remote has no more is still there.
func TestFragments(t *testing.T) {
	origin := newRepo(t)
	m := openMirror(t, overFile(t, origin.dir))
	gone := origin.put("a.yaml", "left behind\n")
	fetch(t, m, true)
	origin.git("commit", "--quiet", "--amend", "--message", "Rewritten")
	most := 0
	for i := range 54 {
		origin.put("a.yaml", fmt.Sprintln(i))
		fetch(t, m, true)
		same(t, m, origin)
		if err := m.Keep(); err != nil {
			t.Fatal(err)
		}
		packs := packsOf(m)
		if most = max(most, len(packs)); i == 53 && len(packs) > 8 {
			t.Errorf("%d packs at the end", len(packs))
		}
	}
	if most != 51 {
		t.Errorf("at most %d packs", most)
	}
	dir := filepath.Dir(filepath.Dir(filepath.Dir(packsOf(m)[0])))
	joined := origin.beside(dir)
	joined.git("cat-file", "-e", gone.String())
	joined.git("fsck", "--full", "--no-dangling")
	for _, pack := range packsOf(m) {
		joined.git("verify-pack", pack)
		joined.gitInput("", "index-pack", "--verify", pack)
	}
}

func packsOf(m *gitrepo.Mirror) []string {
	packs, _ := filepath.Glob(filepath.Join(m.Folder(), "*", "objects", "pack", "*.pack"))
	return packs
}

// A pack that is damaged is not put into a good one: everything is fetched again.
func TestFragmentsOfADamagedMirror(t *testing.T) {
	origin := newRepo(t)
	m := openMirror(t, overFile(t, origin.dir))
	for i := range 51 {
		origin.put("a.yaml", fmt.Sprintln(i))
		fetch(t, m, true)
		same(t, m, origin)
		if err := m.Keep(); err != nil {
			t.Fatal(err)
		}
	}
	packs := packsOf(m)
	if len(packs) != 51 {
		t.Fatalf("%d packs", len(packs))
	}
	raw, err := os.ReadFile(packs[7])
	if err != nil {
		t.Fatal(err)
	}
	raw[len(raw)/2] ^= 1
	if err := os.Chmod(packs[7], 0o644); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(packs[7], raw, 0o644); err != nil {
		t.Fatal(err)
	}
	origin.put("a.yaml", "one more\n")
	fetch(t, m, true)
	same(t, m, origin)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	if packs := packsOf(m); len(packs) != 1 {
		t.Errorf("%d packs", len(packs))
	}
}

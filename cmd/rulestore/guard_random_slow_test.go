//go:build slow

package main

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
)

// Whatever happens to a remote, to its copy and to the process in whatever order, nothing
// that was served is lost while nobody confirms it, and all is well once it is pushed again.
func TestLossesAtRandom(t *testing.T) {
	t.Parallel()
	seed := rand.Uint64()
	w := &walk{T: t, Rand: rand.New(rand.NewPCG(seed, 0)), guardedRemote: newGuarded(t, "8.0.0"),
		served: map[string]string{}}
	w.published, w.good = 1, w.a.git("rev-parse", "HEAD")
	w.open()
	steps := []string{}
	for range times(25, 300) {
		do := slices.Sorted(maps.Keys(w.steps()))[w.IntN(len(w.steps()))]
		steps = append(steps, do)
		w.steps()[do]()
		w.look()
		if t.Failed() {
			t.Fatalf("seed %d, after %s\n%s", seed, strings.Join(steps, ", "), w.polled.log)
		}
	}
	w.restore()
	w.look()
	if h := w.remote.Guard.Decisions().Held; h != nil || w.Current().Snapshot.Commit != w.good {
		t.Errorf("seed %d: in the end %s is served, and held is %+v", seed, w.Current().Snapshot.Commit, h)
	}
	t.Logf("%d losses, restarts and damages at random: nothing that was served was lost", len(steps))
}

// walk is a server on a remote to which things happen.
type walk struct {
	*testing.T
	*rand.Rand
	*guardedRemote
	*polled
	published int
	good      string // the newest commit of the author
	lost      bool   // the remote has less than was published
	served    map[string]string
}

func (w *walk) steps() map[string]func() {
	return map[string]func(){
		"publish": func() {
			if w.lost {
				return
			}
			w.published++
			w.guardedRemote.publish(fmt.Sprintf("8.%d.0", w.published-1))
			w.good = w.a.git("rev-parse", "HEAD")
		},
		"delete a tag": func() {
			tag := fmt.Sprintf("refs/tags/guidelines/%s/v8.%d.0", common, w.IntN(w.published))
			w.lose(":" + tag)
		},
		"go back": func() { w.lose(w.good + "~1:main") },
		"begin anew": func() {
			w.lose(w.a.git("commit-tree", "-m", "anew", w.good+"^{tree}") + ":main")
		},
		"restore": w.restore,
		"restart": func() {
			w.host.away.Store(w.IntN(2) == 0)
			w.polled.Close()
			w.open()
			w.look()
			w.host.away.Store(false)
		},
		"damage": func() {
			if w.lost {
				return // which copies share with what was accepted, and nobody has any more
			}
			names := slices.Sorted(maps.Keys(corruptions()))
			corruptions()[names[w.IntN(len(names))]](w.T, mirrorIn(w.T, w.cache))
		},
	}
}

// open begins a process.
func (w *walk) open() { w.polled = opened(w.T, w.host.URL+"/rules.git", w.cache) }

func (w *walk) lose(what string) {
	w.lost = true
	w.a.git("push", "-q", "-f", "origin", what)
}

// restore pushes again what was published.
func (w *walk) restore() {
	w.lost = false
	w.a.git("push", "-q", "-f", "--tags", "origin", w.good+":main")
}

// look polls, and checks what is served against what was before.
func (w *walk) look() {
	w.Helper()
	for range 3 {
		w.poll()
	}
	now := map[string]string{}
	for _, it := range w.Current().Snapshot.Items {
		for _, e := range it.Entries {
			now[e.Tag()] = e.Checksum
		}
	}
	for tag, sum := range w.served {
		if now[tag] != sum {
			w.Errorf("%s is served with %q, and was with %q", tag, now[tag], sum)
		}
	}
	maps.Copy(w.served, now)
}

//go:build slow

package mirror_test

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git/mirror"
)

// A fetch that hangs ends when it is told to, over every transport, and the next one succeeds.
func TestHangingRemotes(t *testing.T) {
	l := listen(t) // accepts nothing, says nothing
	_, key := newKey(t)
	host, _ := newKey(t)
	silent := func(_ http.ResponseWriter, r *http.Request) { <-r.Context().Done() }
	overSSH := remote(t, "ssh://git@"+l.Addr().String()+"/rules.git")
	overSSH.SSHKey, overSSH.KnownHosts = key, knownHosts(t, l.Addr(), host.PublicKey())
	for name, r := range map[string]mirror.Remote{
		"ssh":   overSSH,
		"https": serve(t, http.HandlerFunc(silent)),
		"in a pack": func() mirror.Remote {
			origin := newRepo(t)
			h := backend(t, filepath.Dir(origin.dir))
			return serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
				rec := httptest.NewRecorder()
				h.ServeHTTP(rec, r)
				for name := range rec.Header() {
					w.Header().Set(name, rec.Header().Get(name))
				}
				if pack := strings.Index(rec.Body.String(), "PACK"); pack >= 0 {
					_, _ = w.Write(rec.Body.Bytes()[:pack+20])
					_ = http.NewResponseController(w).Flush()
					silent(w, r)
					return
				}
				_, _ = w.Write(rec.Body.Bytes())
			}))
		}(),
	} {
		t.Run(name, func(t *testing.T) {
			m := open(t, t.TempDir(), r)
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(700*time.Millisecond, func() { cancel(errors.New("enough")) })
			_, err := m.Fetch(ctx)
			mustFail(t, err, "enough")
		})
	}
}

// Fetches that are ended anywhere leave what is served as it was, and the next one that is not succeeds.
func TestKilledFetches(t *testing.T) {
	origin, cache := newRepo(t), t.TempDir()
	m := open(t, cache, origin.overFile())
	fetch(t, m, true)
	want := state(t, m)
	if err := m.Serve(); err != nil {
		t.Fatal(err)
	}
	for i := range 100 {
		origin.put(fmt.Sprintln(i))
		origin.git("tag", fmt.Sprint("v", i))
		ctx, cancel := context.WithTimeout(t.Context(), time.Duration(rand.IntN(120))*time.Millisecond)
		_, _ = m.Fetch(ctx)
		cancel()
		m.Select(true)
		if got := state(t, m); got != want {
			t.Fatalf("after %d fetches %s is served, not %s", i, got, want)
		}
		if i%10 == 0 {
			_ = m.Close()
			m = open(t, cache, origin.overFile())
		}
	}
	if _, err := m.Fetch(t.Context()); err != nil {
		t.Fatal(err)
	}
	same(t, m, origin)
	gitIn(t, filepath.Join(m.Folder(), "repo.git"), "fsck", "--full", "--strict")
}

// After many fetches git has put the packs into one.
func TestManyFetches(t *testing.T) {
	origin := newRepo(t)
	m := open(t, t.TempDir(), origin.overFile())
	for i := range 60 {
		origin.put(fmt.Sprintln(i))
		fetch(t, m, true)
	}
	same(t, m, origin)
	packs, err := filepath.Glob(filepath.Join(m.Folder(), "repo.git/objects/pack/*.pack"))
	if err != nil || len(packs) > 50 {
		t.Errorf("%d packs, %v", len(packs), err)
	}
}

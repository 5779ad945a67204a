package server_test

import (
	"bytes"
	"context"
	"math/rand/v2"
	"net/http"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
	"rulestore/server"
	"rulestore/server/site"
)

// history loads the repository of all kinds as it was after each of its commits, with one loader, as a
// running process does.
var history = sync.OnceValue(func() []*content.Snapshot {
	var all []*content.Snapshot
	l := loader.New(loader.Config{Schemas: schemas.Embedded(), Now: func() time.Time { return today }})
	script := readScript("testdata/kinds.txtar")
	for n := range script {
		l.Source = must(git.InMemory(script[:n+1]))
		all = append(all, must(l.Load(context.Background())).Snapshot)
	}
	return all
})

// Readers ask while sites are swapped and encoded. Each answer is that of the
// snapshot that it names, from its first header to its last byte.
func TestSwapUnderReaders(t *testing.T) {
	t.Parallel()
	expected := map[string]*site.Site{}
	var paths []string
	for _, snapshot := range history() {
		s := build(nil, snapshot)
		expected[s.ID] = s
		for _, p := range places(s) {
			if !strings.Contains(p.path, "health") && !strings.Contains(p.path, "?") &&
				!strings.HasPrefix(p.path, "/openapi") && !slices.Contains(paths, p.path) {
				paths = append(paths, p.path)
			}
		}
	}
	sites := serving(build(nil, history()[0]))
	encoder := encoding(t, sites.Current())
	c := start(t, server.Config{Sites: sites, Encoder: encoder})

	stop := make(chan struct{})
	var swapper, readers sync.WaitGroup
	swapper.Go(func() {
		for i := 1; ; i++ {
			select {
			case <-stop:
				return
			default:
				next := build(sites.Current(), history()[i%len(history())])
				sites.Store(next)
				encoder.Warm(next)
				time.Sleep(10 * time.Millisecond)
			}
		}
	})
	var mu sync.Mutex
	seen := map[string]int{}
	for reader := range 4 {
		readers.Go(func() {
			random := rand.New(rand.NewPCG(uint64(reader), 1))
			for range 60 {
				coding := []string{"identity", "gzip", "br"}[random.IntN(3)]
				id := consistent(c, expected, paths[random.IntN(len(paths))], coding)
				mu.Lock()
				seen[id]++
				mu.Unlock()
			}
		})
	}
	readers.Wait()
	close(stop)
	swapper.Wait()
	if len(seen) < 2 {
		t.Errorf("nothing was swapped: %v", seen)
	}
}

// consistent asks for a path, compares the answer with the site that it names,
// and returns the name.
func consistent(c client, expected map[string]*site.Site, path, coding string) string {
	r := c.get(path, "Accept-Encoding", coding)
	id := r.header.Get("X-Snapshot")
	s := expected[id]
	if s == nil {
		c.Errorf("%s: unknown snapshot %q", path, id)
		return id
	}
	res := s.Lookup(path)
	if res == nil {
		if r.status != http.StatusNotFound {
			c.Errorf("%s: %d, but %s does not have it", path, r.status, id)
		}
		return id
	}
	if res.Gone != nil {
		if r.status != http.StatusGone {
			c.Errorf("%s: %d, but it is redacted in %s", path, r.status, id)
		}
		return id
	}
	want := res.Representations[0].Ready()
	body, err := unpack(r.header.Get("Content-Encoding"), r.body)
	if err != nil || r.status != http.StatusOK || !bytes.Equal((response{body: body}).blanked(),
		(response{body: want.Body.Bytes}).blanked()) {
		c.Errorf("%s: %d with a body that is not of %s (%v)", path, r.status, id, err)
	}
	for _, h := range want.Headers {
		if !slices.Equal(r.header[h.Name], h.Values) && (h.Name != "Content-Length" ||
			r.header.Get("Content-Encoding") == "") {
			c.Errorf("%s: %s is %q, but %s has %q", path, h.Name, r.header[h.Name], id, h.Values)
		}
	}
	again := c.get(path, "If-None-Match", want.ETag)
	if again.status == http.StatusNotModified && again.header.Get("Etag") != want.ETag {
		c.Errorf("%s: a 304 for another ETag", path)
	}
	return id
}

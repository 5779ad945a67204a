//go:build slow

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
)

// Three processes that follow one remote, each with a mirror of its own, behind a
// proxy: whatever names the same snapshot is the same bytes, whoever answered it,
// before, during and after publications, and in the end all name the same.
func TestReplicas(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	var all []*process
	for range 3 {
		all = append(all, spawn(t, nil, "--repo", "file://"+bare, "--cache-dir", t.TempDir(), "--poll",
			"1s", "--base-url", baseURL))
	}
	proxy := balance(t, all)
	paths := []string{
		"/", "/llms.txt", "/api/v1/guidelines", "/api/v1/checksums", "/api/v1/changelog",
		"/api/v1/guidelines/" + common,
		"/api/v1/guidelines/" + common + "/versions", "/api/v1/guidelines/" + common + "/versions/1.0.0",
		"/api/v1/search?q=1",
	}
	var mu sync.Mutex
	seen, snapshots := map[string]string{}, map[string]bool{} // what each path is in each snapshot
	read := func() error {
		for _, path := range paths {
			for _, accept := range []string{"application/json",
				"text/markdown, application/json;q=0.5, text/plain;q=0.4"} {
				r, err := proxy.get(path, accept)
				if err != nil || r.status != http.StatusOK {
					return fmt.Errorf("%s: %d, %v", path, r.status, err)
				}
				r.header.Del("Date")
				r.header.Del("Connection")
				r.header.Del("Server")
				// the transport drops it with the encoding, which begins in the background
				r.header.Del("Content-Length")
				snapshot := r.header.Get("X-Snapshot")
				key := snapshot + " " + accept + " " + path
				got := fmt.Sprint(r.header) + string(fetchedAt.ReplaceAll(r.body, nil))
				mu.Lock()
				before, ok := seen[key]
				seen[key], snapshots[snapshot] = got, true
				mu.Unlock()
				if ok && before != got {
					return fmt.Errorf("%s of snapshot %s is\n%s\nand\n%s", path, snapshot, before, got)
				}
			}
		}
		return nil
	}
	stop := make(chan struct{})
	var readers sync.WaitGroup
	for range 3 {
		readers.Go(func() {
			for {
				select {
				case <-stop:
					return
				default:
				}
				if err := read(); err != nil {
					t.Error(err)
					return
				}
			}
		})
	}
	for i := range 3 {
		version := fmt.Sprintf("1.%d.0", i+2)
		a.publish(version, "Название "+version)
		proxy.await(version, func() bool {
			ids := map[string]bool{}
			for _, p := range all {
				r := p.mustGet("/api/v1/guidelines/"+common, "*/*")
				if r.header.Get("X-Guideline-Version") != version {
					return false
				}
				ids[r.header.Get("X-Snapshot")] = true
			}
			if len(ids) != 1 {
				t.Errorf("after %s the replicas serve %v", version, ids)
			}
			return true
		})
	}
	close(stop)
	readers.Wait()
	if len(snapshots) < 3 {
		t.Errorf("only %d snapshots were seen: %v", len(snapshots), snapshots)
	}
	t.Logf("%d snapshots; each of %d answers was the same whoever gave it", len(snapshots), len(seen))
}

// balance puts nginx in front of servers, or what Go has where nginx is missing:
// each request goes to the next one.
func balance(t *testing.T, servers []*process) *running {
	t.Helper()
	if _, err := exec.LookPath("nginx"); err == nil {
		config := "upstream replicas {\n"
		for _, p := range servers {
			config += "server " + strings.TrimPrefix(p.url, "http://") + ";\n"
		}
		s, _ := startNginx(t, config+"}\naccess_log off;\nserver { listen 80; location / { proxy_pass "+
			"http://replicas; } }\n")
		return s
	}
	t.Log("nginx is missing: the requests are spread by a proxy of this test")
	var next atomic.Int64
	proxy := httptest.NewServer(&httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			target, err := url.Parse(servers[int(next.Add(1))%len(servers)].url)
			if err != nil {
				t.Error(err)
				return
			}
			r.SetURL(target)
		},
		Transport: client.Transport, // one that asks for no coding: undoing it takes headers away
	})
	t.Cleanup(proxy.Close)
	return &running{T: t, log: &lockedBuffer{}, url: proxy.URL}
}

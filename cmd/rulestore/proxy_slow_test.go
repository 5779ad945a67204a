//go:build slow

package main

import (
	"fmt"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
)

// origin stands between a proxy and the server: what is a minute for others is a
// second here, and it can fail.
type origin struct {
	*httptest.Server
	failing     atomic.Bool
	revalidated atomic.Int64 // answers of 304
}

func newOrigin(t *testing.T, to string) *origin {
	t.Helper()
	target, err := url.Parse(to)
	if err != nil {
		t.Fatal(err)
	}
	o := &origin{}
	proxy := &httputil.ReverseProxy{
		Rewrite: func(r *httputil.ProxyRequest) {
			r.SetURL(target)
			r.Out.Host = r.In.Host
		},
		ModifyResponse: func(res *http.Response) error {
			if res.StatusCode == http.StatusNotModified {
				o.revalidated.Add(1)
			}
			if c := res.Header.Get("Cache-Control"); strings.Contains(c, "max-age=60") {
				res.Header.Set("Cache-Control", strings.NewReplacer("max-age=60", "max-age=1", "while-revalidate=600",
					"while-revalidate=1").Replace(c))
			}
			return nil
		},
	}
	o.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if o.failing.Load() {
			http.Error(w, "out of order", http.StatusInternalServerError)
			return
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(o.Close)
	return o
}

func (o *origin) addr() string { return o.Listener.Addr().String() }

// daemon runs a program in the foreground until the test ends.
func daemon(t *testing.T, log *lockedBuffer, name string, args ...string) {
	t.Helper()
	cmd := exec.Command(name, args...)
	cmd.Stdout, cmd.Stderr = log, log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Signal(os.Interrupt)
		_ = cmd.Wait()
	})
}

// filesOfNginx is the number of files that nginx may have open where nobody says more.
const filesOfNginx = 1024

// startNginx starts nginx with our configuration in front of addresses, and
// returns it and the folder of its logs.
func startNginx(t *testing.T, config string) (*running, string) {
	t.Helper()
	dir, log := t.TempDir(), &lockedBuffer{}
	main := "daemon off;\nmaster_process off;\npid " + dir + "/pid;\nevents {}\nhttp {\n"
	for _, kind := range []string{"client_body", "proxy", "fastcgi", "uwsgi", "scgi"} {
		main += kind + "_temp_path " + filepath.Join(dir, kind) + ";\n"
	}
	addr := freeAddr(t)
	config = strings.ReplaceAll(config, "listen 80;", "listen "+addr+";")
	config = strings.ReplaceAll(config, "/var/log/nginx", dir)
	config = strings.ReplaceAll(config, "/var/cache/nginx", dir)
	if err := os.WriteFile(filepath.Join(dir, "nginx.conf"), []byte(main+config+"}\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	limited := `ulimit -Sn ` + strconv.Itoa(filesOfNginx) + `; exec "$@"`
	daemon(t, log, "sh", "-c", limited, "sh", "nginx", "-p", dir, "-e", filepath.Join(dir, "start.log"), "-c",
		filepath.Join(dir, "nginx.conf"))
	s := &running{T: t, url: "http://" + addr, log: log}
	s.await("nginx", func() bool { _, err := s.get("/healthz", "*/*"); return err == nil })
	return s, dir
}

func need(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is missing: apt-get install nginx caddy prometheus rclone, npm install -g s3rver", p)
		}
	}
}

func TestNginx(t *testing.T) {
	need(t, "nginx")
	t.Parallel()
	bare, a := newYoung(t)
	o := newOrigin(t, spawn(t, nil, "--repo", bare, "--base-url", baseURL).url)
	s, dir := startNginx(t, deployed(t, "nginx/rulestore.conf", "127.0.0.1:8080", o.addr()))
	proxied(t, s, o, a)
	silent(t, dir, s.log)
}

// proxied tries what a cache in front of the service promises.
func proxied(t *testing.T, s *running, o *origin, a *clone) {
	t.Helper()
	const path = "/api/v1/guidelines/" + common
	cache := func(a reply) string { return a.header.Get("X-Cache") }
	get := func(headers ...string) reply {
		t.Helper()
		r := s.ask(path, headers...)
		if r.status == http.StatusOK && r.header.Get("Content-Type") == "application/json" &&
			r.header.Get("Content-Encoding") == "" {
			if err := agree(r); err != nil {
				t.Errorf("through the cache: %v", err)
			}
		}
		return r
	}
	first := get()
	s.await("a hit", func() bool { return cache(get()) == "HIT" })
	if r := get("If-None-Match", first.header.Get("Etag")); r.status != http.StatusNotModified {
		t.Errorf("a copy of the client's own: %d", r.status)
	}
	if r := get("Accept", "text/markdown"); !strings.HasPrefix(r.header.Get("Content-Type"), "text/markdown") {
		t.Errorf("Markdown: %v", r.header)
	}
	if r := get("Accept",
		"text/html,application/xhtml+xml,application/xml;q=0.9,image/avif,image/webp,*/*;q=0.8"); !strings.HasPrefix(r.header.Get("Content-Type"), "text/html") {
		t.Errorf("a browser: %v", r.header)
	}
	// What a cache got before it was compressed it keeps as it is: the ETag is the same.
	origin := &running{T: t, url: o.URL, log: s.log}
	origin.await("compression", func() bool {
		return origin.ask(path, "Accept-Encoding", "gzip").header.Get("Content-Encoding") == "gzip"
	})
	s.await("gzip", func() bool { return get("Accept-Encoding", "gzip").header.Get("Content-Encoding") == "gzip" })
	if r := get("Range", "bytes=0-9"); r.status != http.StatusOK {
		t.Errorf("a part: %d", r.status)
	}
	if r := get("Host", "evil.example"); strings.Contains(string(r.body)+fmt.Sprint(r.header), "evil.example") {
		t.Error("the host of the request is in the answer")
	}
	if r := s.ask("/api/v1/search?q=SECRET"); r.status != http.StatusOK {
		t.Errorf("search: %d", r.status)
	}

	before := o.revalidated.Load()
	s.await("a question by ETag", func() bool { get(); return o.revalidated.Load() > before })
	a.publish("1.2.0", "Через кеш")
	s.await("the new version", func() bool { return get().header.Get("X-Guideline-Version") == "1.2.0" })

	o.failing.Store(true)
	kept(s, get, "while the origin fails")
	if r := s.ask("/api/v1/search?q=SECRET+SECRET"); r.status < 500 {
		t.Errorf("what was never asked for: %d", r.status)
	}
	o.failing.Store(false)
	s.await("the recovery", func() bool { return cache(get()) == "HIT" })
	o.Close()
	kept(s, get, "while nobody listens")
	if r := s.ask("/api/v1/search?q=SECRET+3"); r.status < 500 {
		t.Errorf("what was never asked for: %d", r.status)
	}
}

// silent looks for a query string in everything that a proxy wrote.
func silent(t *testing.T, dir string, log fmt.Stringer) {
	t.Helper()
	all, lines := log.String(), 0
	err := filepath.WalkDir(dir, func(path string, e os.DirEntry, err error) error {
		if err != nil || !strings.HasSuffix(path, ".log") {
			return err
		}
		raw, err := os.ReadFile(path)
		all += string(raw)
		lines += strings.Count(string(raw), "\n")
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	if strings.Contains(all, "SECRET") || strings.Contains(all, "?") {
		t.Errorf("a query string was written:\n%s", all)
	}
	if lines < 20 || !strings.Contains(all, "/api/v1/search") {
		t.Errorf("there is hardly a log:\n%s", all)
	}
}

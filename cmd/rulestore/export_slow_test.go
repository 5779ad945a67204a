//go:build slow

package main

import (
	"errors"
	"net/http"
	"net/http/httptest"
	"net/http/httputil"
	"net/url"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
)

// exported exports a repository; the folder is what a web server is to serve.
func exported(t *testing.T, bare string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "rules")
	if out, err := rulestoreIn(
		t.TempDir(), nil, "export", dir, "--repo", bare, "--base-url", baseURL,
	); err != nil {
		t.Fatal(err, out)
	}
	return dir
}

// checkExport verifies an export as it is served, and how an address is looked up.
func checkExport(t *testing.T, s *running, bare string) {
	t.Helper()
	out, err := rulestoreIn(t.TempDir(), nil, "verify", s.url, "--repo", bare)
	if err != nil || !strings.Contains(out, "serves what was published") {
		t.Fatalf("%v\n%s", err, out)
	}
	for path, want := range map[string]string{
		"/": "application/json", "/api/v1/guidelines/" + common: "application/json",
		"/api/v1/guidelines/" + common + ".md":   "text/markdown; charset=utf-8",
		"/api/v1/guidelines/" + common + ".html": "text/html; charset=utf-8",
		"/openapi.yaml":                          "application/yaml",
	} {
		r := s.mustGet(path, "*/*")
		if got := r.header.Get("Content-Type"); r.status != http.StatusOK || !strings.HasPrefix(got, want[:9]) {
			t.Errorf("%s: %d %s", path, r.status, got)
		}
	}
}

// checkPaths expects that no path leads out of the folder of an export.
func checkPaths(t *testing.T, start func(t *testing.T, dir string) *running) {
	t.Helper()
	dir := t.TempDir()
	for _, file := range []string{"secret.json", "current/index.json", "current/items/a.json"} {
		path := filepath.Join(dir, file)
		if err := errors.Join(
			os.MkdirAll(filepath.Dir(path), 0o755), os.WriteFile(path, []byte(file), 0o644),
		); err != nil {
			t.Fatal(err)
		}
	}
	s := start(t, dir)
	for _, path := range []string{
		"/../secret", "/..%2fsecret", "/%2e%2e/secret.json", "/items/../../secret", "/items/..%5c..%5csecret",
		"/items/%2e%2e%2f%2e%2e%2fsecret.json", "//../secret", "/..%252fsecret", "/items/a%00", "/items/*",
		"/items/", "/items", "/items/b",
	} {
		if r := s.mustGet(path, "application/json"); r.status < 400 { // Caddy 2.6 says 500 to NUL
			t.Errorf("%s: %d %s", path, r.status, r.body)
		}
	}
	if r := s.mustGet("/items/a?section=rules", "text/html"); string(r.body) != "current/items/a.json" {
		t.Errorf("%d %s", r.status, r.body)
	}
}

// nginx with our settings serves an export that verifies; an old one does not.
func TestExportBehindNginx(t *testing.T) {
	need(t, "nginx")
	t.Parallel()
	start := func(t *testing.T, dir string) *running {
		s, _ := startNginx(t, deployed(t, "export/nginx.conf", "/srv/rules", dir))
		return s
	}
	bare, a := newYoung(t)
	s := start(t, exported(t, bare))
	checkExport(t, s, bare)
	if r, err := s.getWith("/api/v1/guidelines/"+common, "Accept-Encoding", "gzip"); err != nil ||
		r.header.Get("Content-Encoding") != "gzip" {
		t.Errorf("%v %v", err, r.header)
	}
	checkPaths(t, start)
	a.publish("1.8.0", "После экспорта")
	out, err := rulestoreIn(t.TempDir(), nil, "verify", s.url, "--repo", bare)
	if err == nil || !mentions(out, []string{"guidelines/" + common + "/v1.8.0 not served"}) {
		t.Errorf("an old export: %v\n%s", err, out)
	}
}

// Caddy does the same.
func TestExportBehindCaddy(t *testing.T) {
	need(t, "caddy")
	t.Parallel()
	start := func(t *testing.T, dir string) *running {
		addr := freeAddr(t)
		file := filepath.Join(t.TempDir(), "Caddyfile")
		config := "{\n\tadmin off\n\tauto_https off\n}\n" + deployed(t, "export/Caddyfile", "rules.example.org {",
			"http://"+addr+" {", "/srv/rules", dir)
		if err := os.WriteFile(file, []byte(config), 0o644); err != nil {
			t.Fatal(err)
		}
		log := &lockedBuffer{}
		daemon(t, log, "caddy", "run", "--adapter", "caddyfile", "--config", file)
		s := &running{T: t, url: "http://" + addr, log: log}
		s.await("caddy", func() bool { _, err := s.get("/", "*/*"); return err == nil })
		return s
	}
	bare, _ := newYoung(t)
	checkExport(t, start(t, exported(t, bare)), bare)
	checkPaths(t, start)
}

// The way to scale: CI exports, copies the files to an object store, and a CDN before it looks up
// addresses; what was redacted since is in no copy. s3rver is an object store of npm.
func TestExportInObjectStore(t *testing.T) {
	need(t, "s3rver", "rclone")
	t.Parallel()
	bare, a := newYoung(t)
	addr, log := freeAddr(t), &lockedBuffer{}
	host, port, _ := strings.Cut(addr, ":")
	daemon(t, log, "s3rver", "--address", host, "--port", port, "--directory", t.TempDir(), "--configure-bucket", "rules")
	store := &running{T: t, url: "http://" + addr, log: log}
	store.await("the store", func() bool { _, err := store.get("/", "*/*"); return err == nil })
	remote := ":s3,provider=Other,access_key_id=S3RVER,secret_access_key=S3RVER,endpoint='" + store.url + "':rules"
	upload := func() {
		t.Helper()
		cmd := exec.Command(
			"rclone", "sync", "--fast-list", "--checksum", "--exclude", "*.{gz,br}", exported(t, bare)+"/current/", remote,
		)
		cmd.Env = append(os.Environ(), "AWS_CA_BUNDLE=", "RCLONE_CONFIG=") // of the machine
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
	}
	upload()
	s := &running{T: t, url: cdn(t, store.url+"/rules"), log: log}
	checkExport(t, s, bare)

	path := "/api/v1/guidelines/" + common + "/versions/1.0.0"
	if r := s.mustGet(path, "*/*"); r.status != http.StatusOK {
		t.Fatalf("%d %s", r.status, r.body)
	}
	if out, err := rulestoreIn(a.dir, nil, "mark", "guidelines/"+common+"@1.0.0", "redacted", "--reason",
		"Ошибка в тексте"); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	a.git("commit", "-q", "-a", "-m", "Изъято")
	a.push()
	upload()
	if r := s.mustGet(path, "*/*"); r.status != http.StatusNotFound {
		t.Errorf("what was redacted is there: %d", r.status)
	}
	if out, err := rulestoreIn(t.TempDir(), nil, "verify", s.url, "--repo", bare); err != nil ||
		!strings.Contains(out, "(1 of them redacted)") {
		t.Errorf("%v\n%s", err, out)
	}
}

// cdn starts what looks up an address in a store as our settings of nginx and Caddy do.
func cdn(t *testing.T, store string) string {
	t.Helper()
	to, err := url.Parse(store)
	if err != nil {
		t.Fatal(err)
	}
	proxy := &httputil.ReverseProxy{Rewrite: func(r *httputil.ProxyRequest) { r.SetURL(to) }}
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/" {
			r.URL.Path = "/index.json"
		}
		path := r.URL.Path
		for _, ending := range []string{"", ".json", ".txt"} {
			res, err := client.Head(store + path + ending)
			if err != nil {
				http.Error(w, err.Error(), http.StatusBadGateway)
				return
			}
			res.Body.Close()
			if r.URL.Path = path + ending; res.StatusCode == http.StatusOK {
				break
			}
		}
		proxy.ServeHTTP(w, r)
	}))
	t.Cleanup(s.Close)
	return s.URL
}

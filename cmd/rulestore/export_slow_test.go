//go:build slow

package main

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"maps"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"
	"time"

	"rulestore/server/export"
	"rulestore/server/page"
)

// exported exports a repository, and goes on; the folder is what a web server is to serve.
func exported(t *testing.T, bare string, more ...string) (dir string) {
	t.Helper()
	dir = filepath.Join(t.TempDir(), "rules")
	if out, err := rulestoreIn(t.TempDir(), nil, append([]string{"export", dir, "--repo", bare, "--base-url", baseURL},
		more...)...); err != nil {
		t.Fatal(err, out)
	}
	return dir
}

// served checks an export behind a web server with our settings: all of it is what the
// repository says, with all headers and codings but some, and whatever differs is named.
func checkExport(t *testing.T, s *running, bare, dir string, without ...string) {
	t.Helper()
	verify := func() (string, error) {
		return rulestoreIn(t.TempDir(), nil, "verify", s.url, "--static", "--repo", bare, "--base-url", baseURL)
	}
	out, err := verify()
	if err != nil || !strings.Contains(out, "serves what was published") ||
		strings.Count(out, "warning: ") != len(without) {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, coding := range without {
		if !strings.Contains(out, "files that are not served as "+coding+": ") {
			t.Errorf("nothing is said of %s:\n%s", coding, out)
		}
	}
	item := "/api/v1/guidelines/" + common
	for _, path := range []string{item + "?section=rules", "/?x=1"} {
		s.refuses(path, "application/json")
		s.refuses(path, "text/html")
	}
	if r := s.mustGet(item, "text/html,application/xhtml+xml"); !strings.Contains(string(r.body), "<html") ||
		r.header.Get("Content-Security-Policy") != page.Policy {
		t.Errorf("a browser gets %v\n%.100s", r.header, r.body)
	}
	if r, err := s.getWith(item, "Accept-Encoding", "gzip"); err != nil || r.header.Get("Content-Encoding") != "gzip" ||
		r.header.Get("Vary") == "" {
		t.Errorf("%v %v", err, r.header)
	}
	// The date of a file goes back when a version is taken back: only the tag, or the very date, counts.
	now := time.Now().UTC().Format(http.TimeFormat)
	if r, err := s.getWith(item, "If-Modified-Since", now); err != nil || r.status != 200 {
		t.Errorf("by a later date: %v %d", err, r.status)
	} else if r, err = s.getWith(item, "If-None-Match", r.header.Get("Etag")); err != nil || r.status != 304 {
		t.Errorf("by its tag: %v %d", err, r.status)
	}
	file := func(id, ending string) string {
		return filepath.Join(dir, "current", "api", "v1", "guidelines", id+ending)
	}
	spoilt := map[string]struct { // each of another item, so that all are found at once
		item  string
		spoil func(id string) error
	}{
		"a changed byte": {common, func(id string) error {
			raw, err := os.ReadFile(file(id, ".json"))
			return errors.Join(err, os.WriteFile(file(id, ".json"), append(raw[:len(raw)-1], ' '), 0o644))
		}},
		"a missing file": {deposit, func(id string) error { return os.Remove(file(id, ".json")) }},
		"a coding of another": {"fraud.intercom-code-government-portal.001", func(id string) error {
			return os.Rename(file(id, ".md.gz"), file(id, ".json.gz"))
		}},
		"a broken coding": {"consumer-rights.primary-contact.001", func(id string) error {
			return os.WriteFile(file(id, ".json.gz"), []byte("x"), 0o644)
		}},
	}
	for name, c := range spoilt {
		if err := c.spoil(c.item); err != nil {
			t.Fatal(name, err)
		}
	}
	out, err = verify()
	for name, c := range spoilt {
		if err == nil || !strings.Contains(out, "/api/v1/guidelines/"+c.item) {
			t.Errorf("%s: %v\n%s", name, err, out)
		}
	}
}

// nginx with our settings serves an export that is verified; an old one is told.
func TestExportBehindNginx(t *testing.T) {
	need(t, "nginx")
	t.Parallel()
	bare, a := newYoung(t)
	dir := exported(t, bare)
	// Files that somebody spoils are looked for at once.
	s, _ := startNginx(t, deployed(t, "export/nginx.conf", "/srv/rules", dir,
		"open_file_cache max=200 inactive=1m;", ""))
	checkExport(t, s, bare, dir, "br", "zstd")
	a.retitle(common, "После экспорта")
	a.git("tag", "-am", "После", "guidelines/"+common+"/v1.8.0")
	a.push()
	out, err := rulestoreIn(t.TempDir(), nil, "verify", s.url, "--static", "--repo", bare, "--base-url", baseURL)
	if err == nil || !strings.Contains(out, "it is the export of commit") {
		t.Errorf("an old export: %v\n%s", err, out)
	}
}

// nginx with our settings keeps files open, and follows what is published all the same.
func TestExportGoesOnBehindNginx(t *testing.T) {
	need(t, "nginx")
	t.Parallel()
	bare, a := newYoung(t)
	dir := exported(t, bare)
	s, _ := startNginx(t, deployed(t, "export/nginx.conf", "/srv/rules", dir))
	item := "/api/v1/guidelines/" + common
	for _, title := range []string{"Первое", "Второе", "Третье"} {
		s.mustGet(item, "application/json") // it is open from now on
		a.retitle(common, title)
		a.git("tag", "-am", title, "guidelines/"+common+"/v1.8."+
			map[string]string{"Первое": "0", "Второе": "1", "Третье": "2"}[title])
		a.push()
		if out, err := rulestoreIn(t.TempDir(), nil, "export", dir, "--repo", bare, "--base-url", baseURL); err != nil {
			t.Fatal(err, out)
		}
		s.await(title, func() bool { return s.title(common) == title })
	}
	checkHeaders(t, s, dir)
}

// checkHeaders checks types and lifetimes of what is served from the folder of an export.
func checkHeaders(t *testing.T, s *running, dir string) {
	t.Helper()
	const forever = "public, max-age=31536000, immutable"
	tile := [2]string{forever, "application/octet-stream"}
	checkpoint := [2]string{"public, max-age=5", "text/plain; charset=utf-8"}
	item := [2]string{"public, max-age=60, stale-while-revalidate=600, stale-if-error=86400", "application/json"}
	for path, want := range map[string][2]string{
		"/log/checkpoint":                        checkpoint,
		"/sources/house/log/checkpoint":          checkpoint,
		"/log/tile/entries/000.p/1":              tile,
		"/sources/house/log/tile/0/000.p/1":      tile,
		"/api/v1/guidelines/" + common:           item,
		"/api/v1/guidelines/" + common + ".json": item,
	} {
		if file := filepath.Join(dir, "current", path); want != item {
			if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
				os.WriteFile(file, []byte("\x00\xff"), 0o644)); err != nil {
				t.Fatal(err)
			}
		}
		r := s.mustGet(path, "*/*")
		if got := [2]string{r.header.Get("Cache-Control"), r.header.Get("Content-Type")}; r.status != 200 ||
			got != want {
			t.Errorf("%s: %d %q", path, r.status, got)
		}
	}
}

// nginx with our settings serves more files than it may have open.
func TestManyFilesBehindNginx(t *testing.T) {
	need(t, "nginx")
	t.Parallel()
	dir := t.TempDir()
	if err := os.MkdirAll(filepath.Join(dir, "current"), 0o755); err != nil {
		t.Fatal(err)
	}
	s, _ := startNginx(t, deployed(t, "export/nginx.conf", "/srv/rules", dir))
	for i := range 2 * filesOfNginx {
		name := "/" + strconv.Itoa(i)
		if err := os.WriteFile(filepath.Join(dir, "current", name+".json"), []byte("{}"), 0o644); err != nil {
			t.Fatal(err)
		}
		if r := s.mustGet(name, "*/*"); r.status != 200 {
			t.Fatalf("file %s: %d %s", name, r.status, r.body)
		}
	}
}

// startCaddy starts Caddy with our settings for the folder of an export.
func startCaddy(t *testing.T, dir string) *running {
	t.Helper()
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
	s.await("caddy", func() bool { _, err := s.get("/export.json", "*/*"); return err == nil })
	return s
}

// Caddy does the same.
func TestExportBehindCaddy(t *testing.T) {
	need(t, "caddy")
	t.Parallel()
	bare, _ := newYoung(t)
	dir := exported(t, bare)
	s := startCaddy(t, dir)
	checkHeaders(t, s, dir)
	checkExport(t, s, bare, dir)
}

// Whatever is asked, our settings answer with the file of the address that is asked for, and never
// with another one.
func TestExportSettingsUnderAttack(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(t *testing.T, dir string) *running{
		"caddy": startCaddy, "nginx": func(t *testing.T, dir string) *running {
			s, _ := startNginx(t, deployed(t, "export/nginx.conf", "/srv/rules", dir))
			return s
		},
	} {
		t.Run(name, func(t *testing.T) {
			need(t, name)
			t.Parallel()
			dir := t.TempDir()
			for _, file := range []string{
				".lock", "secret.json", "current/index.json", "current/items/a.json", "current/items/b.json",
				"current/items/a~section/rules.json", "current/schemas/c", "current/openapi.json",
				"current/log/tile/0/000", "current/log/checkpoint", "current/sources/house/log/tile/0/000",
				"current/.well-known/api-catalog",
			} {
				path := filepath.Join(dir, file)
				if err := errors.Join(os.MkdirAll(filepath.Dir(path), 0o755),
					os.WriteFile(path, []byte(file), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			s := start(t, dir)
			for address, file := range map[string]string{
				"/": "index.json", "/items/a": "items/a.json", "/items/a.json": "items/a.json",
				"/schemas/c": "schemas/c", "/openapi.json": "openapi.json", "/log/tile/0/000": "log/tile/0/000",
				"/log/checkpoint": "log/checkpoint", "/sources/house/log/tile/0/000": "sources/house/log/tile/0/000",
				"/.well-known/api-catalog": ".well-known/api-catalog",
			} {
				for _, accept := range []string{"application/json", "text/html", "../../secret", "", "\x80"} {
					for _, same := range []string{"", "?"} {
						r := s.mustGet(address+same, accept)
						if r.status != 200 || string(r.body) != "current/"+file {
							t.Errorf("%s%s as %q: %d %s", address, same, accept, r.status, r.body)
						}
					}
				}
				for _, query := range []string{
					"section=../../../secret", "section=..%2F..%2F..%2Fsecret", "section=%2e%2e/../b",
					"section=rules", "view=brief", "view=brief&view=brief", "section=rules&section=../../b",
					"as_of=2020-01-01", "unknown", "%00", "section=%00", "0", "=", "&", "?", "section=",
				} {
					s.refuses(address+"?"+query, "application/json")
				}
			}
			for _, path := range []string{
				"/../secret", "/..%2fsecret", "/%2e%2e/secret.json", "/items/../../secret", "/items/..%5c..%5csecret",
				"/items/%2e%2e%2f%2e%2e%2fsecret.json", "/items/..;/..;/secret", "//../secret", "/..%252fsecret",
				"/log/tile/../../../secret.json", "/sources/..%2f..%2fsecret.json", "/schemas/../../secret.json",
				"/.lock", "/../.lock", "/%2e./.lock", "/items/a%00", "/items/a%00.json", "/secret.json%00",
				"/items/*", "/items/[ab]", "/items/?.json", "/items/a%3Fview=brief", "/items/a%23", "/items/a%0a",
				"/items/", "/items", "/%2f" + dir + "/secret", "/items/a~section%2f..%2f..%2f..%2fsecret",
			} {
				if r := s.mustGet(path, "application/json"); r.status < 400 { // Caddy 2.6 says 500 to NUL
					t.Errorf("%s: %d %s", path, r.status, r.body)
				}
			}
		})
	}
}

// With --watch the export follows what is published, and a command runs after each. Its
// files have the same bytes and times as those of an export that begins with the last state.
func TestExportWatches(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	dir, done := filepath.Join(t.TempDir(), "rules"), filepath.Join(t.TempDir(), "done")
	log := &lockedBuffer{}
	p := &running{T: t, log: log}
	// The folder to copy is no link: some programs do not follow links.
	daemon(t, log, "rulestore", "export", dir, "--repo", bare, "--base-url", baseURL, "--watch", "--run",
		`test ! -L "$RULESTORE_EXPORT" && cp "$RULESTORE_EXPORT/api/v1/guidelines/`+common+`.json" `+done)
	title := func() string {
		raw, _ := os.ReadFile(done)
		return string(raw)
	}
	p.await("the first export", func() bool { return title() != "" })
	for i, text := range []string{"Следом", "Затем"} {
		a.retitle(common, text)
		a.git("tag", "-am", text, fmt.Sprintf("guidelines/%s/v1.8.%d", common, i))
		a.push()
		p.await("what is new", func() bool { return strings.Contains(title(), text) })
	}
	want := filesOf(exported(t, bare))
	p.await("the files of an export that begins with this state", func() bool { return maps.Equal(filesOf(dir), want) })
}

// What fails after a publication, as a copy to a store that does not answer, is repeated, and not left
// for the next publication.
func TestFailedExportIsRepeated(t *testing.T) {
	t.Parallel()
	bare, a := newYoung(t)
	away, copied := filepath.Join(t.TempDir(), "away"), filepath.Join(t.TempDir(), "copied")
	log := &lockedBuffer{}
	p := &running{T: t, log: log}
	daemon(t, log, "rulestore", "export", filepath.Join(t.TempDir(), "rules"), "--repo", bare, "--base-url", baseURL,
		"--poll", "1s", "--watch", "--run",
		`test ! -e `+away+` && cp "$RULESTORE_EXPORT/api/v1/guidelines/`+common+`.json" `+copied)
	p.await("the first copy", func() bool { _, err := os.Stat(copied); return err == nil })
	if err := os.WriteFile(away, nil, 0o644); err != nil {
		t.Fatal(err)
	}
	a.retitle(common, "Следом")
	a.git("tag", "-am", "Следом", "guidelines/"+common+"/v1.8.0")
	a.push()
	p.await("copies that fail", func() bool { // a push may be seen in two steps, each of which fails once
		return strings.Count(p.log.String(), "level=ERROR") > 2
	})
	if err := os.Remove(away); err != nil {
		t.Fatal(err)
	}
	p.await("the copy of what is new", func() bool {
		raw, _ := os.ReadFile(copied)
		return strings.Contains(string(raw), "Следом")
	})
}

// A command that runs for long is named in the log, as the next export waits for it.
func TestSlowCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	if err := os.Mkdir(filepath.Join(dir, export.Current), 0o755); err != nil {
		t.Fatal(err)
	}
	for command, warned := range map[string]bool{"sleep 0.3 # slow": true, "true # quick": false} {
		log := &lockedBuffer{}
		x := exporting{
			exportFlags: exportFlags{after: command}, env: &env{}, dir: dir,
			log:  slog.New(slog.NewTextHandler(log, nil)),
			slow: 50 * time.Millisecond,
		}
		if !warned {
			x.slow = time.Minute
		}
		if err := x.runCommand(t.Context()); err != nil {
			t.Error(err)
		}
		said := strings.Contains(log.String(), "level=WARN") && strings.Contains(log.String(), command)
		if said != warned {
			t.Errorf("%s: %s", command, log)
		}
	}
}

// filesOf reads the current files of an export with their times, by name; files that are removed
// meanwhile are left out.
func filesOf(dir string) map[string]string {
	all := map[string]string{}
	root, _ := filepath.EvalSymlinks(filepath.Join(dir, "current"))
	_ = filepath.WalkDir(root, func(path string, d fs.DirEntry, _ error) error {
		name := strings.TrimPrefix(path, root)
		raw, err := os.ReadFile(path)
		info, gone := d.Info()
		switch {
		case err != nil || gone != nil:
		case name == "/"+export.Inventory: // its own time is when it was written
			all[name] = string(raw)
		default:
			all[name] = info.ModTime().UTC().String() + "\n" + string(raw)
		}
		return nil
	})
	return all
}

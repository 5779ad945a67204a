package export_test

import (
	"context"
	"crypto/rand"
	"io/fs"
	"maps"
	"os"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content/log"
	"rulestore/content/log/logtest"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/export"
	"rulestore/server/site"
)

// releases makes the site of the first releases of the starter content.
func releases(t testing.TB, n int, before *site.Site) *site.Site {
	t.Helper()
	script := starterScript(t)
	if n > 0 {
		script = script[:n]
	}
	return siteOf(t, script, before)
}

func starterScript(t testing.TB) gitrepo.Script {
	t.Helper()
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		t.Fatal(err)
	}
	return script
}

func siteOf(t testing.TB, script gitrepo.Script, before *site.Site) *site.Site {
	t.Helper()
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	r, err := loader.New(loader.Config{Source: source, Schemas: schemas.Embedded(), Now: time.Now}).Load(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	text, err := log.NewKey(rand.Reader, "rules.example.org/log")
	if err != nil {
		t.Fatal(err)
	}
	key, err := log.ParseKey(text)
	if err != nil {
		t.Fatal(err)
	}
	return site.Build(before, r.Snapshot, site.Config{
		BaseURL: "https://rules.example.org", Version: "1", Schemas: schemas.Embedded(),
		Log: logtest.Of(r.Snapshot, key),
	})
}

var (
	// whole and later are two states of the same content, one release apart.
	whole = sync.OnceValue(func() *site.Site { return releases(background{}, 2, nil) })
	later = sync.OnceValue(func() *site.Site { return releases(background{}, 3, whole()) })

	// first and second are the same with few items: how files are written does not depend on
	// their number.
	first = sync.OnceValue(func() *site.Site {
		return siteOf(background{}, few(starterScript(background{})[:2]), nil)
	})
	second = sync.OnceValue(func() *site.Site {
		return siteOf(background{}, few(starterScript(background{})[:3]), first())
	})
)

// few is a script without most of the items, and without seals.
func few(script gitrepo.Script) gitrepo.Script {
	left := regexp.MustCompile(`^(rulestore\.yaml|lifecycle\.yaml|guidelines/product\..*)$`)
	for i := range script {
		maps.DeleteFunc(script[i].Files, func(path string, _ []byte) bool { return !left.MatchString(path) })
		script[i].Tags = slices.DeleteFunc(script[i].Tags, func(t gitrepo.NewTag) bool {
			return strings.Contains(t.Name, "/") && !left.MatchString(t.Name)
		})
	}
	return script
}

// background is a test that outlives the one that asks.
type background struct{ testing.TB }

func (background) Helper()                  {}
func (background) Context() context.Context { return context.Background() }
func (background) Fatal(args ...any)        { panic(args) }

func write(t testing.TB, w *export.Writer, s *site.Site) export.Result {
	t.Helper()
	r, err := w.Write(t.Context(), s)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

func writer(t testing.TB, dir string) *export.Writer {
	t.Helper()
	w, err := export.NewWriter(dir)
	if err != nil {
		t.Fatal(err)
	}
	return w
}

// held is what a tree holds, by name.
func held(t testing.TB, dir string) map[string][]byte {
	t.Helper()
	all := map[string][]byte{}
	root := os.DirFS(dir)
	if err := fs.WalkDir(root, ".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() {
			return err
		}
		raw, err := fs.ReadFile(root, path)
		all[path] = raw
		return err
	}); err != nil {
		t.Fatal(err)
	}
	return all
}

// Every address of the site has a file, and no file needs parameters.
func TestFiles(t *testing.T) {
	t.Parallel()
	s := whole()
	files, err := export.Files(s)
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, f := range files {
		names = append(names, f.Name)
		if strings.Contains(f.Address, "?") {
			t.Errorf("%s is the answer to %s", f.Name, f.Address)
		}
	}
	for _, path := range s.Paths() {
		r := s.Lookup(path)
		name := strings.TrimPrefix(path, "/")
		if path == "/" {
			name = "index"
		}
		if len(r.Representations) > 0 && !slices.ContainsFunc(names, func(n string) bool {
			return n == name || strings.HasPrefix(n, name+".")
		}) {
			t.Errorf("%s has no file", path)
		}
	}
	for _, name := range []string{
		"index.html", "index.json", "llms.txt", "openapi.json", "openapi.yaml", "feeds/all.atom",
		"log/tile/entries/000.p/",
		"api/v1/guidelines/product.common.001/versions/1.0.0.html", "api/v1/checksums.txt",
	} {
		if !slices.ContainsFunc(names, func(n string) bool {
			return n == name || strings.HasSuffix(name, "/") && strings.HasPrefix(n, name)
		}) {
			t.Errorf("there is no %s", name)
		}
	}
}

// What an export of the starter content takes, and one more.
func BenchmarkWrite(b *testing.B) {
	s := releases(b, 0, nil)
	for b.Loop() {
		w := writer(b, b.TempDir())
		write(b, w, s)
	}
}

func files(t *testing.T, s *site.Site) []export.File {
	t.Helper()
	all, err := export.Files(s)
	if err != nil {
		t.Fatal(err)
	}
	return all
}

package export_test

import (
	"bytes"
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"io"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/andybalholm/brotli"
	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/content/log"
	"rulestore/content/log/logtest"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
	"rulestore/schemas"
	"rulestore/server/export"
	"rulestore/server/site"
)

func siteOf(t testing.TB, script git.Script, before *site.Site) *site.Site {
	t.Helper()
	source, err := git.InMemory(script)
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

// script is a repository of every kind.
func script() git.Script {
	archive, err := txtar.ParseFile("../testdata/kinds.txtar")
	if err != nil {
		panic(err)
	}
	script, err := gittest.ParseTxtar(archive)
	if err != nil {
		panic(err)
	}
	return script
}

var (
	whole = sync.OnceValue(func() *site.Site { return siteOf(background{}, script(), first()) })
	first = sync.OnceValue(func() *site.Site { return siteOf(background{}, script()[:1], nil) })
)

// background is a test that outlives the one that asks.
type background struct{ testing.TB }

func (background) Helper()                  {}
func (background) Context() context.Context { return context.Background() }
func (background) Fatal(args ...any)        { panic(args) }

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
		"api/v1/guidelines/fraud.code.001/versions/1.0.0.html", "api/v1/checksums.txt",
	} {
		if !slices.ContainsFunc(names, func(n string) bool {
			return n == name || strings.HasSuffix(name, "/") && strings.HasPrefix(n, name)
		}) {
			t.Errorf("there is no %s", name)
		}
	}
}

// An export has each file as it is named, with copies that decode to it; the next one takes its place
// as a whole, and nothing of the first stays. The same site gives the same bytes. An export that is
// stopped leaves the one before, and what is no export is left alone.
func TestWrite(t *testing.T) {
	t.Parallel()
	dir := filepath.Join(t.TempDir(), "rules")
	var before map[string][]byte
	for _, s := range []*site.Site{first(), whole(), whole()} {
		n, err := export.Write(t.Context(), dir, s)
		if err != nil {
			t.Fatal(err)
		}
		all := held(t, filepath.Join(dir, export.Current)+"/.")
		plain := maps.Clone(all)
		maps.DeleteFunc(plain, func(name string, _ []byte) bool {
			return strings.HasSuffix(name, ".gz") || strings.HasSuffix(name, ".br")
		})
		files, err := export.Files(s)
		if err != nil || n != len(files) || len(plain) != len(files) || len(all) < len(plain)*3/2 {
			t.Errorf("%v: %d files of %d, with copies %d", err, len(plain), len(files), len(all))
		}
		for _, f := range files {
			if !bytes.Equal(plain[f.Name], f.Body()) || len(f.Body()) == 0 {
				t.Errorf("%s: %.100s", f.Name, plain[f.Name])
			}
			for ending, decode := range map[string]func(io.Reader) (io.Reader, error){
				".gz": func(r io.Reader) (io.Reader, error) { return gzip.NewReader(r) },
				".br": func(r io.Reader) (io.Reader, error) { return brotli.NewReader(r), nil },
			} {
				coded, ok := all[f.Name+ending]
				if !ok {
					continue
				}
				r, err := decode(bytes.NewReader(coded))
				if err != nil {
					t.Fatal(err)
				}
				if raw, err := io.ReadAll(r); err != nil || !bytes.Equal(raw, f.Body()) {
					t.Errorf("%s%s: %v", f.Name, ending, err)
				}
			}
		}
		if s == whole() && before != nil && !maps.EqualFunc(all, before, bytes.Equal) {
			t.Error("the same site gives other bytes")
		}
		if s == whole() {
			before = all
		}
		if entries, err := os.ReadDir(dir); err != nil || len(entries) != 2 {
			t.Errorf("%v, %v", entries, err)
		}
	}
	at, err := os.Readlink(filepath.Join(dir, export.Current))
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	if _, err := export.Write(ctx, dir, first()); !errors.Is(err, context.Canceled) {
		t.Error(err)
	}
	if now, err := os.Readlink(filepath.Join(dir, export.Current)); err != nil || now != at {
		t.Errorf("%s, %v", now, err)
	}
	if err := os.WriteFile(filepath.Join(dir, "mine"), nil, 0o644); err != nil {
		t.Fatal(err)
	}
	if _, err := export.Write(t.Context(), dir, first()); err == nil || !strings.Contains(err.Error(), "mine") {
		t.Error(err)
	}
}

package main

import (
	"net/http"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/loader/gitrepo"
	"rulestore/loader/gitrepo/gitrepotest"
)

// store returns a repository on disk in which every status occurs. All tests share
// it, and only read it.
func store(t *testing.T) string {
	t.Helper()
	dir, err := storeRepository()
	if err != nil {
		t.Fatal(err)
	}
	return dir
}

var storeRepository = sync.OnceValues(func() (string, error) {
	archive, err := txtar.ParseFile(filepath.Join("..", "..", "server", "testdata", "store.txtar"))
	if err != nil {
		return "", err
	}
	script, err := gitrepotest.ParseTxtar(archive)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(shared, "store")
	if err := gitrepo.Create(dir, script); err != nil {
		return "", err
	}
	key := filepath.Join(shared, "store.key")
	_, err = rulestoreIn(dir, nil, "log", "key", "rules.example.org/log", key)
	if err == nil {
		_, err = rulestoreIn(dir, nil, "log", "sign", "--key-file", key)
	}
	return dir, err
})

// patterns are those of lies, which are looked for in every answer.
var patterns sync.Map

func pattern(text string) *regexp.Regexp {
	p, ok := patterns.Load(text)
	if !ok {
		p, _ = patterns.LoadOrStore(text, regexp.MustCompile(text))
	}
	return p.(*regexp.Regexp)
}

func accepts(mediaType string) func(*http.Request) bool {
	return func(r *http.Request) bool { return strings.HasPrefix(r.Header.Get("Accept"), mediaType) }
}

func data(r *http.Request) bool {
	return !accepts("text/")(r)
}

// both chooses what all do.
func both(all ...func(*http.Request) bool) func(*http.Request) bool {
	return func(r *http.Request) bool {
		for _, one := range all {
			if !one(r) {
				return false
			}
		}
		return true
	}
}

func method(name string) func(*http.Request) bool {
	return func(r *http.Request) bool { return r.Method == name }
}

// What shows drafts is not what anybody published, which is said once.
func TestVerifyDrafts(t *testing.T) {
	dir := store(t)
	s := start(t, "--repo", dir, "--admin-addr", "off", "--drafts")
	for _, args := range [][]string{{s.url}, {s.url, "--repo", dir}} {
		out, errs, err := verified(t, args...)
		if exitCode(err) != exitFailed || out != "" || !strings.Contains(errs, "it shows drafts, by --drafts") ||
			strings.Count(errs, "\n") != 1 {
			t.Errorf("%v: %v\n%s%s", args, err, out, errs)
		}
	}
}

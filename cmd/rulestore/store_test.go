package main

import (
	"path/filepath"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/txtar"

	"rulestore/loader/git"
	"rulestore/loader/git/gittest"
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
	script, err := gittest.ParseTxtar(archive)
	if err != nil {
		return "", err
	}
	dir := filepath.Join(shared, "store")
	if err := git.Create(dir, script); err != nil {
		return "", err
	}
	key := filepath.Join(shared, "store.key")
	_, err = rulestoreIn(dir, nil, "log", "key", "rules.example.org/log", key)
	if err == nil {
		_, err = rulestoreIn(dir, nil, "log", "sign", "--key-file", key)
	}
	return dir, err
})

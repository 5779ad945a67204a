//go:build slow

package main

import (
	"maps"
	"path/filepath"
	"strings"
	"sync"
	"testing"

	"rulestore/loader/git"
)

// workplace is a repository of the six items with what init writes for authors and their programs.
var workplace = sync.OnceValues(func() (string, error) {
	dir := filepath.Join(shared, "workplace")
	script, err := sixScript()
	if err != nil {
		return "", err
	}
	last, err := authoringCommit(script)
	if err != nil {
		return "", err
	}
	maps.DeleteFunc(last.Files, func(path string, _ []byte) bool { return strings.HasPrefix(path, "tests/") })
	return dir, git.Create(dir, append(script, last))
})

// newWorkplace is the author's clone of a copy of it.
func newWorkplace(t *testing.T) *clone {
	t.Helper()
	_, a := served(t, workplace)
	return a
}

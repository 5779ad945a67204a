//go:build slow

package main

import (
	"io/fs"
	"slices"
	"testing"

	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
)

// starterTree is the starter content as a new repository has it.
func starterTree(t *testing.T) *loader.Tree {
	t.Helper()
	script, err := starterScript()
	if err != nil {
		t.Fatal(err)
	}
	source, err := gitrepo.InMemory(script)
	if err != nil {
		t.Fatal(err)
	}
	repo, err := source.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer repo.Close()
	head, err := repo.Head()
	if err != nil {
		t.Fatal(err)
	}
	tree, err := loader.ReadCommit(loader.Config{Schemas: schemas.Embedded()}, repo, head)
	if err != nil {
		t.Fatal(err)
	}
	tree.Today = "2026-11-28" // from which all marks count
	return tree
}

// Cases ask each question once.
func TestStarterCasesAskOnce(t *testing.T) {
	names, err := fs.Glob(starter.Cases, "tests/*.yaml")
	if err != nil || len(names) == 0 {
		t.Fatal(len(names), err)
	}
	var asked []string
	for _, c := range starterTree(t).Cases {
		if c.Search == nil {
			continue
		}
		if slices.Contains(asked, c.Search.Q) {
			t.Errorf("%s:%d: %q is asked twice", c.Path, c.Line, c.Search.Q)
		}
		asked = append(asked, c.Search.Q)
	}
}

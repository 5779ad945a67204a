package main

import (
	"io/fs"
	"slices"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/starter"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
	"rulestore/schemas"
	"rulestore/server/calc"
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

// People find what answers them in the starter content, and its cases leave nothing out:
// each rule is asked for, each calculation is tried, each compound rule is met.
func TestStarterCases(t *testing.T) {
	wholeStarter(t)
	tree := starterTree(t)
	results, err := runCases(tree.Cases, tree)
	if err != nil || len(results) < 200 {
		t.Fatalf("%d cases: %v", len(results), err)
	}
	for _, f := range failures(results) {
		t.Error(f)
	}
	expected := map[string]bool{}
	for _, c := range tree.Cases {
		switch {
		case c.Search != nil:
			for _, id := range c.Search.Expect {
				expected[id] = true
			}
		case c.Calc != nil:
			expected["calc "+c.Calc.Tool] = true
		case c.Signals != nil:
			expected["result "+c.Signals.Result] = true
		}
	}
	for _, want := range wanted(t, tree) {
		if !expected[want] {
			t.Errorf("no case is about %s", want)
		}
	}
}

// wanted lists what the cases have to be about.
func wanted(t *testing.T, tree *loader.Tree) (all []string) {
	t.Helper()
	for _, f := range tree.Items {
		switch {
		case f.Kind == content.Guidelines:
			all = append(all, f.Name)
		case f.Kind == content.Registries && f.Name == "fraud-routes":
			all = append(all, codesOfList(f, "routes", "route_id")...)
		case f.Kind == content.Instructions:
			for _, result := range codesOfList(f, "compound_rules", "result") {
				all = append(all, "result "+result)
			}
		}
	}
	for tool := range calc.New().Tools() {
		all = append(all, "calc "+tool.ID)
	}
	return all
}

func codesOfList(f check.File, list, field string) (codes []string) {
	records, _ := f.Value(list).([]any)
	for _, r := range records {
		if code, ok := r.(map[string]any)[field].(string); ok {
			codes = append(codes, code)
		}
	}
	return codes
}

// Cases ask each question once.
func TestStarterCasesAskOnce(t *testing.T) {
	wholeStarter(t)
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

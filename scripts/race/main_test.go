package main

import (
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
)

// A test is run if it starts something, by whatever helper, or if its package does.
func TestTests(t *testing.T) {
	const helpers = `package p
		func together(f func()) { go f() }
		func (s server) begin() { s.group.Go(s.run) }
		var once = sync.OnceValue(func() int { together(nil); return 1 })
	`
	const inTurn = "package p; func Load() {}"
	for _, c := range []struct{ name, own, test, want string }{
		{"asks in turn", inTurn, "func TestA(t *testing.T) { httptest.NewServer(nil) }", ""},
		{"a goroutine", inTurn, "func TestA(t *testing.T) { go t.Log() }", "TestA"},
		{"beside other tests", inTurn, "func TestA(t *testing.T) { t.Parallel() }", "TestA"},
		{"one of two", inTurn, "func TestA(t *testing.T) {}; func TestB(t *testing.T) { together(nil) }", "TestB"},
		{"a method", inTurn, "func TestA(t *testing.T) { server{}.begin() }", "TestA"},
		{"a variable", inTurn, "func TestA(t *testing.T) { _ = once() }", "TestA"},
		{"a helper of a helper", inTurn, "func more() { together(nil) }; func FuzzA(f *testing.F) { more() }", "FuzzA"},
		{"only names that are the same", inTurn, "func TestA(t *testing.T) { together := t.Log; together(); begin() }",
			""},
		{"its package", "package p; func Load() { context.AfterFunc(nil, nil) }",
			"func TestA(t *testing.T) {}", "TestA"},
		{"its package by another", "package p; import " + background,
			"func TestA(t *testing.T) {}; func ExampleB() {}", "ExampleB TestA"},
	} {
		t.Run(c.name, func(t *testing.T) {
			dir := t.TempDir()
			for name, text := range map[string]string{"p.go": c.own, "p_test.go": helpers,
				"q_test.go": "package p_test; " + c.test} {
				t.Run(name, func(t *testing.T) {
					if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
						t.Fatal(err)
					}
				})
			}
			p := listedPackage{Dir: dir, GoFiles: []string{"p.go"}, TestGoFiles: []string{"p_test.go"},
				XTestGoFiles: []string{"q_test.go"}}
			got, err := p.tests()
			slices.Sort(got)
			if err != nil || strings.Join(got, " ") != c.want {
				t.Errorf("%q, %v, expected %q", got, err, c.want)
			}
		})
	}
}

// What is read from packages of this repository has tests to run, and goes on having them.
func TestRunsWhatRunsAtOnce(t *testing.T) {
	all, err := list([]string{"rulestore/server", "rulestore/content/search"})
	if err != nil {
		t.Fatal(err)
	}
	for _, p := range all {
		if tests, err := p.tests(); err != nil || len(tests) == 0 || len(tests) > 60 {
			t.Errorf("%s: %d tests, %v", p.ImportPath, len(tests), err)
		}
	}
}

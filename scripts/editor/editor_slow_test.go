//go:build slow

// Package editor tries the language server with real clients, headless: the library
// that VS Code speaks the protocol with, and an editor, CodeMirror, in which is typed.
// The tests themselves are the *.test.mjs beside.
package editor

import (
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestEditors needs Node 20, and what package-lock.json lists, which `run` fetches.
func TestEditors(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Skip("node is not installed")
	}
	if _, err := os.Stat("node_modules/vscode-languageserver-protocol"); err != nil {
		t.Skip("the clients are not there: scripts/editor/run fetches them")
	}
	program := filepath.Join(t.TempDir(), "rulestore")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"rulestore/cmd/rulestore").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), node, "--test", "--test-timeout=300000", file)
			c.Env = append(os.Environ(), "RULESTORE="+program)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// files lists the tests. All that they consist of is looked at, so that a change to it
// makes Go run them again.
func files(t *testing.T) (tests []string) {
	t.Helper()
	all, err := filepath.Glob("*.*")
	if err != nil {
		t.Fatal(err)
	}
	for _, name := range all {
		if _, err := os.Stat(name); err != nil {
			t.Fatal(err)
		}
	}
	if tests, err = filepath.Glob("*.test.mjs"); err != nil || len(tests) == 0 {
		t.Fatalf("no tests: %v", err)
	}
	return tests
}

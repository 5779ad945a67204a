//go:build slow

// Package browser tries the pages in a real browser: what a reader and
// somebody who calculates do there, what axe-core and html-validate say, and that no
// request goes anywhere else. The tests themselves are the *.test.mjs beside.
package browser

import (
	"cmp"
	"os"
	"os/exec"
	"path/filepath"
	"testing"
)

// TestBrowser needs Chromium (Debian: apt-get install chromium), Node 20, and what
// package-lock.json lists, which `run` fetches.
func TestBrowser(t *testing.T) {
	chromium, node := found(t, os.Getenv("CHROMIUM"), "chromium", "chromium-browser", "google-chrome"), found(t, "node")
	if _, err := os.Stat("node_modules/playwright-core"); err != nil {
		t.Skip("the packages that drive the browser are not there: scripts/browser/run fetches them")
	}
	program := filepath.Join(t.TempDir(), "rulestore")
	if out, err := exec.CommandContext(t.Context(), "go", "build", "-o", program,
		"rulestore/cmd/rulestore").CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, out)
	}
	for _, file := range files(t) {
		t.Run(file, func(t *testing.T) {
			c := exec.CommandContext(t.Context(), node, "--test", file)
			c.Env = append(os.Environ(), "RULESTORE="+program, "CHROMIUM="+chromium)
			if out, err := c.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// found returns the first of the programs that there is.
func found(t *testing.T, programs ...string) string {
	t.Helper()
	for _, p := range programs {
		if path, err := exec.LookPath(p); err == nil {
			return path
		}
	}
	t.Skipf("%s is not installed", cmp.Or(programs...))
	return ""
}

// files lists the tests. All that they consist of is looked at, so that a change to
// it makes Go run them again.
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

//go:build slow

package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// Two programs of different sources never go by one name, and one always goes by the same:
// one that was not stamped by its own bytes.
func TestOwnHash(t *testing.T) {
	version := regexp.MustCompile(`^0\.1\.0\+(unstamped\.[0-9a-f]{12}|[0-9a-f]{12}(\.dirty\.[0-9a-f]{12})?)$`)
	if !version.MatchString(build()) {
		t.Errorf("this build is %q", build())
	}
	t.Parallel()
	src := t.TempDir()
	write := func(name, text string) {
		t.Helper()
		if err := os.WriteFile(filepath.Join(src, name), []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	own, err := os.ReadFile("version.go")
	if err != nil {
		t.Fatal(err)
	}
	// The part of this program that names it, without the rest, which takes long to build.
	text, _, _ := strings.Cut(string(own), "\nfunc newVersion(")
	text = regexp.MustCompile(`(?m)^\t"(context|encoding/json|fmt|github.com/spf13/cobra)"\n`).ReplaceAllString(text, "")
	write("version.go", text)
	write("go.mod", "module program\n\ngo 1.26\n")
	names := map[string]string{}
	for _, words := range []string{"one", "another", "one"} {
		write("main.go", "package main\n\nfunc main() { print(build(), \" "+words+"\") }\n")
		program := filepath.Join(src, "program")
		cmd := exec.Command("go", "build", "-buildvcs=false", "-o", program, ".")
		cmd.Dir = src
		if out, err := cmd.CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, out)
		}
		out, err := exec.Command(program).CombinedOutput()
		said, _, _ := strings.Cut(string(out), " ")
		if err != nil || !version.MatchString(said) {
			t.Fatalf("%v %s", err, out)
		}
		for other, is := range names {
			if same := other == words; same != (is == said) {
				t.Errorf("%s is %s, and %s is %s", words, said, other, is)
			}
		}
		names[words] = said
	}
}

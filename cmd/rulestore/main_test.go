package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// Tests and scripts find the program in PATH, as this test binary under another name.
func TestMain(m *testing.M) {
	if filepath.Base(os.Args[0]) == "rulestore" {
		main()
	}
	os.Exit(runTests(m))
}

// runTests runs the tests between making what they share and removing it.
func runTests(m *testing.M) int {
	os.Setenv("LC_ALL", "C") // tests expect English, whatever the locale of the machine
	for name, value := range quietGit {
		os.Setenv(name, value)
	}
	// A process under the race detector would wait a second before it ends.
	if os.Getenv("GORACE") == "" {
		os.Setenv("GORACE", "atexit_sleep_ms=0")
	}
	dir, err := os.MkdirTemp("", "rulestore-test-")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	shared = dir
	if err := installProgram(filepath.Join(dir, "bin")); err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	return m.Run()
}

// installProgram puts the program into a new folder of PATH.
func installProgram(dir string) error {
	test, err := os.Executable()
	return errors.Join(
		err, os.Mkdir(dir, 0o755), os.Symlink(test, filepath.Join(dir, "rulestore")),
		os.Setenv("PATH", dir+string(filepath.ListSeparator)+os.Getenv("PATH")),
	)
}

// shared is the folder of what is made once for all tests, which only read it.
var shared string

func TestScripts(t *testing.T) { runScripts(t, "testdata") }

// runScripts runs the scripts of a folder.
func runScripts(t *testing.T, dir string) {
	t.Parallel()
	testscript.Run(t, testscript.Params{
		Dir:                dir,
		RequireUniqueNames: true,
		Condition:          condition,
		Setup: func(env *testscript.Env) error {
			env.Values[folderOfScript{}] = dir
			return prepare(env)
		},
		Cmds: map[string]func(*testscript.TestScript, bool, []string){
			"rulestore": runCommand, "capture": capture, "six": putSix,
		},
	})
}

// runCommand is `rulestore ARG…`: it runs the command line in this process, in the folder and the
// environment of the script and without input. `exec rulestore ARG…` is for what needs a process.
func runCommand(ts *testscript.TestScript, neg bool, args []string) {
	err := runIn(context.Background(), args, env{
		dir: ts.MkAbs("."), getenv: ts.Getenv, environ: environ(ts), stdin: strings.NewReader(""),
		stdout: ts.Stdout(), stderr: ts.Stderr(),
	})
	switch {
	case err == nil && neg:
		ts.Fatalf("unexpected command success")
	case err != nil && !neg:
		ts.Fatalf("the exit code is %d", exitCode(err))
	}
}

// variableName matches what may be the name of a variable.
var variableName = regexp.MustCompile(`\b[A-Z][A-Z0-9_]*`)

// environ is the environment of a script: of the variables that it begins with, and that it names.
func environ(ts *testscript.TestScript) []string {
	script, err := os.ReadFile(filepath.Join(ts.Value(folderOfScript{}).(string), ts.Name()+".txtar"))
	ts.Check(err)
	text := ts.Value(initialVariables{}).(string) + string(script)
	all := []string{}
	for _, name := range slices.Compact(slices.Sorted(slices.Values(variableName.FindAllString(text, -1)))) {
		if value := ts.Getenv(name); value != "" {
			all = append(all, name+"="+value)
		}
	}
	return all
}

// initialVariables is the key of the environment that a script begins with, folderOfScript that of
// the folder that it is in.
type (
	initialVariables struct{}
	folderOfScript   struct{}
)

// quietGit keeps git from starting two processes more after each commit, which see that a
// repository of a few commits needs no maintenance.
var quietGit = map[string]string{
	"GIT_CONFIG_COUNT": "1", "GIT_CONFIG_KEY_0": "maintenance.auto", "GIT_CONFIG_VALUE_0": "false",
}

// prepare sets what scripts find in their environment, see [quietGit].
func prepare(env *testscript.Env) error {
	for name, value := range quietGit {
		env.Setenv(name, value)
	}
	env.Values[initialVariables{}] = strings.Join(env.Vars, "\n")
	return nil
}

// putSix is `six DIR`: it makes the repository of [six] there.
func putSix(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 1 {
		ts.Fatalf("usage: six DIR")
	}
	_, err := six()
	ts.Check(err)
	ts.Check(os.CopyFS(ts.MkAbs(args[0]), os.DirFS(filepath.Join(shared, "six"))))
}

// capture NAME PATTERN FILE sets a variable to the first match in a file, or in stdout.
func capture(ts *testscript.TestScript, neg bool, args []string) {
	if neg || len(args) != 3 {
		ts.Fatalf("usage: capture NAME PATTERN FILE")
	}
	found := strings.TrimSpace(regexp.MustCompile(args[1]).FindString(ts.ReadFile(args[2])))
	if found == "" {
		ts.Fatalf("no match for `%s` found in %s", args[1], args[2])
	}
	ts.Setenv(args[0], found)
}

// condition is what scripts ask of the machine: which formats its git can make.
func condition(name string) (bool, error) {
	probe, ok := map[string]func() bool{
		"git-sha256": gitMakesSHA256, "git-reftable": gitMakesReftable,
	}[name]
	if !ok {
		return false, fmt.Errorf("unknown condition %q", name)
	}
	return probe(), nil
}

var (
	gitMakesSHA256   = sync.OnceValue(func() bool { return gitMakes("--object-format=sha256") })
	gitMakesReftable = sync.OnceValue(func() bool { return gitMakes("--ref-format=reftable") })
)

// gitMakes reports whether git makes a repository of a format.
func gitMakes(option string) bool {
	dir, err := os.MkdirTemp("", "format")
	if err != nil {
		return false
	}
	defer os.RemoveAll(dir)
	return exec.Command("git", "init", "--quiet", option, dir).Run() == nil
}

// run runs the command line in this process, which prints its own errors.
func run(
	ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer,
) error {
	return runIn(ctx, args, env{getenv: getenv, stdin: stdin, stdout: stdout, stderr: stderr})
}

// ran runs a command with these variables alone, and returns what it prints.
func ran(t *testing.T, variables map[string]string, args ...string) (stdout, stderr string, err error) {
	t.Helper()
	var out, says lockedBuffer
	getenv := func(name string) string { return variables[name] }
	err = run(t.Context(), args, getenv, strings.NewReader(""), &out, &says)
	return out.String(), says.String(), err
}

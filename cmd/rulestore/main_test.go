package main

import (
	"fmt"
	"os"
	"os/exec"
	"sync"
	"testing"

	"github.com/rogpeppe/go-internal/testscript"
)

// The scripts of testdata run the command as a shell would.
func TestMain(m *testing.M) {
	testscript.Main(m, map[string]func(){"rulestore": main})
}

func TestScripts(t *testing.T) {
	manyProcesses(t)
	testscript.Run(t, testscript.Params{
		Dir:                 "testdata",
		RequireExplicitExec: true,
		RequireUniqueNames:  true,
		Condition:           condition,
	})
}

// condition is what scripts ask of the machine: which formats its git can make.
func condition(name string) (bool, error) {
	probe, ok := map[string]func() bool{"git-sha256": gitMakesSHA256, "git-reftable": gitMakesReftable}[name]
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

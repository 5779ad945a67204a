package main

import (
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
	})
}

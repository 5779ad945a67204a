package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content"
)

// env is the surroundings of a command. What it prints goes through an [output].
type env struct {
	getenv         func(string) string
	stdin          io.Reader
	stdout, stderr io.Writer
}

// usageError is a wrong command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

// foundError is what a command says that did its work and found something to mend.
type foundError struct{ error }

func (e foundError) Unwrap() error { return e.error }

// What the process ends with.
const (
	exitFound  = 1 // something is to be mended: in the content, in a request, on a server
	exitUsage  = 2 // the command line is wrong
	exitFailed = 3 // the work could not be done
)

// exitCode returns what the process ends with.
func exitCode(err error) int {
	var usage usageError
	var found foundError
	switch {
	case err == nil:
		return 0
	case errors.As(err, &usage):
		return exitUsage
	case errors.As(err, &found):
		return exitFound
	}
	return exitFailed
}

// run does what the command line says. It prints its own errors.
func run(ctx context.Context, args []string, getenv func(string) string, stdin io.Reader, stdout, stderr io.Writer) error {
	out, says := shown(stdout, getenv), shown(stderr, getenv)
	defer out.Close()
	defer says.Close()
	root := newRoot(&env{getenv, stdin, out, says})
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(out)
	root.SetErr(says)
	err := root.ExecuteContext(ctx)
	if err != nil {
		fmt.Fprintf(says, "rulestore: %s\n", message(err))
		if exitCode(err) == exitUsage {
			fmt.Fprintln(says, "run `rulestore help` for the commands and their flags")
		}
	}
	return err
}

// message is what an error says, with the name of a file on its line: the system takes
// it from the repository as it is.
func message(err error) string {
	says := err.Error()
	if e, ok := errors.AsType[*fs.PathError](err); ok {
		return strings.ReplaceAll(says, e.Path, content.Printable(e.Path))
	}
	return says
}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:   "rulestore",
		Short: "Serve a git repository of financial rules to AI systems",
		Long: `rulestore serves a git repository of financial rules to AI systems: every
published version of every rule, with a checksum that anyone can recompute.

Tags publish, git keeps. Every flag can also be given as an environment
variable: --base-url is RULESTORE_BASE_URL.

The exit code is 0 when the work is done, 1 when something was found that is to be
mended, 2 for a wrong command line, 3 when the work could not be done.`,
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          cobra.NoArgs,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := notEmpty(c.Flags()); err != nil {
				return err
			}
			return e.fromEnvironment(c.Flags())
		},
	}
	root.SetFlagErrorFunc(func(_ *cobra.Command, err error) error { return usageError{err} })
	root.CompletionOptions.HiddenDefaultCmd = true
	root.AddCommand(newServe(e), newCalc(e), newInit(e), newNew(e), newValidate(e), newExplain(e), newRules(e), newStatus(e), newDiff(e), newPublish(e), newMark(e), newVerify(e), newHealthcheck(e), newVersion(e), newMCPCommand(e), newLSP(e))
	for _, c := range append(root.Commands(), root) {
		c.Args = usageArgs(c.Args)
	}
	return root
}

// usageArgs makes a wrong number of arguments a wrong command line.
func usageArgs(check cobra.PositionalArgs) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		if err := check(c, args); err != nil {
			return usageError{err}
		}
		return nil
	}
}

// notEmpty refuses an empty value of what decides what is read and who is trusted: it
// comes from a variable that is not set, and what it leaves out would not be missed.
func notEmpty(flags *pflag.FlagSet) error {
	for _, name := range []string{"base", "ref", "repo", "trusted-signers"} {
		if f := flags.Lookup(name); f != nil && f.Changed && f.Value.String() == "" {
			return usageError{fmt.Errorf("--%s is empty: give it a value, or leave it out", name)}
		}
	}
	return nil
}

// fromEnvironment takes flags that were not given from RULESTORE_… variables.
func (e *env) fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := "RULESTORE_" + strings.ToUpper(strings.ReplaceAll(f.Name, "-", "_"))
		if v := e.getenv(name); v != "" && !f.Changed && err == nil {
			if e := flags.Set(f.Name, v); e != nil {
				err = usageError{fmt.Errorf("%s: %w", name, e)}
			}
		}
	})
	return err
}

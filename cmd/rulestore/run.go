package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content"
	"rulestore/content/i18n"
)

// env is the surroundings of a command. What it prints goes through an [output].
type env struct {
	dir            string // from which relative paths of the command line begin; "": that of the process
	getenv         func(string) string
	environ        []string // all variables, as NAME=value; nil: unknown ones are not reported
	stdin          io.Reader
	stdout, stderr io.Writer
	printer        *i18n.Printer // prints in the language of the user
	served         func()        // called after the first answer can be given; may be nil
	loaded         func()        // called after a repository was loaded and encoded; may be nil
}

// usageError is a wrong command line.
type usageError struct{ error }

func (e usageError) Unwrap() error { return e.error }

func usageErrorf(format string, args ...any) error { return usageError{i18n.Errorf(format, args...)} }

// foundError is the error of a command that worked and found something to fix.
type foundError struct{ error }

func (e foundError) Unwrap() error { return e.error }

func foundErrorf(format string, args ...any) error { return foundError{i18n.Errorf(format, args...)} }

// What the process ends with.
const (
	exitFound  = 1 // something is to be mended: in the content, in a request, on a server
	exitUsage  = 2 // the command line is wrong
	exitFailed = 3 // the work could not be done
)

// exitCode returns the exit code of an error.
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

// runIn runs the command line in an environment. It prints its own errors.
func runIn(ctx context.Context, args []string, e env) error {
	stdout, stderr := newOutput(e.stdout, e.getenv), newOutput(e.stderr, e.getenv)
	stdout.prefix, stderr.prefix = []byte(e.prefix()), []byte(e.prefix())
	defer stdout.Close()
	defer stderr.Close()
	e.stdout, e.stderr, e.printer = stdout, stderr, newPrinter(e.getenv)
	root := newRoot(&e)
	root.SetArgs(args)
	root.SetIn(e.stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	c, err := root.ExecuteContextC(ctx)
	e.printer = e.printerOf(c)
	switch {
	case err == nil:
	case c.Flags().Lookup(logFormatFlag) != nil && wantsJSON(args, e.getenv):
		jsonLogger(stderr, slog.LevelInfo).Error(message(err, nil), "exit_code", exitCode(err))
	default:
		fmt.Fprintf(stderr, "rulestore: %s\n", message(err, e.printer))
		if exitCode(err) == exitUsage {
			_, of, _ := strings.Cut(c.CommandPath(), " ")
			e.printer.Fprintf(stderr, "run `%s` for what there is\n", strings.TrimSpace("rulestore help "+of))
		}
	}
	return err
}

// message is the text of an error, with names of files on one line, as the system returns them
// unescaped.
func message(err error, p *i18n.Printer) string {
	text := p.Error(err)
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		return strings.ReplaceAll(text, bad.Path, content.Printable(bad.Path))
	}
	return text
}

func newRoot(e *env) *cobra.Command {
	root := &cobra.Command{
		Use:           "rulestore",
		SilenceErrors: true,
		SilenceUsage:  true,
		Args:          noSuchCommand,
		RunE:          func(c *cobra.Command, _ []string) error { return c.Help() },
		PersistentPreRunE: func(c *cobra.Command, _ []string) error {
			if err := errors.Join(refuseEmpty(c.Flags()), checkVariables(e.environ, c.Root())); err != nil {
				return usageError{err}
			}
			if err := e.fromEnvironment(c.Flags()); err != nil {
				return err
			}
			e.resolve(c.Flags())
			e.printer = e.printerOf(c)
			return nil
		},
	}
	root.SetFlagErrorFunc(flagError)
	root.CompletionOptions.HiddenDefaultCmd = true
	e.setHelpCommand(root)
	for _, t := range tasks {
		root.AddGroup(&cobra.Group{ID: t.title, Title: t.title})
		for _, add := range t.commands {
			c := add(e)
			c.GroupID = t.title
			e.setHelp(c)
			c.Args = usageArgs(c.Args)
			root.AddCommand(c)
		}
	}
	e.setHelp(root)
	root.Args = usageArgs(root.Args)
	return root
}

// tasks are the commands by what people do with them, which are the headings of the help. Commands of authors speak
// the language of the locale, the others English.
var tasks = []struct {
	title    string
	authors  bool
	commands []func(*env) *cobra.Command
}{
	{"Write:", true, []func(*env) *cobra.Command{newInit, newNew, newLSP, newRules, newExplain}},
	{"Check:", true, []func(*env) *cobra.Command{newValidate, newTest, newStatus, newDiff}},
	{"Publish:", true, []func(*env) *cobra.Command{newPublish, newMark}},
	{"Serve:", false, []func(*env) *cobra.Command{
		newServe, newCheck, newMCPCommand, newExport, newAdmin, newHealthcheck, newVersion,
	}},
	{"Sign, verify, calculate:", false, []func(*env) *cobra.Command{newLog, newVerify, newCalc}},
}

// isEnglish reports whether a command speaks English only.
func isEnglish(c *cobra.Command) bool {
	for _, t := range tasks {
		if c.GroupID == t.title {
			return !t.authors
		}
	}
	return false
}

// printerOf is the printer of what a command says.
func (e *env) printerOf(c *cobra.Command) *i18n.Printer {
	if isEnglish(c) {
		return nil
	}
	return e.printer
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

// refuseEmpty refuses empty values: they come from variables that are not set, and would be ignored
// silently.
func refuseEmpty(flags *pflag.FlagSet) (err error) {
	flags.Visit(func(f *pflag.Flag) {
		if v := f.Value.String(); v == "" || v == "[]" {
			err = errors.Join(err, i18n.Errorf("--%s is empty: give it a value, or leave it out", f.Name))
		}
	})
	return err
}

// fromEnvironment takes flags that were not given from RULESTORE_… variables.
func (e *env) fromEnvironment(flags *pflag.FlagSet) (err error) {
	flags.VisitAll(func(f *pflag.Flag) {
		name := variable(f.Name)
		if v := e.getenv(name); v != "" && !f.Changed && err == nil {
			if e := flags.Set(f.Name, v); e != nil {
				err = usageErrorf("%s: %w", name, e)
			}
		}
	})
	return err
}

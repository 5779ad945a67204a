package main

import (
	"context"
	"errors"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// isPath is the annotation of a flag that names a file, a folder or a repository. [env.resolve] makes it absolute.
const isPath = "path"

func pathVar(flags *pflag.FlagSet, to *string, name, value string) {
	flags.StringVar(to, name, value, "")
	_ = flags.SetAnnotation(name, isPath, nil) // it is there
}

// resolve makes the flags that are paths absolute.
func (e *env) resolve(flags *pflag.FlagSet) {
	flags.VisitAll(func(f *pflag.Flag) {
		if _, ok := f.Annotations[isPath]; ok {
			_ = f.Value.Set(e.path(f.Value.String())) // a text takes anything
		}
	})
}

// path returns the absolute path of what the user names, whose relative paths begin from the folder of
// the command. What is no path stays: an address, or - for a standard stream.
func (e *env) path(name string) string {
	if name == "" || name == "-" || git.IsAddress(name) {
		return name
	}
	if filepath.VolumeName(name) != "" || os.IsPathSeparator(name[0]) { // on Windows, not all of these are absolute
		return name
	}
	return e.prefix() + name
}

// prefix is what makes a relative path absolute. No other path has a /./ after the folder, so that an
// [output] can leave it out: people read names as they wrote them.
func (e *env) prefix() string {
	if e.dir == "" {
		return ""
	}
	return strings.TrimSuffix(e.dir, "/") + "/./"
}

// repoFlag adds the flag for the repository of an author.
func repoFlag(flags *pflag.FlagSet, repo *string) { pathVar(flags, repo, "repo", ".") }

// choice is a flag with one of some values.
type choice struct {
	value *string
	known []string
}

// choiceVar adds a flag with one of some values, and its default.
func choiceVar(flags *pflag.FlagSet, to *string, name, value string, known ...string) {
	*to = value
	flags.Var(choice{to, known}, name, "")
}

// String implements pflag.Value.
func (c choice) String() string { return *c.value }

// Type implements pflag.Value.
func (c choice) Type() string { return "string" }

// Set implements pflag.Value.
func (c choice) Set(name string) error {
	if !slices.Contains(c.known, name) {
		return i18n.Errorf("choose one of %s", strings.Join(c.known, ", "))
	}
	*c.value = name
	return nil
}

// variablePrefix is the prefix of the program's variables.
const variablePrefix = "RULESTORE_"

// Variables that no flag goes by, since process lists would show what they say.
const (
	gitUsername   = variablePrefix + "GIT_USERNAME"
	gitPassword   = variablePrefix + "GIT_PASSWORD"
	webhookSecret = variablePrefix + "WEBHOOK_SECRET"
	logKey        = variablePrefix + "LOG_KEY"
)

// variable names the variable of a flag.
func variable(flag string) string {
	return variablePrefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// serviceLinks are the variables that Kubernetes gives to every container for a service whose
// name begins like ours, with their values.
var serviceLinks = regexp.MustCompile(
	`^RULESTORE_(\w+_)?(SERVICE_HOST=|SERVICE_PORT(_\w+)?=|PORT(_\d+_\w+)?=\w+://|PORT_\d+_[A-Z]+_(PROTO|PORT|ADDR)=)`,
)

// checkVariables refuses unknown variables with that prefix, and empty ones: whoever set them
// would expect an effect. Variables of other commands are known.
func checkVariables(environ []string, root *cobra.Command) (err error) {
	known := variables(root)
	for _, one := range slices.Sorted(slices.Values(environ)) {
		name, value, _ := strings.Cut(one, "=")
		switch {
		case !strings.HasPrefix(strings.ToUpper(name), variablePrefix):
		case known[name] && value == "":
			err = errors.Join(err, i18n.Errorf("%s is empty: give it a value, or unset it", name))
		case !known[name] && !serviceLinks.MatchString(one):
			err = errors.Join(
				err, i18n.Errorf("nothing reads the variable %s%v", name, knownVariable(strings.ToUpper(name), known)),
			)
		}
	}
	return err
}

// variables are those that any command reads.
func variables(root *cobra.Command) map[string]bool {
	known := map[string]bool{gitUsername: true, gitPassword: true, webhookSecret: true, logKey: true}
	for _, c := range root.Commands() {
		c.LocalFlags().VisitAll(func(f *pflag.Flag) { known[variable(f.Name)] = true })
	}
	return known
}

// knownVariable suggests the variable that was probably meant.
func knownVariable(name string, known map[string]bool) i18n.Text {
	var words []string
	for _, one := range slices.Sorted(maps.Keys(known)) {
		words = append(words, strings.TrimPrefix(one, variablePrefix))
	}
	return suggestion(
		variablePrefix, strings.TrimPrefix(name, variablePrefix), words,
		i18n.New(": `rulestore serve --help` lists the flags, and each is a variable"),
	)
}

// anyNumber of arguments a command may take.
const anyNumber = -1

// newCommand is a command that takes a number of arguments. Its flags are added by whoever makes it, and the help has
// the rest.
func newCommand(name string, least, most int, run func(context.Context, []string) error) *cobra.Command {
	return &cobra.Command{
		Use: name, Args: arguments(least, most),
		RunE: func(c *cobra.Command, args []string) error { return run(c.Context(), args) },
	}
}

// arguments is the number of arguments of a command, as cobra wants it.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		n := len(args)
		switch {
		case least <= n && (n <= most || most == anyNumber):
			return nil
		case most == 0 && c.Flags().Lookup("repo") != nil:
			return i18n.Errorf(
				"%s takes no %q: a repository is named with --repo, `%[1]s --repo %[2]q`", c.CommandPath(), args[0],
			)
		case most == 0:
			return i18n.Errorf("%s takes no %q: leave it out", c.CommandPath(), args[0])
		}
		use := i18n.New("%s", prefix(c)+c.Use)
		if example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n"); example != "" {
			use = i18n.New("%s, for example `%s`", use, example)
		}
		return i18n.Errorf("arguments: received %d, expected %v", n, use)
	}
}

// flagError is the error of a flag that a command does not have, with the one that was probably meant.
func flagError(c *cobra.Command, err error) error {
	unknown, ok := errors.AsType[*pflag.NotExistError](err)
	if !ok {
		return usageError{err}
	}
	var names []string
	c.Flags().VisitAll(func(f *pflag.Flag) { names = append(names, f.Name) })
	dashes, name := "--", unknown.GetSpecifiedName()
	if short := unknown.GetSpecifiedShortnames(); short != "" {
		dashes, name = "-", short
	}
	return usageErrorf("unknown flag: %s%v", dashes+name, suggestion("--", name, names, i18n.Text{}))
}

// noSuchCommand refuses an argument of the root: there is no such command.
func noSuchCommand(c *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	var names []string
	for _, other := range c.Commands() {
		names = append(names, other.Name())
	}
	meant := suggestion("", args[0], names, i18n.Text{})
	return i18n.Errorf("unknown command %q for %q%v", args[0], c.CommandPath(), meant)
}

// suggestion continues an error about an unknown word: with the known one that was probably meant, which is written
// after a prefix, else as given. That is one that is spelled alike, that begins with the word, or that the word begins
// with.
func suggestion(prefix, word string, known []string, otherwise i18n.Text) i18n.Text {
	near := check.NearestFew(word, known, 1)
	for _, one := range known {
		if strings.HasPrefix(word, one) {
			near = append(near, one)
		}
	}
	if len(near) == 0 {
		return otherwise
	}
	return i18n.New(": did you mean %s?", prefix+near[0])
}

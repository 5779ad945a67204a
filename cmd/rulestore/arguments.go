package main

import (
	"errors"
	"strings"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content/check"
	"rulestore/content/i18n"
)

// arguments is the number of arguments of a command, as cobra wants it.
func arguments(least, most int) cobra.PositionalArgs {
	return func(c *cobra.Command, args []string) error {
		n := len(args)
		switch {
		case least <= n && n <= most:
			return nil
		case most == 0 && c.Flags().Lookup("repo") != nil:
			return i18n.Errorf(
				"%s takes no %q: a repository is named with --repo, `%[1]s --repo %[2]q`", c.CommandPath(), args[0],
			)
		case most == 0:
			return i18n.Errorf("%s takes nothing more", c.CommandPath())
		case least == most:
			return i18n.Errorf("accepts %d arg(s), received %d%v", least, n, correctUse(c))
		case least == 0:
			return i18n.Errorf("accepts at most %d arg(s), received %d%v", most, n, correctUse(c))
		}
		return i18n.Errorf("accepts between %d and %d arg(s), received %d%v", least, most, n, correctUse(c))
	}
}

// correctUse continues an error about arguments: with those that there are, and the first example.
func correctUse(c *cobra.Command) i18n.Text {
	use := prefix(c) + c.Use
	if example, _, _ := strings.Cut(strings.TrimSpace(c.Example), "\n"); example != "" {
		return i18n.New(": %s, for example `%s`", use, example)
	}
	return i18n.New(": %s", use)
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
	var meant i18n.Text
	for _, near := range check.NearestFew(name, names, 1) {
		meant = i18n.New(": did you mean %s?", "--"+near)
	}
	return usageErrorf("unknown flag: %s%v", dashes+name, meant)
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
	return i18n.Errorf("unknown command %q for %q%v", args[0], c.CommandPath(), suggestion(args[0], names, i18n.Text{}))
}

// suggestion continues an error about an unknown word: with the known one that was probably meant, else
// as given.
func suggestion(word string, known []string, otherwise i18n.Text) i18n.Text {
	if near := check.Nearest(word, known); near != "" {
		return i18n.New(": did you mean %s?", near)
	}
	return otherwise
}

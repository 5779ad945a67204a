package main

import (
	"github.com/spf13/cobra"

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
		case most == 0:
			return i18n.Errorf("unknown command %q for %q", args[0], c.CommandPath())
		case least == most:
			return i18n.Errorf("accepts %d arg(s), received %d", least, n)
		case least == 0:
			return i18n.Errorf("accepts at most %d arg(s), received %d", most, n)
		}
		return i18n.Errorf("accepts between %d and %d arg(s), received %d", least, most, n)
	}
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

package main

import (
	"embed"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"

	"rulestore/content/i18n"
)

// helpTexts is the help in Russian, a file for each command: how it is used, what it
// does in one line, and after an empty line the rest. What its flags do is in the
// catalogue, since many have the same.
//
//go:embed help/*.txt
var helpTexts embed.FS

// help is the help of a command.
type help struct{ use, short, long string }

// helpOf is the help of a command in Russian, its own if there is none.
func helpOf(c *cobra.Command) help {
	raw, err := helpTexts.ReadFile("help/" + c.Name() + ".txt")
	if err != nil {
		return help{c.Use, c.Short, c.Long}
	}
	head, long, _ := strings.Cut(string(raw), "\n\n")
	use, short, _ := strings.Cut(head, "\n")
	return help{use, strings.TrimSpace(short), strings.TrimSpace(long)}
}

// newHelp replaces the command of cobra, which knows no errors.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use:   "help [command]",
		Short: "Help about any command",
		RunE: func(c *cobra.Command, args []string) error {
			about, rest, err := c.Root().Find(args)
			if err == nil {
				err = noSuchCommand(c.Root(), rest)
			}
			if err != nil {
				return usageError{err}
			}
			about.InitDefaultHelpFlag()
			return about.Help()
		},
	}
}

// setHelp has the help of all commands printed in the language of the person; cobra
// has that in English.
func (e *env) setHelp(root *cobra.Command) {
	root.SetHelpCommand(newHelp())
	if e.say.IsEnglish() {
		return
	}
	root.SetHelpFunc(func(c *cobra.Command, _ []string) { e.printHelp(c) })
}

// printHelp prints the help of a command in the order in which cobra does.
func (e *env) printHelp(c *cobra.Command) {
	h, w := helpOf(c), e.stdout
	if h.long == "" {
		h.long = h.short
	}
	fmt.Fprintf(w, "%s\n\n", h.long)
	e.say.Fprintf(w, "Usage:\n")
	e.say.Fprintf(w, "  %s [flags]\n", strings.TrimSpace(prefix(c)+h.use))
	if c.HasAvailableSubCommands() {
		e.say.Fprintf(w, "  %s [command]\n", c.CommandPath())
	}
	if c.HasExample() {
		e.say.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		e.printCommands(w, c)
	}
	if c.HasAvailableFlags() {
		e.printFlags(w, c.Flags())
	}
	if c.HasAvailableSubCommands() {
		e.say.Fprintf(w, "\nUse \"%s [command] --help\" for more information about a command.\n", c.CommandPath())
	}
}

// prefix is the word before the usage of a command.
func prefix(c *cobra.Command) string {
	if !c.HasParent() {
		return ""
	}
	return c.Parent().CommandPath() + " "
}

func (e *env) printCommands(to io.Writer, c *cobra.Command) {
	e.say.Fprintf(to, "\nAvailable Commands:\n")
	w := tabwriter.NewWriter(to, 0, 0, 1, ' ', 0)
	for _, sub := range c.Commands() {
		if sub.IsAvailableCommand() || sub.Name() == "help" {
			fmt.Fprintf(w, "  %s\t%s\n", sub.Name(), helpOf(sub).short)
		}
	}
	_ = w.Flush() // errors of printing help are ignored
}

func (e *env) printFlags(to io.Writer, flags *pflag.FlagSet) {
	e.say.Fprintf(to, "\nFlags:\n")
	w := tabwriter.NewWriter(to, 0, 0, 3, ' ', 0)
	flags.VisitAll(func(f *pflag.Flag) {
		if !f.Hidden {
			fmt.Fprintf(w, "  %s\t%s\n", e.flagName(f), e.flagUsage(f))
		}
	})
	_ = w.Flush()
}

// flagName is a flag with the type of its value.
func (e *env) flagName(f *pflag.Flag) string {
	name := "    --" + f.Name
	if f.Shorthand != "" {
		name = "-" + f.Shorthand + ", --" + f.Name
	}
	if kind, ok := flagKinds[f.Value.Type()]; ok {
		name += " " + e.say.Sprint(kind)
	}
	return name
}

// flagKinds are the kinds of values, by the names of pflag. A switch has none.
var flagKinds = map[string]i18n.Text{
	"string":      i18n.New("text"),
	"stringArray": i18n.New("text"),
	"stringSlice": i18n.New("list"),
	"int":         i18n.New("number"),
	"duration":    i18n.New("time"),
}

// flagUsage describes a flag and its default.
func (e *env) flagUsage(f *pflag.Flag) string {
	usage := i18n.Text{Format: f.Usage}
	if f.Name == "help" {
		usage = i18n.New("show this help")
	}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return e.say.Sprint(usage)
	}
	return e.say.Sprintf("%s (default %s)", usage, f.DefValue)
}

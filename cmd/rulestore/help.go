package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"strings"
	"text/tabwriter"

	"github.com/spf13/cobra"
	"github.com/spf13/pflag"
	"go.yaml.in/yaml/v3"

	"rulestore/content/i18n"
)

// helpOf is what the help says of a command.
type helpOf struct {
	Use, Short, Long said
	Example          string
	Flags            map[string]said
}

// said is a text in English and, if it is of an authors' command, in Russian.
type said []string

// in is the text in the language of a printer.
func (s said) in(p *i18n.Printer) string {
	switch {
	case len(s) == 0:
		return ""
	case p.IsEnglish():
		return s[0]
	}
	return s[len(s)-1]
}

// helps is the help by command; rulestore has the flags that several commands have.
var helps = func() map[string]helpOf {
	all := map[string]helpOf{}
	files, err := texts.ReadDir("texts/help")
	for _, f := range files {
		raw, e := texts.ReadFile("texts/help/" + f.Name())
		err = errors.Join(err, e, yaml.Unmarshal(raw, &all))
	}
	if err != nil {
		panic(err) // they are embedded, and tests read all of them
	}
	return all
}()

// setHelp gives a command its help in the language that it speaks.
func (e *env) setHelp(c *cobra.Command) {
	help, p := helps[c.Name()], e.printerOf(c)
	c.Use, c.Short, c.Long = help.Use.in(p), help.Short.in(p), strings.TrimSpace(help.Long.in(p))
	if example := strings.TrimSpace(help.Example); example != "" {
		c.Example = "  " + strings.ReplaceAll(example, "\n", "\n  ")
	}
	c.Flags().VisitAll(func(f *pflag.Flag) {
		if own := help.Flags[f.Name]; own != nil {
			f.Usage = own.in(p)
		} else if f.Usage == "" {
			f.Usage = helps["rulestore"].Flags[f.Name].in(p)
		}
	})
}

// newHelp replaces the command of cobra, which knows no errors.
func newHelp() *cobra.Command {
	return &cobra.Command{
		Use: "help",
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

// setHelpCommand has the help of each command printed in its language, with its flags under headings; cobra
// knows neither.
func (e *env) setHelpCommand(root *cobra.Command) {
	c := newHelp()
	e.setHelp(c)
	root.SetHelpCommand(c)
	root.SetHelpFunc(func(c *cobra.Command, _ []string) {
		told := *e
		told.printer = e.printerOf(c)
		told.printHelp(c)
	})
}

// printHelp prints the help of a command.
func (e *env) printHelp(c *cobra.Command) {
	w := e.stdout
	fmt.Fprintf(w, "%s\n\n", cmp.Or(c.Long, c.Short))
	e.printer.Fprintf(w, "Usage:\n")
	e.printer.Fprintf(w, "  %s [flags]\n", prefix(c)+c.Use)
	if c.HasAvailableSubCommands() {
		e.printer.Fprintf(w, "  %s [command]\n", c.CommandPath())
	}
	if c.HasExample() {
		e.printer.Fprintf(w, "\nExamples:\n%s\n", c.Example)
	}
	if c.HasAvailableSubCommands() {
		e.printCommands(w, c)
	}
	if c.HasAvailableFlags() {
		for _, heading := range headings {
			e.printFlags(w, c.Flags(), heading)
		}
	}
	if c.HasAvailableSubCommands() {
		e.printer.Fprintf(w, "\nUse \"%s [command] --help\" for more information about a command.\n", c.CommandPath())
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
	w := tabwriter.NewWriter(to, 0, 0, 1, ' ', 0)
	for _, group := range append(c.Groups(), &cobra.Group{Title: "Additional Commands:"}) {
		fmt.Fprintf(w, "\n%s\n", e.printer.Sprint(i18n.Text{Format: group.Title}))
		for _, sub := range c.Commands() {
			if sub.GroupID == group.ID && (sub.IsAvailableCommand() || sub.Name() == "help") {
				fmt.Fprintf(w, "  %s\t%s\n", sub.Name(), sub.Short)
			}
		}
	}
	_ = w.Flush() // errors of printing help are ignored
}

// The headings of flags in the help.
const (
	otherFlags     = "Flags:" // of those that are under no other
	aboutFirstDay  = "The first day:"
	aboutContent   = "Content:"
	aboutRemote    = "Repository elsewhere:"
	aboutListening = "Listening and limits:"
	aboutOperating = "Logs and operators:"
)

// headings are in the order of the help.
var headings = []string{otherFlags, aboutFirstDay, aboutContent, aboutRemote, aboutListening, aboutOperating}

// headingOf is the annotation of a flag that is under a heading.
const headingOf = "heading"

// helpWidth is the length of a line of the help.
const helpWidth = 114

// printFlags prints the flags under a heading as pflag does, in the language of the user.
func (e *env) printFlags(w io.Writer, flags *pflag.FlagSet, heading string) {
	under := pflag.NewFlagSet("", pflag.ContinueOnError)
	flags.VisitAll(func(f *pflag.Flag) {
		if of := append(f.Annotations[headingOf], otherFlags)[0]; !f.Hidden && of == heading {
			told := *f
			told.Value, told.Usage, told.DefValue = e.shown(f.Value), e.flagUsage(f), ""
			under.AddFlag(&told)
		}
	})
	if under.HasFlags() {
		fmt.Fprintf(w, "\n%s\n%s", e.printer.Sprint(i18n.Text{Format: heading}), under.FlagUsagesWrapped(helpWidth))
	}
}

// shownValue is a value whose type is called as people call it.
type shownValue struct {
	pflag.Value
	kind string
}

// Type implements [pflag.Value].
func (v shownValue) Type() string { return v.kind }

// shown is a value as the help names its type. A switch has none.
func (e *env) shown(v pflag.Value) pflag.Value {
	if kind, ok := flagKinds[v.Type()]; ok {
		return shownValue{v, e.printer.Sprint(kind)}
	}
	return v
}

// flagKinds are the kinds of values, by the names of pflag.
var flagKinds = map[string]i18n.Text{
	"string":      i18n.New("text"),
	"stringArray": i18n.New("text"),
	"stringSlice": i18n.New("list"),
	"int":         i18n.New("number"),
	"duration":    i18n.New("time"),
}

// flagUsage describes a flag and its default.
func (e *env) flagUsage(f *pflag.Flag) string {
	usage := f.Usage
	if f.Name == "help" {
		usage = helps["rulestore"].Flags["help"].in(e.printer)
	}
	switch f.DefValue {
	case "", "0", "0s", "false", "[]":
		return usage
	}
	return e.printer.Sprintf("%s (default %s)", usage, f.DefValue)
}

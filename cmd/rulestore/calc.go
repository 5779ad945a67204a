package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rulestore/content/i18n"
	"rulestore/server/calc"
	"rulestore/server/site"
)

type calcFlags struct {
	serve               serveFlags // of the repository
	input               string
	json, text, example bool
}

func newCalc(e *env) *cobra.Command {
	var f calcFlags
	c := &cobra.Command{
		Use: "calc",
		Example: `  rulestore calc loan_payment --example | rulestore calc loan_payment
  rulestore calc consumer_rights_deadline_date --repo rules --input request.json`,
		Args: arguments(0, 1),
		RunE: func(c *cobra.Command, args []string) error {
			if len(args) == 0 {
				return listTools(e.stdout)
			}
			return calculate(c, e, args[0], f)
		},
	}
	flags := c.Flags()
	pathVar(
		flags, &f.input, "input", "",
		"the file with the request; - is the standard input, which is read too if it is no terminal",
	)
	pathVar(
		flags, &f.serve.repo, "repo", "",
		"the repository whose calendars and parameters count; without it, the starter content",
	)
	flags.StringVar(&f.serve.ref, "ref", "", "the branch of the repository; without it, the one that HEAD names")
	flags.BoolVar(&f.json, "json", false, "print JSON on a terminal too")
	flags.BoolVar(&f.text, "text", false, "print tables where there is no terminal too")
	flags.BoolVar(&f.example, "example", false, "print a request that works, and calculate nothing")
	return c
}

// listTools prints the registry by family.
func listTools(out io.Writer) error {
	w, registry := tabwriter.NewWriter(out, 0, 0, 2, ' ', 0), calc.New()
	for i, f := range calc.Families {
		if i > 0 {
			fmt.Fprintln(w)
		}
		fmt.Fprintf(w, "%s (%s)\n", f.Title, f.ID)
		for t := range registry.Tools() {
			if t.Family == f.ID {
				fmt.Fprintf(w, "  %s\t%s\t%s\n", t.ID, t.Version, t.Title)
			}
		}
	}
	return w.Flush()
}

// calculate prints the answer of a tool to a request.
func calculate(c *cobra.Command, e *env, id string, f calcFlags) error {
	if f.json && f.text {
		return usageErrorf("--json and --text exclude each other: choose one")
	}
	tool, err := findTool(id)
	if err != nil {
		return err
	}
	if f.example {
		_, err := fmt.Fprintln(e.stdout, tool.Examples[0].Request)
		return err
	}
	request, err := readRequest(c.InOrStdin(), tool, f.input)
	if err != nil {
		return err
	}
	content := &lazyFacts{read: func() (calc.Facts, error) { return readFacts(c.Context(), e, f) }}
	if f.serve.repo != "" {
		content.get() // a repository that cannot be read is an error, even if its content is not needed
	}
	answer, err := tool.Calculate(request, calc.Facts{Calendar: content, Parameters: content})
	switch {
	case content.err != nil:
		return content.err
	case err != nil:
		return requestError(tool, err)
	}
	if f.text || !f.json && isTerminal(e.stdout) {
		_, err = e.stdout.Write(answer.Markdown())
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "%s\n", answer.JSON())
	return err
}

func findTool(id string) (*calc.Tool, error) {
	registry := calc.New()
	if t, ok := registry.Tool(id); ok {
		return t, nil
	}
	otherwise := i18n.New(": `rulestore calc` lists them")
	if t, ok := registry.Near(id); ok {
		otherwise = i18n.New(": did you mean %s?", t.ID)
	}
	return nil, usageErrorf("there is no tool %q%v", id, otherwise)
}

// readRequest reads the file, or the standard input if there is anything in it.
func readRequest(stdin io.Reader, tool *calc.Tool, name string) ([]byte, error) {
	in := stdin
	switch {
	case name != "" && name != "-":
		file, err := os.Open(name)
		if err != nil {
			return nil, i18n.Errorf("read the request: %w", err)
		}
		defer file.Close()
		in = file
	case name == "" && isTerminal(stdin):
		return nil, usageErrorf(
			"there is no request: give a file with --input, or pipe one in; `rulestore calc %s --example` prints one "+
				"that works",
			tool.ID,
		)
	}
	request, err := io.ReadAll(io.LimitReader(in, calc.MaxBody+1)) // the engine refuses longer ones
	if err != nil {
		return nil, i18n.Errorf("read the request: %w", err)
	}
	return request, nil
}

// lazyFacts are read when something is first looked up, which most tools never do.
type lazyFacts struct {
	read  func() (calc.Facts, error)
	facts *calc.Facts
	err   error // of reading, after which there are none
}

func (l *lazyFacts) get() calc.Facts {
	if l.facts == nil {
		var facts calc.Facts
		facts, l.err = l.read()
		l.facts = &facts
	}
	return *l.facts
}

// Source implements [calc.Calendar].
func (l *lazyFacts) Source(year int) (calc.External, bool) {
	if c := l.get().Calendar; c != nil {
		return c.Source(year)
	}
	return calc.External{}, false
}

// Business implements [calc.Calendar].
func (l *lazyFacts) Business(d calc.Date) (business bool, why string) {
	return l.get().Calendar.Business(d)
}

// Parameter implements [calc.Parameters].
func (l *lazyFacts) Parameter(id string, on calc.Date) (calc.Parameter, bool) {
	if p := l.get().Parameters; p != nil {
		return p.Parameter(id, on)
	}
	return calc.Parameter{}, false
}

// readFacts reads the calendars and parameters of a repository, or of the starter content.
func readFacts(ctx context.Context, e *env, f calcFlags) (calc.Facts, error) {
	s, err := f.serve.loadSnapshot(ctx, e)
	if err != nil {
		return calc.Facts{}, err
	}
	return site.FactsOf(s), nil
}

// requestError is the error of a request with its faults, by field.
func requestError(tool *calc.Tool, err error) error {
	e, ok := errors.AsType[*calc.Error](err)
	if !ok {
		return err
	}
	return foundError{withFaults(i18n.New("%s refuses the request (%s): %s", tool.ID, e.Code, e.Detail), e)}
}

// withFaults lists the faults by field.
func withFaults(what i18n.Text, e *calc.Error) error {
	lines := []any{what}
	for _, f := range e.Faults {
		pointer := f.Pointer
		if pointer == "" {
			pointer = "/"
		}
		lines = append(lines, fmt.Sprintf("%s (%s): %s. %s", pointer, f.Code, f.Detail, f.Hint))
	}
	return i18n.Errorf("%v", i18n.Join("\n  ", lines...))
}

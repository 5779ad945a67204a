package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"

	"github.com/spf13/cobra"

	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

type calcFlags struct {
	config        // of the repository
	input, format string
	example       bool
}

func newCalc(e *env) *cobra.Command {
	var f calcFlags
	c := newCommand("calc", 0, 1, func(ctx context.Context, args []string) error {
		if len(args) == 0 {
			return e.print("text", outcome{text: listTools})
		}
		return calculate(ctx, e, args[0], f)
	})
	flags := c.Flags()
	pathVar(flags, &f.input, "input", "")
	f.flags(flags, "repo", "ref")
	choiceVar(flags, &f.format, "format", "", "text", "json")
	flags.BoolVar(&f.example, "example", false, "")
	return c
}

// listTools writes the registry by family.
func listTools(p page) {
	registry := calc.New()
	for i, f := range calc.Families {
		if i > 0 {
			p.line("")
		}
		p.line("%s (%s)", f.Title, f.ID)
		var rows [][]string
		for t := range registry.Tools() {
			if t.Family == f.ID {
				rows = append(rows, []string{"  " + t.ID, t.Version, t.Title})
			}
		}
		p.table(rows...)
	}
}

// calculate prints the answer of a tool to a request.
func calculate(ctx context.Context, e *env, id string, f calcFlags) error {
	tool, err := findTool(id)
	if err != nil {
		return err
	}
	if f.example {
		_, err := fmt.Fprintln(e.stdout, tool.Examples[0].Request)
		return err
	}
	request, err := readRequest(e.stdin, tool, f.input)
	if err != nil {
		return err
	}
	if err := f.check(e); err != nil {
		return err
	}
	snapshot, err := f.loadSnapshot(ctx, e)
	if err != nil {
		return err
	}
	answer, err := tool.Calculate(request, site.FactsOf(snapshot))
	if err != nil {
		return requestError(tool, err)
	}
	if f.format == "text" || f.format == "" && isTerminal(e.stdout) {
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
	return nil, usageErrorf(
		"there is no tool %q%v", id, suggestion("", id, api.Shared("ToolId").Allowed(), otherwise),
	)
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
		return nil, noRequest(tool)
	}
	request, err := io.ReadAll(io.LimitReader(in, calc.MaxBody+1)) // the engine refuses longer ones
	if err != nil {
		return nil, i18n.Errorf("read the request: %w", err)
	}
	if len(bytes.TrimSpace(request)) == 0 {
		return nil, noRequest(tool)
	}
	return request, nil
}

func noRequest(tool *calc.Tool) error {
	return usageErrorf(
		"there is no request: give a file with --input, or pipe one in, as `rulestore calc %s --example | rulestore calc "+
			"%[1]s` does",
		tool.ID,
	)
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

package main

import (
	"fmt"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/check"
)

func newRules(e *env) *cobra.Command {
	var format string
	c := &cobra.Command{
		Use:  "rules",
		Args: arguments(0, 0),
		RunE: func(*cobra.Command, []string) error { return listRules(e, format) },
	}
	c.Flags().StringVar(&format, "format", "text", "text or json")
	return c
}

func listRules(e *env, format string) error {
	if err := checkFormat(format); err != nil {
		return err
	}
	if format == "json" {
		return writeJSON(e.stdout, check.Rules())
	}
	tag := locale(e.getenv)
	w := tabwriter.NewWriter(e.stdout, 0, 0, 2, ' ', 0)
	for _, r := range check.Rules() {
		fixable := ""
		if r.Fixable {
			fixable = "fix"
		}
		title, _ := r.Told(tag)
		fmt.Fprintf(w, "%s\t%s\t%s\t%s\n", r.ID, check.Word(content.Word(r.Severity), tag), fixable, title)
	}
	return w.Flush()
}

package main

import (
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content/check"
)

func newExplain(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "explain RULE",
		Short: "Explain a rule, with an example that breaks it and one that keeps it",
		Args:  cobra.ExactArgs(1),
		RunE:  func(_ *cobra.Command, args []string) error { return explain(e, args[0]) },
	}
}

func explain(e *env, id string) error {
	r, ok := check.RuleOf(id)
	if !ok {
		var ids []string
		for _, r := range check.Rules() {
			ids = append(ids, r.ID)
		}
		hint := "`rulestore rules` lists them"
		if near := check.Nearest(id, ids); near != "" {
			hint = fmt.Sprintf("did you mean %s? %s", near, hint)
		}
		return usageError{fmt.Errorf("there is no rule %q: %s", id, hint)}
	}
	c := e.colours()
	about := string(r.Severity)
	if r.Since != "" {
		about += ", since " + r.Since
	}
	if r.Fixable {
		about += ", `rulestore validate --fix` mends it where that is safe"
	}
	_, err := fmt.Fprintf(e.stdout, "%s%s%s: %s\n(%s)\n\n%s\n", c.bold, r.ID, c.off, r.Summary, about, r.Text)
	if err != nil || r.Example == "" {
		return err
	}
	_, err = fmt.Fprintf(e.stdout, "\n%s\n\n%s\n", legend(r.Example), strings.TrimRight(r.Example, "\n"))
	return err
}

// legend says how to read an example.
func legend(example string) string {
	text := "The files under bad/ are against the rule, those under good/ keep it."
	if strings.Contains(example, "-- bad/commit ") {
		text += "\nThey are histories: commits with what they change, and tags with their messages."
	}
	if strings.Contains(example, ".quoted --") {
		text += "\nWhat cannot be seen is escaped: .quoted files are written line by line in quotes."
	}
	return text
}

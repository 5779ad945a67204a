package main

import (
	"context"
	"fmt"
	"strings"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

func newRules(e *env) *cobra.Command {
	var format string
	c := newCommand("rules", 0, 0, func(context.Context, []string) error {
		return listRules(e, format)
	})
	choiceVar(c.Flags(), &format, "format", "text", "text", "json")
	return c
}

func listRules(e *env, format string) error {
	return e.print(format, outcome{
		document: func([]jsonFinding) any { return check.Rules() },
		text: func(p page) {
			var rows [][]string
			tag := locale(e.getenv)
			for _, r := range check.Rules() {
				fixable := ""
				if r.Fixable {
					fixable = "fix"
				}
				title, _ := r.Told(tag)
				rows = append(rows, []string{r.ID, check.Word(content.Word(r.Severity), tag), fixable, title})
			}
			p.table(rows...)
		},
	})
}

func newExplain(e *env) *cobra.Command {
	return newCommand("explain", 1, 1, func(_ context.Context, args []string) error {
		return explain(e, args[0])
	})
}

func explain(e *env, id string) error {
	r, ok := check.RuleOf(id)
	if !ok {
		var ids []string
		for _, r := range check.Rules() {
			ids = append(ids, r.ID)
		}
		otherwise := i18n.New(": `rulestore rules` lists them")
		return usageErrorf("there is no rule %q%v", id, suggestion("", id, ids, otherwise))
	}
	c, w := e.colours(), e.stdout
	title, advice := r.Told(locale(e.getenv))
	fmt.Fprintf(w, "%s%s%s: %s\n(%s)\n\n%s\n", c.bold, r.ID, c.off, title, severityOf(e, r), advice)
	if r.Example != "" {
		fmt.Fprintf(w, "\n%s\n\n%s\n", legend(e, r.Example), strings.TrimRight(r.Example, "\n"))
	}
	return nil
}

// severityOf is the severity of a rule, and its date.
func severityOf(e *env, r check.Rule) string {
	text := check.Word(content.Word(r.Severity), locale(e.getenv))
	if r.Since != "" {
		text += e.printer.Sprintf(", since %s", r.Since)
	}
	if r.Fixable {
		text += e.printer.Sprintf(", `rulestore validate --fix` mends it where that is safe")
	}
	return text
}

// legend explains the form of an example.
func legend(e *env, example string) string {
	text := e.printer.Sprintf("The files under bad/ are against the rule, those under good/ keep it.")
	if strings.Contains(example, "-- bad/commit ") {
		text += "\n" + e.printer.Sprintf(
			"They are histories: commits with what they change, and tags with their messages.",
		)
	}
	if strings.Contains(example, ".quoted --") {
		text += "\n" + e.printer.Sprintf(
			"What cannot be seen is escaped: .quoted files are written line by line in quotes.",
		)
	}
	return text
}

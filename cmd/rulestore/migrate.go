package main

import (
	"context"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/author"
	"rulestore/schemas"
)

func newMigrate(e *env) *cobra.Command {
	var repo string
	c := &cobra.Command{
		Use:  "migrate",
		Args: arguments(0, 0),
		RunE: func(c *cobra.Command, _ []string) error {
			return migrate(c.Context(), e, repo, isTerminal(c.InOrStdin()))
		},
	}
	pathVar(c.Flags(), &repo, "repo", ".", "the repository, or a folder inside it")
	return c
}

func migrate(ctx context.Context, e *env, path string, interactive bool) error {
	repo, err := author.Open(path, e.environ, interactive)
	if err != nil {
		return err
	}
	plan, err := repo.Plan(ctx, author.Options{Mode: author.Split, Schemas: schemas.Embedded()})
	if err != nil {
		return i18n.Errorf("migrate: %w", err)
	}
	if plan.Empty() {
		e.printer.Fprintf(e.stderr, "rulestore: there is nothing to migrate: %s holds no seals\n", content.SealsFile)
		return nil
	}
	if err := plan.Apply(ctx); err != nil {
		return i18n.Errorf("migrate: %w", err)
	}
	e.printer.Fprintf(e.stderr, "rulestore: the seals are in %s/ now, %s changed and committed on %s\n",
		content.SealsFolder, i18n.Count{N: plan.Moved, Noun: "file"}, content.Printable(plan.Branch))
	return nil
}

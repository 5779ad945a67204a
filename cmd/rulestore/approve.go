package main

import (
	"context"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/loader/author"
	"rulestore/loader/signers"
)

type approveFlags struct{ repo, key string }

func newApprove(e *env) *cobra.Command {
	var f approveFlags
	c := &cobra.Command{
		Use: "approve",
		Example: `  rulestore approve guidelines/fraud.ai-deepfake-impersonation.001/v1.2.0
  rulestore approve guidelines/fraud.ai-deepfake-impersonation.001/v1.2.0 --key ~/.ssh/approvals`,
		Args: arguments(1, 1),
		RunE: func(c *cobra.Command, args []string) error { return approve(c.Context(), e, f, args[0]) },
	}
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.key, "key", "", "the file with the SSH key, or with the public half of one that an agent holds")
	return c
}

func approve(ctx context.Context, e *env, f approveFlags, tag string) error {
	if t, err := content.ParseTag(tag); err != nil || t.Kind == nil {
		return usageErrorf(
			"%q is no tag of a publication: expected for example guidelines/product.common.001/v1.0.0", tag,
		)
	}
	repo, err := author.Open(f.repo, e.environ, isTerminal(e.stderr))
	if err != nil {
		return err
	}
	seal, err := repo.Seal(ctx, tag)
	if err != nil {
		return err
	}
	done, err := repo.Approve(ctx, seal, signers.Approving, f.key)
	if err != nil {
		return err
	}
	if !done {
		return e.printer.Fprintf(e.stdout, "approved already: %s\n", seal)
	}
	return e.printer.Fprintf(e.stdout, "approved, and committed: %s\n", seal)
}

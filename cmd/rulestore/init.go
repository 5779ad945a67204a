package main

import (
	"fmt"
	"path/filepath"

	"github.com/spf13/cobra"

	"rulestore/content/starter"
	"rulestore/loader/gitrepo"
)

func newInit(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Create a repository of rules to begin with",
		Long: `Create a git repository in a new folder, with the starter content as a history
of commits, tags and seals: the same that serve shows without --repo.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return initRepository(e, args[0]) },
	}
}

func initRepository(e *env, dir string) error {
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		return fmt.Errorf("read the starter content: %w", err)
	}
	if err := gitrepo.Create(dir, script); err != nil {
		return fmt.Errorf("init %s: %w", filepath.Clean(dir), err)
	}
	_, err = fmt.Fprintf(e.stdout, `created %[1]s: a git repository of rules on branch %[2]s

serve it, and watch it change as you publish:
  rulestore serve --repo %[1]s

publish a new version of a rule, in %[1]s:
  edit guidelines/product.common.001.yaml
  git commit -am "What changed and why"
  git tag -a guidelines/product.common.001/v1.2.0 -m "What the new version brings"
`, filepath.Clean(dir), gitrepo.Branch)
	return err
}

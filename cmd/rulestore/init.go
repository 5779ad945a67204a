package main

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content/starter"
	"rulestore/loader/gitrepo"
)

func newInit(e *env) *cobra.Command {
	return &cobra.Command{
		Use:   "init DIR",
		Short: "Create a repository of rules to begin with",
		Long: `Create a git repository in a new folder outside any other, with the starter content as a history
of commits, tags and seals, the same that serve shows without --repo, and with
what a team needs to work on it: a manual for authors, the settings by which VS
Code, Zed, Helix and Neovim check it as it is typed, checks for GitHub and GitLab
and before each commit, and a way to merge seals.`,
		Args: cobra.ExactArgs(1),
		RunE: func(_ *cobra.Command, args []string) error { return initRepository(e, args[0]) },
	}
}

func initRepository(e *env, dir string) error {
	if err := apart(dir); err != nil {
		return fmt.Errorf("init %s: %w", filepath.Clean(dir), err)
	}
	script, err := gitrepo.ReadReleases(starter.Files)
	if err != nil {
		return fmt.Errorf("read the starter content: %w", err)
	}
	step, err := workplace(script)
	if err != nil {
		return fmt.Errorf("read what a repository begins with: %w", err)
	}
	if err := gitrepo.Create(dir, append(script, step)); err != nil {
		return fmt.Errorf("init %s: %w", filepath.Clean(dir), err)
	}
	_, err = fmt.Fprintf(e.stdout, `created %[1]s: a git repository of rules on branch %[2]s, with a manual in README.md

serve it, and watch it change as you publish:
  rulestore serve --repo %[1]s

publish a new version of a rule, in %[1]s:
  edit guidelines/product.common.001.yaml
  rulestore validate
  git commit -am "What changed and why"
  rulestore publish
`, filepath.Clean(dir), gitrepo.Branch)
	return err
}

// apart refuses a folder inside another repository: git would take neither for a part
// of the other, and what looks like one repository would be two.
func apart(dir string) error {
	dir, err := filepath.Abs(dir)
	if err != nil {
		return err
	}
	for dir = filepath.Dir(dir); ; dir = filepath.Dir(dir) {
		info, err := os.Stat(dir)
		if err == nil && info.IsDir() {
			break
		}
		if err != nil && !errors.Is(err, fs.ErrNotExist) || err == nil || dir == filepath.Dir(dir) {
			return nil // whoever creates it says what is wrong
		}
	}
	at, err := gitrepo.Locate(dir)
	switch {
	case errors.Is(err, gitrepo.ErrNotRepository):
		return nil
	case err != nil:
		return err
	}
	return fmt.Errorf("the folder lies in the git repository %s, and rules need one of their own: choose a folder outside it", cmp.Or(at.WorkTree, at.GitDir))
}

// workplace is the commit after the content's own history: what people and their
// programs need to work on it. Its date follows from that history, so that every
// machine makes the same repository.
func workplace(history gitrepo.Script) (gitrepo.Step, error) {
	if len(history) == 0 {
		return gitrepo.Step{}, errors.New("there is no history to add to")
	}
	files, err := templates()
	if err != nil {
		return gitrepo.Step{}, err
	}
	if err := addEditorSettings(files, itemFiles(history)); err != nil {
		return gitrepo.Step{}, err
	}
	return gitrepo.Step{
		Date:    history[len(history)-1].Date.Add(time.Hour),
		Message: "Рабочее место авторов\n\nОписание для авторов, настройки редактора, проверка запросов на слияние\nи коммитов, сложение печатей при слиянии веток.\n",
		Files:   files,
	}, nil
}

// itemFiles lists the files that there are at the end of a history, sorted.
func itemFiles(history gitrepo.Script) []string {
	there := map[string]bool{}
	for _, step := range history {
		for _, path := range step.Remove {
			delete(there, path)
		}
		for path := range step.Files {
			there[path] = true
		}
	}
	paths := make([]string, 0, len(there))
	for path := range there {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

package main

import (
	"cmp"
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content/i18n"
	"rulestore/content/starter"
	"rulestore/loader/git"
)

func newInit(e *env) *cobra.Command {
	return newCommand("init", 1, 1, func(ctx context.Context, args []string) error {
		return initRepository(ctx, e, args[0])
	})
}

// starterScript is the starter content as a script, with the files that a team needs.
func starterScript() (git.Script, error) {
	script, err := git.ReadReleases(starter.Files)
	if err != nil {
		return nil, i18n.Errorf("read the starter content: %w", err)
	}
	step, err := authoringCommit(script)
	if err != nil {
		return nil, i18n.Errorf("read what a repository begins with: %w", err)
	}
	return append(script, step), nil
}

// createRepository makes a repository, in a pack as small as git makes it where there is git: it looks for no deltas
// between objects of one pack later, and clones and bundles would stay three times as large.
func createRepository(ctx context.Context, e *env, dir string, script git.Script) error {
	if err := git.Create(dir, script); err != nil || git.Installed() != nil {
		return err
	}
	_, _ = git.Environ(e.environ).Run(ctx, git.Command{ // where that fails, they take more space than they need
		GitDir: filepath.Join(dir, ".git"), Args: []string{"repack", "-a", "-d", "-f", "-q"}, Own: true,
	})
	return context.Cause(ctx)
}

func initRepository(ctx context.Context, e *env, dir string) error {
	if err := checkOutsideRepository(e.path(dir)); err != nil {
		return i18n.Errorf("init %s: %w", filepath.Clean(dir), err)
	}
	script, err := starterScript()
	if err != nil {
		return err
	}
	if err := createRepository(ctx, e, e.path(dir), script); err != nil {
		return i18n.Errorf("init %s: %w", filepath.Clean(dir), err)
	}
	return e.printer.Fprintf(e.stdout, `created %[1]s: a git repository of rules on branch %[2]s, with a manual in README.md

show what readers see, as you save it:
  rulestore serve --drafts --repo %[3]s
edit a rule, for example guidelines/product.common.001.yaml, and check it:
  rulestore validate --repo %[3]s
commit it with git, and publish it:
  rulestore publish --repo %[3]s
`, filepath.Clean(dir), git.Branch, shellWord(filepath.Clean(dir)))
}

// plainWord matches what a shell takes as it is.
var plainWord = regexp.MustCompile(`^[\p{L}\p{N}_./:@%+=,-]+$`)

// shellWord is a text as one word of a command that is copied into a shell.
func shellWord(s string) string {
	switch {
	case plainWord.MatchString(s):
		return s
	case runtime.GOOS == "windows":
		return `"` + s + `"`
	}
	return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'"
}

// checkOutsideRepository refuses a folder inside of another repository: git would treat them as two repositories,
// which look like one.
func checkOutsideRepository(dir string) error {
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
			return nil // creating it returns the error
		}
	}
	at, err := git.Locate(dir)
	switch {
	case errors.Is(err, git.ErrNotRepository):
		return nil
	case err != nil:
		return err
	}
	return i18n.Errorf(
		"the folder lies in the git repository %s, and rules need one of their own: choose a folder outside it",
		cmp.Or(at.WorkTree, at.GitDir),
	)
}

// authoringCommit is the commit after the history of the content, with the files for people and their
// programs. Its date is derived from that history, so that every machine makes the same
// repository.
func authoringCommit(history git.Script) (git.ScriptCommit, error) {
	if len(history) == 0 {
		return git.ScriptCommit{}, i18n.Errorf("there is no history to add to")
	}
	files, err := templates()
	if err != nil {
		return git.ScriptCommit{}, err
	}
	if err := addEditorSettings(files, itemFiles(history)); err != nil {
		return git.ScriptCommit{}, err
	}
	return git.ScriptCommit{
		Date: history[len(history)-1].Date.Add(time.Hour),
		Message: "Рабочее место авторов\n\nОписание для авторов, настройки редактора, проверка запросов на слияние\n" +
			"и коммитов.\n",
		Files: files,
	}, nil
}

// itemFiles lists the files that there are at the end of a history, sorted.
func itemFiles(history git.Script) []string {
	kept := map[string]bool{}
	for _, step := range history {
		for _, path := range step.Remove {
			delete(kept, path)
		}
		for path := range step.Files {
			kept[path] = true
		}
	}
	paths := make([]string, 0, len(kept))
	for path := range kept {
		paths = append(paths, path)
	}
	slices.Sort(paths)
	return paths
}

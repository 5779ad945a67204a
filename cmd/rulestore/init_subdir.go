package main

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/author"
	"rulestore/loader/gitrepo"
)

// initSubdir merges the starter content into a folder of an existing repository, where
// its history, tags and files are those of a repository of its own.
func initSubdir(ctx context.Context, e *env, f initFlags, dir string) error {
	dir = e.path(dir)
	folder, err := f.targetFolder(dir)
	if err != nil {
		return i18n.Errorf("init --subdir %s: %w", f.subdir, err)
	}
	script, err := starterScript()
	if err != nil {
		return err
	}
	workflow := moveToFolder(script[len(script)-1].Files, folder)
	script = script.In(folder)
	script[len(script)-1].Files[workflowFile(folder)] = workflow

	temporary, err := os.MkdirTemp("", "rulestore-init-")
	if err != nil {
		return err
	}
	defer os.RemoveAll(temporary)
	if err := createRepository(ctx, e, temporary, script); err != nil {
		return err
	}
	repo, err := author.Open(dir, e.environ, false)
	if err != nil {
		return err
	}
	if err := repo.Graft(ctx, temporary, folder, "Правила в папке "+folder); err != nil {
		return i18n.Errorf("init --subdir %s: %w", f.subdir, err)
	}
	return e.printer.Fprintf(e.stdout, `created %[1]s: rules in a folder of this repository, merged into the branch that is checked out,
with tags that begin with %[1]s/ and a manual in README.md

GitHub checks them by %[2]s; for GitLab, add to .gitlab-ci.yml:
  include: %[1]s/.gitlab-ci.yml

check them before each commit, or run that hook from your own:
  git config core.hooksPath %[1]s/.githooks

send them with their tags, by a merge that keeps their history:
  git push REMOTE HEAD 'refs/tags/%[1]s/*'
`, folder, workflowFile(folder))
}

// targetFolder returns the folder in the repository that dir is in, if rules can be put there.
func (f initFlags) targetFolder(dir string) (string, error) {
	at, err := gitrepo.Locate(dir)
	if err != nil {
		return "", err
	}
	if at.WorkTree == "" {
		return "", i18n.Errorf(
			"%s is a bare repository, without files to work on: clone it, and work in the clone", dir,
		)
	}
	abs, err := filepath.Abs(dir)
	if err != nil {
		return "", err
	}
	rel, err := filepath.Rel(at.WorkTree, filepath.Join(abs, f.subdir))
	if err != nil {
		return "", err
	}
	folder := filepath.ToSlash(rel)
	if filepath.IsAbs(f.subdir) || !plainFolder.MatchString(folder) || gitrepo.CheckFolder(folder) != nil {
		return "", usageErrorf(
			"this is no folder in the repository that tags can begin with: choose letters, digits, hyphens, " +
				"underscores and dots, as in finance/rules",
		)
	}
	return folder, checkVacant(at.WorkTree, folder)
}

// plainFolder has nothing that a shell or a workflow could take for something else.
var plainFolder = regexp.MustCompile(`^[\p{L}\p{N}][\p{L}\p{N}._-]*(/[\p{L}\p{N}][\p{L}\p{N}._-]*)*$`)

// checkVacant is the error if a folder cannot be used.
func checkVacant(workTree, folder string) error {
	at := workTree
	for step := range strings.SplitSeq(folder, "/") {
		at = filepath.Join(at, step)
		info, err := os.Lstat(at)
		switch {
		case errors.Is(err, fs.ErrNotExist):
			return checkOutsideRules(workTree, folder)
		case err != nil:
			return err
		case !info.IsDir():
			return i18n.Errorf("%s is there, and no folder: choose another one", at)
		}
	}
	entries, err := os.ReadDir(at)
	if len(entries) > 0 {
		return i18n.Errorf("%s is not empty: choose a new folder", folder)
	}
	return errors.Join(err, checkOutsideRules(workTree, folder))
}

// checkOutsideRules refuses a folder that is part of other rules.
func checkOutsideRules(workTree, folder string) error {
	for above := path.Dir(folder); ; above = path.Dir(above) {
		inside, _, _ := strings.Cut(strings.TrimPrefix(folder, above+"/"), "/")
		_, err := os.Lstat(filepath.Join(workTree, filepath.FromSlash(above), content.SettingsFile))
		if err == nil && content.KindOf(inside) != nil {
			return i18n.Errorf("the folder belongs to other rules: choose one outside %s", path.Join(above, inside))
		}
		if above == "." {
			return nil
		}
	}
}

// workflowFile is where GitHub looks for the workflow of a folder.
func workflowFile(folder string) string {
	return ".github/workflows/rulestore-" + strings.ReplaceAll(folder, "/", "-") + ".yml"
}

const workflowTemplate = ".github/workflows/validate.yml"

// moveToFolder turns the files of a new repository into those of a folder, and returns its
// workflow, which belongs to the root.
func moveToFolder(files map[string][]byte, folder string) (workflow []byte) {
	for _, name := range []string{workflowTemplate, ".gitlab-ci.yml", ".githooks/pre-commit"} {
		files[name] = programCall.ReplaceAll(files[name], []byte("rulestore $1 --repo "+folder))
	}
	replace := func(name, old, new string) {
		files[name] = []byte(strings.ReplaceAll(string(files[name]), old, new))
	}
	replace(workflowTemplate, "name: Проверка\n\n", "name: Проверка "+folder+"\n\n")
	replace(
		workflowTemplate, "concurrency: rulestore-tag",
		"concurrency: rulestore-tag-"+strings.ReplaceAll(folder, "/", "-"),
	)
	replace(".gitlab-ci.yml", "\nvalidate:\n", "\n"+strings.ReplaceAll(folder, "/", "-")+":\n")
	replace(".githooks/pre-commit", "core.hooksPath .githooks", "core.hooksPath "+folder+"/.githooks")
	replace("CONTRIBUTING.md", "core.hooksPath .githooks", "core.hooksPath "+folder+"/.githooks")
	for _, k := range content.Kinds {
		replace("MANUAL.md", "git checkout "+k.Folder+"/", "git checkout "+folder+"/"+k.Folder+"/")
	}
	workflow = files[workflowTemplate]
	delete(files, workflowTemplate)
	return workflow
}

// programCall are the commands of this program in hooks and workflows.
var programCall = regexp.MustCompile(`\brulestore (validate|test|publish)\b`)

package main

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
	"rulestore/schemas"
)

type validateFlags struct {
	repo, ref, base, format string
	fix, strict, staged     bool
}

func newValidate(e *env) *cobra.Command {
	var f validateFlags
	c := newCommand("validate", 0, anyNumber, func(ctx context.Context, paths []string) error {
		return validate(ctx, e, f, paths)
	})
	flags := c.Flags()
	repoFlag(flags, &f.repo)
	flags.StringVar(&f.ref, "ref", "", "")
	flags.StringVar(&f.base, "base", "", "")
	choiceVar(flags, &f.format, "format", "text", formats...)
	flags.BoolVar(&f.fix, "fix", false, "")
	flags.BoolVar(&f.staged, "staged", false, "")
	flags.BoolVar(&f.strict, "strict", false, "")
	return c
}

func (f validateFlags) check() error {
	if f.fix && f.ref != "" {
		return usageErrorf("--fix mends the work tree: leave out --ref")
	}
	if f.staged && (f.fix || f.ref != "" || f.base != "") {
		return usageErrorf("--staged checks the index, as it is and for itself: leave out --fix, --ref and --base")
	}
	return nil
}

// validation is one run of validate.
type validation struct {
	validateFlags
	*env
	at       git.Location
	repo     *git.Repo
	config   loader.Config // with a cache of files
	head     git.OID       // the commit that the tree is, or began from; zero before the first
	tree     *loader.Tree
	paths    []string          // to report; none: everything
	staged   *loader.Staged    // nil if everything is checked
	snapshot *content.Snapshot // publications; nil if they cannot be loaded
	result   checked
	change   *comparison // nil: without --base
}

// unseen notes what could not be checked.
func (v *validation) unseen(format string, args ...any) {
	v.result.Unseen = append(v.result.Unseen, unchecked{i18n.New(format, args...)})
}

func validate(ctx context.Context, e *env, f validateFlags, paths []string) error {
	if err := f.check(); err != nil {
		return err
	}
	v, err := openValidation(e, f, paths)
	if err != nil {
		return err
	}
	defer v.repo.Close()
	if err := v.run(ctx); err != nil {
		return err
	}
	return v.print()
}

// openValidation opens the requested repository for checking some of its paths.
func openValidation(e *env, f validateFlags, paths []string) (*validation, error) {
	at, err := git.Locate(f.repo)
	if err != nil {
		return nil, err
	}
	if at.WorkTree == "" && f.ref == "" {
		return nil, usageErrorf("%s is a bare repository, it has no files to check: choose a commit with --ref", f.repo)
	}
	if paths, err = e.relativePaths(at.WorkTree, paths); err != nil {
		return nil, err
	}
	repo, err := git.CutOnDisk(f.repo).Open()
	if err != nil {
		return nil, err
	}
	v := &validation{validateFlags: f, env: e, at: at, repo: repo, paths: paths}
	v.config = loader.Config{
		Schemas: schemas.Embedded(), Now: time.Now, Crashed: v.crashed,
		Filters: true, Environ: e.environ, Opened: &loader.Opened{},
	}
	return v, nil
}

// run does the work, step by step.
func (v *validation) run(ctx context.Context) (err error) {
	if v.fix {
		if err := v.applyFixes(); err != nil {
			return err
		}
	}
	if err := v.read(ctx); err != nil {
		return err
	}
	if err := v.checkPaths(); err != nil {
		return err
	}
	if v.staged == nil || v.staged.Whole {
		v.publications(ctx)
	}
	v.tree.Today = time.Now().UTC().Format(content.Date)
	v.tree.Review(nil)
	v.result.Files, v.result.raw = len(v.tree.Raw), v.tree.Raw
	for _, f := range v.tree.Findings {
		if v.isRequested(f) {
			v.result.Findings = append(v.result.Findings, f)
		}
	}
	if err = v.runCases(); err != nil || v.base == "" {
		return err
	}
	v.change, err = v.compare()
	return err
}

// checkPaths returns an error for paths that the content does not have.
func (v *validation) checkPaths() error {
	for _, p := range v.paths {
		if !v.tree.Holds(p) {
			return i18n.Errorf(
				"there is no file or folder %s among the content: it lies in %s and the folders %s", p,
				content.SettingsFile, strings.Join(folders(), ", "),
			)
		}
	}
	return nil
}

// isRequested reports whether a finding is about a requested path.
func (v *validation) isRequested(f content.Finding) bool {
	if v.staged != nil && !v.staged.Concerns(f) {
		return false
	}
	return len(v.paths) == 0 || slices.ContainsFunc(v.paths, func(p string) bool { return isIn(f.Path, p) })
}

func folders() (all []string) {
	for _, k := range content.Kinds {
		all = append(all, k.Folder)
	}
	return append(all, content.CasesFolder)
}

func isIn(path, folder string) bool {
	return path == folder || folder == "." || strings.HasPrefix(path, folder+"/")
}

// read reads the content to check.
func (v *validation) read(ctx context.Context) (err error) {
	if v.ref == "" {
		if v.head, err = v.repo.Head(); err != nil && !errors.Is(err, git.ErrEmpty) {
			return err
		}
		if v.validateFlags.staged {
			return v.reportCrashes(v.readStaged())
		}
		v.tree, err = loader.ReadCheckout(v.config, v.repo, v.at.WorkTree)
		return v.reportCrashes(err)
	}
	if v.head, err = v.repo.Resolve(v.ref); err != nil {
		return i18n.Errorf("--ref: %w: `git branch --all` and `git tag` list them", err)
	}
	v.tree, err = loader.ReadCommit(v.config, v.repo, v.head)
	return v.reportCrashes(err)
}

// readStaged reads the tree that git would commit now.
func (v *validation) readStaged() error {
	tree, err := worktree.Of(v.at, v.environ).Staged(v.path(v.getenv("GIT_INDEX_FILE")))
	if err != nil {
		return err
	}
	if v.staged, err = loader.ReadStaged(v.config, v.repo, v.head, tree); err == nil {
		v.tree = v.staged.Tree
	}
	return err
}

// reportCrashes asks the author to report files on which checks panic, unless there is an error,
// which it returns.
func (v *validation) reportCrashes(err error) error {
	if err == nil {
		for _, crashed := range v.tree.Crashes {
			v.crashed(crashed)
		}
	}
	return err
}

func (v *validation) crashed(err error) {
	crash.Tell(slog.New(slog.NewTextHandler(v.stderr, nil)), err, "doing", "checking")
}

// publications loads the publications if possible: a shallow clone has no history and often no
// tags, and there may be none yet.
func (v *validation) publications(ctx context.Context) {
	if v.repo.Cut() {
		v.unseen(
			"the clone is shallow: what is published, its versions and its seals (`git fetch --unshallow --tags` " +
				"fetches them)",
		)
		return
	}
	if v.snapshot = content.NewSnapshot(content.Input{}); v.head.IsZero() {
		return // nothing is published yet
	}
	source := git.At(git.OnDisk(v.validateFlags.repo), v.head)
	config := v.config
	config.Source = source
	base, err := v.mergeTarget()
	if err != nil {
		v.unseen("the seals of the base: %v", err)
	}
	if base != nil {
		config.Rewritable = base.Rewritable
	}
	l := loader.New(config)
	r, err := l.Begin(ctx) // superseded texts were checked when they were published, and check reads them all
	switch {
	case errors.Is(err, loader.ErrNothingPublished):
		if base != nil {
			l.CheckSeals(v.tree, v.snapshot, base)
		}
		return
	case err != nil:
		v.snapshot = nil
		v.unseen("what is published: %v", err)
		return
	}
	v.snapshot = r.Snapshot
	l.CheckTree(v.tree, r.Snapshot)
	v.tree.AddLoadFindings(r.Report, base)
	if base != nil {
		l.CheckSeals(v.tree, r.Snapshot, base)
	}
}

// relativePaths returns paths as they are inside a repository. What lies outside, also
// by way of a link, is a wrong command line.
func (e *env) relativePaths(root string, paths []string) (inside []string, err error) {
	if root == "" && len(paths) > 0 {
		return nil, usageErrorf("a bare repository has no paths: leave them out")
	}
	for _, p := range paths {
		path, ok, err := worktree.Inside(root, e.path(p))
		if err != nil {
			return nil, err
		}
		if !ok {
			return nil, usageErrorf("%s is outside the repository %s", e.path(p), root)
		}
		inside = append(inside, path)
	}
	return inside, nil
}

// print writes the result, with a summary line.
func (v *validation) print() error {
	r := v.result
	said := outcome{checked: r, text: func(page) {}, document: func(findings []jsonFinding) any {
		return struct {
			Findings []jsonFinding `json:"findings"`
			Files    int           `json:"files"`
			Errors   int           `json:"errors"`
			Warnings int           `json:"warnings"`
			Notes    int           `json:"notes"`
			Unseen   []unchecked   `json:"unseen"`
			Change   *comparison   `json:"change,omitempty"`
		}{
			findings, r.Files, r.count(content.Error), r.count(content.Warning), r.count(content.Note),
			list(r.Unseen), v.change,
		}
	}}
	if v.change != nil {
		said.text, said.notes = v.change.text, v.change.notes()
	}
	if err := v.env.print(v.format, said); err != nil {
		return err
	}
	if r.count(content.Error) > 0 || v.strict && r.count(content.Warning) > 0 {
		return foundErrorf("%s", r.totals())
	}
	return v.printer.Fprintf(v.stderr, "%s\n", r.totals())
}

// mergeTarget finds the base that the content is to be merged into: the requested one, else the served
// branch in this clone. On the served branch itself there is none.
func (v *validation) mergeTarget() (*loader.Base, error) {
	if v.base != "" {
		return loader.ReadBase(v.repo, v.head, v.base) // without one compare reports it
	}
	if v.ref == git.Branch {
		return nil, nil
	}
	return servedBase(v.repo, v.head, v.ref == "")
}

// servedBase is the served branch, as far as a clone knows it, for content that began from
// a commit; nil if that is the served branch, checked out.
func servedBase(repo *git.Repo, head git.OID, checkedOut bool) (*loader.Base, error) {
	if refs, err := repo.Refs(""); err == nil && checkedOut && refs.Branch == git.Branch {
		return nil, nil
	}
	return loader.ReadBase(
		repo, head, "refs/remotes/origin/HEAD", "refs/remotes/origin/"+git.Branch, "refs/heads/"+git.Branch,
	)
}

// applyFixes fixes files with mechanical errors, and lists the fixes. Files that a sparse checkout
// leaves out are listed and not changed.
func (v *validation) applyFixes() error {
	tree, err := loader.ReadCheckout(v.config, v.repo, v.at.WorkTree)
	if err != nil {
		return err
	}
	for _, path := range slices.Sorted(maps.Keys(tree.Raw)) {
		wanted := len(v.paths) == 0 || slices.ContainsFunc(v.paths, func(p string) bool { return isIn(path, p) })
		if !wanted || !strings.HasSuffix(path, ".yaml") {
			continue
		}
		fixed, rules := check.Fix(path, tree.Raw[path])
		if len(rules) == 0 {
			continue
		}
		if err := v.replace(path, fixed, strings.Join(rules, ", ")); err != nil {
			return err
		}
	}
	return nil
}

// replace replaces a file of the work tree, if it is checked out.
func (v *validation) replace(path string, fixed []byte, rules string) error {
	_, err := worktree.Read(v.at.WorkTree, path)
	if errors.Is(err, fs.ErrNotExist) {
		return v.printer.Fprintf(
			v.stderr, "not mended, because it is not checked out: %s: %s\n", content.Printable(path), rules,
		)
	}
	if err == nil {
		err = worktree.Write(v.at.WorkTree, path, fixed)
	}
	if err != nil {
		return err
	}
	return v.printer.Fprintf(v.stderr, "mended %s: %s\n", content.Printable(path), rules)
}

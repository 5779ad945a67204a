package loader

import (
	"path"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// Tree is the content of a repository in one state, checked by the rules that a load applies to
// tagged content.
type Tree struct {
	check.Tree
	Raw      map[string][]byte // the files that were read, by path
	Cases    []content.Case    // by path and line
	Findings []content.Finding
	Crashes  []error // panics of checks, with their stacks; each is a finding too

	published *content.Snapshot // nil if it is unknown
	placed    map[string]bool   // plain paths with an entry, read or not
}

// ReadCheckout reads the files of a work tree as git would store them, committed or not, also those
// that a sparse checkout leaves out. It never leaves the folder, whatever links are in it. Of the
// configuration it uses Schemas, Opened, Filters and Environ, like the other functions.
func ReadCheckout(c Config, repo *git.Repo, dir string) (*Tree, error) {
	files, err := c.workTree(repo, dir).Read(repo)
	return c.readTree(repo, files, err)
}

// ReadCommit reads the files of a commit.
func ReadCommit(c Config, repo *git.Repo, commit git.OID) (*Tree, error) {
	files, err := worktree.OfCommit(repo, commit)
	return c.readTree(repo, files, err)
}

// workTree is the work tree in a folder.
func (c Config) workTree(repo *git.Repo, dir string) worktree.Tree {
	return worktree.Tree{WorkTree: git.WorkTree{
		GitDir: repo.GitDir(), Root: dir, Filters: c.Filters, Environ: c.Environ,
	}}
}

// readTree reads and checks files that were listed, unless there is an error, which it returns.
func (c Config) readTree(repo *git.Repo, files *worktree.Content, err error) (*Tree, error) {
	if err == nil {
		err = files.Read(repo)
	}
	if err != nil {
		return nil, err
	}
	return c.tree(files), nil
}

// ReadSeals returns the seal files of a commit that are regular files and small enough, by
// path.
func ReadSeals(repo *git.Repo, commit git.OID) (map[string][]byte, error) {
	entries, err := repo.Files(commit, func(path string, m git.Mode) bool {
		return content.HoldsSeals(path) && worktree.Followed(path, m)
	})
	if err != nil {
		return nil, err
	}
	files := map[string][]byte{}
	var size worktree.Size
	for _, e := range entries {
		raw, refusal, err := worktree.ReadFile(repo, e, e.Path, worktree.Limit(e.Path))
		if err == nil {
			err = size.Add(e.Path, len(raw))
		}
		if err != nil {
			return nil, err
		}
		if refusal == nil {
			files[e.Path] = raw
		}
	}
	return files, nil
}

// ReadPlaces returns the items' files at a commit, by their paths without areas
// ([content.PlainPath]); one of an item that has several.
func ReadPlaces(repo *git.Repo, commit git.OID) (map[string]git.File, error) {
	entries, err := repo.Files(commit, worktree.Followed)
	places := make(map[string]git.File, len(entries))
	for _, e := range entries {
		if _, ok := worktree.ItemAt(e.Path); ok {
			places[content.PlainPath(e.Path)] = e
		}
	}
	return places, err
}

// tree checks the files, on all processors.
func (c Config) tree(of *worktree.Content) *Tree {
	t, files := &Tree{Raw: map[string][]byte{}}, of.Files
	t.Root = t.Raw
	slices.SortFunc(files, func(a, b worktree.File) int { return strings.Compare(a.Path, b.Path) })
	items, crashes := make([]check.File, len(files)), make([]error, len(files))
	checks := newPool()
	for i, f := range files {
		checks.Go(func() error {
			crashes[i] = crash.Do(func() { items[i] = c.openFile(f) })
			return nil
		})
	}
	_ = checks.Wait() // each has its own error
	for i, f := range files {
		err := crashes[i]
		if err == nil {
			err = crash.Do(func() { t.add(c.Schemas, f, items[i]) })
		}
		if err != nil {
			t.Crashes = append(t.Crashes, err)
			t.Findings = append(t.Findings, CrashFinding(f.Path, "checking the file", err))
		}
		t.Findings = append(t.Findings, items[i].Style...)
	}
	t.Findings = append(t.Findings, t.inTwoPlaces(files)...)
	t.Findings = append(t.Findings, t.reviewSeals(newSealHistory(), nil)...)
	if _, ok := t.Raw[content.SettingsFile]; !ok &&
		!slices.ContainsFunc(files, func(f worktree.File) bool { return f.Path == content.SettingsFile }) {
		t.Findings = append(t.Findings, finding(content.SettingsFile, say("missing-file", "settings", nil)))
	}
	t.Findings = append(t.Findings, of.Folders...)
	return t
}

// check checks the file of an item, or a root file for leftovers of editing.
func (c Config) openFile(f worktree.File) check.File {
	tag, ok := worktree.ItemAt(f.Path)
	switch {
	case f.Refusal != nil || !strings.HasSuffix(f.Path, ".yaml"):
		return check.File{}
	case ok:
		return c.open(tag, f.Raw).At(f.Path)
	}
	return check.File{Style: check.Style(f.Path, f.Raw)}
}

func (t *Tree) add(schemas content.Schemas, f worktree.File, item check.File) {
	if len(f.Refusal) > 0 {
		t.Findings = append(t.Findings, f.Refusal...)
		return
	}
	t.Raw[f.Path] = f.Raw
	var found []content.Finding
	var cases []content.Case
	switch {
	case f.Path == content.SettingsFile:
		t.Settings, found = check.Settings(schemas, f.Raw)
	case f.Path == content.LifecycleFile:
		t.Marks, found = check.Lifecycle(schemas, f.Raw)
	case content.HoldsCases(f.Path):
		cases, found = check.Cases(schemas, f.Path, f.Raw)
		t.Cases = append(t.Cases, cases...)
	default:
		if found = worktree.Misplaced(f.Path); item.Kind != nil {
			t.Items = append(t.Items, item)
			found = item.Findings
		}
	}
	t.Findings = append(t.Findings, found...)
}

// inTwoPlaces records the paths of files, and of an item with several keeps only the first.
func (t *Tree) inTwoPlaces(files []worktree.File) []content.Finding {
	t.placed = map[string]bool{}
	paths := make([]string, 0, len(files))
	for _, f := range files {
		t.placed[content.PlainPath(f.Path)] = true
		paths = append(paths, f.Path)
	}
	found := worktree.InTwoPlaces(paths)
	again := map[string]bool{}
	for _, f := range found {
		again[f.Path] = true
	}
	t.Items = slices.DeleteFunc(t.Items, func(f check.File) bool { return again[f.Path()] })
	return found
}

// refused reports whether the entry at the path is not a file.
func (t *Tree) refused(path string) bool {
	return slices.ContainsFunc(t.Findings, func(f content.Finding) bool { return f.Path == path })
}

// Holds reports whether the tree has a file or a non-empty folder with that name.
func (t *Tree) Holds(name string) bool {
	if _, ok := t.Raw[name]; ok || name == "." || t.refused(name) {
		return true
	}
	for p := range t.Raw {
		if strings.HasPrefix(p, path.Clean(name)+"/") {
			return true
		}
	}
	return false
}

// Review adds the findings of [check.Review] in the files whose paths are wanted, in all for nil, and sorts all
// findings.
func (t *Tree) Review(wanted func(path string) bool) {
	r := content.Report{Findings: append(t.Findings, check.Review(t.Tree, wanted)...)}
	t.tolerate(r.Findings)
	r.Sort()
	t.Findings = slices.Compact(r.Findings)
}

// ReviewDrafts returns what validate finds in the files that the last load served as drafts: of the work tree,
// or of the commit if that is not the branch's.
func (l *Loader) ReviewDrafts() (found []content.Finding, err error) {
	defer crash.Rescue(&err)
	repo, err := l.Source.Open()
	if err != nil {
		return nil, err
	}
	defer repo.Close()
	if err := l.state.work.Read(repo); err != nil {
		return nil, err
	}
	var published []*content.Publication
	for _, it := range l.state.snapshot.Items {
		for _, e := range it.Entries {
			if !e.Draft && e.Version.Prerelease() == "" {
				published = append(published, e.Publication)
			}
		}
	}
	t := l.tree(l.state.work)
	for _, crashed := range t.Crashes {
		l.reportCrash(crashed)
	}
	l.CheckTree(t, content.NewSnapshot(content.Input{Publications: published}))
	t.Today = l.state.snapshot.Source.Date
	t.Review(nil)
	return t.Findings, nil
}

// CheckTree checks a tree against the published content, and uncommitted seals against earlier
// ones, as of the last load.
func (l *Loader) CheckTree(t *Tree, published *content.Snapshot) {
	t.Against(published)
	seals := t.seals()
	t.Findings = slices.DeleteFunc(t.Findings, func(f content.Finding) bool {
		_, is := seals[f.Path]
		return is
	})
	t.Findings = append(t.Findings, t.reviewSeals(l.cache.seals, l.state.history)...)
}

// seals returns the seal files that were read, by path.
func (t *Tree) seals() map[string][]byte {
	files := map[string][]byte{}
	for path, raw := range t.Raw {
		if content.HoldsSeals(path) {
			files[path] = raw
		}
	}
	return files
}

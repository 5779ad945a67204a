package loader

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"runtime"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/gitrepo"
)

// Tree is what a repository holds at one state, checked by the rules that a load
// applies to what is tagged there.
type Tree struct {
	check.Tree
	Raw      map[string][]byte // the files that were read, by path
	Findings []content.Finding
}

// treeFile is a file as it was found, before anybody looked into it.
type treeFile struct {
	path    string
	raw     []byte
	refusal []content.Finding // why there is nothing in raw
}

// ReadWorkTree reads the files of a work tree, committed or not. It never leaves
// the folder, whatever links stand in it.
func ReadWorkTree(schemas content.Schemas, dir string) (*Tree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var files []treeFile
	for _, top := range tops() {
		found, err := walkTop(root, top)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		files = append(files, found...)
	}
	t := newTree(schemas, files)
	return t, t.reviewFolders(root)
}

// walkTop reads a file of the root, or what is in the folder of a kind. It never
// leaves the folder of root, and follows no link, not even one that stands in
// place of the folder.
func walkTop(root *os.Root, top string) (files []treeFile, err error) {
	info, err := root.Lstat(top)
	if err != nil {
		return nil, err
	}
	if content.KindOf(top) != nil && !info.IsDir() {
		return []treeFile{{top, nil, misplaced(top)}}, nil
	}
	if !info.IsDir() {
		f, err := readTreeFile(root, top, info.Mode())
		return []treeFile{f}, err
	}
	err = fs.WalkDir(root.FS(), top, func(name string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !followed(name, gitrepo.Regular) {
			return err
		}
		f, err := readTreeFile(root, name, e.Type())
		files = append(files, f)
		return err
	})
	return files, err
}

// tops lists what matters in the root of a repository.
func tops() []string {
	all := []string{content.SettingsFile, content.LifecycleFile, content.SealsFile}
	for _, k := range content.Kinds {
		all = append(all, k.Folder)
	}
	return all
}

func readTreeFile(root *os.Root, name string, m fs.FileMode) (treeFile, error) {
	switch {
	case m&fs.ModeSymlink != 0:
		return treeFile{name, nil, refusedMode(name, gitrepo.Symlink)}, nil
	case !m.IsRegular():
		return treeFile{name, nil, []content.Finding{finding(name, "symlink", "this is no ordinary file", "put the file itself here")}}, nil
	}
	f, err := root.Open(name)
	if err != nil {
		return treeFile{}, err
	}
	defer f.Close()
	limit := sizeLimit(name)
	info, err := f.Stat()
	if err != nil {
		return treeFile{}, err
	}
	if info.Size() > limit {
		err := fmt.Errorf("%w: it has %d bytes, at most %d are allowed", gitrepo.ErrTooLarge, info.Size(), limit)
		return treeFile{name, nil, tooLarge(name, err)}, nil
	}
	raw, err := io.ReadAll(io.LimitReader(f, limit))
	return treeFile{name, raw, refusedContent(name, raw)}, err
}

func sizeLimit(path string) int64 {
	if path == content.SealsFile {
		return maxSealsFile
	}
	return check.MaxSize
}

// ReadCommit reads the files of a commit.
func ReadCommit(schemas content.Schemas, repo *gitrepo.Repo, commit gitrepo.OID) (*Tree, error) {
	c, err := repo.Commit(commit)
	if err != nil {
		return nil, err
	}
	entries, err := repo.Changes(gitrepo.OID{}, c.Tree, followed)
	if err != nil {
		return nil, err
	}
	var files []treeFile
	for _, e := range entries {
		f := treeFile{e.Path, nil, refusedMode(e.Path, e.Mode)}
		if f.refusal == nil {
			switch f.raw, err = repo.Blob(e.OID, sizeLimit(e.Path)); {
			case errors.Is(err, gitrepo.ErrTooLarge):
				f.refusal = tooLarge(e.Path, err)
			case err != nil:
				return nil, err
			default:
				f.refusal = refusedContent(e.Path, f.raw)
			}
		}
		files = append(files, f)
	}
	return newTree(schemas, files), nil
}

// newTree checks the files, on all processors.
func newTree(schemas content.Schemas, files []treeFile) *Tree {
	t := &Tree{Raw: map[string][]byte{}}
	t.Root = t.Raw
	slices.SortFunc(files, func(a, b treeFile) int { return strings.Compare(a.path, b.path) })
	results, styles := make([]check.Result, len(files)), make([][]content.Finding, len(files))
	var wg sync.WaitGroup
	free := make(chan bool, runtime.GOMAXPROCS(0))
	for i, f := range files {
		free <- true
		wg.Go(func() {
			defer func() { <-free }()
			if tag, ok := itemFile(f.path); ok && f.refusal == nil {
				results[i] = check.Item(schemas, tag.Kind, tag.Name, f.raw)
			}
			if strings.HasSuffix(f.path, ".yaml") && f.refusal == nil {
				styles[i] = check.Style(f.path, f.raw)
			}
		})
	}
	wg.Wait()
	for i, f := range files {
		t.add(schemas, f, results[i])
		t.Findings = append(t.Findings, styles[i]...)
	}
	if _, ok := t.Raw[content.SettingsFile]; !ok && !slices.ContainsFunc(files, func(f treeFile) bool { return f.path == content.SettingsFile }) {
		t.Findings = append(t.Findings, finding(content.SettingsFile, "missing-file", "the file is missing: nothing is served without it", "`rulestore init DIR` writes an example"))
	}
	return t
}

func (t *Tree) add(schemas content.Schemas, f treeFile, r check.Result) {
	if len(f.refusal) > 0 {
		t.Findings = append(t.Findings, f.refusal...)
		return
	}
	t.Raw[f.path] = f.raw
	var found []content.Finding
	switch f.path {
	case content.SettingsFile:
		t.Settings, found = check.Settings(schemas, f.raw)
	case content.LifecycleFile:
		t.Marks, found = check.Lifecycle(schemas, f.raw)
	case content.SealsFile:
		found = new(sealLog).with(f.raw).findingsNow()
	default:
		tag, ok := itemFile(f.path)
		if found = misplaced(f.path); ok {
			t.Items = append(t.Items, check.File{Kind: tag.Kind, Name: tag.Name, Raw: f.raw, Result: r})
			found = r.Findings
		}
	}
	t.Findings = append(t.Findings, found...)
}

// reviewFolders finds folders that nobody reads and whose names are nearly those
// of kinds.
func (t *Tree) reviewFolders(root *os.Root) error {
	entries, err := fs.ReadDir(root.FS(), ".")
	var kinds []string
	for _, k := range content.Kinds {
		kinds = append(kinds, k.Folder)
	}
	for _, e := range entries {
		if near := check.Nearest(e.Name(), kinds); e.IsDir() && near != "" && near != e.Name() {
			t.Findings = append(t.Findings, warning(e.Name(), "folder", "nothing in this folder is read", fmt.Sprintf("did you mean %q?", near)))
		}
	}
	return err
}

// Against holds the tree against what is published: what was taken away, ids that
// are not what they were, and marks for versions that there are none of.
func (t *Tree) Against(s *content.Snapshot) {
	for i, m := range t.Marks {
		if itemOf(s, m.Item) == nil {
			continue // found by the review, if the tree has none either
		}
		for _, f := range judgeMark(s, m) {
			f.Line, f.Column = check.Position(content.LifecycleFile, t.Raw[content.LifecycleFile], "marks", fmt.Sprint(i))
			t.Findings = append(t.Findings, f)
		}
	}
	here := map[string]check.File{}
	for _, f := range t.Items {
		here[f.Item()] = f
	}
	t.Published = func(item string) bool { return itemOf(s, item) != nil }
	for _, it := range s.Items {
		last := it.Entries[0]
		file := it.Kind.File(it.Name)
		f, ok := here[it.ID()]
		switch {
		case !ok && t.Raw[file] == nil && !t.refused(file) && !takenAway(t.Marks, it.ID()):
			t.Findings = append(t.Findings, removed(file))
		case ok && f.OK() && f.Body.Text(it.Kind.ID) != last.ID():
			t.Findings = append(t.Findings, otherID(it.Kind, it.Name, f.Body.Text(it.Kind.ID), last.ID(), last.Version))
		}
	}
}

// refused says whether there is something at the path that is no file.
func (t *Tree) refused(path string) bool {
	return slices.ContainsFunc(t.Findings, func(f content.Finding) bool { return f.Path == path })
}

// Holds says whether the tree has a file, or anything in a folder, of that name.
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

// Review adds what only a reviewer would see, and puts all findings into order.
func (t *Tree) Review(schemas content.Schemas) {
	r := content.Report{Findings: append(t.Findings, check.Review(schemas, t.Tree)...)}
	r.Sort()
	t.Findings = slices.Compact(r.Findings)
}

// SealFindings holds a version of rulestore.sum that is not committed yet against
// what was sealed before, as far as the last load saw.
func (l *Loader) SealFindings(raw []byte) []content.Finding { return l.seals.with(raw).findingsNow() }

package loader

import (
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// TreeReader reads one work tree repeatedly, with unsaved text of an editor. Unchanged files
// are not checked again. It is safe for concurrent use, as long as only one goroutine calls
// [TreeReader.Read].
type TreeReader struct {
	Config
	dir    string
	opened *openedFiles
}

// NewTreeReader returns a reader of the work tree in a folder. Of the configuration it uses the
// schemas, Below and Crashed.
func NewTreeReader(c Config, dir string) *TreeReader {
	return &TreeReader{c, dir, &openedFiles{Config: c}}
}

// Read is [ReadCheckout] with buffers, by path, in place of the files; a buffer may be for a
// file that was never saved. Files that are not content are ignored. There is always a tree; if
// the folder cannot be read, the error is the reason, and the tree has only the buffers.
func (r *TreeReader) Read(buffers map[string][]byte) (*Tree, error) {
	w, err := r.files()
	w.files = slices.DeleteFunc(w.files, func(f treeFile) bool { _, typed := buffers[f.path]; return typed })
	for _, path := range slices.Sorted(maps.Keys(buffers)) {
		if wanted(path, git.Regular) {
			w.files = append(w.files, buffer(path, buffers[path]))
		}
	}
	t := w.tree(r.Config, r.opened.open)
	r.opened.known.rotate()
	for _, crashed := range t.Crashes {
		r.reportCrash(crashed)
	}
	return t, err
}

// files reads the folder as its repository would store it, if that is readable.
func (r *TreeReader) files() (w *workTree, err error) {
	repo, unread := (*git.Repo)(nil), error(nil)
	if r.Source != nil {
		repo, unread = r.Source.Open() // who looks for what is published says why
	}
	if repo == nil || unread != nil {
		w, err = readPlain(r.dir)
	} else {
		defer repo.Close()
		if w, err = r.listCheckout(repo, r.dir); err == nil {
			err = w.read(repo)
		}
	}
	if err != nil {
		return &workTree{}, err
	}
	return w, nil
}

// Open returns a tree of one file only, with the findings about it; it is not ok if the path is
// not one of content.
func (r *TreeReader) Open(path string, raw []byte) (t *Tree, ok bool) {
	if !wanted(path, git.Regular) {
		return nil, false
	}
	t = newTree(r.Schemas, []treeFile{buffer(path, raw)}, r.opened.open)
	t.Findings = slices.DeleteFunc(t.Findings, func(f content.Finding) bool { return f.Path != path })
	return t, true
}

// buffer is the text of a file in an editor, under the limits of files.
func buffer(path string, raw []byte) treeFile {
	refusal := refusedFile(worktree.File{Path: path, Mode: git.Regular, Raw: raw})
	if refusal != nil {
		raw = nil
	}
	return treeFile{path, raw, refusal}
}

// With returns the tree with the file of an item, replacing the one with the same name, if any.
// The new tree has no findings.
func (t *Tree) With(f check.File) check.Tree {
	next := t.Tree
	next.Items = slices.DeleteFunc(slices.Clone(t.Items), func(g check.File) bool { return g.Item() == f.Item() })
	next.Items = append(next.Items, f)
	return next
}

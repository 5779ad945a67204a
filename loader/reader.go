package loader

import (
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/gitrepo"
)

// TreeReader reads one work tree again and again, with what is typed in an editor
// and not saved. A file that is as it was is not checked again. It is safe for use
// by many goroutines, as long as only one calls [TreeReader.Read].
type TreeReader struct {
	Config
	dir    string
	opened *openedFiles
}

// NewTreeReader returns a reader of the work tree in a folder. Of the settings it takes
// the schemas, and whom to tell of crashes.
func NewTreeReader(c Config, dir string) *TreeReader {
	return &TreeReader{c, dir, &openedFiles{Config: c}}
}

// Read is [ReadCheckout] with buffers, by path, in place of the files that they are
// of; a buffer may be of a file that was never saved. What the content does not
// consist of is left out. There is always a tree; if the folder cannot be read, which
// the error says, the buffers are all that it has.
func (r *TreeReader) Read(buffers map[string][]byte) (*Tree, error) {
	w, err := r.files()
	files := slices.DeleteFunc(w.files, func(f treeFile) bool { _, typed := buffers[f.path]; return typed })
	for _, path := range slices.Sorted(maps.Keys(buffers)) {
		if wanted(path, gitrepo.Regular) {
			files = append(files, buffer(path, buffers[path]))
		}
	}
	t := newTree(r.Schemas, files, r.opened.open)
	t.Findings = append(t.Findings, w.folders...)
	r.opened.known.turn()
	for _, crashed := range t.Crashes {
		r.tell(crashed)
	}
	return t, err
}

// files reads the folder, and from its repository, if it has one that can be read, what
// is not checked out.
func (r *TreeReader) files() (*workTree, error) {
	w, err := readWorkTree(r.dir)
	if err != nil {
		return &workTree{}, err
	}
	if r.Source == nil {
		return w, nil
	}
	repo, err := r.Source.Open()
	if err != nil {
		return w, nil // who looks for what is published says why
	}
	defer repo.Close()
	return w, w.complete(repo)
}

// Open returns a tree of one file only, with the findings about it; not ok says that
// the content does not consist of such files.
func (r *TreeReader) Open(path string, raw []byte) (t *Tree, ok bool) {
	if !wanted(path, gitrepo.Regular) {
		return nil, false
	}
	t = newTree(r.Schemas, []treeFile{buffer(path, raw)}, r.opened.open)
	t.Findings = slices.DeleteFunc(t.Findings, func(f content.Finding) bool { return f.Path != path })
	return t, true
}

// buffer is a file as an editor has it, under the limits of files.
func buffer(path string, raw []byte) treeFile {
	if limit := sizeLimit(path); int64(len(raw)) > limit {
		err := &gitrepo.SizeError{Size: int64(len(raw)), Limit: limit}
		return treeFile{path, nil, tooLarge(path, err)}
	}
	return treeFile{path, raw, refusedContent(path, raw)}
}

// With returns the tree with the file of an item in place of the one that it has
// under this name, if any. The findings are none of the new tree's.
func (t *Tree) With(f check.File) check.Tree {
	next := t.Tree
	next.Items = slices.DeleteFunc(slices.Clone(t.Items), func(g check.File) bool { return g.Item() == f.Item() })
	next.Items = append(next.Items, f)
	return next
}

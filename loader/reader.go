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
// are not checked again. It must be used by one goroutine at a time.
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

// buffer is the text of a file in an editor, under the limits of files.
func buffer(path string, raw []byte) treeFile {
	refusal := refusedFile(worktree.File{Path: path, Mode: git.Regular, Raw: raw})
	if refusal != nil {
		raw = nil
	}
	return treeFile{path, raw, refusal}
}

// fileKey is the content of a file of an item.
type fileKey struct {
	kind *content.Kind
	name string
	blob git.OID
}

// openedFiles caches the files that were checked, so that the next reading checks only those saved since.
type openedFiles struct {
	Config
	known memo[fileKey, check.File]
}

// open checks the file of an item, unless it is cached. It is safe for concurrent use.
func (o *openedFiles) open(t content.Tag, raw []byte) check.File {
	key := fileKey{t.Kind, t.Name, git.BlobOID(raw)}
	if f, ok := o.known.get(key); ok {
		return f
	}
	return o.known.keep(key, o.openItemFile(t, raw))
}

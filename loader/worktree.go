package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// workTree has the unparsed files of a work tree, or of a commit.
type workTree struct {
	files   []treeFile
	same    []git.File        // of a work tree: those that are as in its commit, not read yet
	folders []content.Finding // about folders that are not read
	size    worktree.Size
}

// readPlain reads a folder that is in no repository.
func readPlain(dir string) (*workTree, error) {
	w := &workTree{}
	files, err := worktree.ReadPlain(dir, &w.size)
	w.add(files)
	if err == nil {
		w.folders, err = reviewFolders(dir)
	}
	return w, err
}

// listCheckout reads the files of a work tree that differ from its commit, as git would store them,
// and lists the others, also those that a sparse checkout leaves out. Without git, files are read as they lie there.
func (c Config) listCheckout(repo *git.Repo, dir string) (*workTree, error) {
	w := &workTree{}
	t := worktree.Tree{WorkTree: git.WorkTree{
		GitDir: repo.GitDir(), Root: dir, Filters: c.Filters, Environ: c.Environ,
	}}
	state, err := t.Read(repo, dir, &w.size)
	if errors.Is(err, git.ErrNoGit) || repo.GitDir() == "" {
		return readPlain(dir)
	}
	if err != nil {
		return nil, err
	}
	w.add(state.Changed)
	w.same = state.Same
	staged, err := committedFiles(repo, state.Staged, &w.size)
	if w.files = append(w.files, staged...); err == nil {
		w.folders, err = reviewFolders(dir)
	}
	return w, err
}

// add adds files of the work tree.
func (w *workTree) add(files []worktree.File) {
	for _, f := range files {
		refusal := worktree.Refused(f)
		if refusal != nil {
			f.Raw = nil
		}
		w.files = append(w.files, treeFile{f.Path, f.Raw, refusal})
	}
}

// read reads the files that are as in the commit.
func (w *workTree) read(repo *git.Repo) error {
	files, err := committedFiles(repo, w.same, &w.size)
	w.files, w.same = append(w.files, files...), nil
	return err
}

// reviewFolders reports unread folders whose names are similar to those of kinds.
func reviewFolders(dir string) (found []content.Finding, err error) {
	entries, err := os.ReadDir(dir)
	if errors.Is(err, fs.ErrNotExist) { // a sparse checkout leaves it out
		return nil, nil
	}
	kinds := []string{content.SealsFolder}
	for _, k := range content.Kinds {
		kinds = append(kinds, k.Folder)
	}
	for _, e := range entries {
		if near := check.Nearest(e.Name(), kinds); e.IsDir() && near != "" && near != e.Name() {
			s := say("folder", "unread", nil).Guess(near)
			if nth, foreign := check.Foreign(e.Name()); nth > 0 {
				s = s.Advise(foreign)
			}
			found = append(found, warning(e.Name(), s))
		}
	}
	return found, err
}

// paths lists the paths of all files.
func (w *workTree) paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range w.files {
			if !yield(f.path) {
				return
			}
		}
		for _, f := range w.same {
			if !yield(f.Path) {
				return
			}
		}
	}
}

// hash identifies the content of the work tree.
func (w *workTree) hash() string {
	h := sha256.New()
	for _, f := range w.files {
		fmt.Fprintf(h, "%s %s %v\n", git.BlobOID(f.raw), f.path, f.refusal)
	}
	for _, f := range w.same {
		fmt.Fprintf(h, "%s %s\n", f.OID, f.Path)
	}
	fmt.Fprintln(h, w.folders)
	return hex.EncodeToString(h.Sum(nil))
}

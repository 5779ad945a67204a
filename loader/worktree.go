package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/gitrepo"
)

// workTree has the unparsed files of a work tree, or of a commit.
type workTree struct {
	files   []treeFile
	folders []content.Finding // about folders that are not read
}

// readWorkTree reads the relevant files. It never leaves the folder, whatever links are in it.
func readWorkTree(dir string) (*workTree, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	var w workTree
	var size totalSize
	for _, top := range tops {
		found, err := readTop(root, top, &size)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		w.files = append(w.files, found...)
	}
	w.folders, err = reviewFolders(root)
	return &w, err
}

// readCheckout reads a work tree with the files that a sparse checkout leaves out, possibly all
// of a folder.
func readCheckout(repo *gitrepo.Repo, dir string) (*workTree, error) {
	w, err := readWorkTree(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err != nil {
		w = &workTree{}
	}
	if e := w.complete(repo); e != nil {
		return nil, e
	}
	if len(w.files) == 0 && err != nil {
		return nil, err
	}
	return w, nil
}

// complete adds the files that a sparse checkout leaves out, from the index: working on a part
// of the content does not remove the rest.
func (w *workTree) complete(repo *gitrepo.Repo) error {
	skipped, err := repo.Skipped(wanted)
	if err != nil || len(skipped) == 0 {
		return err
	}
	var size totalSize
	listed := make(map[string]bool, len(w.files))
	for _, f := range w.files {
		listed[f.path] = true
		if err := size.add(f.path, len(f.raw)); err != nil {
			return err
		}
	}
	skipped = slices.DeleteFunc(skipped, func(f gitrepo.File) bool { return listed[f.Path] })
	files, err := committedFiles(repo, skipped, &size)
	w.files = append(w.files, files...)
	return err
}

// reviewFolders reports unread folders whose names are similar to those of kinds.
func reviewFolders(root *os.Root) (found []content.Finding, err error) {
	entries, err := fs.ReadDir(root.FS(), ".")
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

// hash identifies the content of the work tree.
func (w *workTree) hash() string {
	h := sha256.New()
	for _, f := range w.files {
		fmt.Fprintf(h, "%s %s %v\n", gitrepo.BlobOID(f.raw), f.path, f.refusal)
	}
	fmt.Fprintln(h, w.folders)
	return hex.EncodeToString(h.Sum(nil))
}

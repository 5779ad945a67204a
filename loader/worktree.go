package loader

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io/fs"
	"iter"
	"os"
	"path/filepath"
	"slices"
	"strings"

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

// listCheckout reads the files of a work tree that differ from its commit, as git would store them,
// and lists the others, also those that a sparse checkout leaves out. Without git, files are read as
// they lie there.
func (c Config) listCheckout(repo *git.Repo, dir string) (*workTree, error) {
	folder := repo.Folder()
	root := strings.TrimSuffix(strings.TrimSuffix(filepath.ToSlash(dir), folder), "/")
	t := worktree.Tree{
		WorkTree: git.WorkTree{
			GitDir: repo.GitDir(), Root: filepath.FromSlash(root), Filters: c.Filters, Environ: c.Environ,
		},
		Folder: folder,
	}
	head, changes, err := t.Changes(tops)
	if errors.Is(err, git.ErrNoGit) || repo.GitDir() == "" {
		return readWorkTree(dir)
	}
	if err != nil {
		return nil, err
	}
	w := &workTree{}
	if !head.IsZero() {
		w.same, err = repo.Files(head, wanted)
	}
	if err == nil {
		err = w.change(repo, t, dir, changes)
	}
	return w, err
}

// change applies the differences of a work tree from its commit.
func (w *workTree) change(repo *git.Repo, t worktree.Tree, dir string, changes []worktree.Change) error {
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) { // a sparse checkout leaves all of it out
		return nil
	} else if err != nil {
		return err
	}
	defer root.Close()
	if w.folders, err = reviewFolders(root); err != nil {
		return err
	}
	changed, weights, raws := map[string]bool{}, map[string]int{}, map[string][]byte{}
	var staged []git.File
	var size totalSize
	for _, c := range changes {
		f := c.File
		if top, _, _ := strings.Cut(f.Path, "/"); f.Mode != git.Absent || c.Unknown {
			if weights[top] += entryWeight(f.Path); weights[top] > git.MaxFolder {
				f = git.File{Path: top, Mode: git.Folder}
			} else if parts := strings.Split(f.Path, "/"); len(parts) > git.MaxDepth+1 {
				f = git.File{Path: strings.Join(parts[:git.MaxDepth+1], "/"), Mode: git.Folder}
			}
		}
		if changed[f.Path] {
			continue
		}
		changed[f.Path] = true
		switch {
		case f.Mode == git.Absent && !c.Unknown, !c.Unknown && !wanted(f.Path, f.Mode):
		case c.Unstaged && (c.Unknown || f.Mode.IsFile()):
			read, ok, err := readChanged(root, f.Path)
			if err == nil {
				err = size.add(f.Path, len(read.raw))
			}
			if err != nil {
				return err
			}
			if ok {
				w.files = append(w.files, read)
			}
			if ok && read.refusal == nil {
				raws[f.Path] = read.raw
			}
		default:
			staged = append(staged, f)
		}
	}
	if err := t.Stored(raws); err != nil {
		return err
	}
	for i, f := range w.files {
		if raw, ok := raws[f.path]; ok {
			w.files[i] = buffer(f.path, raw)
		}
	}
	w.same = slices.DeleteFunc(w.same, func(f git.File) bool { return changed[f.Path] })
	files, err := committedFiles(repo, staged, &size)
	w.files = append(w.files, files...)
	return err
}

// readChanged reads a file of the work tree that git has found; not ok if it is none to be read, or
// is gone.
func readChanged(root *os.Root, path string) (f treeFile, ok bool, err error) {
	info, err := root.Lstat(path)
	if err == nil && wanted(path, modeOf(info.Mode())) {
		if f = (treeFile{path, nil, noFolder(path)}); f.refusal == nil {
			f, err = readTreeFile(root, path, info.Mode())
		}
		ok = err == nil
	}
	if errors.Is(err, fs.ErrNotExist) {
		return f, false, nil
	}
	return f, ok, err
}

// read reads the files that are as in the commit: those that git has written without a conversion
// from the work tree, as that is faster, the others from the repository.
func (w *workTree) read(repo *git.Repo, dir string) error {
	var size totalSize
	for _, f := range w.files {
		if err := size.add(f.path, len(f.raw)); err != nil {
			return err
		}
	}
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close()
	} else if !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, same := range w.same {
		if root != nil && same.Mode.IsFile() {
			f, ok, err := readChanged(root, same.Path)
			if err == nil && ok && f.refusal == nil && git.BlobOID(f.raw) == same.OID {
				if err := size.add(f.path, len(f.raw)); err != nil {
					return err
				}
				w.files = append(w.files, f)
				continue
			}
		}
		files, err := committedFiles(repo, []git.File{same}, &size)
		if err != nil {
			return err
		}
		w.files = append(w.files, files...)
	}
	w.same = nil
	return nil
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

package export

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"syscall"

	"github.com/rogpeppe/go-internal/lockedfile"

	"rulestore/content/i18n"
)

// A tree is a tree of files.
type tree struct {
	dir   string
	files map[string]Listed
	from  map[string]source // of the files written by this process
	as    fs.FileInfo       // the inventory as it was last read or written
}

// open returns the tree that is served, to take files from; nil if there is none, or it has no valid
// inventory, or it or one of its folders is a file or a link of another program.
func (w *Writer) open(name string) (*tree, error) {
	if name == "" {
		return nil, nil
	}
	dir := filepath.Join(w.dir, name)
	info, err := os.Lstat(filepath.Join(dir, Inventory))
	if known := w.tree; known != nil && known.dir == dir && err == nil && known.writtenAs(info) && known.hasFolders() {
		return known, nil
	}
	f, err := os.Open(filepath.Join(dir, Inventory))
	if errors.Is(err, fs.ErrNotExist) || errors.Is(err, syscall.ENOTDIR) {
		return nil, nil
	}
	if err != nil {
		return nil, err
	}
	defer f.Close()
	t := &tree{dir, map[string]Listed{}, map[string]source{}, info}
	if _, err := readInventory(f, t.add); err != nil || !t.hasFolders() {
		return nil, nil // incomplete, or not ours
	}
	return t, nil
}

// hasFolders reports whether all folders are folders, those that are missing aside.
func (t *tree) hasFolders() bool {
	seen := map[string]bool{}
	for name := range t.files {
		for dir := path.Dir(name); !seen[dir]; dir = path.Dir(dir) {
			seen[dir] = true
			if info, err := os.Lstat(t.path(dir)); err == nil && !info.IsDir() {
				return false
			}
		}
	}
	return true
}

// add adds a file that an inventory lists. Its headers are made anew.
func (t *tree) add(l Listed) error {
	if !filepath.IsLocal(l.Name) {
		return fs.ErrInvalid // written by another program
	}
	l.Headers = nil
	t.files[l.Name] = l
	return nil
}

// writtenAs reports whether the inventory is unchanged since the tree was read or written.
func (t *tree) writtenAs(info fs.FileInfo) bool {
	return os.SameFile(t.as, info) && t.as.ModTime().Equal(info.ModTime())
}

// newTree makes an empty tree, in place of what a process left that ended before its time.
func (w *Writer) newTree(name string) (*tree, error) {
	t := &tree{filepath.Join(w.dir, name), map[string]Listed{}, map[string]source{}, nil}
	return t, errors.Join(os.RemoveAll(t.dir), os.Mkdir(t.dir, 0o755))
}

// lock waits until no other writer uses the folder.
func (w *Writer) lock(ctx context.Context) (unlock func(), err error) {
	type result struct {
		unlock func()
		err    error
	}
	done := make(chan result, 1)
	go func() {
		unlock, err := lockedfile.MutexAt(filepath.Join(w.dir, lockName)).Lock()
		done <- result{unlock, err}
	}()
	select {
	case r := <-done:
		return r.unlock, r.err
	case <-ctx.Done():
		go func() {
			if r := <-done; r.err == nil {
				r.unlock()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// served returns the name of the current tree, "" if there is none yet.
func (w *Writer) served() (string, error) {
	at, err := os.Readlink(filepath.Join(w.dir, Current))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return "", nil
	case err != nil:
		return "", i18n.Errorf(
			"%s has to be a link to one of the two trees: remove it, or name a folder of its own: %w",
			filepath.Join(w.dir, Current), err,
		)
	case !slices.Contains(names[:], at):
		return "", i18n.Errorf(
			"%s leads to %s, and not to one of the two trees: remove it, or name a folder of its own",
			filepath.Join(w.dir, Current), at,
		)
	default:
		return at, nil
	}
}

// switchTo sets the link to a tree.
func (w *Writer) switchTo(name string) error {
	link := filepath.Join(w.dir, temporary+Current)
	if err := errors.Join(os.RemoveAll(link), os.Symlink(name, link)); err != nil {
		return err
	}
	return os.Rename(link, filepath.Join(w.dir, Current))
}

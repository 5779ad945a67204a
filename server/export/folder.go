package export

import (
	"context"
	"encoding/json"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/rogpeppe/go-internal/lockedfile"

	"rulestore/content/i18n"
	"rulestore/server/site"
)

// A tree is one of the two, and what it holds.
type tree struct {
	dir   string
	files map[string]Listed
	from  map[string]*site.Representation // what each file was made of by this process
	as    fs.FileInfo                     // the inventory when that was read or written
}

// open reads what a tree holds, unless that is known; nil if it has no inventory that could be
// read, so that nobody knows.
func (w *Writer) open(i int) (*tree, error) {
	dir := filepath.Join(w.dir, names[i])
	info, err := os.Lstat(filepath.Join(dir, Inventory))
	if known := w.trees[i]; known != nil && err == nil && known.writtenAs(info) {
		return known, nil
	}
	w.trees[i] = nil
	t := &tree{dir, map[string]Listed{}, map[string]*site.Representation{}, info}
	var held Contents
	var raw []byte
	if err == nil {
		raw, err = os.ReadFile(filepath.Join(dir, Inventory))
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, nil
	case err != nil:
		return nil, err
	case json.Unmarshal(raw, &held) != nil:
		return nil, nil
	}
	for _, f := range held.Files {
		if !filepath.IsLocal(f.Name) {
			return nil, nil // nobody's inventory
		}
		t.files[f.Name] = f
	}
	w.trees[i] = t
	return t, nil
}

// writtenAs reports whether the inventory is still the one that the tree was read or written with.
func (t *tree) writtenAs(info fs.FileInfo) bool {
	return os.SameFile(t.as, info) && t.as.ModTime().Equal(info.ModTime())
}

// anew begins a tree anew.
func (w *Writer) anew(i int) (*tree, error) {
	t := &tree{filepath.Join(w.dir, names[i]), map[string]Listed{}, map[string]*site.Representation{}, nil}
	return t, errors.Join(os.RemoveAll(t.dir), os.MkdirAll(t.dir, 0o755))
}

// lock waits until nobody else writes to the folder.
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

// served returns which tree the link leads to, -1 if there is none yet.
func (w *Writer) served() (int, error) {
	at, err := os.Readlink(filepath.Join(w.dir, Current))
	switch i := slices.Index(names[:], at); {
	case errors.Is(err, fs.ErrNotExist):
		return -1, nil
	case err != nil:
		return -1, err
	case i < 0:
		return -1, i18n.Errorf(
			"%s leads to %s, and not to one of the two trees: remove it, or name a folder of its own",
			filepath.Join(w.dir, Current), at,
		)
	default:
		return i, nil
	}
}

// point has the link lead to a tree.
func (w *Writer) point(name string) error {
	link := filepath.Join(w.dir, temporary+Current)
	if err := os.Remove(link); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if err := os.Symlink(name, link); err != nil {
		return err
	}
	return os.Rename(link, filepath.Join(w.dir, Current))
}

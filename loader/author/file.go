package author

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// maxFile is the maximum size of a file that is edited here, in bytes.
const maxFile = 32 << 20

// read returns a file of the work tree, from the index if a sparse checkout leaves it out; empty
// if it does not exist. A symbolic link that leaves the work tree is not followed.
func (r *Repository) read(name string) (string, error) {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	f, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return r.skipped(name)
	} else if err != nil {
		return "", i18n.Errorf("read %s: %w", name, err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = i18n.Errorf("the file is larger than %d bytes", maxFile)
	}
	if err != nil {
		return "", i18n.Errorf("read %s: %w", name, err)
	}
	return string(raw), nil
}

// skipped returns a file that a sparse checkout leaves out, empty if it does not exist.
func (r *Repository) skipped(name string) (string, error) {
	repo, err := git.In(git.CutOnDisk(r.root()), r.place.Folder).Open()
	if err != nil {
		return "", err
	}
	defer repo.Close()
	files, err := repo.Skipped(func(path string, _ git.Mode) bool {
		return path == name || strings.HasPrefix(name, path+"/")
	})
	for _, f := range files {
		if f.Path == name {
			raw, err := repo.Blob(f.OID, maxFile)
			return string(raw), err
		}
	}
	return "", err
}

// write replaces a file of the work tree.
func (r *Repository) write(name, text string) error {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return Replace(root, name, []byte(text))
}

// Replace writes a file of a work tree atomically: readers see the old content or the new. It
// is written first as .<name>.new beside its place; an existing file there is removed, because
// it is left over from an interrupted run, or is a committed link that would redirect the
// write.
func Replace(root *os.Root, name string, data []byte) (err error) {
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return i18n.Errorf("write %s: %w", name, err)
	}
	fresh := path.Join(path.Dir(name), "."+path.Base(name)+".new")
	defer func() {
		if err != nil {
			err = i18n.Errorf("write %s: %w", name, err)
		}
	}()
	mode := fs.FileMode(0o644)
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	if err := root.Remove(fresh); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_EXCL, mode)
	if err != nil {
		return err
	}
	_, err = f.Write(data)
	if err = errors.Join(err, f.Sync(), f.Close()); err == nil {
		err = root.Rename(fresh, name)
	}
	if err != nil {
		_ = root.Remove(fresh) // err has the reason
	}
	return err
}

// remove deletes a file of the work tree.
func (r *Repository) remove(name string) error {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Remove(name)
}

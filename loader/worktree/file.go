package worktree

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"

	"rulestore/content/i18n"
)

// maxFile is the maximum size of a file that is edited here, in bytes.
const maxFile = 32 << 20

// Read returns a file in the folder of a work tree as it lies there. A symbolic link that leaves the folder is
// not followed.
func Read(dir, name string) ([]byte, error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	f, err := root.Open(name)
	if err != nil {
		return nil, i18n.Errorf("read %s: %w", name, err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = i18n.Errorf("the file is larger than %d bytes", maxFile)
	}
	if err != nil {
		return nil, i18n.Errorf("read %s: %w", name, err)
	}
	return raw, nil
}

// Write replaces a file in the folder of a work tree atomically: readers see the old content or the new. It
// is written first as .<name>.new beside its place; an existing file there is removed, because
// it is left over from an interrupted run, or is a committed link that would redirect the
// write. Without content the file is removed.
func Write(dir, name string, data []byte) error {
	root, err := os.OpenRoot(dir)
	if err == nil {
		defer root.Close()
		err = replace(root, name, data)
	}
	if err != nil {
		return i18n.Errorf("write %s: %w", name, err)
	}
	return nil
}

func replace(root *os.Root, name string, data []byte) error {
	if len(data) == 0 {
		return missing(root.Remove(name))
	}
	if err := root.MkdirAll(path.Dir(name), 0o755); err != nil {
		return err
	}
	mode := fs.FileMode(0o644)
	if info, err := root.Lstat(name); err == nil && info.Mode().IsRegular() {
		mode = info.Mode().Perm()
	}
	fresh := path.Join(path.Dir(name), "."+path.Base(name)+".new")
	if err := missing(root.Remove(fresh)); err != nil {
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

// missing is an error, unless it says that there is no such file.
func missing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// Inside returns the path of a file in a folder, with slashes, once the links in both are followed, as far as they
// exist; not ok if it lies elsewhere.
func Inside(dir, file string) (inside string, ok bool, err error) {
	dir, err = follow(dir)
	if err == nil {
		file, err = follow(file)
	}
	if err != nil {
		return "", false, err
	}
	rel, err := filepath.Rel(dir, file)
	if err != nil || rel == ".." || strings.HasPrefix(rel, "../") {
		return "", false, nil
	}
	return filepath.ToSlash(rel), true, nil
}

// follow follows the links in a path, as far as it exists.
func follow(path string) (string, error) {
	abs, err := filepath.Abs(path)
	if err != nil {
		return "", err
	}
	real, err := filepath.EvalSymlinks(abs)
	if !errors.Is(err, fs.ErrNotExist) || abs == filepath.Dir(abs) {
		return real, err
	}
	dir, err := follow(filepath.Dir(abs))
	return filepath.Join(dir, filepath.Base(abs)), err
}

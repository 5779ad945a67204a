package author

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// maxFile is how large a file may be that is edited here, in bytes.
const maxFile = 32 << 20

// read returns a file of the work tree, empty if it is not there. A symbolic
// link that leaves the work tree is not followed.
func (r *Repository) read(name string) (string, error) {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return "", err
	}
	defer root.Close()
	f, err := root.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		return "", nil
	} else if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	defer f.Close()
	raw, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err == nil && len(raw) > maxFile {
		err = fmt.Errorf("the file is larger than %d bytes", maxFile)
	}
	if err != nil {
		return "", fmt.Errorf("read %s: %w", name, err)
	}
	return string(raw), nil
}

// write replaces a file of the work tree, or leaves it as it was: whoever looks
// sees the old content or the new. What an interrupted write leaves beside it the
// next one overwrites.
func (r *Repository) write(name, text string) (err error) {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	fresh := "." + name + ".new"
	defer func() {
		if err != nil {
			_ = root.Remove(fresh) // it may not exist
			err = fmt.Errorf("write %s: %w", name, err)
		}
	}()
	f, err := root.OpenFile(fresh, os.O_WRONLY|os.O_CREATE|os.O_TRUNC, 0o644)
	if err != nil {
		return err
	}
	_, err = io.WriteString(f, text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return root.Rename(fresh, name)
}

// remove takes a file of the work tree away.
func (r *Repository) remove(name string) error {
	root, err := os.OpenRoot(r.Dir)
	if err != nil {
		return err
	}
	defer root.Close()
	return root.Remove(name)
}

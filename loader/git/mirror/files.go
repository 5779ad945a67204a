package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// prepare makes a folder a bare repository that has the refs of the lists and no others, whatever has become of it.
func (m *Mirror) prepare(dir string) error {
	if err := makeBare(dir); err != nil {
		return err
	}
	loose, err := os.ReadDir(filepath.Join(dir, "refs"))
	for _, e := range loose {
		err = errors.Join(err, os.RemoveAll(filepath.Join(dir, "refs", e.Name())))
	}
	if err != nil {
		return err
	}
	var packed bytes.Buffer
	packed.WriteString("# pack-refs with:\n")
	for _, list := range []string{incoming, servedList} {
		raw, _ := os.ReadFile(m.in(list))
		for line := range bytes.Lines(raw) {
			if id, name, isRef := bytes.Cut(line, []byte(" refs/")); isRef {
				fmt.Fprintf(&packed, "%s refs/%s/%s", id, list, name)
			}
		}
	}
	removeLeftovers(dir)
	_, err = replaceFile(filepath.Join(dir, "packed-refs"), packed.Bytes())
	return err
}

// makeBare makes a folder a bare repository that git accepts, without what a killed git or somebody else left that is
// in its way.
func makeBare(dir string) error {
	for _, name := range []string{".", "objects", "objects/info", "objects/pack", "refs"} {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			_ = os.Remove(path) // if it cannot be removed, it cannot be made
		}
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"shallow", "commondir", "objects/info/alternates"} {
		if err := os.Remove(filepath.Join(dir, name)); err != nil && !errors.Is(err, fs.ErrNotExist) {
			return err
		}
	}
	for name, text := range map[string]string{
		"HEAD": "ref: refs/heads/none\n", "config": "[core]\n\trepositoryformatversion = 0\n\tbare = true\n",
	} {
		if _, err := replaceFile(filepath.Join(dir, name), []byte(text)); err != nil {
			return err
		}
	}
	return nil
}

// removeLeftovers removes the locks and halves of objects of a git that was killed or had no room: whoever
// holds the mirror runs no other.
func removeLeftovers(dir string) {
	_ = filepath.WalkDir(dir, func(path string, e fs.DirEntry, err error) error {
		switch {
		case err != nil:
		case e.IsDir() && len(e.Name()) == 2: // loose objects
			return filepath.SkipDir
		case filepath.Ext(path) == ".lock", strings.HasPrefix(e.Name(), "tmp_"), strings.HasPrefix(e.Name(), ".tmp-"):
			_ = os.RemoveAll(path) // git says what it cannot do then
		}
		return nil
	})
}

// replaceFile replaces a file at once, unless it has this text already, and reports whether it did.
func replaceFile(path string, text []byte) (changed bool, err error) {
	if before, err := os.ReadFile(path); err == nil && bytes.Equal(before, text) {
		return false, nil
	}
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.lock")
	if err != nil {
		return false, err
	}
	defer os.Remove(f.Name()) // does not exist if it was renamed
	_, err = f.Write(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return false, err
	}
	if info, err := os.Lstat(path); err == nil && info.IsDir() {
		_ = os.RemoveAll(path) // the next step says that it could not
	}
	return true, os.Rename(f.Name(), path)
}

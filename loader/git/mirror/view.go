package mirror

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
)

// A view is a folder that shows some refs of a mirror's repository as a bare repository of their own,
// which borrows all objects: this program and git read it as any other.
type view string

const (
	headFile   = "HEAD"
	packedFile = "packed-refs"
	configFile = "config"
	bareConfig = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	packedHead = "# pack-refs with: sorted \n"
)

// read returns the refs. The error is [fs.ErrNotExist] if there are none.
func (v view) read() (l refText, err error) {
	refs, err := readWithin(filepath.Join(string(v), packedFile), maxListed)
	if err != nil {
		return l, err
	}
	head, err := readWithin(filepath.Join(string(v), headFile), maxListed)
	l.refs = strings.TrimPrefix(string(refs), packedHead)
	l.head = strings.TrimSuffix(strings.TrimPrefix(string(head), "ref: "), "\n")
	return l, err
}

// write writes the refs, and reports whether they are others than before. Whoever is killed in between
// leaves a HEAD of before, which only another fetch notices: it rarely changes.
func (v view) write(l refText) (changed bool, err error) {
	if err := v.complete(); err != nil {
		return false, err
	}
	changed, err = replaceFile(filepath.Join(string(v), packedFile), packedHead+l.refs)
	if err != nil {
		return false, err
	}
	head, err := replaceFile(filepath.Join(string(v), headFile), "ref: "+l.head+"\n")
	return changed || head, err
}

// complete makes what else is in the folder as it should be, whatever has become of it.
func (v view) complete() error {
	return makeBare(string(v), "../../"+repoFolder+"/objects\n")
}

// makeBare makes a folder a bare repository that git accepts, without any loose ref that this program
// would read, and without what a killed git or somebody else left that is in its way.
func makeBare(dir, borrows string) error {
	makeRoom(dir, true)
	for _, name := range []string{"objects", "objects/info", "objects/pack", "refs"} {
		path := filepath.Join(dir, filepath.FromSlash(name))
		makeRoom(path, true)
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"refs/heads", "refs/tags", "shallow", "commondir"} {
		if err := os.RemoveAll(filepath.Join(dir, filepath.FromSlash(name))); err != nil {
			return err
		}
	}
	if _, err := replaceFile(filepath.Join(dir, configFile), bareConfig); err != nil {
		return err
	}
	alternates := filepath.Join(dir, "objects", "info", "alternates")
	if borrows == "" {
		return ignoreMissing(os.Remove(alternates))
	}
	_, err := replaceFile(alternates, borrows)
	return err
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

func ignoreMissing(err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	return err
}

// replaceFile replaces a file at once, unless it has this text already, and reports whether it did.
func replaceFile(path, text string) (changed bool, err error) {
	if before, err := readWithin(path, maxListed); err == nil && string(before) == text {
		return false, nil
	}
	makeRoom(path, false)
	f, err := os.CreateTemp(filepath.Dir(path), "."+filepath.Base(path)+"-*.lock")
	if err != nil {
		return false, err
	}
	defer os.Remove(f.Name()) // does not exist if it was renamed
	_, err = f.WriteString(text)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return false, err
	}
	return true, os.Rename(f.Name(), path)
}

// readWithin reads a regular file of at most so many bytes: to open a pipe would wait for a writer.
func readWithin(path string, most int64) ([]byte, error) {
	info, err := os.Stat(path)
	switch {
	case err != nil:
		return nil, err
	case !info.Mode().IsRegular() || info.Size() > most:
		return nil, &fs.PathError{Op: "read", Path: path, Err: fs.ErrInvalid}
	}
	return os.ReadFile(path)
}

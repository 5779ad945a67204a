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

const headFile = "HEAD"

func (v view) head() string { return filepath.Join(string(v), headFile) }

func (v view) refs() string { return filepath.Join(string(v), "packed-refs") }

// whole reports whether the refs are there.
func (v view) whole() bool { return exists(v.head()) && exists(v.refs()) }

// write writes the texts of HEAD and of the packed refs, and reports whether they are others than before. Whoever
// is killed in between leaves a HEAD of before, which only another fetch notices: it rarely changes.
func (v view) write(head, refs string) (changed bool, err error) {
	if err := v.complete(); err != nil {
		return false, err
	}
	changed, err = replaceFile(v.refs(), refs)
	if err != nil {
		return false, err
	}
	moved, err := replaceFile(v.head(), head)
	return changed || moved, err
}

// complete makes what else is in the folder as it should be, whatever has become of it.
func (v view) complete() error { return makeBare(string(v), "../../"+repoFolder+"/objects\n") }

// makeBare makes a folder a bare repository that git accepts, without any loose ref that this program
// would read, and without what a killed git or somebody else left that is in its way.
func makeBare(dir, borrows string) error {
	for _, name := range []string{".", "objects", "objects/info", "objects/pack", "refs"} {
		path := filepath.Join(dir, name)
		if info, err := os.Lstat(path); err == nil && !info.IsDir() {
			_ = os.Remove(path) // if it cannot be removed, it cannot be made
		}
		if err := os.MkdirAll(path, 0o755); err != nil {
			return err
		}
	}
	for _, name := range []string{"refs/heads", "refs/tags", "shallow", "commondir"} {
		if err := os.RemoveAll(filepath.Join(dir, name)); err != nil {
			return err
		}
	}
	const bare = "[core]\n\trepositoryformatversion = 0\n\tbare = true\n"
	if _, err := replaceFile(filepath.Join(dir, "config"), bare); err != nil {
		return err
	}
	alternates := filepath.Join(dir, "objects", "info", "alternates")
	if borrows != "" {
		_, err := replaceFile(alternates, borrows)
		return err
	}
	if err := os.Remove(alternates); !errors.Is(err, fs.ErrNotExist) {
		return err
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
func replaceFile(path, text string) (changed bool, err error) {
	if before, err := os.ReadFile(path); err == nil && string(before) == text {
		return false, nil
	}
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

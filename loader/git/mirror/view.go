package mirror

import (
	"bytes"
	"errors"
	"fmt"
	"hash/crc32"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// A view is a folder that shows some refs of a mirror's repository as a bare repository of their own,
// which borrows all objects: this program and git read it as any other.
type view string

const headFile = "HEAD"

func (v view) head() string { return filepath.Join(string(v), headFile) }

func (v view) refs() string { return filepath.Join(string(v), "packed-refs") }

// read returns HEAD and the packed refs, and whether they are as they were written together.
func (v view) read() (head, refs []byte, whole bool) {
	head, err := os.ReadFile(v.head())
	packed, wrong := os.ReadFile(v.refs())
	sum, refs, _ := bytes.Cut(packed, []byte("\n"))
	return head, refs, errors.Join(err, wrong) == nil && string(sum) == sumOf(head, refs)
}

// whole is the last result of read.
func (v view) whole() bool {
	_, _, whole := v.read()
	return whole
}

// sumOf is the first line of the packed refs, where git looks for properties of the file and passes over those that
// it does not know.
func sumOf(head, refs []byte) string {
	return fmt.Sprintf("# pack-refs with: %08x ", crc32.Update(crc32.ChecksumIEEE(head), crc32.IEEETable, refs))
}

// write writes HEAD and the packed refs, and reports whether they are others than before. Whoever is killed in
// between leaves what is not whole.
func (v view) write(head, refs []byte) (changed bool, err error) {
	if err := v.complete(); err != nil {
		return false, err
	}
	changed, err = replaceFile(v.refs(), slices.Concat([]byte(sumOf(head, refs)+"\n"), refs))
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
	if _, err := replaceFile(filepath.Join(dir, "config"), []byte(bare)); err != nil {
		return err
	}
	alternates := filepath.Join(dir, "objects", "info", "alternates")
	if borrows != "" {
		_, err := replaceFile(alternates, []byte(borrows))
		return err
	}
	if _, err := replaceFile(filepath.Join(dir, headFile), []byte("ref: refs/heads/none\n")); err != nil {
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
	return true, os.Rename(f.Name(), path)
}

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

// readList reads a list of refs, as [git.Listed] takes it: HEAD, then branches and tags. Its first line is the checksum
// of the rest: whole reports whether that is all there, as after a loss of power it may not be.
func readList(file string) (refs []byte, whole bool) {
	raw, err := os.ReadFile(file)
	sum, refs, _ := bytes.Cut(raw, []byte("\n"))
	return refs, err == nil && string(sum) == sumOf(refs)
}

// firstWhole returns the first of these lists that is whole, and its refs; an empty name if none is.
func firstWhole(files []string) (file string, refs []byte) {
	for _, file := range files {
		if refs, whole := readList(file); whole {
			return file, refs
		}
	}
	return "", nil
}

// writeList writes a list of refs, and reports whether it is another one than before.
func writeList(file string, refs []byte) (changed bool, err error) {
	return replaceFile(file, slices.Concat([]byte(sumOf(refs)+"\n"), refs))
}

func sumOf(refs []byte) string { return fmt.Sprintf("# crc32 %08x", crc32.ChecksumIEEE(refs)) }

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
	packed := "# pack-refs with:\n"
	for _, lists := range [][]string{{m.in(incoming)}, m.accepted()} {
		_, refs := firstWhole(lists)
		_, refs, _ = bytes.Cut(refs, []byte("\n")) // HEAD
		packed += strings.ReplaceAll(string(refs), " refs/", " refs/"+filepath.Base(lists[0])+"/")
	}
	removeLeftovers(dir)
	_, err = replaceFile(filepath.Join(dir, "packed-refs"), []byte(packed))
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

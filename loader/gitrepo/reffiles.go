package gitrepo

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"slices"
	"strings"

	"rulestore/content/i18n"
)

// refFiles are the files that a repository keeps its refs in (gitrepository-layout).
// They are read here, since that is what every look costs: for 20,000 tags go-git takes
// 35 to 46 ms and not 11, lists refs that publish nothing and takes git's lock files for
// refs.
type refFiles struct{ gitDir, commonDir string }

// list reads HEAD, then the refs that have a file of their own, and then those that
// are packed: git removes a file after it has packed the ref, so none is missed.
func (f refFiles) list() (*refList, error) {
	l := newRefList()
	if err := f.read(l, headRef); err != nil {
		return nil, err
	}
	for _, dir := range []string{branchRefs, tagRefs} {
		if err := f.walk(l, path.Clean(dir)); err != nil {
			return nil, err
		}
	}
	return l, f.packed(l)
}

// walk reads the refs in a folder. What goes away meanwhile was deleted, or is packed
// by now.
func (f refFiles) walk(l *refList, dir string) error {
	entries, err := os.ReadDir(filepath.Join(f.commonDir, dir))
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	for _, e := range entries {
		look, name := f.walk, dir+"/"+e.Name()
		switch {
		case e.IsDir():
		case e.Type()&^fs.ModeSymlink != 0 || strings.HasSuffix(name, ".lock"):
			continue
		default:
			look = f.read
		}
		if err := look(l, name); err != nil {
			return err
		}
	}
	return nil
}

// read reads a ref from a file of its own.
func (f refFiles) read(l *refList, name string) error {
	dir := f.commonDir
	if name == headRef {
		dir = f.gitDir
	}
	raw, err := readStart(filepath.Join(dir, name))
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	l.loose[name] = true
	if len(raw) > maxRef {
		return i18n.Errorf("%s has more than %d bytes, %w; delete the file, or write the id of a commit into it", name, maxRef, errBrokenRef)
	}
	if err := l.add(name, strings.TrimSpace(string(raw))); err != nil {
		return i18n.Errorf("%w; if that stays so, delete the file, or write the id of a commit into it", err)
	}
	return nil
}

// maxRef is far more than the id of an object, or the longest name that another ref
// can have.
const maxRef = 4096

// readStart reads a file, or of a large one a little more than a ref has.
func readStart(path string) ([]byte, error) {
	f, err := os.Open(path)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	return io.ReadAll(io.LimitReader(f, maxRef+1))
}

// maxPackedRefs is how many bytes the refs may have that are kept together: millions
// of them.
const maxPackedRefs = 256 << 20

// readWithin reads a file of at most so many bytes.
func readWithin(path string, most int64) ([]byte, error) {
	if info, err := os.Stat(path); err == nil && info.Size() > most {
		return nil, i18n.Errorf("%s has %d bytes, at most %d are read", filepath.Base(path), info.Size(), most)
	}
	return os.ReadFile(path)
}

// packed reads the refs that are kept together. One that has a file of its own was
// changed since.
func (f refFiles) packed(l *refList) error {
	raw, err := readWithin(filepath.Join(f.commonDir, "packed-refs"), maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	text := string(raw)
	l.tags = slices.Grow(l.tags, strings.Count(text, tagRefs))
	for line := range strings.Lines(text) {
		id, name, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " ")
		if !served(name) || l.loose[name] || line[0] == '#' {
			continue
		}
		if err := l.add(name, id); err != nil {
			return i18n.Errorf("packed-refs: %w", err)
		}
	}
	return nil
}

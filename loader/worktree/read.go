package worktree

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// Size is the total size of the unpublished files of one state, in bytes. A tag is for one
// file; a commit of a few KB can have a million.
type Size int

// maxSize is far more than people write, and fits into memory while it is checked.
const maxSize = 256 << 20

// Add adds a file; the error means that the limit is exceeded.
func (s *Size) Add(path string, size int) error {
	if *s += Size(size); *s <= maxSize {
		return nil
	}
	return i18n.Errorf(
		"the files up to %s have more than %d MiB together, more is not read: take away those that are no rules",
		content.Printable(path), maxSize>>20,
	)
}

// File is a file of a work tree as git would store it, or what lies in its place.
type File struct {
	Path string
	Mode git.Mode // Folder: one that is not read, since it is too large or too deep; [Special]: no file
	Raw  []byte   // nil if it is not read
	Size int64    // of what is larger than its limit
}

// Special is the mode of what git does not store: pipes, sockets and devices.
const Special git.Mode = 1

// State is what git would store of a work tree.
type State struct {
	Same    []git.File // as in the commit
	Staged  []git.File // as in the index
	Changed []File     // as it lies there, after conversion
}

// Read reads the files of the content in a folder, as far as they differ from the commit that is checked out,
// and lists the others.
func (t Tree) Read(repo *git.Repo, dir string, size *Size) (s State, err error) {
	head, changes, err := t.Changes(tops)
	if err == nil && !head.IsZero() {
		s.Same, err = repo.Files(head, Counts)
	}
	if err != nil {
		return s, err
	}
	root, err := os.OpenRoot(dir)
	if errors.Is(err, fs.ErrNotExist) { // a sparse checkout leaves all of it out
		return s, nil
	} else if err != nil {
		return s, err
	}
	defer root.Close()
	changed, err := s.change(root, changes, size)
	if err == nil {
		err = t.store(s.Changed)
	}
	same := s.Same[:0]
	for _, f := range s.Same {
		if !changed[f.Path] {
			same = append(same, f)
		}
	}
	s.Same = same
	return s, err
}

// change applies the differences, and returns their paths.
func (s *State) change(root *os.Root, changes []Changed, size *Size) (changed map[string]bool, err error) {
	changed = map[string]bool{}
	for _, c := range changes {
		f := c.File
		if f.Mode != git.Absent || c.Unknown {
			f = within(f)
		}
		if changed[f.Path] {
			continue
		}
		changed[f.Path] = true
		switch {
		case f.Mode == git.Absent && !c.Unknown, (!c.Unknown || f.Mode == git.Folder) && !Counts(f.Path, f.Mode):
		case f.Mode == git.Folder:
			s.Changed = append(s.Changed, File{Path: f.Path, Mode: f.Mode})
		case c.Unstaged && (c.Unknown || f.Mode.IsFile()):
			read, err := read(root, f.Path, size)
			if err != nil {
				return nil, err
			}
			s.Changed = append(s.Changed, read...)
		default:
			s.Staged = append(s.Staged, f)
		}
	}
	return changed, nil
}

// within returns a file, or the folder that contains it and is too deep.
func within(f git.File) git.File {
	if parts := strings.Split(f.Path, "/"); len(parts) > git.MaxDepth+1 {
		return git.File{Path: strings.Join(parts[:git.MaxDepth+1], "/"), Mode: git.Folder}
	}
	return f
}

// read reads a file as it lies there; none if it is not wanted, or gone. No link is followed.
func read(root *os.Root, path string, size *Size) ([]File, error) {
	info, err := root.Lstat(path)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, nil
	} else if err != nil {
		return nil, err
	}
	f := File{Path: path, Mode: modeOf(info.Mode())}
	place := f.Mode
	if place == Special {
		place = git.Regular
	}
	if !Counts(path, place) {
		return nil, nil
	}
	if !f.Mode.IsFile() {
		return []File{f}, nil
	}
	if limit := Limit(path); info.Size() > limit {
		f.Size = info.Size()
		return []File{f}, nil
	} else if f.Raw, err = readAll(root, path, limit); err != nil {
		return nil, err
	}
	return []File{f}, size.Add(path, len(f.Raw))
}

func readAll(root *os.Root, path string, limit int64) ([]byte, error) {
	file, err := root.Open(path)
	if err != nil {
		return nil, err
	}
	defer file.Close()
	var raw bytes.Buffer
	_, err = raw.ReadFrom(io.LimitReader(file, limit))
	return raw.Bytes(), err
}

// modeOf returns the git mode of an entry.
func modeOf(m fs.FileMode) git.Mode {
	switch {
	case m.IsDir():
		return git.Folder
	case m&fs.ModeSymlink != 0:
		return git.Symlink
	case m.IsRegular():
		return git.Regular
	}
	return Special
}

// ReadPlain reads a folder that is in no repository, as it lies there.
func ReadPlain(dir string, size *Size) (files []File, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = walk(root, tops, func(path string, m git.Mode) error {
		if m == git.Folder {
			files = append(files, File{Path: path, Mode: m})
			return nil
		}
		found, err := read(root, path, size)
		files = append(files, found...)
		return err
	})
	return files, err
}

// maxEntries is the maximum number of entries of a folder that is in no repository.
const maxEntries = 200_000

// walk visits the wanted files of a folder, and folders that are too deep. A folder with a repository of its own has
// nothing of this one.
func walk(root *os.Root, tops []string, visit func(path string, m git.Mode) error) error {
	entries := 0
	for _, top := range tops {
		info, err := root.Lstat(top)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err == nil && !info.IsDir() {
			err = visit(top, modeOf(info.Mode()))
		} else if err == nil {
			err = fs.WalkDir(root.FS(), top, func(path string, e fs.DirEntry, err error) error {
				if entries++; err == nil && entries > maxEntries {
					err = i18n.Errorf("the folder %s has more than %d entries", top, maxEntries)
				}
				switch {
				case err != nil:
					return err
				case !e.IsDir():
					return visit(path, modeOf(e.Type()))
				case strings.Count(path, "/") >= git.MaxDepth:
					return cmp.Or(visit(path, git.Folder), fs.SkipDir)
				}
				if _, err := root.Lstat(path + "/.git"); err == nil {
					return fs.SkipDir
				}
				return nil
			})
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// FindItem returns the paths of an item's files in a work tree, in all areas, sorted. Links are
// not followed.
func FindItem(dir string, k *content.Kind, name string) (paths []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = walk(root, []string{k.Folder}, func(path string, m git.Mode) error {
		if _, ok := ItemAt(path); ok && content.PlainPath(path) == k.File(name) {
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

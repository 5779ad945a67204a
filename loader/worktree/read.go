package worktree

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"io/fs"
	"os"
	"strings"

	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// Wanted says which files are read.
type Wanted struct {
	Tops  []string                           // files and folders of the root: nothing else is looked at
	Keep  func(path string, m git.Mode) bool // of these
	Limit func(path string) int64            // the size above which a file is not read
	Total func(path string, size int) error  // called for each file that is read; an error ends it
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
func (t Tree) Read(repo *git.Repo, dir string, w Wanted) (s State, err error) {
	head, changes, err := t.Changes(w.Tops)
	if err == nil && !head.IsZero() {
		s.Same, err = repo.Files(head, w.Keep)
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
	changed, err := s.change(root, changes, w)
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
func (s *State) change(root *os.Root, changes []Changed, w Wanted) (changed map[string]bool, err error) {
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
		case f.Mode == git.Absent && !c.Unknown, (!c.Unknown || f.Mode == git.Folder) && !w.Keep(f.Path, f.Mode):
		case f.Mode == git.Folder:
			s.Changed = append(s.Changed, File{Path: f.Path, Mode: f.Mode})
		case c.Unstaged && (c.Unknown || f.Mode.IsFile()):
			read, err := w.read(root, f.Path)
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
func (w Wanted) read(root *os.Root, path string) ([]File, error) {
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
	if !w.Keep(path, place) {
		return nil, nil
	}
	if !f.Mode.IsFile() {
		return []File{f}, nil
	}
	if limit := w.Limit(path); info.Size() > limit {
		f.Size = info.Size()
		return []File{f}, nil
	} else if f.Raw, err = readAll(root, path, limit); err != nil {
		return nil, err
	}
	return []File{f}, w.Total(path, len(f.Raw))
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
func ReadPlain(dir string, w Wanted) (files []File, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = w.walk(root, func(path string, m git.Mode) error {
		if m == git.Folder {
			files = append(files, File{Path: path, Mode: m})
			return nil
		}
		found, err := w.read(root, path)
		files = append(files, found...)
		return err
	})
	return files, err
}

// maxEntries is the maximum number of entries of a folder that is in no repository.
const maxEntries = 200_000

// walk visits the wanted files of a folder, and folders that are too deep. A folder with a repository of its own has
// nothing of this one.
func (w Wanted) walk(root *os.Root, visit func(path string, m git.Mode) error) error {
	entries := 0
	for _, top := range w.Tops {
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

// Find returns the paths of wanted files in a folder, in the order of their names.
func Find(dir string, w Wanted) (paths []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	err = w.walk(root, func(path string, m git.Mode) error {
		if w.Keep(path, m) {
			paths = append(paths, path)
		}
		return nil
	})
	return paths, err
}

package worktree

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"iter"
	"os"
	"slices"

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

// File is a file of content, or what lies in its place.
type File struct {
	Path    string
	Raw     []byte            // as git would store it
	Refusal []content.Finding // why there is no raw content

	mode git.Mode // of a work tree; [special]: no file
	size int64    // of what is larger than its limit
}

// Typed is the text of a file in an editor, under the limits of files.
func Typed(path string, raw []byte) File {
	f := File{Path: path, Raw: raw, mode: git.Regular}
	f.refuse()
	return f
}

// special is the mode of what git does not store: pipes, sockets and devices.
const special git.Mode = 1

// Content is the content of one state of a repository, before it is parsed.
type Content struct {
	Files   []File            // that were read
	Same    []git.File        // of a work tree those that are as in its commit; they are not read yet
	Folders []content.Finding // about folders that are not read
	size    Size
}

// OfCommit lists the files of a commit.
func OfCommit(repo *git.Repo, commit git.OID) (c *Content, err error) {
	c = &Content{}
	c.Same, err = repo.Files(commit, Counts)
	return c, err
}

// OfTree lists the files of a tree.
func OfTree(repo *git.Repo, tree git.OID) (c *Content, err error) {
	c = &Content{}
	c.Same, err = repo.Changes(git.OID{}, tree, Counts)
	return c, err
}

// Read reads the files of a work tree that differ from its commit, as git would store them, and lists the others,
// also those that a sparse checkout leaves out. Without git, files are read as they lie there.
func (t Tree) Read(repo *git.Repo) (*Content, error) {
	c := &Content{}
	head, changes, err := t.Changes(tops)
	if errors.Is(err, git.ErrNoGit) || t.GitDir == "" {
		return ReadPlain(t.Root)
	}
	if err == nil && !head.IsZero() {
		c.Same, err = repo.Files(head, Counts)
	}
	if err != nil {
		return nil, err
	}
	root, err := os.OpenRoot(t.Root)
	if errors.Is(err, fs.ErrNotExist) { // a sparse checkout leaves all of it out
		return c, nil
	} else if err != nil {
		return nil, err
	}
	defer root.Close()
	staged, err := c.change(root, changes)
	if err == nil {
		err = t.store(c.Files)
	}
	c.refuse()
	if err == nil {
		err = c.read(repo, staged)
	}
	if err == nil {
		c.Folders, err = similarFolders(t.Root)
	}
	return c, err
}

// Read reads the files that are as in the commit.
func (c *Content) Read(repo *git.Repo) error {
	same := c.Same
	c.Same = nil
	return c.read(repo, same)
}

// read reads files of the repository.
func (c *Content) read(repo *git.Repo, files []git.File) error {
	for _, f := range files {
		raw, refusal, err := []byte(nil), refusedPlace(f.Path, f.Mode), error(nil)
		if refusal == nil {
			raw, refusal, err = ReadItem(repo, f, f.Path, Limit(f.Path))
		}
		if err == nil {
			err = c.size.Add(f.Path, len(raw))
		}
		if err != nil {
			return err
		}
		c.Files = append(c.Files, File{Path: f.Path, Raw: raw, Refusal: refusal})
	}
	return nil
}

// change reads what differs as it lies there, and returns what differs and is in the index.
func (c *Content) change(root *os.Root, changes []Changed) (staged []git.File, err error) {
	changed := map[string]bool{}
	for _, ch := range changes {
		f := ch.File
		if changed[f.Path] {
			continue
		}
		changed[f.Path] = true
		switch {
		case !ch.Unknown && (f.Mode == git.Absent || !Counts(f.Path, f.Mode)):
		case ch.Unstaged && (ch.Unknown || f.Mode.IsFile()):
			if err := c.lie(root, f.Path); err != nil {
				return nil, err
			}
		default:
			staged = append(staged, f)
		}
	}
	c.Same = slices.DeleteFunc(c.Same, func(f git.File) bool { return changed[f.Path] })
	return staged, nil
}

// lie reads a file as it lies there; nothing if it is no content, or gone. No link is followed.
func (c *Content) lie(root *os.Root, path string) error {
	info, err := root.Lstat(path)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return err
	case info.IsDir(): // it has taken the file's place meanwhile
		return nil
	}
	f := File{Path: path, mode: modeOf(info.Mode())}
	place := f.mode
	if place == special {
		place = git.Regular
	}
	limit := Limit(path)
	switch {
	case !Counts(path, place):
		return nil
	case !f.mode.IsFile():
	case info.Size() > limit:
		f.size = info.Size()
	default:
		if f.Raw, err = readAll(root, path, limit); err == nil {
			err = c.size.Add(path, len(f.Raw))
		}
	}
	c.Files = append(c.Files, f)
	return err
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
	return special
}

// ReadPlain reads a folder that is in no repository, as it lies there.
func ReadPlain(dir string) (*Content, error) {
	c := &Content{}
	root, err := os.OpenRoot(dir)
	if err != nil {
		return c, err
	}
	defer root.Close()
	err = walk(root, tops, func(path string, _ git.Mode) error { return c.lie(root, path) })
	if c.refuse(); err == nil {
		c.Folders, err = similarFolders(dir)
	}
	return c, err
}

// maxEntries is the maximum number of entries of a folder that is in no repository.
const maxEntries = 200_000

// walk visits the wanted files of a folder. A folder with a repository of its own has
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

// Paths lists the paths of all files.
func (c *Content) Paths() iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, f := range c.Files {
			if !yield(f.Path) {
				return
			}
		}
		for _, f := range c.Same {
			if !yield(f.Path) {
				return
			}
		}
	}
}

// Hash identifies what was read and listed.
func (c *Content) Hash() string {
	h := sha256.New()
	for _, f := range c.Files {
		fmt.Fprintf(h, "%s %s %v\n", git.BlobOID(f.Raw), f.Path, f.Refusal)
	}
	for _, f := range c.Same {
		fmt.Fprintf(h, "%s %s\n", f.OID, f.Path)
	}
	fmt.Fprintln(h, c.Folders)
	return hex.EncodeToString(h.Sum(nil))
}

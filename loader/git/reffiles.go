package git

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"math"
	"path/filepath"
	"strings"

	"rulestore/content/i18n"
)

// refFiles are the files with the refs of a repository (gitrepository-layout). They are not
// read by go-git, because every check for changes reads them: for 20,000 tags go-git takes 35
// to 46 ms and not 11, lists refs that publish nothing and takes git's lock files for refs.
type refFiles struct{ gitDir, commonDir, listed string } // see [Listed]

// list reads HEAD, the loose refs, and then the packed refs: git removes a loose ref after it
// has packed it, so none is missed.
func (f refFiles) list(l *refList) error {
	path, err := f.listLoose(l)
	if err != nil {
		return err
	}
	return packed(l, path)
}

// listLoose reads HEAD and the loose refs, and returns the path of the file of the packed ones.
func (f refFiles) listLoose(l *refList) (path string, err error) {
	if f.listed != "" {
		return f.listed, nil
	}
	if err := f.read(l, headRef); err != nil {
		return "", err
	}
	for _, dir := range []string{branchRefs, tagRefs} {
		err := filepath.WalkDir(filepath.Join(f.commonDir, dir), func(file string, e fs.DirEntry, err error) error {
			switch name := filepath.ToSlash(strings.TrimPrefix(file, f.commonDir)[1:]); {
			case errors.Is(err, fs.ErrNotExist): // deleted or packed meanwhile
				return nil
			case err != nil || e.Type()&^fs.ModeSymlink != 0 || strings.HasSuffix(name, ".lock") || !l.wants(name):
				return err
			default:
				return f.read(l, name)
			}
		})
		if err != nil {
			return "", err
		}
	}
	return filepath.Join(f.commonDir, refsFile), nil
}

// read reads a loose ref.
func (f refFiles) read(l *refList, name string) error {
	dir := f.commonDir
	if name == headRef {
		dir = f.gitDir
	}
	file, err := openWithin(filepath.Join(dir, name), math.MaxInt64)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	raw, err := io.ReadAll(io.LimitReader(file, maxRef))
	if err != nil {
		return err
	}
	l.loose[name] = strings.TrimSpace(string(raw))
	l.add(name, l.loose[name])
	return nil
}

// maxRef is how much of a loose ref is read, in bytes: more than an id or the name of another ref.
const maxRef = 4096

const (
	refsFile = "packed-refs"

	// maxPackedRefs is the maximum size of packed-refs, in bytes: millions of refs.
	maxPackedRefs = 256 << 20

	// maxPackedRef is the maximum length of a line of packed-refs, in bytes. Git's names of
	// refs are paths of files, at most 4,096 bytes.
	maxPackedRef = 64 << 10
)

// packed reads the packed refs that can affect what is served. Loose refs of the same name are newer. No more than a
// line is in memory at once: millions of refs may be those of others.
func packed(l *refList, path string) error {
	file, err := openWithin(path, maxPackedRefs)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	defer file.Close()
	if l.packed, err = file.Stat(); err != nil {
		return err
	}
	lines := bufio.NewReaderSize(file, maxPackedRef)
	for {
		line, err := lines.ReadSlice('\n')
		if servedRef(line) {
			id, name, _ := bytes.Cut(bytes.TrimSuffix(line, []byte("\n")), []byte(" "))
			if name := string(name); l.wants(name) {
				if _, newer := l.loose[name]; !newer {
					l.add(name, string(id))
				}
			}
		}
		switch {
		case err == io.EOF:
			return nil
		case errors.Is(err, bufio.ErrBufferFull):
			return i18n.Errorf("%s has a line of more than %d bytes", refsFile, maxPackedRef)
		case err != nil:
			return err
		}
	}
}

// servedRef reports whether a line of packed-refs is a ref that can affect what is served.
func servedRef(line []byte) bool {
	_, name, _ := bytes.Cut(line, []byte(" "))
	return (bytes.HasPrefix(name, []byte(tagRefs)) || bytes.HasPrefix(name, []byte(branchRefs)) ||
		string(name) == headRef+"\n") && line[0] != '#'
}

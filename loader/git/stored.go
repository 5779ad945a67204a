package git

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"syscall"

	"github.com/go-git/go-billy/v5"
	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/format/objfile"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// stored reads objects by go-git: from memory, or from folders.
type stored struct {
	folders []string  // with loose objects
	stores  []encoded // in memory, or of the packs in these folders
	weighed map[plumbing.Hash]bool
}

// encoded is a store of go-git.
type encoded interface {
	EncodedObject(plumbing.ObjectType, plumbing.Hash) (plumbing.EncodedObject, error)
}

// newStored returns the objects in folders, the repository's own first.
func newStored(folders []string) *stored {
	s := &stored{folders: folders, weighed: map[plumbing.Hash]bool{}}
	for _, dir := range folders {
		s.stores = append(s.stores, filesystem.NewObjectStorageWithOptions(
			dotgit.New(live(filepath.Dir(dir))), cache.NewObjectLRUDefault(),
			filesystem.Options{LargeObjectThreshold: largeObject},
		))
	}
	return s
}

// largeObject is the size above which an object stays on disk until its content is requested.
const largeObject = 1 << 20

// Ahead implements [Objects].
func (s *stored) Ahead([]OID) {}

// Close implements [Objects].
func (s *stored) Close() error {
	var errs []error
	for _, st := range s.stores {
		if c, ok := st.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// Read implements [Objects]: of several copies the first that is not damaged.
func (s *stored) Read(id OID, limit int64) (Object, error) {
	missing := errAbsent
	for i := range len(s.folders) + len(s.stores) {
		o, err := s.from(i, id, limit)
		switch {
		case err == nil:
			return o, nil
		case IsDamaged(err):
			missing = err
		case !errors.Is(err, errAbsent):
			return Object{}, err
		}
	}
	return Object{}, missing
}

// from reads an object from a store or, after these, from a folder.
func (s *stored) from(i int, id OID, limit int64) (o Object, err error) {
	defer func() { err = inObject(err) }()
	defer rescued(&err)
	if i >= len(s.stores) {
		return readLoose(s.folders[i-len(s.stores)], id, limit)
	}
	if err := s.weigh(s.stores[i], plumbing.Hash(id)); err != nil {
		return o, err
	}
	e, err := s.stores[i].EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
	if err != nil {
		return o, err
	}
	o = Object{Kind: e.Type().String(), Size: e.Size()}
	if o.Size > limit {
		return o, nil
	}
	r, err := e.Reader()
	if err != nil {
		return o, err
	}
	defer r.Close()
	return o.with(r)
}

// maxDeltas is the maximum number of objects that an object is made from: git makes no longer chains.
const maxDeltas = 4096

// weigh refuses an object of a pack that is made from itself, or from anything too large: go-git would follow and
// allocate until the process ends.
func (s *stored) weigh(from encoded, id plumbing.Hash) error {
	packs, ok := from.(storer.DeltaObjectStorer)
	if !ok {
		return nil
	}
	var chain []plumbing.Hash
	for ; !s.weighed[id]; chain = append(chain, id) {
		if len(chain) == maxDeltas {
			return damaged(fmt.Sprintf("it is made from more than %d others", maxDeltas))
		}
		o, err := packs.DeltaObject(plumbing.AnyObject, id)
		if err != nil && len(chain) > 0 {
			return damaged("what it is made from cannot be read: " + err.Error())
		} else if err != nil {
			return err
		}
		d, isDelta := o.(plumbing.DeltaObject)
		size := o.Size()
		if isDelta {
			if size, err = resultSize(o); err != nil {
				return err
			}
		}
		if size > maxTree && (isDelta || len(chain) > 0) {
			return damaged(fmt.Sprintf("it is made from %d bytes", size))
		}
		if !isDelta {
			break
		}
		id = d.BaseHash()
	}
	for _, id := range chain {
		s.weighed[id] = true
	}
	return nil
}

// resultSize reads the size of what a delta makes: it begins with that of its base, and this one.
func resultSize(delta plumbing.EncodedObject) (int64, error) {
	r, err := delta.Reader()
	if err != nil {
		return 0, err
	}
	defer r.Close()
	begin := bufio.NewReader(io.LimitReader(r, 2*binary.MaxVarintLen64))
	_, err = binary.ReadUvarint(begin)
	size, wrong := binary.ReadUvarint(begin)
	if err != nil || wrong != nil || size > 1<<60 {
		return 0, damaged("a delta does not say what it makes")
	}
	return int64(size), nil
}

// readLoose reads an object with a file of its own. go-git itself would read all of that, whatever size it
// states.
func readLoose(dir string, id OID, limit int64) (o Object, err error) {
	name := id.String()
	f, err := openFile(filepath.Join(dir, name[:2], name[2:]))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o, errAbsent
	case errors.Is(err, errNoFile), errors.Is(err, syscall.EISDIR):
		return o, errInPlace
	case err != nil:
		return o, err
	}
	defer f.Close()
	r, err := objfile.NewReader(f)
	if err != nil {
		return o, damaged(err.Error())
	}
	defer r.Close()
	kind, size, err := r.Header()
	if err != nil || size < 0 {
		return o, damaged(fmt.Sprintf("it has no header: %v", err))
	}
	if o = (Object{Kind: kind.String(), Size: size}); size > limit {
		info, err := f.Stat()
		if err != nil {
			return o, err
		}
		return o, o.fits(info)
	}
	return o.with(r)
}

// with returns the object with its content, which has to have its size.
func (o Object) with(r io.Reader) (Object, error) {
	o.Raw = make([]byte, o.Size)
	if _, err := io.ReadFull(r, o.Raw); err != nil {
		return o, damaged("it ends too early")
	}
	switch n, err := io.ReadFull(r, make([]byte, 1)); {
	case n > 0:
		return o, damaged(fmt.Sprintf("it says that it has %d bytes and has more", o.Size))
	case !errors.Is(err, io.EOF):
		return o, err
	}
	return o, nil
}

// liveFolder is a folder that git may be writing to, as go-git sees it.
type liveFolder struct{ billy.Filesystem }

// hidden matches the files that are read here and not by go-git: loose objects, also those that
// git is receiving, and the list of alternates.
var hidden = regexp.MustCompile(`(^|/)([0-9a-f]{2}/[0-9a-f]{38}|info/alternates)$`)

// Open opens a file that is not hidden.
func (l liveFolder) Open(name string) (billy.File, error) {
	if hidden.MatchString(filepath.ToSlash(name)) {
		return nil, &fs.PathError{Op: "open", Path: name, Err: fs.ErrNotExist}
	}
	f, err := l.Filesystem.Open(name)
	if err != nil || filepath.Ext(name) != ".idx" {
		return f, err
	}
	return sizedFile{f, l.Join(l.Root(), name)}, nil
}

// sizedFile tells go-git the size of an index, as it would trust the size that this states.
type sizedFile struct {
	billy.File
	path string
}

// Stat describes the file.
func (f sizedFile) Stat() (fs.FileInfo, error) { return os.Stat(f.path) }

func live(path string) billy.Filesystem { return liveFolder{osfs.New(path)} }

// ReadDir lists a folder, without files that disappear meanwhile; for go-git the whole folder
// would not exist.
func (l liveFolder) ReadDir(path string) ([]os.FileInfo, error) {
	entries, err := os.ReadDir(l.Join(l.Root(), path))
	if err != nil {
		return nil, err
	}
	var infos []os.FileInfo
	for _, e := range entries {
		if info, err := e.Info(); err == nil {
			infos = append(infos, info)
		} else if !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
	}
	return infos, nil
}

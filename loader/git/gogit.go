package git

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// stored reads objects by go-git: from memory, or from the packs and loose objects of folders.
type stored struct {
	stores  []encoded
	weighed map[plumbing.Hash]bool
}

// encoded is a store of go-git.
type encoded interface {
	EncodedObject(plumbing.ObjectType, plumbing.Hash) (plumbing.EncodedObject, error)
}

// newStored returns the objects in a folder, and in those that it borrows from.
func newStored(dir string) stored {
	var stores []encoded
	for _, dir := range alternates([]string{dir}) {
		stores = append(stores, filesystem.NewObjectStorageWithOptions(
			dotgit.New(osfs.New(filepath.Dir(dir))), cache.NewObjectLRUDefault(),
			filesystem.Options{LargeObjectThreshold: largeObject},
		))
	}
	return stored{stores, map[plumbing.Hash]bool{}}
}

// largeObject is the size above which an object stays on disk until its content is requested.
const largeObject = 1 << 20

// maxAlternates is how much of a list of alternates is read, in bytes.
const maxAlternates = 1 << 20

// alternates adds to folders of objects those that they borrow from (gitrepository-layout): go-git takes relative
// paths for others. What is not there is missed when an object is.
func alternates(folders []string) []string {
	const most = 100
	for i := 0; i < len(folders) && i < most; i++ {
		raw, _ := readWithin(filepath.Join(folders[i], "info", "alternates"), maxAlternates)
		for path := range strings.Lines(string(raw)) {
			if path = strings.TrimRight(path, "\r\n"); path == "" || path[0] == '#' {
				continue
			}
			if !filepath.IsAbs(path) {
				path = filepath.Join(folders[i], path)
			}
			if !slices.Contains(folders, path) {
				folders = append(folders, path)
			}
		}
	}
	return folders
}

// Ahead implements [Objects].
func (s stored) Ahead([]OID) {}

// Close implements [Objects].
func (s stored) Close() error {
	var errs []error
	for _, st := range s.stores {
		if c, ok := st.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return errors.Join(errs...)
}

// Read implements [Objects]: of several copies the first that is not damaged.
func (s stored) Read(id OID, limit int64) (Object, error) {
	missing := errAbsent
	for _, st := range s.stores {
		o, err := s.from(st, id, limit)
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

// from reads an object from one of the stores.
func (s stored) from(st encoded, id OID, limit int64) (o Object, err error) {
	defer func() { err = inObject(err) }()
	defer rescued(&err)
	if err := s.weigh(st, plumbing.Hash(id)); err != nil {
		return o, err
	}
	e, err := st.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
	if err != nil {
		return o, err
	}
	o = Object{Kind: e.Type().String(), Size: e.Size()}
	if o.Size > limit {
		return o, nil
	}
	if t, ok := e.(*text); ok {
		o.Raw = t.raw
		return o, nil
	}
	r, err := e.Reader()
	if err != nil {
		return o, err
	}
	defer r.Close()
	if o.Raw, err = io.ReadAll(io.LimitReader(r, o.Size+1)); err == nil && int64(len(o.Raw)) != o.Size {
		err = damaged("it has another size than it says")
	}
	return o, err
}

// maxDeltas is the maximum number of objects that an object is made from: git makes no longer chains.
const maxDeltas = 4096

// weigh refuses an object of a pack that is made from itself: go-git would follow until the process ends.
func (s stored) weigh(from encoded, id plumbing.Hash) error {
	packs, ok := from.(storer.DeltaObjectStorer)
	var chain []plumbing.Hash
	for ; ok && !s.weighed[id]; chain = append(chain, id) {
		if len(chain) == maxDeltas {
			return damaged(fmt.Sprintf("it is made from more than %d others", maxDeltas))
		}
		o, err := packs.DeltaObject(plumbing.AnyObject, id)
		if err != nil {
			return err
		}
		made, isDelta := o.(plumbing.DeltaObject)
		if !isDelta {
			break
		}
		id = made.BaseHash()
	}
	for _, id := range chain {
		s.weighed[id] = true
	}
	return nil
}

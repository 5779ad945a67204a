package git

import (
	"io"

	"github.com/go-git/go-billy/v5/osfs"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/cache"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/filesystem"
	"github.com/go-git/go-git/v5/storage/filesystem/dotgit"
)

// stored reads objects by go-git: from memory, or from the packs and loose objects of a folder.
type stored struct {
	encoded
	weighed map[plumbing.Hash]bool
}

// encoded is a store of go-git.
type encoded interface {
	EncodedObject(plumbing.ObjectType, plumbing.Hash) (plumbing.EncodedObject, error)
}

// newStored returns the objects of a git directory.
func newStored(dir string) stored {
	return stored{filesystem.NewObjectStorageWithOptions(
		dotgit.New(osfs.New(dir)), cache.NewObjectLRUDefault(), filesystem.Options{LargeObjectThreshold: largeObject},
	), map[plumbing.Hash]bool{}}
}

// largeObject is the size above which an object stays on disk until its content is requested.
const largeObject = 1 << 20

// Ahead implements [Objects].
func (s stored) Ahead([]OID) {}

// Close implements [Objects].
func (s stored) Close() error {
	if c, ok := s.encoded.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// Read implements [Objects].
func (s stored) Read(id OID, limit int64) (o Object, err error) {
	defer func() { err = inObject(err) }()
	defer func() {
		if recover() != nil { // go-git does not expect all possible bytes
			err = ErrDamaged
		}
	}()
	if err := s.weigh(plumbing.Hash(id), 0); err != nil {
		return o, err
	}
	e, err := s.EncodedObject(plumbing.AnyObject, plumbing.Hash(id))
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
		err = ErrDamaged
	}
	return o, err
}

// maxDeltas is the maximum number of objects that an object is made from: git makes no longer chains.
const maxDeltas = 4096

// weigh refuses an object of a pack that is made from itself: go-git would follow until the process ends.
func (s stored) weigh(id plumbing.Hash, made int) error {
	packs, ok := s.encoded.(storer.DeltaObjectStorer)
	switch {
	case !ok || s.weighed[id]:
		return nil
	case made > maxDeltas:
		return ErrDamaged
	}
	o, err := packs.DeltaObject(plumbing.AnyObject, id)
	if delta, isDelta := o.(plumbing.DeltaObject); err == nil && isDelta {
		err = s.weigh(delta.BaseHash(), made+1)
	}
	s.weighed[id] = err == nil
	return err
}

package git

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"sync"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage/memory"
)

// text is the object of a file in memory. Contrary to go-git's, who reads it gets the text itself, and no copy.
type text struct {
	raw  []byte
	hash plumbing.Hash
}

func newText(raw []byte) *text { return &text{raw, plumbing.ComputeHash(plumbing.BlobObject, raw)} }

func (t *text) Hash() plumbing.Hash             { return t.hash }
func (t *text) Type() plumbing.ObjectType       { return plumbing.BlobObject }
func (t *text) SetType(plumbing.ObjectType)     {}
func (t *text) Size() int64                     { return int64(len(t.raw)) }
func (t *text) SetSize(int64)                   {}
func (t *text) Reader() (io.ReadCloser, error)  { return io.NopCloser(bytes.NewReader(t.raw)), nil }
func (t *text) Writer() (io.WriteCloser, error) { return nil, errors.ErrUnsupported }

// Releases returns a source of the repository that a folder of releases makes ([ReadReleases]), which never changes.
// Its objects take memory only while it is open and they are read: the second time they are made again. The first time
// they are made at once, beside what else a process does before it opens the source.
func Releases(fsys fs.FS) Opener {
	first := sync.OnceValues(func() (*remade, error) {
		o := &remade{fsys: fsys}
		return o, o.make()
	})
	go func() {
		defer func() { _ = recover() }() // a panic comes back when it is asked for
		_, _ = first()
	}()
	return &releases{fsys: fsys, first: first}
}

type releases struct {
	fsys  fs.FS
	first func() (*remade, error) // nil after the first opening
	refs  storer.ReferenceStorer
}

// WorkTree implements [Opener].
func (r *releases) WorkTree() string { return "" }

// Open implements [Opener].
func (r *releases) Open() (*Repo, error) {
	o := &remade{fsys: r.fsys}
	if r.first != nil {
		var err error
		if o, err = r.first(); err != nil {
			return nil, err
		}
		r.first, r.refs = nil, o.made.ReferenceStorage
	}
	repo := newRepo(o)
	repo.refs = r.refs
	return repo, nil
}

// remade are the objects of a folder of releases.
type remade struct {
	fsys fs.FS
	made *memory.Storage // nil before they are read
}

func (o *remade) make() error {
	script, err := ReadReleases(o.fsys)
	if err != nil {
		return err
	}
	o.made = memory.NewStorage()
	return script.write(o.made)
}

// Read implements [Objects].
func (o *remade) Read(id OID, limit int64) (Object, error) {
	if o.made == nil {
		if err := o.make(); err != nil {
			return Object{}, err
		}
	}
	return stored{encoded: o.made}.Read(id, limit)
}

// Ahead implements [Objects].
func (o *remade) Ahead([]OID) {}

// Close implements [Objects].
func (o *remade) Close() error {
	o.made = nil
	return nil
}

package git

import (
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"rulestore/content/i18n"
)

// Objects are the objects of a repository, for one goroutine. There are two implementations, which a test
// holds to the same answers: [catFile], a git that is talked to, and [stored], go-git, for repositories in
// memory and where the command git is not installed.
type Objects interface {
	// Read returns an object. One of more than limit bytes comes without its content, which is not read.
	// The error is errAbsent, that of a damaged object ([IsDamaged]) or the system's.
	Read(id OID, limit int64) (Object, error)
	// Ahead says which objects will be read next, mostly in this order, so that they can be asked for
	// together. They need not exist.
	Ahead(ids []OID)
	// Close ends reading.
	Close() error
}

// Object is an object as git stores it.
type Object struct {
	Kind string // commit, tag, tree or blob
	Size int64  // in bytes
	Raw  []byte // must not be modified; nil if it is larger than was asked for
}

// The kinds of objects.
const (
	aCommit = "commit"
	aTag    = "tag"
	aTree   = "tree"
	aBlob   = "blob"
)

// errAbsent is the error for an object that does not exist.
var errAbsent = plumbing.ErrObjectNotFound

// maxHashed is the maximum size in bytes of objects that are always checked against their ids. Larger ones,
// such as the trees of large folders, which are new in every commit, are checked only in untrusted
// repositories ([Checked]).
const maxHashed = 16 << 10

// read reads an object of a kind, of any kind if that is empty. If the error is [ErrTooLarge], its kind is
// known.
func (r *Repo) read(kind string, id OID, limit int64) (Object, error) {
	o, err := r.objects.Read(id, limit)
	switch {
	case errors.Is(err, errAbsent) && r.settled:
		return o, errMissing
	case err != nil:
		return o, err
	case kind != "" && o.Kind != kind:
		return o, ErrDamaged
	case o.Size > limit:
		return o, &SizeError{o.Size, limit}
	case (r.checked || o.Size <= maxHashed) && o.oid() != id:
		return o, ErrDamaged
	}
	return o, nil
}

// oid computes the id of an object from its content.
func (o Object) oid() OID {
	kind, err := plumbing.ParseObjectType(o.Kind)
	if err != nil {
		return OID{}
	}
	return OID(plumbing.ComputeHash(kind, o.Raw))
}

// maxJudged is the maximum size of an object whose signature is checked, in bytes.
const maxJudged = 1 << 20

// Object reads a complete object, and checks it against its id. The error is [ErrTooLarge] if
// it has more than a megabyte.
func (r *Repo) Object(id OID) (Object, error) {
	o, err := r.read("", id, maxJudged)
	switch {
	case errors.Is(err, ErrTooLarge):
		return Object{}, i18n.Errorf("object %s: %w", id, err)
	case err == nil && o.oid() != id:
		err = ErrDamaged
	}
	if err != nil {
		return Object{}, unreadable("object", id, err)
	}
	return o, nil
}

// Ahead says which objects will be read next: see [Objects].
func (r *Repo) Ahead(ids []OID) { r.objects.Ahead(ids) }

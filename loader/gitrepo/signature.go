package gitrepo

import (
	"fmt"

	"github.com/go-git/go-git/v5/plumbing"
)

// Object is an object as git stores it.
type Object struct {
	Kind string // commit, tag, tree or blob
	Raw  []byte // nobody may change it
}

// maxJudged is how many bytes an object may have to be judged by its signature.
const maxJudged = 1 << 20

// Object reads an object whole, and holds it against its id. [ErrTooLarge] says that it
// has more than a megabyte.
func (r *Repo) Object(id OID) (Object, error) {
	t, size, err := r.stat(id)
	if err != nil {
		return Object{}, unreadable("object", id, err)
	}
	if err := within(maxJudged, size); err != nil {
		return Object{}, fmt.Errorf("object %s: %w", id, err)
	}
	raw, err := r.raw(t, id, maxJudged)
	if err == nil && OID(plumbing.ComputeHash(t, raw)) != id {
		err = errDamaged
	}
	if err != nil {
		return Object{}, unreadable("object", id, err)
	}
	return Object{t.String(), raw}, nil
}

// stat says what an object is and how many bytes it has.
func (r *Repo) stat(id OID) (plumbing.ObjectType, int64, error) {
	if o, ok := r.packed(plumbing.AnyObject, id); ok {
		return o.kind, int64(len(o.content)), nil
	}
	o, err := r.unpacked(plumbing.AnyObject, id)
	if err != nil {
		return plumbing.InvalidObject, 0, err
	}
	return o.Type(), o.Size(), nil
}

package gitrepo

import (
	"errors"

	"github.com/go-git/go-git/v5/plumbing"

	"rulestore/content/i18n"
)

// Object is an object as git stores it.
type Object struct {
	Kind string // commit, tag, tree or blob
	Raw  []byte // must not be modified
}

// maxJudged is the maximum size of an object whose signature is checked, in bytes.
const maxJudged = 1 << 20

// Object reads a complete object, and checks it against its id. The error is [ErrTooLarge] if
// it has more than a megabyte.
func (r *Repo) Object(id OID) (Object, error) {
	t, raw, err := r.read(plumbing.AnyObject, id, maxJudged)
	switch {
	case errors.Is(err, ErrTooLarge):
		return Object{}, i18n.Errorf("object %s: %w", id, err)
	case err == nil && OID(plumbing.ComputeHash(t, raw)) != id:
		err = ErrDamaged
	}
	if err != nil {
		return Object{}, unreadable("object", id, err)
	}
	return Object{t.String(), raw}, nil
}

package git

import (
	"container/heap"
	"errors"
	"io/fs"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5"
	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/storer"
	"github.com/go-git/go-git/v5/storage"

	"rulestore/content/i18n"
)

// Resolve returns the commit of a revision, as git rev-parse would: a branch, also a remote
// one, a tag, an abbreviated or full id, HEAD, and any of these with ~ and ^.
func (r *Repo) Resolve(revision string) (OID, error) {
	none := i18n.Errorf("there is no branch, tag or commit %q", revision)
	if revision == "" || revision[0] == '-' || strings.ContainsAny(revision, ":{\x00") ||
		strings.Contains(revision, "..") {
		return OID{}, none
	}
	id, ok := r.refNamed(revision)
	if !ok {
		repo, err := git.Open(reading{r.st, r}, nil)
		if err != nil {
			return OID{}, err
		}
		hash, err := repo.ResolveRevision(plumbing.Revision(revision))
		if err != nil {
			return OID{}, none
		}
		id = OID(*hash)
	}
	tag, err := r.Tag(id)
	switch {
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return OID{}, i18n.Errorf("%w: the repository does not have it, fetch it first", none)
	case err != nil:
		return OID{}, i18n.Errorf("%q is no commit: %w", revision, err)
	}
	return tag.Commit, nil
}

// reading is the storage with which go-git resolves revisions: objects are read by this
// package, with its limits.
type reading struct {
	storage.Storer
	repo *Repo
}

func (s reading) EncodedObject(t plumbing.ObjectType, id plumbing.Hash) (plumbing.EncodedObject, error) {
	kind := t.String()
	if t == plumbing.AnyObject {
		kind = ""
	}
	o, err := s.repo.read(kind, OID(id), maxTree)
	if err != nil {
		return nil, err
	}
	if t, err = plumbing.ParseObjectType(o.Kind); err != nil {
		return nil, err
	}
	m := &plumbing.MemoryObject{}
	m.SetType(t)
	_, err = m.Write(o.Raw)
	return m, err
}

// HashesWithPrefix lists the objects of a repository on disk with an abbreviated id.
func (s reading) HashesWithPrefix(prefix []byte) ([]plumbing.Hash, error) {
	disk, ok := s.Storer.(interface {
		HashesWithPrefix([]byte) ([]plumbing.Hash, error)
	})
	if !ok {
		return nil, nil
	}
	return disk.HashesWithPrefix(prefix)
}

// refNamed finds a ref by the prefixes that git tries, in its order.
func (r *Repo) refNamed(name string) (OID, bool) {
	for _, beginning := range []string{"", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"} {
		ref, err := storer.ResolveReference(r.st, plumbing.ReferenceName(beginning+name))
		if err == nil && !ref.Hash().IsZero() {
			return OID(ref.Hash()), true
		}
	}
	return OID{}, false
}

// Head returns the commit that is checked out.
func (r *Repo) Head() (OID, error) {
	refs, err := r.Refs("")
	return refs.Commit, err
}

// MergeBase returns the merge base of two commits, the newest if there are several. It is not
// ok if there is none, or if a shallow history ends before it.
func (r *Repo) MergeBase(a, b OID) (base OID, ok bool, err error) {
	mine, err := r.reach(a, func(id OID) bool { return id == b })
	if err != nil || mine[b] {
		return b, err == nil, err
	}
	_, err = r.reach(b, func(id OID) bool {
		if !ok && mine[id] {
			base, ok = id, true
		}
		return ok
	})
	return base, ok, err
}

// reach visits the ancestors of a commit, itself included, newest first, until stop is true or
// a shallow history ends, and returns those visited.
func (r *Repo) reach(from OID, stop func(OID) bool) (map[OID]bool, error) {
	ends, err := r.st.Shallow()
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	seen := map[OID]bool{}
	var queue byDate
	push := func(id OID) error {
		if seen[id] {
			return nil
		}
		seen[id] = true
		c, err := r.Commit(id)
		if err != nil {
			return err
		}
		heap.Push(&queue, &commitData{Commit: c})
		return nil
	}
	if err := push(from); err != nil {
		return nil, err
	}
	for queue.Len() > 0 {
		c := heap.Pop(&queue).(*commitData)
		if stop(c.OID) {
			break
		}
		if slices.Contains(ends, plumbing.Hash(c.OID)) {
			continue
		}
		for _, p := range c.Parents {
			if err := push(p); err != nil {
				return nil, err
			}
		}
	}
	return seen, nil
}

package loader

import (
	"bytes"

	"rulestore/loader/gitrepo"
)

// lineSet is the set of lines of a seal file. It is shared and immutable.
type lineSet = map[string]bool

// lastSeals caches the last lines of a seal file for commits at which it does not exist or is
// not readable. After a file is removed for good, every commit needs them.
type lastSeals struct {
	at    map[sealsKey]*lineSet
	blobs map[gitrepo.OID]*lineSet
}

type sealsKey struct {
	path   string
	commit gitrepo.OID
}

// lastSeals returns the lines that a seal file had at a commit or, if there was no readable
// one, before it, along all parents; nil if there never was one.
func (b *build) lastSeals(path string, commit gitrepo.OID) (*lineSet, error) {
	if raw, read, err := b.sealsAt(commit, path); read || err != nil {
		set := linesOf(raw)
		return &set, err
	}
	if !b.history.Had(commit, path) {
		return nil, nil
	}
	known := b.seals.last.at
	for todo := []gitrepo.OID{commit}; len(todo) > 0; {
		id := todo[len(todo)-1]
		set, parents, err := b.lastSealsOf(path, id)
		if err != nil {
			return nil, err
		}
		if len(parents) > 0 { // first
			todo = append(todo, parents...)
			continue
		}
		todo, known[sealsKey{path, id}] = todo[:len(todo)-1], set
	}
	return known[sealsKey{path, commit}], nil
}

// lastSealsOf returns the last lines of a file at a commit, or the parents whose result is
// needed first.
func (b *build) lastSealsOf(path string, id gitrepo.OID) (set *lineSet, unknown []gitrepo.OID, err error) {
	if set, ok := b.seals.last.at[sealsKey{path, id}]; ok {
		return set, nil, nil
	}
	if raw, read, err := b.sealsAt(id, path); read || err != nil {
		return b.seals.last.shared(raw), nil, err
	}
	c, _ := b.history.Commit(id)
	for _, p := range c.Parents {
		of, ok := b.seals.last.at[sealsKey{path, p}]
		if !ok {
			unknown = append(unknown, p)
		}
		set = union(set, of)
	}
	return set, unknown, nil
}

// shared returns the lines of a file, one set per content.
func (l *lastSeals) shared(raw []byte) *lineSet {
	id := gitrepo.BlobOID(raw)
	if l.blobs[id] == nil {
		set := linesOf(raw)
		l.blobs[id] = &set
	}
	return l.blobs[id]
}

// union returns the union of two sets: one of them, if it includes the other.
func union(a, b *lineSet) *lineSet {
	switch {
	case a == nil || a == b:
		return b
	case b == nil || includes(*a, *b):
		return a
	case includes(*b, *a):
		return b
	}
	both := make(lineSet, len(*a)+len(*b))
	for _, set := range []*lineSet{a, b} {
		for line := range *set {
			both[line] = true
		}
	}
	return &both
}

func includes(a, b lineSet) bool {
	if len(b) > len(a) {
		return false
	}
	for line := range b {
		if !a[line] {
			return false
		}
	}
	return true
}

func linesOf(raw []byte) lineSet {
	set := make(lineSet, bytes.Count(raw, []byte("\n"))+1)
	for _, text := range numbered(raw) {
		set[text] = true
	}
	return set
}

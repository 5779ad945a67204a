package log

import (
	"fmt"
	"slices"
	"strings"
	"sync"

	"golang.org/x/mod/sumdb/tlog"
)

// Hash is a hash in the tree.
type Hash = tlog.Hash

// Log is the leaves up to some commit, and the tree over them. It is immutable; a log that
// extends another shares the common part. The tree is computed on first use, for the new leaves
// only. A nil log is empty.
type Log struct {
	leaves []Leaf
	shared *shared
}

// shared is the common part of a log and its extensions, as far as the longest of them.
type shared struct {
	mu     sync.RWMutex
	index  map[Leaf]int64 // of the first of equal leaves
	size   int64          // of the longest
	hashes []Hash         // in the order in which tlog stores them
	hashed int64          // number of leaves in them
}

// Extend returns the log with leaves appended. The cost depends on the added leaves when a log is
// extended for the first time; otherwise everything is copied.
func (l *Log) Extend(leaves ...Leaf) *Log {
	if l == nil {
		l = &Log{shared: &shared{index: map[Leaf]int64{}}}
	}
	l.shared.mu.Lock()
	defer l.shared.mu.Unlock()
	next := &Log{l.leaves, l.shared}
	if l.shared.size > l.Size() { // it has been extended already
		next = &Log{shared: &shared{index: make(map[Leaf]int64, len(l.leaves)+len(leaves))}}
		next.add(l.leaves)
	}
	next.add(leaves)
	return next
}

func (l *Log) add(leaves []Leaf) {
	for _, leaf := range leaves {
		if _, known := l.shared.index[leaf]; !known {
			l.shared.index[leaf] = l.Size()
		}
		l.leaves = append(l.leaves, leaf)
	}
	l.shared.size = l.Size()
}

// tree returns the stored hashes of all leaves.
func (l *Log) tree() []Hash {
	s, count := l.shared, tlog.StoredHashCount(l.Size())
	s.mu.Lock()
	defer s.mu.Unlock()
	for ; s.hashed < l.Size(); s.hashed++ {
		hashes, err := tlog.StoredHashes(s.hashed, []byte(l.leaves[s.hashed]), read(s.hashes))
		if err != nil {
			panic(err) // cannot fail: all hashes that it reads exist
		}
		s.hashes = append(s.hashes, hashes...)
	}
	return s.hashes[:count:count]
}

// reader reads the tree.
func (l *Log) reader() tlog.HashReader {
	if l == nil {
		return read(nil)
	}
	return read(l.tree())
}

func read(hashes []Hash) tlog.HashReaderFunc {
	return func(indexes []int64) ([]Hash, error) {
		list := make([]Hash, len(indexes))
		for i, at := range indexes {
			list[i] = hashes[at]
		}
		return list, nil
	}
}

// Extends reports whether a log is another one with leaves appended, as far as that is known
// without comparing them.
func (l *Log) Extends(before *Log) bool {
	return before == nil && l == nil || before != nil && l != nil && l.shared == before.shared &&
		l.Size() >= before.Size()
}

// Size returns the number of leaves.
func (l *Log) Size() int64 {
	if l == nil {
		return 0
	}
	return int64(len(l.leaves))
}

// Since returns the leaves from an index on.
func (l *Log) Since(index int64) []Leaf {
	if l.Size() <= index {
		return nil
	}
	return slices.Clip(l.leaves[index:])
}

// Marks returns the leaves of the marks that were begun and not ended, and the index of the first
// leaf that cannot follow those before it: a seal that is there already, a mark that has not
// ended, or the end of none; -1 if each can.
func (l *Log) Marks() (open map[Leaf]bool, misplaced int64) {
	open, misplaced = map[Leaf]bool{}, -1
	for i, leaf := range l.Since(0) {
		mark, ends := leaf.Begin()
		first, _ := l.Index(leaf)
		wrong := first < int64(i)
		switch {
		case ends:
			wrong = !open[mark]
			delete(open, mark)
		case strings.HasPrefix(string(leaf), markWord):
			wrong = open[leaf]
			open[leaf] = true
		}
		if wrong && misplaced < 0 {
			misplaced = int64(i)
		}
	}
	return open, misplaced
}

// Index returns the index of a leaf, the first one if it is repeated; not ok if the log does not
// have it.
func (l *Log) Index(leaf Leaf) (index int64, ok bool) {
	if l == nil {
		return 0, false
	}
	l.shared.mu.RLock()
	defer l.shared.mu.RUnlock()
	index, ok = l.shared.index[leaf]
	return index, ok && index < l.Size()
}

// Root returns the root of the tree over the first size leaves (RFC 6962, section 2.1); not ok
// if there are fewer.
func (l *Log) Root(size int64) (root Hash, ok bool) {
	if size < 0 || size > l.Size() {
		return root, false
	}
	root, err := tlog.TreeHash(size, l.reader())
	return root, err == nil
}

// Head returns the checkpoint of all leaves, for a log with that name.
func (l *Log) Head(origin string) Checkpoint {
	root, _ := l.Root(l.Size())
	return Checkpoint{Origin: origin, Size: l.Size(), Root: root}
}

// Agrees reports whether a checkpoint is that of a prefix of the leaves.
func (l *Log) Agrees(c Checkpoint) bool {
	root, ok := l.Root(c.Size)
	return ok && root == c.Root
}

// Inclusion returns the proof that a leaf is in the tree over the first size leaves (RFC 6962,
// section 2.1.1). It is an error unless 0 ≤ index < size ≤ [Log.Size].
func (l *Log) Inclusion(index, size int64) ([]Hash, error) {
	if index < 0 || index >= size || size > l.Size() {
		return nil, fmt.Errorf("no leaf %d of %d: the log has %d", index, size, l.Size())
	}
	return tlog.ProveRecord(size, index, l.reader())
}

// Consistency returns the proof that the tree over the first old leaves is a prefix of that
// over the first size leaves (RFC 6962, section 2.1.2). It is an error unless 0 < old ≤ size ≤
// [Log.Size].
func (l *Log) Consistency(old, size int64) ([]Hash, error) {
	if old <= 0 || old > size || size > l.Size() {
		return nil, fmt.Errorf("no trees of %d and %d leaves: the log has %d", old, size, l.Size())
	}
	return tlog.ProveTree(size, old, l.reader())
}

// Follows returns the reason why a head of the log is inconsistent with the last one seen, nil
// if it is consistent: see [CheckConsistency]. Every head is consistent with one without
// leaves.
func (l *Log) Follows(last, now Checkpoint) error {
	if last.Size <= 0 || last.Size >= now.Size {
		return CheckConsistency(nil, last, now)
	}
	proof, err := l.Consistency(last.Size, now.Size)
	if err != nil {
		return err
	}
	return CheckConsistency(proof, last, now)
}

// Served is the log of a repository as it is served, with its signed head.
type Served struct {
	*Log              // nil if the repository never had one that stands
	Checkpoint []byte // of all leaves; nil if there is none
	Unlogged   int    // number of seals and marks of the repository that are to be appended
	Refused    bool   // the newest log of the repository does not stand, and this one is older
}

// Continues reports whether a log, which may be nil, begins with all leaves of one before it.
func (v *Served) Continues(before *Served) bool {
	return v.Leaves().Agrees(before.Leaves().Head(""))
}

// Leaves returns the log, also of a nil view.
func (v *Served) Leaves() *Log {
	if v == nil {
		return nil
	}
	return v.Log
}

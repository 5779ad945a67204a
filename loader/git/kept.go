package git

import "encoding/binary"

// KeptChanges caches, across processes, the differences of two trees of commits. They never
// change while the same files of the same folder are followed. It is safe for concurrent use.
type KeptChanges interface {
	// Changes returns the cached differences of two trees, if there are any.
	Changes(folder string, old, new OID) (Changed, bool)
	// Keep stores the differences of two trees.
	Keep(folder string, old, new OID, c Changed)
}

// Changed has the differences of two trees, and the cost of computing them.
type Changed struct {
	Files []File
	Work  int64 // in bytes
}

// maxKept is the maximum number of differing files of a cached result: few commits change more,
// and reading those is fast enough.
const maxKept = 1000

// recall returns what a commit changed, if that is cached.
func (l *historyDiffer) recall(r *Repo, f *commitData) (c Changed, ok bool) {
	if l.w.Kept == nil {
		return c, false
	}
	return l.w.Kept.Changes(r.folder, l.parent(f), f.Tree)
}

// changed computes what a commit changed, unless git told or it is cached.
func (l *historyDiffer) changed(r *Repo, told *Changed, f *commitData) (c Changed, err error) {
	f.torn = false
	if told != nil {
		c = *told
	} else if known, ok := l.recall(r, f); ok {
		return known, nil
	} else {
		d, err := r.compare(l.parent(f), f.Tree, l.w.keep)
		if err != nil {
			return c, err
		}
		c, f.torn = Changed{d.changes, d.work}, d.torn
	}
	if l.w.Kept != nil && !f.torn && len(c.Files) <= maxKept {
		l.w.Kept.Keep(r.folder, l.parent(f), f.Tree, c)
	}
	return c, nil
}

// AppendBinary appends the binary form for a cache. It is specific to one build of the program.
func (c Changed) AppendBinary(dst []byte) ([]byte, error) {
	dst = binary.AppendVarint(dst, c.Work)
	for _, f := range c.Files {
		dst = append(binary.AppendUvarint(dst, uint64(f.Mode)), f.OID[:]...)
		dst = append(binary.AppendUvarint(dst, uint64(len(f.Path))), f.Path...)
	}
	return dst, nil
}

// UnmarshalBinary parses the result of AppendBinary. The error is ErrDamaged for anything else.
func (c *Changed) UnmarshalBinary(raw []byte) error {
	work, n := binary.Varint(raw)
	if n <= 0 {
		return ErrDamaged
	}
	*c = Changed{Work: work}
	for raw = raw[n:]; len(raw) > 0; {
		var f File
		mode, n := binary.Uvarint(raw)
		if n <= 0 || len(raw) < n+len(f.OID) {
			return ErrDamaged
		}
		f.Mode = Mode(mode)
		raw = raw[n+copy(f.OID[:], raw[n:]):]
		size, n := binary.Uvarint(raw)
		if n <= 0 || size > uint64(len(raw)-n) {
			return ErrDamaged
		}
		f.Path, raw = string(raw[n:n+int(size)]), raw[n+int(size):]
		c.Files = append(c.Files, f)
	}
	return nil
}

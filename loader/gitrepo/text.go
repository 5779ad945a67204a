package gitrepo

import (
	"bytes"
	"slices"
	"sort"
)

// Text is the content of a file, composed of passages that it may share with other versions of
// the file. The common parts of two versions are then known from git's deltas, without
// comparing all bytes. A text is immutable.
type Text struct {
	parts []passage
	size  int
	held  int // maximum number of bytes that its parts retain
}

// passage is a range of bytes that texts share.
type passage struct {
	of       *stored
	from, to int
	at       int // offset in the text
}

func (p passage) bytes() []byte { return p.of.bytes[p.from:p.to:p.to] }

// stored is the memory of passages: an object that is no delta, or a delta with the bytes that it
// inserts.
type stored struct{ bytes []byte }

// TextOf returns a text with bytes that must not be modified.
func TextOf(raw []byte) *Text {
	t := &Text{held: len(raw)}
	t.add(passage{of: &stored{raw}, to: len(raw)})
	return t
}

// add appends a part.
func (t *Text) add(p passage) {
	p.at = t.size
	t.size += p.to - p.from
	last := len(t.parts) - 1
	switch {
	case p.from == p.to:
	case last >= 0 && t.parts[last].of == p.of && t.parts[last].to == p.from:
		t.parts[last].to = p.to
	default:
		t.parts = append(t.parts, p)
	}
}

// Len returns the size in bytes; 0 for nil.
func (t *Text) Len() int {
	if t == nil {
		return 0
	}
	return t.size
}

// Bytes returns the whole content, which must not be modified.
func (t *Text) Bytes() []byte { return t.Slice(0, t.Len()) }

// Slice returns a part of it, which must not be modified.
func (t *Text) Slice(from, to int) []byte {
	all := t.between(from, to)
	switch len(all) {
	case 0:
		return nil
	case 1:
		return all[0].bytes()
	}
	joined := make([]byte, 0, to-from)
	for _, p := range all {
		joined = append(joined, p.bytes()...)
	}
	return joined
}

// between returns the parts of a range.
func (t *Text) between(from, to int) []passage {
	if from >= to {
		return nil
	}
	first := sort.Search(len(t.parts), func(i int) bool { return t.parts[i].at > from }) - 1
	last := sort.Search(len(t.parts), func(i int) bool { return t.parts[i].at >= to })
	all := slices.Clone(t.parts[first:last])
	end := &all[len(all)-1]
	end.to = end.from + to - end.at
	all[0].from, all[0].at = all[0].from+from-all[0].at, from
	return all
}

// Count returns the number of occurrences of a byte in a prefix of the text.
func (t *Text) Count(b byte, until int) (n int) {
	for _, p := range t.between(0, until) {
		n += bytes.Count(p.bytes(), []byte{b})
	}
	return n
}

// Whole returns the text in one piece that retains no other memory: the text itself, if it is
// one already.
func (t *Text) Whole() *Text {
	if len(t.parts) == 0 || len(t.parts) == 1 && t.size == len(t.parts[0].of.bytes) {
		return t
	}
	return TextOf(t.Bytes())
}

// Differing returns the differences, in whole lines, from an earlier version, which may be nil.
func (t *Text) Differing(before *Text) (start, end int) {
	if before == nil {
		before = &Text{}
	}
	start = t.lineAt(t.shared(before))
	end = t.size - t.sharedEnd(before, min(t.size, before.size)-start)
	for _, p := range t.between(end, t.size) {
		if i := bytes.IndexByte(p.bytes(), '\n'); i >= 0 {
			return start, p.at + i + 1
		}
	}
	return start, t.size
}

// lineAt returns the offset of the line that contains a position.
func (t *Text) lineAt(at int) int {
	for _, p := range slices.Backward(t.between(0, at)) {
		if i := bytes.LastIndexByte(p.bytes(), '\n'); i >= 0 {
			return p.at + i + 1
		}
	}
	return 0
}

// shared returns the length of the common prefix of two texts.
func (t *Text) shared(u *Text) (n int) {
	for i, j := 0, 0; i < len(t.parts) && j < len(u.parts); {
		p, q := t.parts[i], u.parts[j]
		end := min(p.at+p.to-p.from, q.at+q.to-q.from)
		p.from, q.from = p.from+n-p.at, q.from+n-q.at
		if p.of != q.of || p.from != q.from {
			if same := commonPrefix(p.bytes(), q.bytes()); n+same < end {
				return n + same
			}
		}
		n = end
		if end == t.end(i) {
			i++
		}
		if end == u.end(j) {
			j++
		}
	}
	return n
}

// end returns the offset at which a part ends.
func (t *Text) end(i int) int { return t.parts[i].at + t.parts[i].to - t.parts[i].from }

// sharedEnd returns the length of the common suffix of two texts, up to a limit.
func (t *Text) sharedEnd(u *Text, limit int) (n int) {
	for i, j := len(t.parts)-1, len(u.parts)-1; i >= 0 && j >= 0 && n < limit; {
		p, q := t.parts[i], u.parts[j]
		end := min(t.size-p.at, u.size-q.at)
		p.to, q.to = p.to-(n-(t.size-t.end(i))), q.to-(n-(u.size-u.end(j)))
		if p.of != q.of || p.to != q.to {
			if same := commonSuffix(p.bytes(), q.bytes()); n+same < end {
				return min(n+same, limit)
			}
		}
		n = end
		if end == t.size-t.parts[i].at {
			i--
		}
		if end == u.size-u.parts[j].at {
			j--
		}
	}
	return min(n, limit)
}

// block is the number of bytes compared at once.
const block = 1 << 10

// commonPrefix returns the length of the common prefix of a and b.
func commonPrefix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	for n+block <= most && bytes.Equal(a[n:n+block], b[n:n+block]) {
		n += block
	}
	for n < most && a[n] == b[n] {
		n++
	}
	return n
}

// commonSuffix returns the length of the common suffix of a and b.
func commonSuffix(a, b []byte) (n int) {
	most := min(len(a), len(b))
	a, b = a[len(a)-most:], b[len(b)-most:]
	for n+block <= most && bytes.Equal(a[most-n-block:most-n], b[most-n-block:most-n]) {
		n += block
	}
	for n < most && a[most-n-1] == b[most-n-1] {
		n++
	}
	return n
}

package gitrepo

import "encoding/binary"

// folded is a delta that is being gone over: two sizes, of what it is made from and of what
// it makes, and then instructions to copy from the base or to insert what follows
// (gitformat-pack, "Deltified representation").
type folded struct {
	code    []byte
	base    int // the size of what it is made from
	size    int // and of what it makes
	at      int // where the next instruction stands
	written int // bytes written by earlier instructions
}

// piece is what an instruction adds: a stretch of the base or, if it is the delta's own, of
// its code.
type piece struct {
	from, to int
	own      bool
}

// openDelta begins with a delta to a base of some size that makes at most so many bytes.
func openDelta(code []byte, base, most int) (*folded, error) {
	before, n := binary.Uvarint(code)
	after, m := binary.Uvarint(code[max(n, 0):])
	if n <= 0 || m <= 0 || before != uint64(base) || after > uint64(most) {
		return nil, errDelta
	}
	return &folded{code: code, base: base, size: int(after), at: n + m}, nil
}

// next returns what the next instruction adds; not ok at the end, or if something is wrong
// with the delta, which [folded.fault] says.
func (d *folded) next() (p piece, ok bool) {
	if d.at >= len(d.code) {
		return p, false
	}
	after := 0
	if d.code[d.at]&0x80 != 0 {
		p, after = d.copied()
	} else {
		p, after = piece{d.at + 1, d.at + 1 + int(d.code[d.at]), true}, d.at+1+int(d.code[d.at])
	}
	if p.from == p.to || after > len(d.code) || !p.own && p.to > d.base || p.to-p.from > d.size-d.written {
		return p, false
	}
	d.at, d.written = after, d.written+p.to-p.from
	return p, true
}

// copied reads an instruction to copy, and returns where the next one begins. Its bits say
// which bytes of the offset and of the size are there; a size of zero is 64 KiB.
func (d *folded) copied() (p piece, after int) {
	var number [7]byte
	after = d.at + 1
	for i := range number {
		if d.code[d.at]>>i&1 == 0 {
			continue
		}
		if after >= len(d.code) {
			return p, after
		}
		number[i] = d.code[after]
		after++
	}
	p.from = int(binary.LittleEndian.Uint32(number[:4]))
	size := int(number[4]) | int(number[5])<<8 | int(number[6])<<16
	if size == 0 {
		size = 64 << 10
	}
	p.to = p.from + size
	return p, after
}

// fault says that the instructions do not make what they should.
func (d *folded) fault() error {
	if d.at != len(d.code) || d.written != d.size {
		return errDelta
	}
	return nil
}

var errDelta = damaged("a delta does not fit what it is to")

// maxSizes is how many bytes the two sizes take that a delta begins with.
const maxSizes = 2 * binary.MaxVarintLen64

// target reads from the beginning of a delta how large its result is.
func target(code []byte) (int64, error) {
	_, n := binary.Uvarint(code)
	if n <= 0 {
		return 0, errDelta
	}
	size, m := binary.Uvarint(code[n:])
	if m <= 0 || size > maxSize {
		return 0, errDelta
	}
	return int64(size), nil
}

package gitrepo

import "encoding/binary"

// deltaReader reads a delta: the sizes of its base and of its result, then instructions to copy
// from the base or to insert bytes of the delta (gitformat-pack, "Deltified representation").
type deltaReader struct {
	code    []byte
	base    int // size of the base
	size    int // size of the result
	at      int // offset of the next instruction
	written int // bytes written by earlier instructions
}

// piece is the output of an instruction: a range of the base or, if it is inserted, of the delta.
type piece struct {
	from, to int
	inserted bool
}

// openDelta reads the sizes of a delta, which has to be for a base of the given size, with a
// result within the limit.
func openDelta(code []byte, base, limit int) (*deltaReader, error) {
	baseSize, n := binary.Uvarint(code)
	size, m := binary.Uvarint(code[max(n, 0):])
	if n <= 0 || m <= 0 || baseSize != uint64(base) || size > uint64(limit) {
		return nil, errDelta
	}
	return &deltaReader{code: code, base: base, size: int(size), at: n + m}, nil
}

// next returns the output of the next instruction; not ok at the end, or if the delta is invalid
// ([deltaReader.fault]).
func (d *deltaReader) next() (p piece, ok bool) {
	if d.at >= len(d.code) {
		return p, false
	}
	end := 0
	if d.code[d.at]&0x80 != 0 {
		p, end = d.readCopy()
	} else {
		p, end = piece{d.at + 1, d.at + 1 + int(d.code[d.at]), true}, d.at+1+int(d.code[d.at])
	}
	if p.from == p.to || end > len(d.code) || !p.inserted && p.to > d.base || p.to-p.from > d.size-d.written {
		return p, false
	}
	d.at, d.written = end, d.written+p.to-p.from
	return p, true
}

// readCopy reads an instruction to copy, and returns the offset of the next one. Its bits state
// which bytes of offset and size follow; a size of zero means 64 KiB.
func (d *deltaReader) readCopy() (p piece, end int) {
	var number [7]byte
	end = d.at + 1
	for i := range number {
		if d.code[d.at]>>i&1 == 0 {
			continue
		}
		if end >= len(d.code) {
			return p, end
		}
		number[i] = d.code[end]
		end++
	}
	p.from = int(binary.LittleEndian.Uint32(number[:4]))
	size := int(number[4]) | int(number[5])<<8 | int(number[6])<<16
	if size == 0 {
		size = 64 << 10
	}
	p.to = p.from + size
	return p, end
}

// fault is the error if the instructions did not write the whole result.
func (d *deltaReader) fault() error {
	if d.at != len(d.code) || d.written != d.size {
		return errDelta
	}
	return nil
}

var errDelta = damaged("a delta does not fit what it is to")

// maxSizes is the maximum length of the two sizes at the beginning of a delta.
const maxSizes = 2 * binary.MaxVarintLen64

// resultSize reads the size of the result from the beginning of a delta.
func resultSize(code []byte) (int64, error) {
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

package gitrepo

import (
	"bytes"
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

// object finds an object of any size. Its content is not read until somebody wants it. Of
// several copies, one that is not damaged will do.
func (p *packs) object(id OID) (plumbing.EncodedObject, error) {
	missing := errAbsent
	for _, pack := range p.all() {
		offset, err := pack.index.find(plumbing.Hash(id))
		if errors.Is(err, errAbsent) {
			continue
		}
		var o *unread
		if err == nil {
			o, err = pack.describe(id, offset)
		}
		if err == nil {
			return o, nil
		}
		missing = err
	}
	if missing == errAbsent && p.fault != nil {
		missing = p.fault // it may be there
	}
	return nil, missing
}

// describe finds out the kind and the size of an object, and what it is made by.
func (p *pack) describe(id OID, offset int64) (*unread, error) {
	h, err := p.scanner.header(offset)
	if err != nil {
		return nil, err
	}
	o := &unread{in: p, id: id, size: h.size, by: deltaChain{most: maxMade}}
	for h.kind.IsDelta() {
		size, err := p.scanner.target(h)
		if err != nil {
			return nil, err
		}
		if len(o.by.deltas) == 0 {
			o.size = size
		} else {
			o.largest = max(o.largest, size)
		}
		if len(o.by.deltas) == maxLinked {
			return nil, damaged(fmt.Sprintf("it is made from more than %d others", maxLinked))
		}
		o.by.deltas = append(o.by.deltas, delta{offset: offset})
		o.largest, o.by.work = max(o.largest, h.size), o.by.work+h.size+size
		if offset, err = p.base(h, o.by); err != nil {
			return nil, err
		}
		if h, err = p.scanner.header(offset); err != nil {
			return nil, err
		}
	}
	o.kind, o.whole, o.at = h.kind, h, offset
	if len(o.by.deltas) > 0 {
		o.largest = max(o.largest, h.size)
	}
	return o, nil
}

// unread is an object of a pack that is read when somebody wants to.
type unread struct {
	plumbing.MemoryObject // for the methods that write, which nobody calls
	in                    *pack
	id                    OID
	kind                  plumbing.ObjectType
	size                  int64
	whole                 header     // of the object, or of what deltas make it from
	at                    int64      // where that stands
	by                    deltaChain // which are not in memory
	largest               int64      // size of these, and of what it is made from
}

func (o *unread) Hash() plumbing.Hash       { return plumbing.Hash(o.id) }
func (o *unread) Type() plumbing.ObjectType { return o.kind }
func (o *unread) Size() int64               { return o.size }

// Reader reads a large object where it stands, if it is stored whole, and any other into
// memory.
func (o *unread) Reader() (io.ReadCloser, error) {
	made := len(o.by.deltas) > 0
	switch {
	case !made && o.size > maxPacked:
		return o.in.scanner.open(o.whole)
	case made && o.size > maxMade:
		return nil, within(maxMade, o.size)
	case o.largest > maxMade:
		return nil, damaged(fmt.Sprintf("it is made from %d bytes", o.largest))
	case o.by.work > maxWork:
		return nil, damaged(fmt.Sprintf("it is made from more than %d bytes", maxWork))
	}
	got, err := o.make()
	if err != nil {
		return nil, err
	}
	if plumbing.ComputeHash(got.kind, got.content) != plumbing.Hash(o.id) {
		return nil, errAnother
	}
	return io.NopCloser(bytes.NewReader(got.content)), nil
}

// make reads an object into memory, and with it at most a delta and what that is to.
func (o *unread) make() (packed, error) {
	for i, d := range o.by.deltas {
		if got, ok := o.in.cache.object(packPlace{o.in, d.offset}); ok {
			by := o.by // which another reader needs as a whole
			by.deltas = by.deltas[:i]
			return o.in.apply(by, got)
		}
	}
	content, err := o.in.scanner.content(o.whole)
	if err != nil {
		return packed{}, err
	}
	got := packed{kind: o.kind, content: content}
	o.in.cache.keep(packPlace{o.in, o.at}, got)
	return o.in.apply(o.by, got)
}

var errAnother = damaged("its content is that of another")

// target returns the size of what a delta makes, of which it reads the beginning.
func (s *scanner) target(h header) (int64, error) {
	sent, err := s.bytes(h.data, min(mostSent(h.size), heldAtOnce))
	if err == nil {
		err = s.reset(sent)
	}
	start := make([]byte, min(h.size, maxSizes))
	if err == nil {
		_, err = io.ReadFull(s.plain, start)
	}
	if err != nil {
		return 0, inFile(err)
	}
	return target(start)
}

// open reads what is stored with a header, without a buffer for all of it.
func (s *scanner) open(h header) (io.ReadCloser, error) {
	plain, err := zlib.NewReader(io.NewSectionReader(s.file, h.data, mostSent(h.size)))
	if err != nil {
		return nil, inFile(err)
	}
	return &inflating{plain, h.size}, nil
}

// inflating is what is stored, which has to be as long as its header says.
type inflating struct {
	io.ReadCloser
	left int64
}

// Read implements [io.Reader].
func (f *inflating) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n, err := f.ReadCloser.Read(p[:min(int64(len(p)), f.left)])
	if f.left -= int64(n); f.left > 0 {
		return n, inFile(err)
	}
	return n, ended(f.ReadCloser)
}

// ended reports that more follows than a header says, or that the checksum is not that of
// what was read.
func ended(r io.Reader) error {
	switch n, err := io.ReadFull(r, make([]byte, 1)); {
	case n > 0:
		return damaged("it has more bytes than it says")
	case !errors.Is(err, io.EOF):
		return inFile(err)
	}
	return nil
}

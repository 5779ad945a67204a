package gitrepo

import (
	"errors"
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

// object finds an object of any size; of several copies the first that is not damaged. Its content
// is read on request.
func (p *packs) object(id OID) (lazyObject, error) {
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
			return lazyObject{o.kind, o.size, o.open}, nil
		}
		missing = err
	}
	if missing == errAbsent && p.fault != nil {
		missing = p.fault // it may be in that pack
	}
	return lazyObject{}, missing
}

// describe reads the type, the size and the delta chain of an object.
func (p *pack) describe(id OID, offset int64) (*unread, error) {
	h, err := p.scanner.header(offset)
	if err != nil {
		return nil, err
	}
	o := &unread{in: p, id: id, size: h.size, chain: deltaChain{maxStep: maxResult}}
	for h.kind.IsDelta() {
		size, err := p.scanner.resultSize(h)
		if err != nil {
			return nil, err
		}
		if len(o.chain.deltas) == 0 {
			o.size = size
		} else {
			o.largest = max(o.largest, size)
		}
		if len(o.chain.deltas) == maxDeltas {
			return nil, damaged(fmt.Sprintf("it is made from more than %d others", maxDeltas))
		}
		o.chain.deltas = append(o.chain.deltas, delta{offset: offset})
		o.largest, o.chain.work = max(o.largest, h.size), o.chain.work+h.size+size
		if offset, err = p.base(h, o.chain); err != nil {
			return nil, err
		}
		if h, err = p.scanner.header(offset); err != nil {
			return nil, err
		}
	}
	o.kind, o.whole, o.at = h.kind, h, offset
	if len(o.chain.deltas) > 0 {
		o.largest = max(o.largest, h.size)
	}
	return o, nil
}

// unread is an object of a pack whose content is read on request.
type unread struct {
	in      *pack
	id      OID
	kind    plumbing.ObjectType
	size    int64
	whole   header     // of the object, or of the base of its deltas
	at      int64      // offset of that
	chain   deltaChain // with deltas that are not in memory
	largest int64      // maximum size of the deltas, their results and their base
}

// open streams a large object that is no delta, and reads any other into memory.
func (o *unread) open() (io.ReadCloser, error) {
	isDelta := len(o.chain.deltas) > 0
	switch {
	case !isDelta && o.size > maxPacked:
		return o.in.scanner.open(o.whole)
	case isDelta && o.size > maxResult:
		return nil, within(maxResult, o.size)
	case o.largest > maxResult:
		return nil, damaged(fmt.Sprintf("it is made from %d bytes", o.largest))
	case o.chain.work > maxWork:
		return nil, damaged(fmt.Sprintf("it is made from more than %d bytes", maxWork))
	}
	got, err := o.make()
	if err != nil {
		return nil, err
	}
	if plumbing.ComputeHash(got.kind, got.content) != plumbing.Hash(o.id) {
		return nil, errAnother
	}
	return got.lazy().open()
}

// make reads an object into memory, with at most one delta and its base at a time.
func (o *unread) make() (packed, error) {
	for i, d := range o.chain.deltas {
		if got, ok := o.in.cache.object(packPlace{o.in, d.offset}); ok {
			chain := o.chain // other readers need all of it
			chain.deltas = chain.deltas[:i]
			return o.in.apply(chain, got)
		}
	}
	content, err := o.in.scanner.content(o.whole)
	if err != nil {
		return packed{}, err
	}
	got := packed{kind: o.kind, content: content}
	o.in.cache.keep(packPlace{o.in, o.at}, got)
	return o.in.apply(o.chain, got)
}

var errAnother = damaged("its content is that of another")

// resultSize reads the size of a delta's result from its beginning.
func (s *scanner) resultSize(h header) (int64, error) {
	sent, err := s.bytes(h.data, min(maxDeflated(h.size), readAhead))
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
	return resultSize(start)
}

// open streams the content of an entry.
func (s *scanner) open(h header) (io.ReadCloser, error) {
	plain, err := zlib.NewReader(io.NewSectionReader(s.file, h.data, maxDeflated(h.size)))
	if err != nil {
		return nil, inFile(err)
	}
	return &inflating{plain, h.size}, nil
}

// inflating is the content of an entry, which must have the size in its header.
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

// ended is the error if more bytes follow, or if the checksum of zlib is wrong.
func ended(r io.Reader) error {
	switch n, err := io.ReadFull(r, make([]byte, 1)); {
	case n > 0:
		return damaged("it has more bytes than it says")
	case !errors.Is(err, io.EOF):
		return inFile(err)
	}
	return nil
}

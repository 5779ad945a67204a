package gitrepo

import (
	"fmt"
	"io"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// Limits on objects that go-git may read. It inflates everything stored for an object, a delta
// and its base, so each is measured first.
const (
	maxMade   = maxTree // bytes of an object made from another, and of each on the way
	maxLinked = 4096    // objects made from one another: git makes no longer chains
)

// measure finds out what making an object would take, if a pack has it, and refuses
// what would take too much. An object that is too large to be made is returned
// without content; nil says that go-git may make it.
func (p *packs) measure(id OID) (plumbing.EncodedObject, error) {
	for _, pack := range p.open {
		offset, err := pack.index.find(plumbing.Hash(id))
		if err != nil {
			continue
		}
		if o, err := pack.measure(offset); o != nil || err != nil {
			return o, err
		}
	}
	return nil, nil
}

func (p *pack) measure(offset int64) (plumbing.EncodedObject, error) {
	large := int64(0) // the size of the object, if it is too large
	for n := range maxLinked {
		h, err := p.careful.SeekObjectHeader(offset)
		switch {
		case err != nil:
			return nil, err
		case !h.Type.IsDelta() && large > 0:
			return &unmade{kind: h.Type, size: large}, nil
		case !h.Type.IsDelta() && n == 0 && h.Length > maxMade:
			return nil, nil // go-git does not make it, but reads it where it is
		case h.Length > maxMade:
			return nil, damaged(fmt.Sprintf("it is made from %d bytes", h.Length))
		}
		size, err := p.unpackedSize(h)
		switch {
		case err != nil || !h.Type.IsDelta():
			return nil, err
		case size > maxMade && n > 0:
			return nil, damaged(fmt.Sprintf("it is made from an object of %d bytes", size))
		case size > maxMade:
			large = size
		}
		if offset = h.OffsetReference; h.Type == plumbing.REFDeltaObject {
			if offset, err = p.index.find(h.Reference); err != nil {
				return nil, damaged("what it is made from is not in its pack")
			}
		}
	}
	return nil, damaged(fmt.Sprintf("it is made from more than %d others", maxLinked))
}

// unpackedSize reads what the scanner stands before, which has to be as long as it says, and
// returns the size of what a delta makes.
func (p *pack) unpackedSize(h *packfile.ObjectHeader) (size int64, err error) {
	var start prefix
	if _, _, err := p.careful.NextObject(&start); err != nil {
		return 0, err
	}
	if start.n != h.Length {
		return 0, damaged(fmt.Sprintf("%d bytes of it say that they are %d", start.n, h.Length))
	}
	if h.Type.IsDelta() {
		size, err = start.target()
	}
	return size, err
}

// unmade is an object that is too large to be made from others.
type unmade struct {
	plumbing.MemoryObject // for what nobody does with it
	kind                  plumbing.ObjectType
	size                  int64
}

func (o *unmade) Type() plumbing.ObjectType { return o.kind }
func (o *unmade) Size() int64               { return o.size }

// Reader says that there is nothing to read.
func (o *unmade) Reader() (io.ReadCloser, error) { return nil, within(maxMade, o.size) }

package gitrepo

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Limits on what an object of a pack is made from. Few bytes of a pack can stand for chains
// of any length, of objects of any size.
const (
	maxMade         = maxTree  // bytes of each object and delta on the way
	maxLinked       = 4096     // objects made from one another: git makes no longer chains
	maxHeld         = 32 << 20 // bytes of deltas in memory
	maxWork   int64 = 4 << 30  // bytes of all deltas and of what they make: 250 versions of 16 MiB
)

// deltaChain is what an object is made by, the last delta first.
type deltaChain struct {
	limit  int64 // bytes that the object may have
	most   int64 // bytes that each delta, and what the object is made from, may have
	deltas []delta
	held   int   // bytes of deltas that are in memory
	work   int64 // bytes of all deltas, and of what they make
}

// delta says how the object at an offset differs from another one.
type delta struct {
	offset int64
	code   []byte // nil if it is read when it is applied
}

// read reads the object at an offset, and for that what it is made from, unless that was
// read a short time ago.
func (p *pack) read(offset int64, c deltaChain) (packed, error) {
	for {
		if o, ok := p.cache.object(packPlace{p, offset}); ok {
			return p.apply(c, o)
		}
		h, content, err := p.next(offset, &c)
		if err != nil {
			return packed{}, err
		}
		if !h.kind.IsDelta() {
			o := packed{kind: h.kind, content: content}
			p.cache.keep(packPlace{p, offset}, o)
			return p.apply(c, o)
		}
		if offset, err = p.base(h, c); err != nil {
			return packed{}, err
		}
	}
}

// next reads what is stored at an offset, and adds it to the chain if it is a delta.
func (p *pack) next(offset int64, c *deltaChain) (header, []byte, error) {
	h, err := p.scanner.header(offset)
	if err != nil {
		return h, nil, err
	}
	if err := c.admit(h.size, h.kind.IsDelta()); err != nil {
		return h, nil, err
	}
	content, err := p.scanner.content(h)
	if err == nil && h.kind.IsDelta() {
		err = c.add(offset, content)
	}
	return h, content, err
}

// admit refuses what is too large: a delta, or what it makes.
func (c *deltaChain) admit(size int64, delta bool) error {
	most := c.most
	if !delta && len(c.deltas) == 0 {
		most = c.limit
	}
	if size > most {
		return damaged(fmt.Sprintf("it is made from %d bytes", size))
	}
	return nil
}

// add adds the delta at an offset.
func (c *deltaChain) add(offset int64, code []byte) error {
	size, err := target(code)
	if err == nil {
		err = c.admit(size, false)
	}
	if err != nil {
		return err
	}
	c.held += len(code)
	c.work += int64(len(code)) + size
	if len(c.deltas) == maxLinked || c.held > maxHeld || c.work > maxWork {
		return errUnusual
	}
	c.deltas = append(c.deltas, delta{offset, code})
	return nil
}

// errUnusual is about an object that is not ordinary. Whether it can be read at all,
// [packs.object] says.
var errUnusual = damaged("what it is made from is too much to be in memory")

// base returns where that stands which a delta is to.
func (p *pack) base(h header, c deltaChain) (int64, error) {
	if h.kind == plumbing.OFSDeltaObject {
		return h.base, nil // before the delta
	}
	offset, err := p.index.find(h.name)
	switch {
	case errors.Is(err, plumbing.ErrObjectNotFound):
		return 0, damaged("what it is made from is not in its pack")
	case slices.ContainsFunc(c.deltas, func(d delta) bool { return d.offset == offset }):
		return 0, damaged("it is made from itself")
	}
	return offset, err
}

// apply makes objects by the deltas of a chain, the last of which is to the object given,
// and returns the first one's.
func (p *pack) apply(c deltaChain, o packed) (packed, error) {
	for _, d := range slices.Backward(c.deltas) {
		code, err := p.code(d, c.most)
		if err != nil {
			return packed{}, err
		}
		content, err := patch(o.content, code, int(c.most))
		if err != nil {
			return packed{}, err
		}
		o = packed{kind: o.kind, content: content}
		p.cache.keep(packPlace{p, d.offset}, o)
	}
	return o, nil
}

// code reads a delta of at most so many bytes, unless it is in memory.
func (p *pack) code(d delta, most int64) ([]byte, error) {
	if d.code != nil {
		return d.code, nil
	}
	h, err := p.scanner.header(d.offset)
	if err != nil || h.size > most {
		return nil, errors.Join(err, errDelta)
	}
	return p.scanner.content(h)
}

package gitrepo

import (
	"errors"
	"fmt"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Limits of the delta chain of an object. A few bytes of a pack can contain chains of any length,
// with objects of any size.
const (
	maxResult       = maxTree  // bytes of each delta and result in a chain
	maxDeltas       = 4096     // in a chain: git makes no longer ones
	maxHeld         = 32 << 20 // bytes of deltas in memory
	maxWork   int64 = 4 << 30  // bytes of all deltas and results: 250 versions of 16 MiB
)

// deltaChain has the deltas of an object, the last one first.
type deltaChain struct {
	limit   int64 // maximum size of the object
	maxStep int64 // maximum size of each delta, intermediate result and base
	deltas  []delta
	held    int   // bytes of deltas in memory
	work    int64 // bytes of all deltas and results
}

// delta is a delta stored at an offset.
type delta struct {
	offset int64
	code   []byte // nil if it is read when it is applied
}

// read reads the object at an offset, and its delta chain down to a base or a result in the cache.
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

// next reads the entry at an offset, and adds it to the chain if it is a delta.
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

// admit refuses deltas, results and bases that are too large.
func (c *deltaChain) admit(size int64, delta bool) error {
	limit := c.maxStep
	if !delta && len(c.deltas) == 0 {
		limit = c.limit
	}
	if size > limit {
		return damaged(fmt.Sprintf("it is made from %d bytes", size))
	}
	return nil
}

// add adds the delta at an offset.
func (c *deltaChain) add(offset int64, code []byte) error {
	size, err := resultSize(code)
	if err == nil {
		err = c.admit(size, false)
	}
	if err != nil {
		return err
	}
	c.held += len(code)
	c.work += int64(len(code)) + size
	if len(c.deltas) == maxDeltas || c.held > maxHeld || c.work > maxWork {
		return errUnusual
	}
	c.deltas = append(c.deltas, delta{offset, code})
	return nil
}

// errUnusual is the error for an object that exceeds the limits of reading in memory;
// [packs.object] tells whether it can be read at all.
var errUnusual = damaged("what it is made from is too much to be in memory")

// base returns the offset of the base of a delta.
func (p *pack) base(h header, c deltaChain) (int64, error) {
	if h.kind == plumbing.OFSDeltaObject {
		return h.base, nil // always before the delta
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

// apply applies the deltas of a chain to the base of the last one, and returns the object of the
// first.
func (p *pack) apply(c deltaChain, o packed) (packed, error) {
	for _, d := range slices.Backward(c.deltas) {
		code, err := p.code(d, c.maxStep)
		if err != nil {
			return packed{}, err
		}
		content, err := patch(o.content, code, int(c.maxStep))
		if err != nil {
			return packed{}, err
		}
		o = packed{kind: o.kind, content: content}
		p.cache.keep(packPlace{p, d.offset}, o)
	}
	return o, nil
}

// code returns a delta, which is read with a limit unless it is in memory.
func (p *pack) code(d delta, limit int64) ([]byte, error) {
	if d.code != nil {
		return d.code, nil
	}
	h, err := p.scanner.header(d.offset)
	if err != nil || h.size > limit {
		return nil, errors.Join(err, errDelta)
	}
	return p.scanner.content(h)
}

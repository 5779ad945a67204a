package gitrepo

import (
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
)

// Text reads a file of at most limit bytes, like [Repo.Blob]. If it is packed as deltas from
// other versions, only the deltas are read, unless objects are checked against their ids.
func (r *Repo) Text(id OID, limit int64) (*Text, error) {
	if t, ok := r.packedText(id, limit); ok {
		return t, nil
	}
	raw, err := r.Blob(id, limit)
	if err != nil {
		return nil, err
	}
	return TextOf(raw), nil
}

// packedText finds an ordinary text in the packs.
func (r *Repo) packedText(id OID, limit int64) (t *Text, ok bool) {
	defer func() {
		if recover() != nil { // Blob finds it as well, and returns the error
			t, ok = nil, false
		}
	}()
	for _, p := range r.packs {
		if t, ok := p.findText(id, limit); ok {
			return t, true
		}
	}
	return nil, false
}

// findText is [packs.find] for a text.
func (p *packs) findText(id OID, limit int64) (*Text, bool) {
	for _, pack := range p.all() {
		offset, err := pack.index.find(plumbing.Hash(id))
		if err != nil {
			continue
		}
		t, err := pack.readText(offset, deltaChain{limit: limit, maxStep: limit})
		check := err == nil && (p.checked || t.Len() <= maxHashed)
		if err != nil || int64(t.Len()) > limit || check && BlobOID(t.Bytes()) != id {
			return nil, false
		}
		return t, true
	}
	return nil, false
}

// readText is [pack.read] for a text.
func (p *pack) readText(offset int64, c deltaChain) (*Text, error) {
	for {
		if t, ok := p.cache.texts.get(packPlace{p, offset}); ok {
			return p.applyText(c, t)
		}
		h, content, err := p.next(offset, &c)
		switch {
		case err != nil:
			return nil, err
		case h.kind == plumbing.BlobObject:
			t := TextOf(content)
			p.cache.texts.add(packPlace{p, offset}, t)
			return p.applyText(c, t)
		case !h.kind.IsDelta():
			return nil, errUnusual
		}
		if offset, err = p.base(h, c); err != nil {
			return nil, err
		}
	}
}

// applyText is [pack.apply] for a text.
func (p *pack) applyText(c deltaChain, t *Text) (*Text, error) {
	for _, d := range slices.Backward(c.deltas) {
		next, err := t.patched(d.code, int(c.maxStep))
		if err != nil {
			return nil, err
		}
		t = next
		p.cache.texts.add(packPlace{p, d.offset}, t)
	}
	return t, nil
}

// maxParts is the maximum number of parts of a text. A list that grows by a line at a time has
// some for each delta of its chain.
const maxParts = 1000

// patched applies a delta to the text. The result shares parts with it, unless these would be too
// many, or retain too much memory.
func (t *Text) patched(code []byte, limit int) (*Text, error) {
	if result, ok := t.sharing(code, limit); ok {
		return result, nil
	}
	raw, err := patch(t.Bytes(), code, limit)
	if err != nil {
		return nil, err
	}
	return TextOf(raw), nil
}

// sharing is patched with shared parts; not ok if these are too many, or the delta is invalid.
func (t *Text) sharing(code []byte, limit int) (*Text, bool) {
	d, err := openDelta(code, t.size, limit)
	if err != nil || t.held+len(code) > maxRecent {
		return nil, false
	}
	result, inserted := &Text{held: t.held + len(code)}, &stored{code}
	for p, ok := d.next(); ok; p, ok = d.next() {
		if p.inserted {
			result.add(passage{of: inserted, from: p.from, to: p.to})
		} else {
			for _, copied := range t.between(p.from, p.to) {
				result.add(copied)
			}
		}
		if len(result.parts) > maxParts {
			return nil, false
		}
	}
	return result, d.fault() == nil
}

// recentTexts are the recently used texts, like [recentObjects]: those that take at most maxRecent
// bytes together, and those of the previous round.
type recentTexts struct {
	rounds[*Text]
	parts map[*stored]bool // the parts of those of the current round
	size  int              // memory of these
}

func (s *recentTexts) add(at packPlace, t *Text) {
	if s.charge(t); s.size > maxRecent || s.current == nil {
		s.turn()
		s.parts, s.size = map[*stored]bool{}, 0
		s.charge(t)
	}
	s.current[at] = t
}

// charge adds the memory of a text that is not shared with others.
func (s *recentTexts) charge(t *Text) {
	const entry, each = 200, 32 // memory besides the bytes
	s.size += entry + each*len(t.parts)
	for _, p := range t.parts {
		if !s.parts[p.of] && s.parts != nil {
			s.parts[p.of] = true
			s.size += len(p.of.bytes)
		}
	}
}

func (s *recentTexts) get(at packPlace) (*Text, bool) {
	t, found, old := s.find(at)
	if old {
		s.add(at, t)
	}
	return t, found
}

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

// packedText finds a text of a pack; what is out of the ordinary it does not.
func (r *Repo) packedText(id OID, limit int64) (t *Text, ok bool) {
	defer func() {
		if recover() != nil { // what else finds the object says what is wrong with it
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

// findText is find for a text.
func (p *packs) findText(id OID, limit int64) (*Text, bool) {
	for _, pack := range p.all() {
		offset, err := pack.index.find(plumbing.Hash(id))
		if err != nil {
			continue
		}
		t, err := pack.readText(offset, deltaChain{limit: limit, most: limit})
		held := err == nil && (p.checked || t.Len() <= maxHashed)
		if err != nil || int64(t.Len()) > limit || held && BlobOID(t.Bytes()) != id {
			return nil, false
		}
		return t, true
	}
	return nil, false
}

// readText is read for a text.
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

// applyText is apply for texts.
func (p *pack) applyText(c deltaChain, t *Text) (*Text, error) {
	for _, d := range slices.Backward(c.deltas) {
		made, err := t.patched(d.code, int(c.most))
		if err != nil {
			return nil, err
		}
		t = made
		p.cache.texts.add(packPlace{p, d.offset}, t)
	}
	return t, nil
}

// maxParts is how many parts a text is made of. A list that grows by a line at a time has
// some for each delta on the way to what is whole.
const maxParts = 1000

// patched returns the text that a delta makes of this one. It has parts of this one, unless
// they would be too many, or keep too much in memory.
func (t *Text) patched(code []byte, most int) (*Text, error) {
	if made, ok := t.sharing(code, most); ok {
		return made, nil
	}
	raw, err := patch(t.Bytes(), code, most)
	if err != nil {
		return nil, err
	}
	return TextOf(raw), nil
}

// sharing is patched where the parts are few and nothing is wrong with the delta.
func (t *Text) sharing(code []byte, most int) (*Text, bool) {
	d, err := openDelta(code, t.size, most)
	if err != nil || t.held+len(code) > maxRecent {
		return nil, false
	}
	made, own := &Text{held: t.held + len(code)}, &stored{code}
	for p, ok := d.next(); ok; p, ok = d.next() {
		if p.own {
			made.add(passage{of: own, from: p.from, to: p.to})
		} else {
			for _, copied := range t.between(p.from, p.to) {
				made.add(copied)
			}
		}
		if len(made.parts) > maxParts {
			return nil, false
		}
	}
	return made, d.fault() == nil
}

// recentTexts holds the texts that were last used, as a [recentObjects] does: texts that have no more
// than maxRecent bytes in memory together, and those of the round before.
type recentTexts struct {
	rounds[*Text]
	parts map[*stored]bool // what those of now are made of
	size  int              // of that
}

func (s *recentTexts) add(at packPlace, t *Text) {
	if s.charge(t); s.size > maxRecent || s.now == nil {
		s.turn()
		s.parts, s.size = map[*stored]bool{}, 0
		s.charge(t)
	}
	s.now[at] = t
}

// charge counts what a text takes that is not there already.
func (s *recentTexts) charge(t *Text) {
	const entry, each = 200, 32 // what it takes beside the bytes
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

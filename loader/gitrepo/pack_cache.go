package gitrepo

import "github.com/go-git/go-git/v5/plumbing"

// packCache holds the objects of packs that were read a short time ago, for what differs from
// them. All packs of a repository share the room.
type packCache struct {
	trees, others recentObjects
	texts         recentTexts
	size          int64 // of all packs
}

// packPlace is where an object stands.
type packPlace struct {
	pack   *pack
	offset int64
}

// Folders that change alternately have a delta chain each. Their number is derived from the
// size of the packs.
const (
	maxRecent     = 32 << 20
	largestRecent = 256 << 20
)

// grow counts a pack that was opened.
func (c *packCache) grow(size int64) {
	c.size += size
	c.trees.most = int(min(c.size/2, largestRecent))
}

// keep remembers an object. Versions of a file lie further apart than those of its folder,
// which are much larger.
func (c *packCache) keep(at packPlace, o packed) {
	if o.kind == plumbing.TreeObject {
		c.trees.add(at, o)
	} else {
		c.others.add(at, o)
	}
}

// hold remembers that an object was checked against its id, if it is remembered.
func (c *packCache) hold(at packPlace, o packed) {
	for _, s := range []*recentObjects{&c.trees, &c.others} {
		if _, ok := s.now[at]; ok {
			s.now[at] = o
		}
	}
}

func (c *packCache) object(at packPlace) (packed, bool) {
	if o, ok := c.trees.get(at); ok {
		return o, true
	}
	return c.others.get(at)
}

// recentObjects holds the objects that were last used, by place: at most maxRecent bytes of
// them, or most if that is more, and what was used in the round before.
type recentObjects struct {
	rounds[packed]
	size int // of those of now
	most int
}

// rounds are what was used lately, by place, in two generations.
type rounds[V any] struct{ now, before map[packPlace]V }

// turn begins a round: what was used in the one before the last is forgotten.
func (r *rounds[V]) turn() { r.now, r.before = map[packPlace]V{}, r.now }

// find returns what was used, and reports whether it was not in this round yet: then it is
// taken out of the one before, for the caller to add it.
func (r *rounds[V]) find(at packPlace) (v V, found, old bool) {
	if v, found = r.now[at]; found {
		return v, true, false
	}
	if v, found = r.before[at]; found {
		delete(r.before, at)
	}
	return v, found, found
}

func (s *recentObjects) add(at packPlace, o packed) {
	const entry = 100 // what it takes beside the content
	room := max(s.most, maxRecent)
	if len(o.content) > room/2 {
		return // it would take the place of all others
	}
	if s.size += len(o.content) + entry; s.size > room || s.now == nil {
		s.turn()
		s.size = len(o.content) + entry
	}
	s.now[at] = o
}

func (s *recentObjects) get(at packPlace) (packed, bool) {
	o, found, old := s.find(at)
	if old {
		s.add(at, o)
	}
	return o, found
}

package gitrepo

import "github.com/go-git/go-git/v5/plumbing"

// packCache caches recently read objects of packs, the bases of deltas. All packs of a repository
// share it.
type packCache struct {
	trees, others recentObjects
	texts         recentTexts
	size          int64 // of all packs
}

// packPlace is the position of an object.
type packPlace struct {
	pack   *pack
	offset int64
}

// Limits of the caches in bytes. Folders that change alternately have a delta chain each; their
// number is derived from the size of the packs.
const (
	maxRecent     = 32 << 20
	largestRecent = 256 << 20
)

// grow adds the size of a pack that was opened.
func (c *packCache) grow(size int64) {
	c.size += size
	c.trees.most = int(min(c.size/2, largestRecent))
}

// keep caches an object. Trees have a cache of their own: they are much larger than files, whose
// versions are farther apart.
func (c *packCache) keep(at packPlace, o packed) {
	if o.kind == plumbing.TreeObject {
		c.trees.add(at, o)
	} else {
		c.others.add(at, o)
	}
}

// markChecked replaces an object in the cache by the same one checked against its id.
func (c *packCache) markChecked(at packPlace, o packed) {
	for _, s := range []*recentObjects{&c.trees, &c.others} {
		if _, ok := s.current[at]; ok {
			s.current[at] = o
		}
	}
}

func (c *packCache) object(at packPlace) (packed, bool) {
	if o, ok := c.trees.get(at); ok {
		return o, true
	}
	return c.others.get(at)
}

// recentObjects are the recently used objects by position: at most maxRecent bytes of them, or
// most if that is more, and those of the previous round.
type recentObjects struct {
	rounds[packed]
	size int // of the current round
	most int
}

// rounds are recently used values by position, in two generations.
type rounds[V any] struct{ current, previous map[packPlace]V }

// turn begins a round, and drops the values that were not used in the last one.
func (r *rounds[V]) turn() { r.current, r.previous = map[packPlace]V{}, r.current }

// find returns a value; old is set if it was not used in this round yet. It is then removed from
// the previous one, for the caller to add it to this one.
func (r *rounds[V]) find(at packPlace) (v V, found, old bool) {
	if v, found = r.current[at]; found {
		return v, true, false
	}
	if v, found = r.previous[at]; found {
		delete(r.previous, at)
	}
	return v, found, found
}

func (s *recentObjects) add(at packPlace, o packed) {
	const entry = 100 // memory besides the content
	room := max(s.most, maxRecent)
	if len(o.content) > room/2 {
		return // it would displace all others
	}
	if s.size += len(o.content) + entry; s.size > room || s.current == nil {
		s.turn()
		s.size = len(o.content) + entry
	}
	s.current[at] = o
}

func (s *recentObjects) get(at packPlace) (packed, bool) {
	o, found, old := s.find(at)
	if old {
		s.add(at, o)
	}
	return o, found
}

package search

const (
	// called is what it is worth to be called by the query: by its title, its id, a synonym.
	called = 6
	// ownNames are the title and the id, and ofOthers is what it is worth beside them to be
	// called by another name: people call many things by that.
	ownNames = 2
	ofOthers = 0.95
)

// likeness is how near the query is to the nearest of an entry's names: the harmonic mean
// of what share of the query the name has and what share of the name the query has.
func (q *question) likeness(e *Entry, s *shares) (most float64) {
	for i, n := range q.overlaps(e) {
		if n.words == 0 {
			continue
		}
		has := s.of(n.words)
		had := min(1, float64(n.positions)/float64(max(1, e.names[i].words)))
		like := 2 * has * had / (has + had)
		if i >= ownNames {
			like *= ofOthers
		}
		most = max(most, like)
	}
	return most
}

// An overlap is what of the query one name has, and how many of its positions are that.
type overlap struct {
	words     uint64
	positions uint32
}

// overlaps is what of the query each of an entry's names has.
func (q *question) overlaps(e *Entry) []overlap {
	all := make([]overlap, len(e.names))
	i, end := 0, uint32(0)
	for _, m := range q.headMatches(e) {
		for i+1 < len(e.names) && e.names[i+1].start <= m.position {
			i++
		}
		all[i].words |= m.words
		if m.position >= end {
			all[i].positions += m.span
			end = m.position + m.span
		}
	}
	return all
}

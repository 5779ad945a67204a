package search

const (
	// nameWeight is the weight of the similarity of the query to a name: title, id or synonym.
	nameWeight = 6
	// ownNames is the number of the document's own names, title and id; ofOthers is the
	// factor of other names, which are often ambiguous.
	ownNames = 2
	ofOthers = 0.95
)

// bestName returns the words of the query that are in the title, the id and one other name of an
// entry, the one with most of them, by the matches in its names, and the similarity of the query to
// its most similar name: the harmonic mean of the share of the query that the name has and the share
// of the name that the query has.
func (e *AnalysedDocument) bestName(head []match, s *shares) (words uint64, like float64) {
	own, most := uint64(0), 0.0
	for i, n := range e.overlaps(head) {
		if n.words == 0 {
			continue
		}
		has := s.of(n.words)
		had := min(1, float64(n.positions)/float64(max(1, e.names[i].words)))
		similarity := 2 * has * had / (has + had)
		if i < ownNames {
			own |= n.words
		} else {
			similarity *= ofOthers
		}
		if has := s.of(own | n.words); has > most {
			words, most = own|n.words, has
		}
		like = max(like, similarity)
	}
	return words, like
}

// An overlap is the words of the query that a name has, and how many positions of the name
// they take.
type overlap struct {
	words     uint64
	positions uint32
}

// overlaps returns the overlap of each of an entry's names by the matches in them.
func (e *AnalysedDocument) overlaps(head []match) []overlap {
	all := make([]overlap, len(e.names))
	i, end := 0, uint32(0)
	for _, m := range head {
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

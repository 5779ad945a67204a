package content

// Intent is what a tag is meant to publish, whether or not it is published.
type Intent struct {
	Item   string // folder and name
	Commit string
}

// Hold decides which publications are held, and for which reference. A reference is satisfied
// by a publication that is served. A reference to an item that was published on the same commit
// is satisfied by that publication only, so publications of one commit that refer to each other
// are served or held together. Holding one may leave another unsatisfied, so this is repeated
// until nothing changes. A sealed publication is never held: its seal keeps it. ready are the
// publications that could be served now; lost are the intents of those that cannot; elsewhere
// reports whether an item, folder and name, is served that is in neither. The order of ready
// and lost is not significant.
func Hold(ready []*Publication, lost []Intent, elsewhere func(item string) bool) map[*Publication]Reference {
	held := map[*Publication]Reference{}
	var refer []*Publication
	for _, p := range ready {
		if !p.Sealed && len(p.References()) > 0 {
			refer = append(refer, p)
		}
	}
	if len(refer) == 0 {
		return held
	}
	s := newStanding(ready, lost)
	for _, p := range refer {
		for _, r := range p.References() {
			if s.served[r.Item] == 0 && elsewhere(r.Item) {
				s.served[r.Item] = elsewhereServed
			}
		}
	}
	for falls := s.first(refer); len(falls) > 0; falls = s.next(falls, held) {
		for p, at := range falls {
			held[p] = p.References()[at]
			s.served[p.Item()]--
			s.together[p.intent()]--
		}
	}
	return held
}

// elsewhereServed counts for more publications than can fall.
const elsewhereServed = 1 << 30

func (p *Publication) intent() Intent { return Intent{p.Item(), p.Commit} }

// standing is what stands while publications fall. Each reference is looked at
// when what it refers to falls, so a chain of them takes no longer than their number.
type standing struct {
	served   map[string]int  // by item: how many publications stand
	together map[Intent]int  // how many of those by commit
	intended map[Intent]bool // commits on which an item was published

	referrers map[string][]reference // by the item referred to
	nearby    map[Intent][]reference // and by the commit of the referrer
}

// reference is the one at an index of a publication's.
type reference struct {
	by *Publication
	at int
}

func newStanding(ready []*Publication, lost []Intent) *standing {
	s := &standing{
		served: map[string]int{}, together: map[Intent]int{}, intended: map[Intent]bool{},
		referrers: map[string][]reference{}, nearby: map[Intent][]reference{},
	}
	for _, p := range ready {
		in := p.intent()
		s.served[in.Item]++
		s.together[in]++
		s.intended[in] = true
	}
	for _, in := range lost {
		s.intended[in] = true
	}
	return s
}

// first finds what is not satisfied from the beginning, by which reference, and
// notes who refers to what.
func (s *standing) first(refer []*Publication) map[*Publication]int {
	falls := map[*Publication]int{}
	for _, p := range refer {
		for i, r := range p.References() {
			in := Intent{r.Item, p.Commit}
			s.referrers[r.Item] = append(s.referrers[r.Item], reference{p, i})
			s.nearby[in] = append(s.nearby[in], reference{p, i})
			if _, already := falls[p]; !already && (s.served[r.Item] == 0 || s.intended[in] && s.together[in] == 0) {
				falls[p] = i
			}
		}
	}
	return falls
}

// next finds what is not satisfied any more now that others have fallen. Of
// several references of one publication it names the first.
func (s *standing) next(fallen map[*Publication]int, held map[*Publication]Reference) map[*Publication]int {
	falls := map[*Publication]int{}
	fall := func(list []reference) {
		for _, r := range list {
			_, already := held[r.by]
			if at, ok := falls[r.by]; !already && (!ok || r.at < at) {
				falls[r.by] = r.at
			}
		}
	}
	for p := range fallen {
		in := p.intent()
		if s.served[in.Item] == 0 {
			fall(s.referrers[in.Item])
			delete(s.referrers, in.Item)
		}
		if s.together[in] == 0 {
			fall(s.nearby[in])
			delete(s.nearby, in)
		}
	}
	return falls
}

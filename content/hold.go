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
// publications that could be served now; lost are the intents of those that cannot. The order of
// ready and lost is not significant.
func Hold(ready []*Publication, lost []Intent) map[*Publication]Reference {
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
	s := newHolding(ready, lost)
	for falls := s.first(refer); len(falls) > 0; falls = s.next(falls, held) {
		for p, at := range falls {
			held[p] = p.References()[at]
			s.served[p.Item()]--
			s.together[p.intent()]--
		}
	}
	return held
}

func (p *Publication) intent() Intent { return Intent{p.Item(), p.Commit} }

// holding is the state of [Hold]. A reference is checked again only when a publication that it
// refers to is held, so the cost of a chain is linear.
type holding struct {
	served   map[string]int  // number of publications by item that are not held
	together map[Intent]int  // number of these by commit
	intended map[Intent]bool // items that were published on a commit

	referrers map[string][]reference // references by the item referred to
	nearby    map[Intent][]reference // references by the item and the commit of the referrer
}

// reference is a reference of a publication, by its index.
type reference struct {
	by *Publication
	at int
}

func newHolding(ready []*Publication, lost []Intent) *holding {
	s := &holding{
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

// first returns the publications with an unsatisfied reference, with its index, and indexes all
// references.
func (s *holding) first(refer []*Publication) map[*Publication]int {
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

// next returns the publications with a reference that is unsatisfied since others were held, with
// the index of the first one.
func (s *holding) next(fallen map[*Publication]int, held map[*Publication]Reference) map[*Publication]int {
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

package content

// Intent is what a tag set out to publish, whether or not it came to that.
type Intent struct {
	Item   string // folder and name
	Commit string
}

// Hold decides which publications have to wait, and for which reference. A
// reference is satisfied by a publication that is served. One to an item that
// was published on the same commit is satisfied by that very publication only,
// so what was published together and refers to each other stands or falls
// together. Holding one may leave another unsatisfied, so it repeats until
// nothing changes. A sealed publication is never held: its seal keeps it.
//
// ready are the publications that could be served now; lost are the intents
// of those that cannot.
func Hold(ready []*Publication, lost []Intent) map[*Publication]Reference {
	served := map[string]int{}    // by item: how many publications stand
	together := map[Intent]int{}  // how many of those by commit
	intended := map[Intent]bool{} // commits on which an item was published
	held := map[*Publication]Reference{}
	for _, p := range ready {
		in := Intent{p.Item(), p.Commit}
		served[in.Item]++
		together[in]++
		intended[in] = true
	}
	for _, in := range lost {
		intended[in] = true
	}
	unsatisfied := func(p *Publication) (Reference, bool) {
		for _, r := range p.References {
			in := Intent{r.Item, p.Commit}
			if intended[in] && together[in] == 0 || served[r.Item] == 0 {
				return r, true
			}
		}
		return Reference{}, false
	}
	for changed := true; changed; {
		changed = false
		for _, p := range ready {
			if _, already := held[p]; already || p.Sealed {
				continue
			}
			if r, bad := unsatisfied(p); bad {
				held[p] = r
				served[p.Item()]--
				together[Intent{p.Item(), p.Commit}]--
				changed = true
			}
		}
	}
	return held
}

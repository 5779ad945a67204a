package search

// longestName is the number of words that a name may have; a longer one is no
// name that anyone would type, and is left out.
const longestName = 8

// names are the groups of synonyms.
type names struct {
	groups [][]phrase
	byKey  map[string][]int // the groups that have the name
	latin  map[string]bool  // the words of names that are written in Latin letters
}

func newNames(synonyms [][]string) *names {
	n := &names{byKey: map[string][]int{}, latin: map[string]bool{}}
	for _, group := range synonyms {
		n.add(group)
	}
	return n
}

// add takes in a group, unless its names are all forms of one.
func (n *names) add(group []string) {
	var phrases []phrase
	known := map[string]bool{}
	for _, name := range group {
		p := newPhrase(name)
		if len(p.terms) == 0 || len(p.terms) > longestName || known[p.key] {
			continue
		}
		known[p.key] = true
		phrases = append(phrases, p)
	}
	if len(phrases) < 2 {
		return
	}
	for _, p := range phrases {
		n.byKey[p.key] = append(n.byKey[p.key], len(n.groups))
		for _, t := range p.terms {
			if hasLatin(t.text) {
				n.latin[t.text] = true
			}
		}
	}
	n.groups = append(n.groups, phrases)
}

// others returns the other names of what has the name key.
func (n *names) others(key string) []phrase {
	var others []phrase
	for _, group := range n.byKey[key] {
		for _, p := range n.groups[group] {
			if p.key != key {
				others = append(others, p)
			}
		}
	}
	return others
}

package search

// maxNameWords is the maximum number of words of a name. Nobody types longer ones; they are
// left out.
const maxNameWords = 8

// names are the groups of synonyms.
type names struct {
	groups [][]phrase
	byKey  map[string][]int // the groups with the name
	begin  map[string]bool  // the first words of names
	latin  map[string]bool  // the words of names that are written in Latin letters
}

func newNames(synonyms [][]string) *names {
	n := &names{byKey: map[string][]int{}, begin: map[string]bool{}, latin: map[string]bool{}}
	for _, group := range synonyms {
		n.add(group)
	}
	return n
}

// add adds a group, unless its names are all forms of one.
func (n *names) add(group []string) {
	var phrases []phrase
	known := map[string]bool{}
	for _, name := range group {
		p := newPhrase(name)
		if len(p.terms) == 0 || len(p.terms) > maxNameWords || known[p.key] {
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
		n.begin[p.terms[0].text] = true
		for _, t := range p.terms {
			if hasLatin(t.text) {
				n.latin[t.text] = true
			}
		}
	}
	n.groups = append(n.groups, phrases)
}

// others returns the other names in the groups of a name.
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

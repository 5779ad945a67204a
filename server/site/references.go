package site

import (
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
)

// references are the references between current items, records and calculations, and the resources
// that show them.
type references struct {
	incoming  map[string][]mention       // by target
	resources map[string]*Resource       // by path
	crashed   map[*preparedVersion]error // left out because of a panic
}

// A referenced resource is made again with the references to its target.
type referenced struct {
	target  string
	with    func(mentions) *Resource
	changed time.Time // the last change of its item; zero: it depends on the build
}

func (s *Site) makeReferences() *references {
	n := &references{
		incoming: map[string][]mention{}, resources: map[string]*Resource{}, crashed: map[*preparedVersion]error{},
	}
	all, words := s.referrers(n)
	for _, r := range all {
		n.add(r, words)
	}
	for path, r := range s.resources {
		if of := r.referenced; of != nil && len(n.incoming[of.target]) > 0 {
			copied := *r
			copied.Representations = of.with(n.mentions(s.config, of.target)).Representations
			n.resources[path] = &copied
		}
	}
	return n
}

// referrers lists the current referrers, and the targets of words in texts, by the ids of what is
// current. An item whose references cannot be read because of a panic has none.
func (s *Site) referrers(n *references) (all []*referrer, words map[string][]string) {
	words = map[string][]string{}
	for t := range s.config.Math.Tools() {
		words[wordTarget(t.ID)] = []string{ToolTarget(t.ID)}
	}
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			err := crash.Do(func() {
				for _, r := range s.config.referrers(p) {
					all = append(all, r)
					for _, word := range r.words() {
						words[word] = append(words[word], r.target)
					}
				}
			})
			if err != nil {
				n.crashed[p] = err
			}
		}
	}
	return all, words
}

// add adds the mentions by a referrer, one for each target.
func (n *references) add(r *referrer, words map[string][]string) {
	index := map[string]int{} // of the mention by this referrer
	for _, to := range r.referrals {
		targets := []string{to.target}
		if isWord(to.target) {
			targets = words[to.target]
		}
		for _, target := range targets {
			if i, exists := index[target]; exists {
				m := &n.incoming[target][i]
				m.sections = union(m.sections, to.sections)
			} else if target != r.target {
				index[target] = len(n.incoming[target])
				n.incoming[target] = append(n.incoming[target], mention{r, to.sections})
			}
		}
	}
}

// union are the sections of two lists, each once.
func union(a, b []string) []string {
	known := make(map[string]bool, len(a))
	for _, s := range a {
		known[s] = true
	}
	return append(slices.Clone(a), slices.DeleteFunc(slices.Clone(b), func(s string) bool { return known[s] })...)
}

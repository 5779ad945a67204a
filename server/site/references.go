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
	resources map[string]mentioned       // by path
	pages     map[string]mentioned       // by path, only for people
	crashed   map[*preparedVersion]error // left out because of a panic
}

// mentioned is a resource made with the references to it, and what it was made from.
type mentioned struct {
	*Resource
	original *Resource
	by       mentions
}

// A referenced resource is made again with the references to its target.
type referenced struct {
	target  string
	with    func(mentions) *Resource
	quoted  *quoted   // titles of other items on its page; nil: none
	changed time.Time // the last change of its item; zero: it depends on the build
}

// referencesOnce returns a function that makes the references on first use. What the previous site
// has made by then is taken over.
func (s *Site) referencesOnce(prev *Site) func() *references {
	var old *references
	if prev != nil {
		old = prev.madeReferences.Load()
	}
	return onceValue(func() *references {
		made := s.makeReferences(old)
		old = nil
		s.madeReferences.Store(made)
		return made
	})
}

func (s *Site) makeReferences(old *references) *references {
	n := &references{
		incoming: map[string][]mention{}, resources: map[string]mentioned{}, pages: map[string]mentioned{},
		crashed: map[*preparedVersion]error{},
	}
	all, words := s.referrers(n)
	for _, r := range all {
		n.add(r, words)
	}
	if old == nil {
		old = &references{}
	}
	for path, r := range s.resources {
		n.addReferences(s.config, n.resources, old.resources, path, r, r.referenced)
		n.addReferences(s.config, n.pages, old.pages, path, r, r.shown)
	}
	return n
}

// addReferences makes the resource at a path with the references to it, or takes over that of the
// previous site if they did not change.
func (n *references) addReferences(c Config, now, old map[string]mentioned, path string, r *Resource, of *referenced) {
	if of == nil || len(n.incoming[of.target]) == 0 {
		return
	}
	by := n.mentions(c, of.target)
	if prev := old[path]; prev.original == r && prev.by.same(by) {
		now[path] = prev
		return
	}
	copied := *r
	copied.Representations = of.with(by).Representations
	now[path] = mentioned{&copied, r, by}
}

// referrers lists the current referrers, and the targets of words in texts, by the ids of what is
// current. An item whose references cannot be read because of a panic has none.
func (s *Site) referrers(n *references) (all []*referrer, words map[string][]string) {
	words = map[string][]string{}
	for t := range s.config.Math.Tools() {
		words[wordTarget(t.ID)] = []string{toolTarget(t.ID)}
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

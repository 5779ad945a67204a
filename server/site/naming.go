package site

import (
	"slices"

	"rulestore/content"
	"rulestore/content/crash"
)

// naming is who names what of all that is current, and what is served of it.
type naming struct {
	by      map[string][]mention  // by target
	named   map[string]remade     // by path
	shown   map[string]remade     // by path, for people alone
	from    map[string]*referrer  // what names other things, by how it is named itself
	words   map[string][]string   // what words in texts stand for
	crashed map[*entryPages]error // what is left out
}

// remade is a resource as it is where something names it, and what it was made of.
type remade struct {
	*Resource
	of *Resource
	by mentions
}

// A nameable resource is made anew where something names what it is of.
type nameable struct {
	target string
	with   func(mentions) *Resource
	quoted *quoted // what its page says of other things; nil: nothing
}

// namingOnce returns what makes the naming when it is first asked for. What the site
// before has made by now is taken over.
func (s *Site) namingOnce(prev *Site) func() *naming {
	var before *naming
	if prev != nil {
		before = prev.names.Load()
	}
	var made once
	return func() *naming {
		made.Do(func() {
			s.names.Store(s.makeNaming(before))
			before = nil
		})
		return s.names.Load()
	}
}

func (s *Site) makeNaming(before *naming) *naming {
	n := &naming{
		by: map[string][]mention{}, named: map[string]remade{}, shown: map[string]remade{},
		from: map[string]*referrer{}, crashed: map[*entryPages]error{},
	}
	all, words := s.referring(n)
	n.words = words
	for _, r := range all {
		n.from[r.target] = r
		n.add(r, words)
	}
	if before == nil {
		before = &naming{}
	}
	for path, r := range s.resources {
		n.remake(s.config, n.named, before.named, path, r, r.nameable)
		n.remake(s.config, n.shown, before.shown, path, r, r.shown)
	}
	return n
}

// remake makes what is at a path as it is where something names it, or takes it over if that
// did not change.
func (n *naming) remake(c Config, now, before map[string]remade, path string, r *Resource, of *nameable) {
	if of == nil || len(n.by[of.target]) == 0 {
		return
	}
	by := n.mentions(c, of.target)
	if old := before[path]; old.of == r && old.by.same(by) {
		now[path] = old
		return
	}
	made := *r
	made.Representations = of.with(by).Representations
	now[path] = remade{&made, r, by}
}

// referring lists what is current and names other things, and what words in texts stand for,
// by the ids of what is current. What crashes names nothing.
func (s *Site) referring(n *naming) (all []*referrer, words map[string][]string) {
	words = map[string][]string{}
	for t := range s.config.Math.Tools() {
		words[wordTarget(t.ID)] = []string{toolTarget(t.ID)}
	}
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			err := crash.Do(func() {
				for _, r := range s.config.referring(p) {
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

// add notes what a referrer names, each thing once.
func (n *naming) add(r *referrer, words map[string][]string) {
	last := map[string]int{} // where the mention by this one stands
	for _, to := range r.names {
		targets := []string{to.target}
		if isWord(to.target) {
			targets = words[to.target]
		}
		for _, target := range targets {
			if i, exists := last[target]; exists {
				m := &n.by[target][i]
				m.sections = together(m.sections, to.sections)
			} else if target != r.target {
				last[target] = len(n.by[target])
				n.by[target] = append(n.by[target], mention{r, to.sections})
			}
		}
	}
}

// together are the sections of two lists, each once.
func together(a, b []string) []string {
	known := make(map[string]bool, len(a))
	for _, s := range a {
		known[s] = true
	}
	return append(slices.Clone(a), slices.DeleteFunc(slices.Clone(b), func(s string) bool { return known[s] })...)
}

package site

import (
	"rulestore/content"
	"rulestore/content/crash"
)

// naming is who names what of all that is current, and what is served of it.
type naming struct {
	by      map[string][]mention  // by target
	named   map[string]remade     // by path
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
	n := &naming{by: map[string][]mention{}, named: map[string]remade{}, crashed: map[*entryPages]error{}}
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			n.add(s.config, p)
		}
	}
	for path, r := range s.resources {
		if r.nameable == nil || len(n.by[r.nameable.target]) == 0 {
			continue
		}
		by := n.mentions(s.config, r.nameable.target)
		n.named[path] = before.take(path, r, by)
	}
	return n
}

// add notes what the pages of a version name. What crashes names nothing.
func (n *naming) add(c Config, p *entryPages) {
	err := crash.Do(func() {
		for _, r := range c.referring(p) {
			for _, to := range r.names {
				if to.target != r.target {
					n.by[to.target] = append(n.by[to.target], mention{r, to.sections})
				}
			}
		}
	})
	if err != nil {
		n.crashed[p] = err
	}
}

// take makes a resource with who names it, or takes it over if neither changed. It may be
// called on nil.
func (n *naming) take(path string, of *Resource, by mentions) remade {
	if n != nil && n.named[path].of == of && n.named[path].by.same(by) {
		return n.named[path]
	}
	r := *of
	r.Representations = of.nameable.with(by).Representations
	return remade{&r, of, by}
}

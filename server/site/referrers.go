package site

import (
	"slices"

	"rulestore/content/document"
	"rulestore/content/search"
)

// maxReferring is how many referrers an answer lists.
const maxReferring = 50

// target is how references name what can be found: an item by folder and name, a record
// by its registry, list and code, a calculation by its id.
func (f findable) target() string {
	switch {
	case f.tool != nil:
		return toolTarget(f.tool.ID)
	case f.partial:
		return f.list + "/" + f.entry.Document().ID
	}
	return f.pages.entry.Item()
}

func toolTarget(id string) string { return "tools/" + id }

// referrals lists the targets that the fields of a tree name, each once. Fields that
// name calculations have no list of their own: a code of one is taken for it.
func (c Config) referrals(root *document.Node) (all []string) {
	add := func(target string) {
		if !slices.Contains(all, target) {
			all = append(all, target)
		}
	}
	var walk func(n *document.Node)
	walk = func(n *document.Node) {
		if n.Kind == document.Text && n.Field != nil {
			switch f := n.Field; {
			case f.Codes != "":
				add(f.Codes + "/" + n.Text)
			case f.Reference != "":
				add(f.Reference + "/" + n.Text)
			case document.IsCode(n.Text):
				if t, ok := c.Math.Tool(n.Text); ok {
					add(toolTarget(t.ID))
				}
			}
		}
		for i := range n.Kids {
			walk(&n.Kids[i])
		}
	}
	walk(root)
	return all
}

// refer notes who names what, in the order in which things are found.
func (x *index) refer() {
	x.referrers = map[string][]*search.Entry{}
	for _, e := range x.order {
		for _, target := range x.found[e].refers {
			x.referrers[target] = append(x.referrers[target], e)
		}
	}
}

// referencedBy lists what names something, itself left out.
func (s *Site) referencedBy(x index, f findable, own *search.Entry) (all []Body) {
	for _, e := range x.referrers[f.target()] {
		if e == own || len(all) == maxReferring {
			continue
		}
		d := e.Document()
		var o object
		o.text("kind", d.Kind)
		o.text("id", d.ID)
		o.text("title", d.Title)
		o.text("url", s.URL(x.found[e].path))
		all = append(all, o.end())
	}
	return all
}

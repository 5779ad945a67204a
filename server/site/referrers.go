package site

import (
	"strings"

	"rulestore/content/document"
)

// A referrer is something current that names other things: an item or a record.
type referrer struct {
	kind, id, title string
	path            string
	target          string // how references name it: an item by folder and name, a record by its list and code
	names           []referral
}

// A referral is one thing that is named, and the sections that do so. Of a word in a text
// the target is not known until all is that has a name.
type referral struct {
	target   string
	sections []string
}

// toolTarget is how references name a calculation.
func toolTarget(id string) string { return "tools/" + id }

// wordTarget is how a word in a text names something.
func wordTarget(word string) string { return "~" + word }

func isWord(target string) bool { return target[0] == '~' }

// words are those that stand for it in texts: its id and, of an item with another, its name.
func (r *referrer) words() []string {
	all := []string{wordTarget(r.id)}
	if _, name, _ := strings.Cut(r.target, "/"); name != r.id && !strings.HasSuffix(name, "/"+r.id) {
		all = append(all, wordTarget(name))
	}
	return all
}

// referrals lists what the fields of a tree and the words in its texts name, each once. Fields
// that name calculations have no list of their own: a code of one is taken for it.
func (c Config) referrals(root *document.Node) (all []referral) {
	places := map[string]int{} // in the list, by target: an item may name tens of thousands
	type named struct{ target, section string }
	known := map[named]bool{}
	add := func(target, section string) {
		if target == "" || known[named{target, section}] {
			return
		}
		known[named{target, section}] = true
		i, ok := places[target]
		if !ok {
			i, all = len(all), append(all, referral{target: target})
			places[target] = i
		}
		all[i].sections = append(all[i].sections, section)
	}
	for section, n := range root.Texts() {
		add(c.namedBy(n), section)
		for word := range n.Codes() {
			add(wordTarget(word), section)
		}
	}
	return all
}

// namedBy is the target that a text names, "" if it names none.
func (c Config) namedBy(n *document.Node) string {
	switch f := n.Field; {
	case f == nil:
	case f.Codes != "":
		return f.Codes + "/" + n.Text
	case f.Reference != "":
		return f.Names(n.Text)
	case document.IsCode(n.Text):
		if t, ok := c.Math.Tool(n.Text); ok {
			return toolTarget(t.ID)
		}
	}
	return ""
}

// referring lists what the pages of a current version have that names other things: the
// item or, of a registry, its records. It is made once, so that a swap costs what changed.
func (c Config) referring(p *entryPages) []*referrer {
	p.namesOnce.Do(func() {
		if r := c.recordsOf(p); r != nil {
			p.names = c.referringRecords(p, r)
			return
		}
		e := p.entry
		p.names = []*referrer{{
			kind: e.Kind.Name, id: e.ID(), title: e.Body().Text("title"),
			path: e.Kind.ItemPath(e.Name), target: e.Item(), names: c.referrals(c.tree(e)),
		}}
	})
	return p.names
}

// referringRecords are the records of a registry. Each stands for itself, so no section
// of it is told.
func (c Config) referringRecords(p *entryPages, r *records) (all []*referrer) {
	base := p.entry.Kind.ItemPath(p.entry.Name)
	for _, record := range r.all {
		id := record.Text(r.field.Unique)
		own := &referrer{
			kind: recordKind(p.entry.Name).name, id: id, title: title(record), path: base + "/" + id,
			target: r.target(p.entry.Name, id), names: c.referrals(document.Read(record, r.field.Items)),
		}
		for i := range own.names {
			own.names[i].sections = nil
		}
		all = append(all, own)
	}
	return all
}

// target is how references name a record of a registry.
func (r *records) target(registry, id string) string { return registry + "/" + r.field.Name + "/" + id }

package site

import (
	"strings"
	"time"

	"rulestore/content/document"
)

// A referrer is a current item, or a record of one, that refers to other things.
type referrer struct {
	kind, id, title string
	path            string
	target          string // as references name it: an item by folder and name, a record by its list and code
	referrals       []referral
	changed         time.Time // the last change of the item
}

// A referral is a target with the sections that refer to it. The target of a word in a text is
// resolved later, when all ids are known.
type referral struct {
	target   string
	sections []string
}

// ToolTarget is the target of a calculation.
func ToolTarget(id string) string { return "tools/" + id }

// wordTarget is the target of a word in a text until it is resolved.
func wordTarget(word string) string { return "~" + word }

func isWord(target string) bool { return target[0] == '~' }

// words are the words for it in texts: its id and the name of the item if that differs.
func (r *referrer) words() []string {
	all := []string{wordTarget(r.id)}
	if _, name, _ := strings.Cut(r.target, "/"); name != r.id && !strings.HasSuffix(name, "/"+r.id) {
		all = append(all, wordTarget(name))
	}
	return all
}

// referrals lists the targets of the fields of a tree and of the words in its texts, each once. No
// field is declared as a reference to calculations, so any code of a calculation is one.
func (c Config) referrals(root *document.Node) (all []referral) {
	places := map[string]int{} // index by target: an item can have tens of thousands
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
		add(c.targetOf(n), section)
		for word := range n.Codes() {
			add(wordTarget(word), section)
		}
	}
	return all
}

// targetOf is the target that a text refers to, "" if there is none.
func (c Config) targetOf(n *document.Node) string {
	switch f := n.Field; {
	case f == nil:
	case f.Codes != "":
		return f.Codes + "/" + n.Text
	case f.Reference != "":
		return f.Names(n.Text)
	case document.IsCode(n.Text):
		if t, ok := c.Math.Tool(n.Text); ok {
			return ToolTarget(t.ID)
		}
	}
	return ""
}

// referrers lists the referrers of a current version: the item or, for a registry, its records.
// They are read once, so that the cost of a swap depends on what changed.
func (c Config) referrers(p *preparedVersion) []*referrer {
	return p.referrers.get(func() []*referrer {
		if r := c.recordsOf(p); r != nil {
			return c.recordReferrers(p, r)
		}
		e := p.entry
		return []*referrer{{
			kind: e.Kind.Name, id: e.ID(), title: e.Body().Text("title"),
			path: e.Kind.ItemPath(e.Name), target: e.Item(), referrals: c.referrals(c.tree(e)), changed: e.ModifiedAt,
		}}
	})
}

// recordReferrers lists the records of a registry as referrers, without sections.
func (c Config) recordReferrers(p *preparedVersion, r *Records) (all []*referrer) {
	base := p.entry.Kind.ItemPath(p.entry.Name)
	for _, record := range r.All {
		id := r.Code(record)
		own := &referrer{
			kind: recordKind(p.entry.Name).name, id: id, title: title(record), path: base + "/" + id,
			target: r.Target(p.entry.Name, id), referrals: c.referrals(document.Read(record, r.Field.Items)),
			changed: p.entry.ModifiedAt,
		}
		for i := range own.referrals {
			own.referrals[i].sections = nil
		}
		all = append(all, own)
	}
	return all
}

// Target is the target of a record of a registry.
func (r *Records) Target(registry, id string) string { return registry + "/" + r.Field.Name + "/" + id }

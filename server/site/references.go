package site

import (
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/document"
	"rulestore/content/markdown"
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
	all, words := s.allReferrers(n)
	for _, r := range all {
		n.add(r, words)
	}
	for path, r := range s.resources {
		if of := r.referenced; of != nil && len(n.incoming[of.target]) > 0 {
			copied := *r
			copied.Representations = of.with(n.mentions(s.Config, of.target)).Representations
			n.resources[path] = &copied
		}
	}
	return n
}

// allReferrers lists the current referrers, and the targets of words in texts, by the ids of what is
// current. An item whose references cannot be read because of a panic has none.
func (s *Site) allReferrers(n *references) (all []*referrer, words map[string][]string) {
	words = map[string][]string{}
	for t := range s.Math.Tools() {
		words[wordTarget(t.ID)] = []string{ToolTarget(t.ID)}
	}
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			err := crash.Do(func() {
				for _, r := range s.referrers(p) {
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
		add(c.Target(n), section)
		for word := range n.Codes() {
			add(wordTarget(word), section)
		}
	}
	return all
}

// Target is the target that a text refers to, "" if there is none.
func (c Config) Target(n *document.Node) string {
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
			path: e.Kind.ItemPath(e.Name), target: e.Item(), referrals: c.referrals(c.Tree(e)), changed: e.ModifiedAt,
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

const (
	// maxReferring is the maximum number of referrers listed.
	maxReferring = 50
	// maxNaming is the maximum number of sections listed of each.
	maxNaming = 5
)

// A mention is a referrer with the sections that refer to one target.
type mention struct {
	*referrer
	sections []string
}

// mentions are the references to one target.
type mentions struct {
	config Config
	all    []mention
}

func (n *references) mentions(c Config, target string) mentions {
	return mentions{c, n.incoming[target]}
}

// few are the listed mentions, left is the number of the others.
func (m mentions) few() (few []mention, left int) {
	few = m.all[:min(len(m.all), maxReferring)]
	return few, len(m.all) - len(few)
}

// write adds the mentions to an object if there are any.
func (m mentions) write(o *object) {
	if len(m.all) > 0 {
		m.list(o)
	}
}

func (m mentions) list(o *object) {
	few, left := m.few()
	o.array("referenced_by", bodies(few, func(by mention) Body { return by.json(m.config) }))
	o.count("referenced_by_left", left)
}

func (m mention) json(c Config) Body {
	var o object
	o.text("kind", m.kind)
	o.text("id", m.id)
	o.text("title", m.title)
	o.texts("sections", m.sections[:min(len(m.sections), maxNaming)])
	o.text("url", c.URL(m.path))
	return o.end()
}

// markdown adds the mentions to a text if there are any.
func (m mentions) markdown(w *markdown.Plain) {
	few, left := m.few()
	if few != nil {
		w.Heading("Кто использует")
	}
	for _, by := range few {
		w.Item(by.title, by.kind+" "+by.id, m.config.URL(by.path))
	}
	if left > 0 {
		w.Text("И ещё: " + strconv.Itoa(left))
	}
}

package html

import (
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/document"
)

// drawing has the options for drawing parts of a version, nil for what is not published; whole reports
// whether the page has all of it, so that links to its sections stay on it.
func (m maker) drawing(e *content.Entry, whole bool) Drawing {
	own := sync.OnceValue(func() map[string]Link { return m.ownSections(e) })
	return Drawing{Own: m.URL(""), Root: m.root, Names: func(n *document.Node, word string) (Link, bool) {
		l, ok := m.named(e, own, n, word)
		if e != nil && !whole && strings.HasPrefix(l.Href, "#") {
			l.Href = m.root + e.Path() + l.Href
		}
		return l, ok
	}}
}

// named finds the target of a word in a value of a version, which may be nil.
func (m maker) named(e *content.Entry, own func() map[string]Link, n *document.Node, word string) (Link, bool) {
	p, pointer := n.Pointer()
	switch target := m.Target(n); {
	case pointer && p.Item == "":
		return Link{Href: "#" + word}, true
	case pointer:
		l, ok := m.Named(p.Item)
		l.Path += word[min(len(word), len(p.Item)):]
		return m.link(l), ok
	case word == n.Text && target != "":
		l, ok := m.Named(target)
		return m.link(l), ok
	case e != nil && (word == e.Name || word == e.ID()):
		return Link{}, false // the version itself
	}
	l, ok := m.NamedWord(word)
	if ok || n.Field == nil || !n.Field.Prose {
		return m.link(l), ok
	}
	if l := own()[word]; l.Href != "" {
		return l, true
	}
	l, ok = m.NamedCode(word)
	return m.link(l), ok
}

// ownSections are the sections of a version by the ids that texts call them by.
func (m maker) ownSections(e *content.Entry) map[string]Link {
	all := map[string]Link{}
	if e == nil {
		return all
	}
	for section := range m.Tree(e).Sections() {
		id := section.Address[strings.LastIndexByte(section.Address, '/')+1:]
		l := Link{Title: sectionTitle(section.Node), Href: "#" + section.Address}
		if record, ok := m.Named(e.Name + "/" + section.Address); ok {
			l = m.link(record)
		}
		if _, taken := all[id]; taken || section.Within == "" {
			l = Link{} // a field, or one of several
		}
		all[id] = l
	}
	return all
}

// sectionTitle is the title of a section: that of an element, else of the field.
func sectionTitle(n *document.Node) string {
	for i := range n.Kids {
		if k := &n.Kids[i]; n.Kind == document.Object && document.Heads(k.Name) && k.Says() {
			return k.Text
		}
	}
	return n.Title("")
}

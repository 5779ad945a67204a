package site

import (
	"cmp"
	"encoding/json"
	"net/url"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// titles are the titles and addresses of everything current: by target, as references name it, and by word,
// as texts do.
type titles map[string]page.Link

// readTitles reads the titles of the snapshot.
func (s *Site) readTitles() titles {
	all := make(titles, 3*len(s.Snapshot.Items))
	for tool := range s.config.Math.Tools() {
		l := page.Link{Title: tool.Title, Href: s.frame.Root + api.ToolsPath + tool.ID}
		all[toolTarget(tool.ID)], all[wordTarget(tool.ID)] = l, l
	}
	for _, item := range s.Snapshot.Items {
		if item.Current != nil {
			_ = crash.Do(func() { s.readTitle(all, item.Current) }) // what cannot be read has no title
		}
	}
	return all
}

// readTitle adds the title of a current version and, of a registry, its codes.
func (s *Site) readTitle(all titles, e *content.Entry) {
	l := page.Link{Title: e.Body().Text("title"), Href: s.frame.Root + e.Kind.ItemPath(e.Name)}
	all[e.Item()] = l
	for _, word := range []string{wordTarget(e.ID()), wordTarget(e.Name)} {
		if _, tool := all[word]; !tool {
			all[word] = l
		}
	}
	if e.Kind == content.Registries {
		s.readCodes(all, e, l.Href)
	}
}

// readCodes adds the codes of a registry, whose page has a path.
func (s *Site) readCodes(all titles, e *content.Entry, base string) {
	for _, f := range s.config.format(e.Publication).Root().Fields {
		var records []content.Object
		if f.Unique == "" || json.Unmarshal(orEmptyList(e.Body().Get(f.Name)), &records) != nil {
			continue
		}
		for _, o := range records {
			id := o.Text(f.Unique)
			path := "#" + f.Name + "/" + url.PathEscape(id)
			if f.Records {
				path = "/" + url.PathEscape(id)
			}
			l := page.Link{Title: title(o), Href: base + path}
			all[e.Name+"/"+f.Name+"/"+id] = l
			if _, taken := all[codeTarget(id)]; taken {
				l = page.Link{} // a word of several records names none of them
			}
			all[codeTarget(id)] = l
		}
	}
}

// codeTarget is the target of a code in a text that does not say of which registry it is.
func codeTarget(code string) string { return "=" + code }

// replacement is the item, folder and name, that replaces another; without an address if it is not
// served.
func (s *Site) replacement(item string) page.Link {
	l := s.titles()[item]
	l.Title = cmp.Or(l.Title, item)
	return l
}

// drawing has the options for drawing parts of a version, nil for what is not published; whole reports
// whether the page has all of it, so that links to its sections stay on the page.
func (s *Site) drawing(e *content.Entry, whole bool) page.Drawing {
	with := page.Drawing{Own: s.config.BaseURL, Root: s.frame.Root}
	own := sync.OnceValue(func() titles { return s.ownSections(e) })
	with.Names = func(n *document.Node, word string) (page.Link, bool) {
		l, ok := s.named(e, own, n, word)
		if e != nil && !whole && strings.HasPrefix(l.Href, "#") {
			l.Href = s.frame.Root + e.Path() + l.Href
		}
		return l, ok
	}
	return with
}

// named finds the target of a word in a value of a version, which may be nil.
func (s *Site) named(e *content.Entry, own func() titles, n *document.Node, word string) (page.Link, bool) {
	all := s.titles()
	p, pointer := n.Pointer()
	switch target := s.config.targetOf(n); {
	case pointer && p.Item == "":
		return page.Link{Href: "#" + word}, true
	case pointer:
		l, ok := all[p.Item]
		l.Href += word[min(len(word), len(p.Item)):]
		return l, ok
	case word == n.Text && target != "":
		l, ok := all[target]
		return l, ok
	case e != nil && (word == e.Name || word == e.ID()):
		return page.Link{}, false // the version itself
	}
	l, ok := all[wordTarget(word)]
	if ok || n.Field == nil || !n.Field.Prose {
		return l, ok
	}
	if l = own()[word]; l.Href == "" {
		l = all[codeTarget(word)]
	}
	return l, l.Href != ""
}

// ownSections are the sections of a version by the ids that texts call them by.
func (s *Site) ownSections(e *content.Entry) titles {
	all := titles{}
	if e == nil {
		return all
	}
	for section := range s.config.tree(e).Sections() {
		id := section.Address[strings.LastIndexByte(section.Address, '/')+1:]
		l, record := s.titles()[e.Name+"/"+section.Address]
		if !record {
			l = page.Link{Title: sectionTitle(section.Node), Href: "#" + section.Address}
		}
		if _, taken := all[id]; taken || section.Within == "" {
			l = page.Link{} // a field, or one of several
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

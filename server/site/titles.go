package site

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// titled has the titles and addresses of everything current: by target, as references name it, and
// by word, as texts do.
type titled struct{ all map[string]page.Link }

// makeTitles reads the titles of the snapshot; it returns those of the previous site if they are
// equal.
func (s *Site) makeTitles(prev *Site) *titled {
	t := &titled{make(map[string]page.Link, 3*len(s.Snapshot.Items))}
	for tool := range s.config.Math.Tools() {
		l := page.Link{Title: tool.Title, Href: s.frame.Root + api.ToolsPath + tool.ID}
		t.all[toolTarget(tool.ID)], t.all[wordTarget(tool.ID)] = l, l
	}
	s.codes = map[*content.Publication][]code{}
	for _, item := range s.Snapshot.Items {
		e := item.Current
		if e == nil {
			continue
		}
		base := s.frame.Root + e.Kind.ItemPath(e.Name)
		l := page.Link{Title: e.Body().Text("title"), Href: base}
		t.all[e.Item()] = l
		for _, word := range []string{wordTarget(e.ID()), wordTarget(e.Name)} {
			if _, tool := t.all[word]; !tool {
				t.all[word] = l
			}
		}
		if e.Kind == content.Registries {
			for _, code := range s.codesOf(prev, e.Publication) {
				l := page.Link{Title: code.title, Href: base + code.path}
				t.all[e.Name+"/"+code.target] = l
				_, id, _ := strings.Cut(code.target, "/")
				if _, taken := t.all[codeTarget(id)]; taken {
					l = page.Link{} // a word of several records names none of them
				}
				t.all[codeTarget(id)] = l
			}
		}
	}
	if prev != nil && maps.Equal(prev.titled.all, t.all) {
		return prev.titled
	}
	return t
}

// codeTarget is the target of a code in a text that does not say of which registry it is.
func codeTarget(code string) string { return "=" + code }

// A code is a code of a registry: its target below the name of the registry, its title, and its
// path below that of the registry.
type code struct{ target, title, path string }

// codesOf lists the codes of a version of a registry; those of the previous site are taken over.
func (s *Site) codesOf(prev *Site, p *content.Publication) (all []code) {
	if prev != nil && prev.codes[p] != nil {
		s.codes[p] = prev.codes[p]
		return s.codes[p]
	}
	for _, f := range s.config.format(p).Root().Fields {
		var records []content.Object
		if f.Unique == "" || json.Unmarshal(orEmptyList(p.Body().Get(f.Name)), &records) != nil {
			continue
		}
		for _, o := range records {
			id := o.Text(f.Unique)
			path := "#" + f.Name + "/" + url.PathEscape(id)
			if f.Records {
				path = "/" + url.PathEscape(id)
			}
			all = append(all, code{f.Name + "/" + id, title(o), path})
		}
	}
	s.codes[p] = all
	return all
}

// quoted has the titles of other items that a page shows, so that it is made again when one of
// them changes. Pages of one version, and the forms of a comparison, are made with it at once.
type quoted struct {
	apart func() page.Apart // the sections that the page of the version has only as links; nil: none is kept

	mu     sync.Mutex // for the fields below, which only find and upToDate use
	titled *titled
	links  map[string]page.Link // as far as the page was made
}

// upToDate reports whether the page would be the same with other titles, and uses them from then on
// if so.
func (t *quoted) upToDate(now *titled) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.titled == now {
		return true
	}
	for target, l := range t.links {
		if now.all[target] != l {
			return false
		}
	}
	t.titled = now
	return true
}

// upToDate reports whether the page of a record is up to date; r may be nil.
func (r *Resource) upToDate(now *titled) bool {
	return r != nil && (r.referenced == nil || r.referenced.quoted == nil || r.referenced.quoted.upToDate(now))
}

// find returns the title and address of a target, and records its use.
func (t *quoted) find(target string) (page.Link, bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	l, ok := t.titled.all[target]
	if t.links == nil {
		t.links = map[string]page.Link{}
	}
	t.links[target] = l
	return l, ok
}

// nameCodes adds the titles of the codes of other registries in records, by list and code.
func (t *quoted) nameCodes(known map[string]page.Link, r *records, all []content.Object) {
	for _, f := range r.field.Items.Fields {
		if f.Items == nil || f.Items.Codes == "" {
			continue
		}
		for _, record := range all {
			var words []string
			_ = json.Unmarshal(orEmptyList(record.Get(f.Name)), &words) // of strings, by the schema
			for _, w := range words {
				if l, ok := t.find(f.Items.Codes + "/" + w); ok {
					known[f.Items.Codes+"/"+w] = l
				}
			}
		}
	}
}

// successor is the item, folder and name, that replaces another; without an address if it is not
// served.
func (t *quoted) successor(item string) page.Link {
	l, _ := t.find(item)
	l.Title = cmp.Or(l.Title, item)
	return l
}

// draw draws a version; e is nil for what is not published.
func (t *quoted) draw(c Config, e *content.Entry, root *document.Node, with page.Drawing) page.Document {
	with.Own, with.Names = c.BaseURL, t.names(c, e)
	if e != nil {
		whole := with.Only == nil && with.Path != ""
		if whole && t.apart != nil {
			with.Apart = t.apart()
		}
		with.Names = withPath(with.Names, with.Root+e.Path(), whole)
	}
	return page.Draw(root, with)
}

// inline returns a function that draws values of a version on one line. All of them share what was
// found of the sections of the version, as these take reading all of it.
func (t *quoted) inline(c Config, e *content.Entry, root string) func(*document.Node) page.HTML {
	with := page.Drawing{Own: c.BaseURL, Root: root, Names: withPath(t.names(c, e), root+e.Path(), true)}
	return func(n *document.Node) page.HTML { return page.Inline(n, with) }
}

// finder finds the target of a word in a value.
type finder = func(n *document.Node, word string) (page.Link, bool)

// withPath makes a finder whose links to sections of the version have its path; on the page of the
// whole version those to places of this page do without.
func withPath(find finder, path string, whole bool) finder {
	return func(n *document.Node, word string) (page.Link, bool) {
		l, ok := find(n, word)
		if strings.HasPrefix(l.Href, "?") || strings.HasPrefix(l.Href, "#") && !whole {
			l.Href = path + l.Href
		}
		return l, ok
	}
}

// names is the finder for a version; e is nil for what is not published.
func (t *quoted) names(c Config, e *content.Entry) finder {
	own := sync.OnceValue(func() map[string]page.Link { return t.ownSections(c, e) })
	return func(n *document.Node, word string) (page.Link, bool) {
		p, pointer := n.Pointer()
		switch target := c.targetOf(n); {
		case pointer:
			return t.findPointer(p, word)
		case word == n.Text && target != "":
			return t.find(target)
		case e != nil && (word == e.Name || word == e.ID()):
			return page.Link{}, false // the version itself
		}
		l, ok := t.find(wordTarget(word))
		if ok || n.Field == nil || !n.Field.Prose {
			return l, ok
		}
		if l = own()[word]; l.Href == "" {
			l, _ = t.find(codeTarget(word))
		}
		return l, l.Href != ""
	}
}

// ownSections are the sections of a version by the ids that texts call them by.
func (t *quoted) ownSections(c Config, e *content.Entry) map[string]page.Link {
	all := map[string]page.Link{}
	if e == nil {
		return all
	}
	root := c.tree(e)
	var apart page.Apart
	if t.apart != nil {
		apart = t.apart()
	}
	for s := range root.Sections() {
		id := s.Address[strings.LastIndexByte(s.Address, '/')+1:]
		l, record := t.find(e.Name + "/" + s.Address)
		if !record {
			l = page.Link{Title: sectionTitle(s.Node), Href: "#" + s.Address}
			if apart.Has(s.Address) {
				l.Href = "?section=" + page.SectionQuery(s.Address)
			}
		}
		if _, taken := all[id]; taken || s.Within == "" {
			l = page.Link{} // a field, or one of several
		}
		all[id] = l
	}
	return all
}

// findPointer finds the target of a pointer: an item, or a section of it or of the version itself.
func (t *quoted) findPointer(p document.Pointer, name string) (l page.Link, ok bool) {
	section := name[min(len(name), len(p.Item)):]
	if p.Item == "" {
		if t.apart != nil && t.apart().Has(section) {
			return page.Link{Href: "?section=" + page.SectionQuery(section)}, true
		}
		return page.Link{Href: "#" + section}, true
	}
	l, ok = t.find(p.Item)
	l.Href += section
	return l, ok
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

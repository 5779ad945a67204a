package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/document"
	"rulestore/content/markdown"
	"rulestore/server/api"
)

// A Part selects a part of a version: the sections at some addresses, the brief, or the
// references to it, which are available for current versions only.
type Part struct {
	Sections  []string
	Brief     bool
	Referrers bool
}

// ReferrersView is the view with the references to an item.
const ReferrersView = "referenced_by"

// Whole reports whether the whole version is selected.
func (p Part) Whole() bool { return len(p.Sections) == 0 && !p.Brief && !p.Referrers }

// An UnknownSection is the error for an unknown address.
type UnknownSection struct{ Unknown }

func unknownSection(address, near string) *UnknownSection {
	return &UnknownSection{Unknown{
		Value: address, Near: near, Where: "Адреса разделов перечисляет view=brief, на странице — её содержание.",
	}}
}

// Error implements error.
func (e *UnknownSection) Error() string { return fmt.Sprintf("there is no section %.80q", e.Value) }

// Unknown is an unknown value of a parameter, a similar one that exists, "" if there is none, and
// in Russian where all are listed: a sentence, or its beginning and the path that ends it.
type Unknown struct{ Value, Near, Where, Path string }

// Hint returns the remedy, in Russian.
func (u *Unknown) Hint() (text string) {
	if u.Near != "" {
		text = "Возможно, " + u.Near + ". "
	}
	if text += u.Where; u.Path != "" {
		text += " " + u.Path + "."
	}
	return text
}

// partKey is that of a recently requested part.
type partKey struct {
	of       *preparedVersion
	sections string // none: the brief
}

// Part returns a part of a version. Recently requested parts are cached.
func (s *Site) Part(e *content.Entry, p Part) (r *Resource, err error) {
	own := s.entries[e.Publication]
	if own.resource.Gone != nil || p.Whole() {
		return s.made(own), nil
	}
	if p.Referrers {
		return s.referrersPart(own), nil
	}
	r = remembered(&s.recent, partKey{own, strings.Join(p.Sections, "\n")}, func() (*Resource, int) {
		root := s.Tree(e)
		var chosen []document.Section
		if chosen, err = choose(root, p.Sections); err != nil {
			return nil, 0
		}
		size := maxBrief
		for _, c := range chosen {
			size += 2 * len(c.Raw)
		}
		return s.partOf(own, root, chosen), size
	})
	return r, err
}

// Text returns the author's content of a version as Markdown, without the fields added by the
// service.
func (s *Site) Text(e *content.Entry) []byte { return markdown.Document(s.Tree(e)) }

// Discovery returns the addresses that the service adds to a version, by name.
func (s *Site) Discovery(e *content.Entry) []content.Link {
	return s.format(e.Publication).Root().Discovery
}

// Tree is the author's content of a version, without its id and format.
func (c Config) Tree(e *content.Entry) *document.Node {
	body := slices.DeleteFunc(
		slices.Clone(e.Body()), func(m content.Member) bool { return m.Name == e.Kind.ID || m.Name == e.Kind.Format },
	)
	return document.Read(body, c.format(e.Publication).Root())
}

// sectionsKey is that of the sections of a version.
type sectionsKey struct{ *content.Publication }

// Sections links the sections of a version, on its page or as records, by the ids that its texts call them by. An id
// that several have has no link, and nor has a field.
func (s *Site) Sections(e *content.Entry) map[string]Link {
	return remembered(&s.recent, sectionsKey{e.Publication}, func() (all map[string]Link, size int) {
		all = map[string]Link{}
		for section := range s.Tree(e).Sections() {
			id := section.Address[strings.LastIndexByte(section.Address, '/')+1:]
			l := Link{sectionTitle(section.Node), "#" + section.Address}
			if record, ok := s.Named(e.Name + "/" + section.Address); ok {
				l = record
			}
			if _, taken := all[id]; taken || section.Within == "" {
				l = Link{}
			}
			all[id] = l
			size += 2*len(section.Address) + len(l.Title)
		}
		return all, size
	})
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

// choose finds sections by their addresses, each once.
func choose(root *document.Node, addresses []string) (chosen []document.Section, err error) {
	for i, a := range addresses {
		n := root.At(a)
		if n == nil {
			return nil, unknownSection(a, check.NearestSection(root, a))
		}
		if !slices.Contains(addresses[:i], a) {
			chosen = append(chosen, document.Section{Address: a, Node: n})
		}
	}
	return chosen, nil
}

// partOf is the resource of some sections of a version or, without sections, of its brief. People read
// the whole version.
func (s *Site) partOf(own *preparedVersion, root *document.Node, chosen []document.Section) *Resource {
	c, e := s.Config, own.entry
	r := &Resource{Kept: true, about: c.aboutPart(e)}
	if len(chosen) == 0 {
		b := sync.OnceValue(func() *brief { return c.brief(e, root) })
		r.add(api.JSONType, func() Body { return b().json(c, e) })
		r.addText(api.MarkdownType, func() []byte { return b().markdown(c, e) })
	} else {
		r.add(api.JSONType, func() Body { return c.sectionsJSON(e, chosen) })
		r.addText(api.MarkdownType, func() []byte {
			return markdown.Sections(e.Body().Text("title"), c.facts(e), chosen)
		})
	}
	return r.with(own.resource.Shows)
}

// referrersPart is the part of a version with the references to it. It has no date, since these
// change independently of the version.
func (s *Site) referrersPart(own *preparedVersion) *Resource {
	c, e := s.Config, own.entry
	by := s.references().mentions(c, e.Item())
	r := &Resource{about: fixed(time.Time{}, c.partHeaders(e)...)}
	r.add(api.JSONType, func() Body { return c.referrersJSON(e, by) })
	r.addText(api.MarkdownType, func() []byte { return c.referrersMarkdown(e, by) })
	r.modified = e.ModifiedAt // of the page, which is that of the version
	return r.with(own.resource.Shows)
}

// aboutPart is what the representations of a part have in common.
func (c Config) aboutPart(e *content.Entry) about {
	return about{e.ModifiedAt, func(string) []Header { return c.partHeaders(e) }}
}

func (c Config) referrersJSON(e *content.Entry, by mentions) Body {
	o := identified(e)
	o.text("view", ReferrersView)
	o.value("total", len(by.all))
	by.list(o)
	c.provenance(o, e)
	return o.end()
}

func (c Config) referrersMarkdown(e *content.Entry, by mentions) []byte {
	w := markdown.NewPlain(e.Body().Text("title"), c.facts(e))
	by.markdown(w)
	return w.Bytes()
}

// partHeaders are the headers of a part, which has no checksum of its own.
func (c Config) partHeaders(e *content.Entry) []Header {
	return versionHeaders(e, link(c.URL(e.Path()), "up"))
}

// version writes what a version is.
func (o *object) version(e *content.Entry) {
	o.text(e.Kind.ID, e.ID())
	o.text(e.Kind.Version, e.Version.String())
	o.text("status", string(e.Status))
}

// identity are the first fields of a part: its version.
func identity(e *content.Entry) content.Object {
	o := content.Object{}.With(e.Kind.ID, content.String(e.ID())).
		With(e.Kind.Version, content.String(e.Version.String())).With("status", content.String(string(e.Status)))
	if title := e.Body().Text("title"); title != "" {
		o = o.With("title", content.String(title))
	}
	return o
}

// identified begins a part with them.
func identified(e *content.Entry) *object {
	o := &object{tells: true}
	o.members(identity(e))
	return o
}

// provenance writes the last fields of a part: the version that it was taken from.
func (c Config) provenance(o *object, e *content.Entry) {
	o.text("source_checksum", e.Checksum)
	o.text("source_url", c.URL(e.Path()))
	o.fetchedAt()
}

func (c Config) sectionsJSON(e *content.Entry, chosen []document.Section) Body {
	o := identified(e)
	o.array("sections", bodies(chosen, func(s document.Section) Body {
		var o object
		o.text("section", s.Address)
		o.optional("title", s.Title(""))
		o.raw("content", s.Raw)
		return o.end()
	}))
	c.provenance(o, e)
	return o.end()
}

// facts are the identity of a version, for a line of Markdown.
func (c Config) facts(e *content.Entry) []string {
	return []string{"`" + e.ID() + "`", e.Version.String(), c.Status(e).Title, "`" + e.Checksum + "`"}
}

// Section returns the value at an address in a version, as written; not ok if it has no such
// section.
func (s *Site) Section(e *content.Entry, address string) (value json.RawMessage, ok bool) {
	n := s.Tree(e).At(address)
	if n == nil {
		return nil, false
	}
	return n.Raw, true
}

// Size returns the size of the JSON of a version, or of its brief, in bytes; 0 for a redacted
// one.
func (s *Site) Size(e *content.Entry, brief bool) int {
	r, err := s.Part(e, Part{Brief: brief})
	if err != nil || len(r.Representations) == 0 {
		return 0
	}
	return len(r.Representations[0].Ready().Body.Bytes)
}

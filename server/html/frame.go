package html

import (
	"bytes"
	"cmp"
	"embed"
	"fmt"
	"html/template"
	"maps"
	"net/url"
	"reflect"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/html/assets"
	"rulestore/server/site"
)

// Link is an address with its text.
type Link struct {
	Title string
	Href  string
}

// Frame is what all pages of a service share. It is comparable except for its links, and
// immutable once a page was rendered with it.
type Frame struct {
	Title      string // of the service
	Disclaimer string // at the foot of every page
	Root       string // the path of the service without a trailing slash; "" for the root of the host
	Draft      bool   // unpublished content is shown too
	Nav        []Link
	Alone      bool // there are no other pages on this listener
}

// Head has the metadata of a page.
type Head struct {
	Title       string
	Description string // for search engines and previews of links
	Path        string // of the page, including the frame's root
	Crumbs      []Link // the breadcrumbs from the home page, without the page itself; an address may be ""
	Formats     []Format
	Searches    bool // the page has a search of its own
}

// head is that of a page at a path with a query, below some pages and the home page.
func (m maker) head(title, about, path string, q url.Values, parents ...Link) Head {
	return Head{
		Title: title, Description: about, Path: m.root + path, Formats: m.formats(path, q),
		Crumbs: append([]Link{{"Главная", m.root + "/"}}, parents...),
	}
}

// kindLink links the list of a kind.
func (m maker) kindLink(k *content.Kind) Link { return Link{k.Title, m.root + k.Path} }

// formats links the other forms of what the page shows, at a path with a query. Browsers prefer pages, so the
// links have the parameter format.
func (m maker) formats(path string, q url.Values) (all []Format) {
	for _, f := range []Format{{Title: "JSON", Type: api.JSONType}, {Title: "Markdown", Type: api.MarkdownType}} {
		if !slices.ContainsFunc(m.of.Representations, func(r *site.Representation) bool { return r.Type == f.Type }) {
			continue
		}
		query := url.Values{site.FormatParameter: {strings.ToLower(f.Title)}}
		maps.Copy(query, q)
		f.Href = m.root + path + "?" + query.Encode()
		all = append(all, f)
	}
	return all
}

// pager links the previous and the next part of a list, if they exist; most is the length of a part.
func pager(at func(offset int) string, most, from, shown, all int) (p Pager) {
	if shown == 0 && all > 0 {
		p.First = at(0)
	}
	if from > 0 {
		p.Newer = at(max(0, from-most))
	}
	if from+shown < all {
		p.Older = at(from + shown)
	}
	if p != (Pager{}) {
		p.From, p.To, p.Total = from+1, from+shown, all
	}
	return p
}

// Format is the same resource in another media type.
type Format struct {
	Title string
	Type  string
	Href  string
}

func (h Head) head() Head { return h }

// Current returns the value of aria-current for an address of the navigation: the page, or the
// section that contains it.
func (h Head) Current(href string) string {
	switch {
	case h.Path == href:
		return "page"
	case slices.ContainsFunc(h.Crumbs, func(l Link) bool { return l.Href == href }):
		return "true"
	}
	return ""
}

// Shown is what a page shows: a struct with a [Head], whose template is called as its type.
type Shown interface{ head() Head }

//go:embed templates/*.html
var sources embed.FS

// templates are parsed when the first page is rendered, so that a service without pages does not
// wait for them.
var templates = sync.OnceValue(func() map[string]*template.Template {
	words := template.FuncMap{
		"asset": assets.Path, "count": i18n.Counted, "plural": i18n.Plural, "day": i18n.Day, "iso": iso,
		"add1": func(n int) int { return n + 1 }, "noted": noted,
		"rows": rowsOf, "left": leftOf, "numbered": numbered,
		"figure": func(f calc.Figure) string { return shown(f, f.Unit) }, "snippet": snippet,
		"quoted": quoted, "check": checkCommand, "tally": tally, "moment": moment,
		"class": changeClass, "sentence": sentence, "look": site.LookAt, "said": site.Russian().Sprint,
	}
	frame := template.Must(template.New("frame.html").Funcs(words).ParseFS(
		sources, "templates/frame.html", "templates/parts.html",
	))
	all := map[string]*template.Template{}
	entries, err := sources.ReadDir("templates")
	if err != nil {
		panic(err) // cannot fail, as they are embedded
	}
	for _, e := range entries {
		if name, _ := strings.CutSuffix(e.Name(), ".html"); name != "frame" && name != "parts" {
			all[name] = template.Must(template.Must(frame.Clone()).ParseFS(sources, "templates/"+e.Name()))
		}
	}
	return all
})

// written has buffers for pages, which grow to the size of a page once.
var written = sync.Pool{New: func() any { return new(bytes.Buffer) }}

// maker makes the page of a resource of a site.
type maker struct {
	*site.Site
	root string // the path of the service
	of   *site.Resource
}

func makerOf(s *site.Site, r *site.Resource) maker { return maker{s, s.Root(), r} }

// Page returns the page of a resource of a site, made for one request.
func Page(s *site.Site, r *site.Resource) *site.Representation {
	return r.Page(assets.Policy, func() []byte { return Render(s, makerOf(s, r).shown(r.Shows)) })
}

// shown is what a page shows of what a resource has.
func (m maker) shown(of any) Shown {
	switch of := of.(type) {
	case site.ShownVersion:
		return m.version(of)
	case site.ShownRecord:
		return m.record(of)
	case site.ShownVersions:
		return m.versions(m.Snapshot.Item(of.Item.Kind, of.Item.Name))
	case site.ShownList:
		return m.list(of)
	case site.ShownInForce:
		return m.inForce(of)
	case site.ShownChangelog:
		return m.changelog(of)
	case site.ShownSearch:
		return m.search(of)
	case site.ShownComparison:
		return m.comparison(of.Part())
	case site.ShownTool:
		return m.example(of.Tool)
	case site.ShownTools:
		return m.tools(of)
	case site.ShownUpcoming:
		return m.upcoming()
	case site.ShownHome:
		return m.home()
	case site.ShownConnect:
		return m.connect()
	}
	panic(fmt.Sprintf("there is no page of a %T", of)) // a resource that this package does not know
}

// Render returns a page of a site as HTML.
func Render(s *site.Site, p Shown) []byte {
	settings := s.Snapshot.Settings
	f := &Frame{
		Title: settings.Title, Disclaimer: settings.Disclaimer, Root: s.Root(), Draft: s.Snapshot.Drafts,
	}
	for _, k := range slices.SortedStableFunc(slices.Values(content.Kinds), byMenu) {
		if k.Menu > 0 {
			f.Nav = append(f.Nav, Link{k.Title, f.Root + k.Path})
		}
	}
	f.Nav = append(f.Nav, Link{"Расчёты", f.Root + api.MathPath}, Link{"Изменения", f.Root + api.ChangelogPath})
	if len(s.Snapshot.Upcoming) > 0 {
		f.Nav = append(f.Nav, Link{"Предстоит", f.Root + api.UpcomingPath})
	}
	return f.render(p)
}

// RenderAlone returns a page of a site as HTML for a listener that has no other pages.
func RenderAlone(s *site.Site, p Shown) []byte {
	settings := s.Snapshot.Settings
	f := &Frame{Title: settings.Title, Disclaimer: settings.Disclaimer, Draft: s.Snapshot.Drafts, Alone: true}
	return f.render(p)
}

func byMenu(a, b *content.Kind) int { return cmp.Compare(a.Menu, b.Menu) }

// render returns the page as HTML.
func (f *Frame) render(p Shown) []byte {
	out := written.Get().(*bytes.Buffer)
	out.Reset()
	defer written.Put(out)
	data := struct {
		*Frame
		Head
		Page Shown
	}{f, p.head(), p}
	name := nameOf(p)
	if err := templates()[name].ExecuteTemplate(out, "frame.html", data); err != nil {
		panic(fmt.Sprintf("page %s: %v", name, err)) // a template that does not fit its data
	}
	return showDirection(out.Bytes())
}

// nameOf is the name of the template of a page.
func nameOf(p Shown) string { return strings.ToLower(reflect.TypeOf(p).Name()) }

// showDirection returns a copy of a page, in which the codes of characters that change the direction
// of a text, or are invisible, stand for these, so that a text cannot look like another.
func showDirection(html []byte) []byte {
	out, done := make([]byte, 0, len(html)), 0
	for i, c := range html {
		if c != 0xD8 && c != 0xE2 && c != 0xEF { // with which these begin in UTF-8
			continue
		}
		if r, n := utf8.DecodeRune(html[i:]); isDeceptive(r) {
			out = fmt.Appendf(append(out, html[done:i]...), "[U+%04X]", r)
			done = i + n
		}
	}
	return append(out, html[done:]...)
}

// isDeceptive reports whether a character changes the direction of the text around it (UAX #9), or
// is invisible.
func isDeceptive(r rune) bool {
	return r == 0x061C || r >= 0x200B && r <= 0x200F || r >= 0x202A && r <= 0x202E || r >= 0x2060 && r <= 0x2069 ||
		r == 0xFEFF
}

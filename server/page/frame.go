package page

import (
	"bytes"
	"embed"
	"fmt"
	"html/template"
	"slices"
	"strings"
	"sync"
	"unicode/utf8"

	"rulestore/server/calc"
)

// Policy is the Content-Security-Policy of pages: nothing inline, nothing from another host.
const Policy = "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self' data:; connect-src 'self'; " +
	"form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

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

// Page is one of the pages of this package.
type Page interface {
	head() Head
	name() string // of its template
}

//go:embed templates/*.html
var sources embed.FS

// templates are parsed when the first page is rendered, so that a service without pages does not
// wait for them.
var templates = sync.OnceValue(func() map[string]*template.Template {
	words := template.FuncMap{
		"asset": AssetPath, "count": count, "plural": Plural, "day": Day, "iso": iso, "coded": coded,
		"add1": func(n int) int { return n + 1 }, "noted": noted,
		"rows": rowsOf, "left": leftOf, "numbered": numbered,
		"shown": shown, "figure": func(f calc.Figure) string { return shown(f, f.Unit) }, "snippet": snippet,
		"quoted": quoted, "check": CheckCommand,
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

// Render returns the page as HTML.
func (f *Frame) Render(p Page) []byte {
	out := written.Get().(*bytes.Buffer)
	out.Reset()
	defer written.Put(out)
	data := struct {
		*Frame
		Head
		Page Page
	}{f, p.head(), p}
	if err := templates()[p.name()].ExecuteTemplate(out, "frame.html", data); err != nil {
		panic(fmt.Sprintf("page %s: %v", p.name(), err)) // a template that does not fit its data
	}
	return showDirection(out.Bytes())
}

// showDirection returns a copy of a page, in which the codes of characters that change the direction
// of a text, or are invisible, stand for these, so that a text cannot look like another.
func showDirection(html []byte) []byte {
	if bytes.IndexFunc(html, isDeceptive) < 0 {
		return bytes.Clone(html)
	}
	out := make([]byte, 0, len(html)+64)
	for len(html) > 0 {
		r, n := utf8.DecodeRune(html)
		if isDeceptive(r) {
			out = fmt.Appendf(out, "[U+%04X]", r)
		} else {
			out = append(out, html[:n]...)
		}
		html = html[n:]
	}
	return out
}

// isDeceptive reports whether a character changes the direction of the text around it (UAX #9), or
// is invisible.
func isDeceptive(r rune) bool {
	switch {
	case r == 0x061C, r >= 0x200B && r <= 0x200F, r >= 0x202A && r <= 0x202E, r >= 0x2060 && r <= 0x2069, r == 0xFEFF:
		return true
	}
	return false
}

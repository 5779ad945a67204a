package site

import (
	"net/http"
	"slices"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/observe"
)

// Resource is the resource at a path, in one or more media types.
type Resource struct {
	// Representations are in the order of the server's preference. A resource without any only
	// answers queries.
	Representations []*Representation
	// Static means that the path determines the media type, so that the Accept header is
	// ignored.
	Static bool
	// Action is the operation for a request with a query string.
	Action api.Action
	Kind   *content.Kind // of the list, or of the item
	Name   string        // of the item
	// Calculation is set for resources with POST, which may have no representation for GET.
	Calculation *Calculation
	// Route counts the requests; nil: they are not counted.
	Route *observe.Route
	// Gone is set for redacted versions: there are no representations.
	Gone *Gone

	// listText is Markdown with some elements of its list; nil if it has no list, or none in Markdown.
	listText func(from, to int) []byte

	// Kept means that a part is cached beyond its request.
	Kept bool

	Shows any // what its page shows, see [ShownVersion] and others; nil: it has none
	about

	referenced *referenced // nil if references to it are not shown

	unverified *content.Publication // set if the text may not match its seal
	alone      string               // the media type that it has alone of those of its version

	ofBuild bool // it depends on the build alone, for [Site.Changed]
}

// about is what the representations of a resource have in common.
type about struct {
	modified time.Time                       // zero if unknown
	headers  func(mediaType string) []Header // nil: no others than all have
}

// fixed is about with headers that do not depend on the media type.
func fixed(modified time.Time, headers ...Header) about {
	return about{modified, func(string) []Header { return headers }}
}

// Gone describes a redaction. Its fields are members of the error that answers for it.
type Gone struct {
	Reason    string `json:"reason,omitempty"`
	Since     string `json:"since,omitempty"`     // the day of the redaction
	Successor string `json:"successor,omitempty"` // the address of the item to read instead
	Checksum  string `json:"content_checksum,omitempty"`

	Item    string `json:"-"`
	Version string `json:"-"`
	Instead string `json:"-"` // the item to read instead, folder and name; "" if there is none
}

// Detail says what is gone, and why.
func (g *Gone) Detail() string { return g.What() + " Причина: " + g.Reason }

// What says what is gone.
func (g *Gone) What() string {
	return "Версия " + g.Version + " элемента " + g.Item + " изъята."
}

// only returns the resource in one media type, for a path that determines it; nil if it has no such representation.
func (r *Resource) only(mediaType string) *Resource {
	own := &Resource{Static: true, Gone: r.Gone, alone: mediaType, unverified: r.unverified}
	for _, rep := range r.Representations {
		if rep.Type == mediaType {
			own.Representations = []*Representation{rep}
		}
	}
	if own.Representations == nil && own.Gone == nil && own.unverified == nil {
		return nil
	}
	return own
}

// Header is a response header, prepared for assignment.
type Header struct {
	Name   string // canonical
	Values []string
}

// Representation is a resource in one media type.
type Representation struct {
	Type string

	// Made on first use.
	once once
	make atomic.Pointer[func() Prepared] // nil when it has been made
	Prepared

	plain   atomic.Bool              // encoding it panicked: it is served unencoded
	codings [2]atomic.Pointer[Coded] // by index of Encodings; nil until encoded
}

// Prepared is what is sent for a representation.
type Prepared struct {
	Body         Body
	ETag         string
	LastModified time.Time // whole seconds, UTC; zero if unknown
	Headers      []Header  // of a 200
	NotModified  []Header  // of a 304
}

// newRepresentation returns a representation that is made on first use.
func newRepresentation(mediaType string, make func() Prepared) *Representation {
	r := &Representation{Type: mediaType}
	r.make.Store(&make)
	return r
}

// Ready returns the representation with all fields prepared.
func (r *Representation) Ready() *Representation {
	r.once.Do(func() {
		r.Prepared = (*r.make.Load())()
		r.make.Store(nil)
	})
	return r
}

// forPeople stands for the page of a resource among its representations: [Resource.Page] makes it.
var forPeople = newRepresentation(api.HTMLType, func() Prepared { return Prepared{} })

// add adds a representation to a resource, which is made on first use.
func (r *Resource) add(mediaType string, body func() Body) *Resource {
	of := r.about
	r.Representations = append(r.Representations, newRepresentation(mediaType, func() Prepared {
		return of.prepare(mediaType, body())
	}))
	return r
}

// addText adds a representation without times of responses.
func (r *Resource) addText(mediaType string, text func() []byte) *Resource {
	return r.add(mediaType, func() Body { return Body{Bytes: text()} })
}

// addList adds Markdown to a resource with a list of n elements, of which text writes some.
func (r *Resource) addList(n int, text func(from, to int) []byte) *Resource {
	r.listText = text
	return r.addText(api.MarkdownType, func() []byte { return text(0, n) })
}

// with adds a page to a resource.
func (r *Resource) with(shows any) *Resource {
	r.Representations, r.Shows = append(r.Representations, forPeople), shows
	return r
}

// jsonResource is a resource in JSON only. Lists have no modification date, as it would not tell
// when something left them.
func jsonResource(body func() Body) *Resource { return new(Resource).add(api.JSONType, body) }

// textResource is a resource in one media type without times of responses, with some headers.
func textResource(mediaType string, body func() []byte, headers ...Header) *Resource {
	return (&Resource{Static: true, about: fixed(time.Time{}, headers...)}).addText(mediaType, body)
}

// pageOnly returns a resource that only has a page.
func pageOnly(shows any) *Resource { return (&Resource{Static: true}).with(shows) }

// Page returns the page of a resource for one request, with a policy for browsers in place of the common one.
func (r *Resource) Page(policy string, html func() []byte) *Representation {
	return newRepresentation(api.HTMLType, func() Prepared {
		p := r.prepare(api.HTMLType, Body{Bytes: html()})
		own := Header{"Content-Security-Policy", []string{policy}}
		p.Headers, p.NotModified = append(p.Headers, own), append(p.NotModified, own)
		return p
	})
}

// Once returns what Ready prepares, and keeps it only if that was called: for all representations of
// a site, of which each is needed once.
func (r *Representation) Once() Prepared {
	if make := r.make.Load(); make != nil {
		return (*make)()
	}
	return r.Ready().Prepared
}

// cacheControl is the Cache-Control of content without a known end: fresh for a minute, then stale
// while it is revalidated, and for a day if the origin is unavailable.
var cacheControl = control(freshFor, staleFor, saveFor)

// prepare adds the headers to a body.
func (a about) prepare(mediaType string, body Body) Prepared {
	var own []Header
	if a.headers != nil {
		own = a.headers(mediaType)
	}
	m := Prepared{Body: body, ETag: body.tag()}
	m.NotModified = append(slices.DeleteFunc([]Header{
		{"Etag", []string{m.ETag}},
		{"Cache-Control", []string{cacheControl}},
		{"Vary", []string{"Accept, Accept-Encoding"}},
		language,
	}, func(h Header) bool { return hasHeader(own, h.Name) }), own...)
	if !a.modified.IsZero() {
		m.LastModified = a.modified.UTC().Truncate(time.Second)
		m.NotModified = append(
			m.NotModified, Header{"Last-Modified", []string{m.LastModified.Format(http.TimeFormat)}},
		)
	}
	m.Headers = append([]Header{
		{"Content-Type", []string{ContentType(mediaType)}},
		{"Content-Length", []string{strconv.Itoa(len(m.Body.Bytes))}},
	}, m.NotModified...)
	return m
}

// hasHeader reports whether there is a header with a name.
func hasHeader(headers []Header, name string) bool {
	return slices.ContainsFunc(headers, func(h Header) bool { return h.Name == name })
}

// ContentType adds the character set to text types.
func ContentType(mediaType string) string {
	if strings.HasPrefix(mediaType, "text/") {
		return mediaType + "; charset=utf-8"
	}
	return mediaType
}

package site

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/server/page"
)

const htmlType = page.Type

// policy is the header that pages have instead of the common one.
var policy = Header{"Content-Security-Policy", []string{page.Policy}}

// LivePath is the path at which a preview announces changes.
const LivePath = "/preview/changes"

// makeFrame returns what the pages of a site share: that of prev if nothing in it
// is different, so that its pages can be taken over.
func (s *Site) makeFrame(prev *Site) *page.Frame {
	f := &page.Frame{
		Title: s.Snapshot.Settings.Title, Disclaimer: s.Snapshot.Settings.Disclaimer,
		Root: s.config.root(), Draft: s.Snapshot.Drafts,
	}
	if f.Draft {
		f.Live = f.Root + LivePath
	}
	for _, k := range slices.SortedStableFunc(slices.Values(content.Kinds), byMenu) {
		if k.Menu > 0 {
			f.Nav = append(f.Nav, page.Link{Title: k.Title, Href: f.Root + k.Path})
		}
	}
	f.Nav = append(f.Nav, page.Link{Title: "Расчёты", Href: f.Root + MathPath}, page.Link{Title: "Изменения", Href: f.Root + changelogPath}, page.Link{Title: "Состояние", Href: f.Root + "/api/v1/health"})
	if prev != nil && prev.frame.Equal(f) {
		return prev.frame
	}
	return f
}

func byMenu(a, b *content.Kind) int { return cmp.Compare(a.Menu, b.Menu) }

// Frame returns the frame of this site's pages.
func (s *Site) Frame() *page.Frame { return s.frame }

// root is the path below which the service lies, "" if it has a host of its own.
func (c Config) root() string {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// pageOf is the representation of a resource for people, rendered when somebody
// first looks; until then it costs no more than a few words. headers may be nil.
func pageOf(modified time.Time, headers func() []Header, frame *page.Frame, make func() page.Page) *Representation {
	return &Representation{Type: htmlType, make: func() made {
		all := []Header{policy}
		if headers != nil {
			all = append(all, headers()...)
		}
		return represent(htmlType, modified, all, func() Body { return Body{Bytes: frame.Render(make())} }).make()
	}}
}

// with adds a page to a resource.
func (r *Resource) with(frame *page.Frame, make func() page.Page) *Resource {
	r.Representations = append(r.Representations, pageOf(time.Time{}, nil, frame, make))
	return r
}

// PageOnly returns a resource that only has a page.
func PageOnly(frame *page.Frame, make func() page.Page) *Resource {
	return (&Resource{Static: true}).with(frame, make)
}

// addAssets adds the files that pages refer to. Their names change with their
// content, so they may be kept for good.
func addAssets(all map[string]*Resource) {
	forever := Header{"Cache-Control", []string{"public, max-age=31536000, immutable"}}
	for _, a := range page.Assets() {
		all[a.Path] = &Resource{Static: true, Representations: []*Representation{
			represent(a.Type, time.Time{}, []Header{forever}, func() Body { return Body{Bytes: a.Body} }),
		}}
	}
}

// status says how a version stands, in words.
func (c Config) status(e *content.Entry) page.Status {
	if e.Draft {
		return page.Status{Code: "draft", Title: "черновик"}
	}
	return c.statusOf(e.Status)
}

func (c Config) statusOf(s content.Status) page.Status {
	if s == content.Redacted { // never in a body, so the derived fields do not name it
		return page.Status{Code: string(s), Title: "изъята"}
	}
	return page.Status{Code: string(s), Title: label(c.Schemas.Derived().Field("status"), string(s))}
}

// label is what people call a value.
func label(f *content.Field, value string) string {
	if f != nil && f.Labels[value] != "" {
		return f.Labels[value]
	}
	return value
}

// home and crumbs lead back from a page.
func crumbs(frame *page.Frame, way ...page.Link) []page.Link {
	return append([]page.Link{{Title: "Главная", Href: frame.Root + "/"}}, way...)
}

// formats lists the other media types of what is at an address. A browser always
// asks for pages first, so a link has to say that it means something else.
func formats(frame *page.Frame, path string, q url.Values, types ...string) (all []page.Format) {
	for _, t := range types {
		f := page.Format{Title: "JSON", Type: t}
		if t == markdownType {
			f.Title = "Markdown"
		}
		asked := url.Values{FormatParameter: {strings.ToLower(f.Title)}}
		maps.Copy(asked, q)
		f.Href = frame.Root + path + "?" + asked.Encode()
		all = append(all, f)
	}
	return all
}

// parameters are those that have a value, as a query has them.
func parameters(all map[string]string) url.Values {
	q := url.Values{}
	for name, value := range all {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// address is a path with a query, if there is any.
func address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// unless is a number as a parameter, which is left out if it goes without saying.
func unless(n, standard int) string {
	if n == standard {
		return ""
	}
	return strconv.Itoa(n)
}

// FormatParameter is the parameter for links on pages that selects another media type than the
// Accept header.
const FormatParameter = "format"

// pager leads to what comes before and after what is shown, if there is anything;
// before is where the part before begins.
func pager(at func(offset int) string, before, from, shown, all int) (p page.Pager) {
	if from > 0 {
		p.Newer = at(before)
	}
	if from+shown < all {
		p.Older = at(from + shown)
	}
	if p != (page.Pager{}) {
		p.From, p.To, p.Total = from+1, from+shown, all
	}
	return p
}

package site

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// makeFrame returns the common parts of a site's pages.
func (s *Site) makeFrame() *page.Frame {
	f := &page.Frame{
		Title: s.Snapshot.Settings.Title, Disclaimer: s.Snapshot.Settings.Disclaimer,
		Root: s.config.root(), Draft: s.Snapshot.Drafts,
	}
	for _, k := range slices.SortedStableFunc(slices.Values(content.Kinds), byMenu) {
		if k.Menu > 0 {
			f.Nav = append(f.Nav, page.Link{Title: k.Title, Href: f.Root + k.Path})
		}
	}
	f.Nav = append(
		f.Nav, page.Link{Title: "Расчёты", Href: f.Root + api.MathPath},
		page.Link{Title: "Изменения", Href: f.Root + api.ChangelogPath},
	)
	if len(s.Snapshot.Upcoming) > 0 {
		f.Nav = append(f.Nav, page.Link{Title: "Предстоит", Href: f.Root + api.UpcomingPath})
	}
	f.Nav = append(f.Nav,
		page.Link{Title: "Состояние", Href: f.Root + api.HealthPath},
	)
	return f
}

func byMenu(a, b *content.Kind) int { return cmp.Compare(a.Menu, b.Menu) }

// Frame returns the frame of this site's pages.
func (s *Site) Frame() *page.Frame { return s.frame }

// root is the path prefix of the service, "" if it has its own host.
func (c Config) root() string {
	u, err := url.Parse(c.BaseURL)
	if err != nil {
		return ""
	}
	return strings.TrimRight(u.EscapedPath(), "/")
}

// addAssets adds the files that pages refer to. Their names depend on their content, so they
// can be cached for ever.
func addAssets(all map[string]*Resource) {
	for _, a := range page.Assets() {
		all[a.Path] = staticResource(a.Type, []Header{immutable}, func() []byte { return a.Body })
	}
}

// status is the status of a version, in words.
func (c Config) status(e *content.Entry) page.Status {
	if e.Draft {
		return page.Status{Code: "draft", Title: "черновик"}
	}
	return c.statusOf(e.Status)
}

func (c Config) statusOf(s content.Status) page.Status {
	if s == content.Redacted { // never in a body, so the derived fields have no label for it
		return page.Status{Code: string(s), Title: "изъята"}
	}
	return page.Status{Code: string(s), Title: label(c.Schemas.Derived().Field("status"), string(s))}
}

// label is the label of a value.
func label(f *content.Field, value string) string {
	if f != nil && f.Labels[value] != "" {
		return f.Labels[value]
	}
	return value
}

// crumbs is the path of links to the parents of a page.
func crumbs(frame *page.Frame, way ...page.Link) []page.Link {
	return append([]page.Link{{Title: "Главная", Href: frame.Root + "/"}}, way...)
}

// kindCrumbs is the path to a page about an item of a kind.
func kindCrumbs(frame *page.Frame, k *content.Kind, more ...page.Link) []page.Link {
	return append(crumbs(frame, page.Link{Title: k.Title, Href: frame.Root + k.Path}), more...)
}

// formats links the other media types of a resource. Browsers prefer pages, so the links have
// the parameter format.
func formats(frame *page.Frame, path string, q url.Values, types ...string) (all []page.Format) {
	for _, t := range types {
		f := page.Format{Title: "JSON", Type: t}
		if t == api.MarkdownType {
			f.Title = "Markdown"
		}
		query := url.Values{FormatParameter: {strings.ToLower(f.Title)}}
		maps.Copy(query, q)
		f.Href = frame.Root + path + "?" + query.Encode()
		all = append(all, f)
	}
	return all
}

// parameters are the parameters that have a value.
func parameters(all map[string]string) url.Values {
	q := url.Values{}
	for name, value := range all {
		if value != "" {
			q.Set(name, value)
		}
	}
	return q
}

// address is a path with a query, if there is one.
func address(path string, q url.Values) string {
	if len(q) == 0 {
		return path
	}
	return path + "?" + q.Encode()
}

// nonDefault is a number as a parameter, "" if it is the default.
func nonDefault(n, standard int) string {
	if n == standard {
		return ""
	}
	return strconv.Itoa(n)
}

// FormatParameter is the parameter for links on pages that selects another media type than the
// Accept header.
const FormatParameter = "format"

// pager links the previous and the next part of a list, if they exist; most is the length of a part.
func pager(at func(offset int) string, most, from, shown, all int) (p page.Pager) {
	if shown == 0 && all > 0 {
		p.First = at(0)
	}
	if from > 0 {
		p.Newer = at(max(0, from-most))
	}
	if from+shown < all {
		p.Older = at(from + shown)
	}
	if p != (page.Pager{}) {
		p.From, p.To, p.Total = from+1, from+shown, all
	}
	return p
}

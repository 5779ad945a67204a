package server

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/site"
)

// problemPage is a problem with its remedies, which its template says by the status.
type problemPage struct {
	html.Head
	problem
	Told   []html.Link // the detail; an address may be ""
	Faults []html.FieldFault
	Like   []html.Link // what may have been meant
	Advice []html.Link // what to do besides; an address may be ""
	Other  bool        // that is all there is to do
	Query  string      // text for a search
}

// page is the page of a problem. h are the headers of the response.
func (p problem) page(s *site.Site, r *http.Request, h http.Header) problemPage {
	path, root := r.URL.EscapedPath(), s.Root()
	out := problemPage{
		Head: html.Head{
			Title: p.Title, Path: path, Searches: true,
			Crumbs: []html.Link{{Title: "Главная", Href: root + "/"}},
		},
		problem: p, Told: html.Linked(cmp.Or(p.pageDetail, p.Detail), s.URL(""), root),
		Like: html.Links(s, p.similar),
	}
	if p.Status == http.StatusNotFound {
		out.Query = searchWords(r.URL.Path)
		out.Advice = html.Links(s, s.OtherVersions(p.item))
	}
	if out.Other = out.Advice != nil; !out.Other {
		out.Advice = p.advice(s, r, h)
	}
	for i, e := range p.Errors {
		name, err := url.PathUnescape(strings.TrimPrefix(e.Pointer, "/query/"))
		if err != nil {
			name = e.Pointer
		}
		fault := html.FieldFault{Title: p.parameterTitle(name), Name: name, Detail: e.Detail}
		if i == 0 || e.Hint != p.Errors[i-1].Hint { // else it is below the one before
			fault.Hint = html.Linked(e.Hint, s.URL(""), root)
		}
		out.Faults = append(out.Faults, fault)
	}
	return out
}

// parameterTitle returns the title of a parameter, "" if the request could have none of that name.
func (p problem) parameterTitle(name string) string {
	for _, param := range p.params {
		if param.Name == name {
			return param.Called()
		}
	}
	return ""
}

// requires reports whether a request without parameters would be an error too.
func (p problem) requires() bool {
	return slices.ContainsFunc(p.params, func(param *api.Param) bool {
		return param.Required || param == api.Shared("BriefSignals") // one of its two is needed
	})
}

// advice lists the remedies that depend on the request.
func (p problem) advice(s *site.Site, r *http.Request, h http.Header) (all []html.Link) {
	path := s.Root() + r.URL.EscapedPath()
	switch wait, id := h.Get("Retry-After"), h.Get("X-Request-Id"); {
	case p.Status == http.StatusBadRequest && r.URL.RawQuery != "" && !p.requires():
		all = append(all, html.Link{Title: "Исправьте параметры или откройте страницу без них", Href: path})
	case p.Status == http.StatusBadRequest && r.Method != http.MethodPost:
		all = append(all, html.Link{
			Title: "Посмотрите в описании интерфейса, какие параметры нужны этому адресу", Href: s.Root() + api.OpenAPIPath + ".yaml",
		})
	case p.Status == http.StatusNotAcceptable && slices.Contains(p.types, api.JSONType):
		asked := r.URL.Query()
		asked.Set(site.FormatParameter, "json")
		all = append(all, html.Link{Title: "Открыть как JSON", Href: path + "?" + asked.Encode()})
	case p.Gone != nil && p.Successor != "":
		all = append(
			all, html.Link{Title: "Читайте вместо неё: " + s.Title(p.Instead), Href: pageHref(s, p.Successor)},
		)
	case p.Status >= http.StatusInternalServerError && id != "":
		all = append(all, html.Link{Title: "Номер запроса: " + id})
	case wait != "":
		all = append(all, html.Link{Title: "Повторить можно через " + wait + " с."})
	}
	return all
}

// pageHref is an address of the service as a link in its pages.
func pageHref(s *site.Site, url string) string {
	return s.Root() + strings.TrimPrefix(url, s.URL(""))
}

// maxQuery is the maximum length of a query made of a path.
const maxQuery = 60

// searchWords returns the words of a wrong path to search for: its last name, or that of the item if it
// is the path of a version.
func searchWords(path string) string {
	path, _, _ = strings.Cut(path, "/versions")
	name := strings.TrimRight(path, "/")
	name = name[strings.LastIndexByte(name, '/')+1:]
	words := []rune(strings.ToValidUTF8(name, ""))
	return content.Printable(string(words[:min(len(words), maxQuery)]))
}

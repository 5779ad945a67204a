package server

import (
	"context"
	"net/http"
	"net/url"
	"strings"

	"rulestore/server/api"
	"rulestore/server/html"
	"rulestore/server/html/assets"
	"rulestore/server/site"
)

// prefersHTML reports whether the client prefers a page to what programs read, as browsers do. Without a
// preference it is a program.
func prefersHTML(h http.Header) bool {
	accept := h["Accept"]
	if len(accept) == 0 {
		return false
	}
	all := strings.Join(accept, ",")
	if !strings.Contains(strings.ToLower(all), api.HTMLType) {
		return false
	}
	page, _ := preferred(all, api.HTMLType)
	data, _ := preferred(all, api.JSONType)
	text, _ := preferred(all, api.MarkdownType)
	return page.above(data) && page.above(text)
}

// adaptForPage adapts the request of a browser: it gets the site that it is answered from, and loses the
// fields of a form that are empty.
func adaptForPage(r *http.Request, s *site.Site) *http.Request {
	r = r.WithContext(context.WithValue(r.Context(), siteKey{}, s))
	q, err := url.ParseQuery(r.URL.RawQuery)
	if err != nil || len(q) == 0 {
		return r
	}
	for name, values := range q {
		if len(values) == 1 && values[0] == "" {
			q.Del(name)
		}
	}
	return withQuery(r, q)
}

// formatTypes are the media types that an address can select, whatever the client accepts.
var formatTypes = map[string]string{"json": api.JSONType, "markdown": api.MarkdownType}

// applyFormat adapts a request whose address selects a media type: it accepts that type alone.
func applyFormat(r *http.Request) *http.Request {
	if !strings.Contains(r.URL.RawQuery, site.FormatParameter+"=") {
		return r
	}
	q, err := url.ParseQuery(r.URL.RawQuery)
	mediaType, ok := formatTypes[q.Get(site.FormatParameter)]
	if err != nil || !ok || len(q[site.FormatParameter]) > 1 {
		return r
	}
	q.Del(site.FormatParameter)
	r = withQuery(r, q)
	r.Header = r.Header.Clone()
	r.Header.Set("Accept", mediaType)
	return r
}

func withQuery(r *http.Request, q url.Values) *http.Request {
	changed, u := *r, *r.URL
	u.RawQuery = q.Encode()
	changed.URL = &u
	return &changed
}

// pageSite is the site of a request for a page, nil for other requests.
func pageSite(r *http.Request) *site.Site {
	s, _ := r.Context().Value(siteKey{}).(*site.Site)
	if s == nil || !prefersHTML(r.Header) {
		return nil
	}
	return s
}

// writePage answers with a page that must not be stored.
func writePage(w http.ResponseWriter, r *http.Request, status int, s *site.Site, p html.Shown) {
	w.Header().Set("Content-Security-Policy", assets.Policy)
	writeBody(w, r, status, api.HTMLType, html.Render(s, p))
}

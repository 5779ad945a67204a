package server

import (
	"net/http"
	"strings"

	"rulestore/server/clients"
	"rulestore/server/site"
)

// private is the writer of a response with drafts: it must not be stored, except by the browser of
// an author as the answer to a form, and pages of other origins must not read or embed it.
type private struct {
	http.ResponseWriter
	begun bool
}

// begin sets the headers of the response, whatever the handler has set.
func (p *private) begin() {
	if p.begun {
		return
	}
	p.begun = true
	h := p.Header()
	for name := range h {
		if strings.HasPrefix(name, "Access-Control-") {
			h.Del(name)
		}
	}
	if h.Get("Cache-Control") != ownBrowser {
		h.Set("Cache-Control", "no-store")
	}
	h.Set("Cross-Origin-Resource-Policy", "same-origin")
}

// WriteHeader implements http.ResponseWriter.
func (p *private) WriteHeader(status int) {
	p.begin()
	p.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (p *private) Write(b []byte) (int, error) {
	p.begin()
	return p.ResponseWriter.Write(b)
}

// Flush implements http.Flusher, for streams.
func (p *private) Flush() {
	p.begin()
	_ = http.NewResponseController(p.ResponseWriter).Flush()
}

// Unwrap gives http.ResponseController access to the underlying writer.
func (p *private) Unwrap() http.ResponseWriter { return p.ResponseWriter }

// servePrivate answers from a site with drafts, only to its own pages and to programs of their
// users.
func (h *handler) servePrivate(w http.ResponseWriter, r *http.Request, s *site.Site) {
	p := &private{ResponseWriter: w}
	defer p.begin() // for responses without a body
	defer h.rescue(p, r)
	base := s.URL("")
	switch {
	case !clients.OwnHost(r, clients.Host(base), h.Addr):
		problem{
			Status: http.StatusForbidden, Code: "foreign_host",
			Detail: "Черновики отдаются только под собственным адресом сервиса, а заголовок Host называет другой " +
				"узел. Если это адрес сервиса, назовите его при запуске: --base-url https://узел",
		}.write(p, r)
	case !ownOrigin(r, base):
		problem{
			Status: http.StatusForbidden, Code: "foreign_origin",
			Detail: "Черновики не отдаются страницам других сайтов. Откройте адрес в браузере или запросите его " +
				"программой.",
		}.write(p, r)
	default:
		h.answer(p, r, s)
	}
}

// ownOrigin reports whether a request is from a page of this service, from the address bar, a
// link, or not from a browser.
func ownOrigin(r *http.Request, base string) bool {
	origin := r.Header.Get("Origin")
	if origin == "null" && r.Header.Get("Sec-Fetch-Site") == "same-origin" { // a form of a page with no-referrer
		return true
	}
	if origin != "" {
		return clients.OwnOrigin(r, base)
	}
	switch r.Header.Get("Sec-Fetch-Site") {
	case "", "none", "same-origin":
		return true
	}
	return isRead(r) && r.Header.Get("Sec-Fetch-Mode") == "navigate" && r.Header.Get("Sec-Fetch-Dest") == "document"
}

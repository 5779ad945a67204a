package server

import (
	"net/http"

	"rulestore/server/site"
)

// writeBody writes a body made for one request, in a coding that the client accepts. It must not
// be stored, unless the header says otherwise already.
func writeBody(w http.ResponseWriter, r *http.Request, status int, mediaType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", site.ContentType(mediaType))
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	site.WriteCoded(w, r, status, body)
}

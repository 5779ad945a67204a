package server

import (
	"net/http"
	"strconv"
	"strings"

	"rulestore/server/site"
)

// writeBody writes a body made for one request, in a coding that the client accepts. It must not
// be stored, unless the header says otherwise already.
func writeBody(w http.ResponseWriter, r *http.Request, status int, mediaType string, body []byte) {
	h := w.Header()
	if strings.HasPrefix(mediaType, "text/") {
		mediaType += "; charset=utf-8"
	}
	h.Set("Content-Type", mediaType)
	if h.Get("Cache-Control") == "" {
		h.Set("Cache-Control", "no-store")
	}
	if i := site.CodingFor(r.Header); i >= 0 {
		if coded := site.Compress(body, i); coded != nil {
			h.Set("Content-Encoding", site.Encodings[i])
			body = coded
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}

package server

import (
	"net/http"
	"strings"

	"rulestore/server/api"
)

// feed answers with a feed of publications.
func (h *handler) feed(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	res := s.Feed(strings.TrimPrefix(r.URL.Path, api.FeedsPath))
	if res == nil {
		pathNotFoundProblem(s).write(w, r)
		return
	}
	if !parseQuery(r, nil).valid(w, r) {
		return
	}
	h.serve(w, r, s, res, false)
}

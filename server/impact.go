package server

import (
	"net/http"
	"strings"

	"rulestore/server/api"
)

// impact answers with the dependencies of an item or a calculation.
func (h *handler) impact(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	folder, name, _ := strings.Cut(strings.TrimPrefix(r.URL.Path, api.ImpactPath), "/")
	q := parseQuery(r, api.Of(api.ReadImpact, nil, ""))
	if !q.valid(w, r) {
		return
	}
	res, err := s.Impact(folder, name, q.get(api.Section.Name))
	h.serveResult(w, r, s, q, res, err)
}

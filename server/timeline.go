package server

import (
	"net/http"

	"rulestore/server/api"
	"rulestore/server/site"
)

// timeline answers with the history of an item, or of a section of it, and what applied on a day.
func (h *handler) timeline(w http.ResponseWriter, r *http.Request) {
	s := siteOf(r)
	item := itemAtPath(s, r, api.TimelinePath)
	if item == nil {
		pathNotFoundProblem(s).write(w, r)
		return
	}
	q := parseQuery(r, api.Of(api.ReadTimeline, nil, ""))
	asked := site.TimelineOf{
		Section: q.get(api.Section.Name), AsOf: q.get("as_of"), InForce: q.inForceOn(item.Kind),
		Offset: q.numbers["offset"],
	}
	if !q.valid(w, r) {
		return
	}
	res, err := s.Timeline(item, asked)
	h.serveResult(w, r, s, q, res, err)
}

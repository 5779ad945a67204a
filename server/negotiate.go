package server

import (
	"net/http"
	"strings"

	"rulestore/server/site"
)

// choose selects the representation that the client prefers (RFC 9110, section 12.5.1); of equal
// ones the first of the site. Without a valid Accept header it is the first; nil means that the
// client accepts none.
func choose(res *site.Resource, h http.Header) *site.Representation {
	accept := h["Accept"]
	first := res.Representations[0]
	if len(accept) == 0 || res.Static || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == first.Type) {
		return first
	}
	all := strings.Join(accept, ",")
	var best *site.Representation
	bestQ := 0.0
	for _, rep := range res.Representations {
		q, heard := quality(all, rep.Type)
		if !heard {
			return first
		}
		if q > bestQ {
			best, bestQ = rep, q
		}
	}
	return best
}

// quality returns the weight of the most specific range of an Accept header that includes a type,
// and whether the header has any range. It allocates no memory for the header, however long it is.
func quality(accept, mediaType string) (q float64, heard bool) {
	main, sub, _ := strings.Cut(mediaType, "/")
	specific := -1
	for more := true; more; {
		var element string
		element, accept, more = strings.Cut(accept, ",")
		r, ok := parseRange(element)
		if !ok {
			continue
		}
		heard = true
		level := -1
		switch {
		case r.main == main && r.sub == sub:
			level = 2
		case r.main == main && r.sub == "*":
			level = 1
		case r.main == "*":
			level = 0
		}
		if level > specific || level == specific && level >= 0 && r.q > q {
			q, specific = r.q, level
		}
	}
	return q, heard
}

// mediaRange is an element of an Accept header.
type mediaRange struct {
	main, sub string // "*" for any
	q         float64
}

// parseRange parses an element of an Accept header; a malformed one is ignored.
func parseRange(element string) (r mediaRange, ok bool) {
	mediaType, params, _ := strings.Cut(element, ";")
	r.main, r.sub, ok = strings.Cut(strings.ToLower(strings.TrimSpace(mediaType)), "/")
	if !ok || r.main == "" || r.sub == "" || r.main == "*" && r.sub != "*" {
		return r, false
	}
	r.q, ok = site.Weight(params)
	return r, ok
}

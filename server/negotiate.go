package server

import (
	"net/http"
	"strings"

	"rulestore/server/site"
)

// choose selects the representation that the client prefers (RFC 9110, section 12.5.1); of equal
// ones that which it named first, then the first of the site. Without a valid Accept header it is the
// first; nil means that the client accepts none.
func choose(res *site.Resource, h http.Header) *site.Representation {
	accept := h["Accept"]
	first := res.Representations[0]
	if len(accept) == 0 || res.Static || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == first.Type) {
		return first
	}
	all := strings.Join(accept, ",")
	var best *site.Representation
	var most preference
	for _, rep := range res.Representations {
		p, heard := preferred(all, rep.Type)
		if !heard {
			return first
		}
		if p.above(most) {
			best, most = rep, p
		}
	}
	return best
}

// preference is how much a client prefers a media type.
type preference struct {
	q  float64
	at int // the number of the range, in the order of the header
}

// above reports whether a client prefers p to another one, which the site prefers to it.
func (p preference) above(o preference) bool {
	return p.q > o.q || p.q == o.q && p.q > 0 && p.at < o.at
}

// preferred returns what the most specific range of an Accept header that includes a type says of it,
// and whether the header has any range. It allocates no memory for the header, however long it is.
func preferred(accept, mediaType string) (p preference, heard bool) {
	main, sub, _ := strings.Cut(mediaType, "/")
	specific := -1
	for at, more := 0, true; more; at++ {
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
		if level > specific || level == specific && level >= 0 && r.q > p.q {
			p, specific = preference{r.q, at}, level
		}
	}
	return p, heard
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

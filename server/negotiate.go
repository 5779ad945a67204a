package server

import (
	"net/http"
	"strconv"
	"strings"

	"rulestore/server/site"
)

// maxAccept is how much of an Accept header is read.
const maxAccept = 2048

// choose picks the representation that the client likes best (RFC 9110, section
// 12.5.1); the site's order decides between equals. Without an Accept header,
// or with one that says nothing intelligible, the first is taken; nil means
// that the client takes none of them.
func choose(res *site.Resource, h http.Header) *site.Representation {
	accept := h["Accept"]
	first := res.Representations[0]
	if len(accept) == 0 || res.Static || len(accept) == 1 && (accept[0] == "*/*" || accept[0] == first.Type) {
		return first
	}
	ranges := parseAccept(strings.Join(accept, ","))
	if len(ranges) == 0 {
		return first
	}
	var best *site.Representation
	bestQ := 0.0
	for _, rep := range res.Representations {
		if q := quality(ranges, rep.Type); q > bestQ {
			best, bestQ = rep, q
		}
	}
	return best
}

// mediaRange is one element of an Accept header.
type mediaRange struct {
	main, sub string // "*" for any
	q         float64
}

// parseAccept reads an Accept header; elements that are malformed are left out.
func parseAccept(s string) []mediaRange {
	var ranges []mediaRange
	for element := range strings.SplitSeq(s[:min(len(s), maxAccept)], ",") {
		mediaType, params, _ := strings.Cut(element, ";")
		main, sub, ok := strings.Cut(strings.ToLower(strings.TrimSpace(mediaType)), "/")
		if !ok || main == "" || sub == "" || main == "*" && sub != "*" {
			continue
		}
		q, ok := weight(params)
		if ok {
			ranges = append(ranges, mediaRange{main, sub, q})
		}
	}
	return ranges
}

// weight returns the q parameter, 1 if there is none.
func weight(params string) (q float64, ok bool) {
	for p := range strings.SplitSeq(params, ";") {
		name, value, _ := strings.Cut(strings.TrimSpace(p), "=")
		if !strings.EqualFold(strings.TrimSpace(name), "q") {
			continue
		}
		q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
		return q, err == nil && q >= 0 && q <= 1
	}
	return 1, true
}

// quality returns the weight of the most specific range that covers a type.
func quality(ranges []mediaRange, mediaType string) float64 {
	main, sub, _ := strings.Cut(mediaType, "/")
	q, specific := 0.0, -1
	for _, r := range ranges {
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
	return q
}

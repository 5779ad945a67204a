package server

import (
	"net/http"
	"strings"

	"rulestore/server/site"
)

// codingFor picks the content coding that the client takes and the site likes
// best, by its index in site.Encodings; -1 is none (RFC 9110, section 12.5.3).
func codingFor(h http.Header) int {
	accept, ok := h["Accept-Encoding"]
	if !ok {
		return -1
	}
	best, bestQ := -1, 0.0
	for i, coding := range site.Encodings {
		if q := codingQuality(accept, coding); q > bestQ {
			best, bestQ = i, q
		}
	}
	if best >= 0 && codingQuality(accept, "identity") > bestQ {
		return -1
	}
	return best
}

// codingQuality returns the weight that the header gives a coding: its own, else
// that of *. Identity without a weight of its own is taken when nothing else is.
func codingQuality(accept []string, coding string) float64 {
	any := 0.0
	for _, line := range accept {
		for element := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(element, ";")
			name = strings.TrimSpace(name)
			q, ok := weight(params)
			switch {
			case !ok:
			case strings.EqualFold(name, coding):
				return q
			case name == "*" && coding != "identity":
				any = q
			}
		}
	}
	return any
}

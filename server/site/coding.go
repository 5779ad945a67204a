package site

import (
	"net/http"
	"strconv"
	"strings"
)

// CodingFor selects the content coding that the client accepts and the site prefers, by its
// index in [Encodings]; -1 is none (RFC 9110, section 12.5.3).
func CodingFor(h http.Header) int {
	accept, ok := h["Accept-Encoding"]
	if !ok {
		return -1
	}
	best, bestQ := -1, 0.0
	for i, coding := range Encodings {
		if q := codingQuality(accept, coding); q > bestQ {
			best, bestQ = i, q
		}
	}
	if best >= 0 && codingQuality(accept, "identity") > bestQ {
		return -1
	}
	return best
}

// WriteCoded writes a body made for one request, in a coding that the client accepts.
func WriteCoded(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	if i := CodingFor(r.Header); i >= 0 {
		if coded := compress(body, i); coded != nil {
			h.Set("Content-Encoding", Encodings[i])
			body = coded
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}

// codingQuality returns the weight of a coding in the header: its own, else that of *.
// Identity without a weight is the last choice.
func codingQuality(accept []string, coding string) float64 {
	any := 0.0
	for _, line := range accept {
		for element := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(element, ";")
			name = strings.TrimSpace(name)
			q, ok := Weight(params)
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

// Weight returns the q parameter of an element of a header, 1 if there is none; it is not ok if
// the parameter is invalid (RFC 9110, section 12.4.2).
func Weight(params string) (q float64, ok bool) {
	for params != "" {
		var param string
		param, params, _ = strings.Cut(params, ";")
		name, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return q, err == nil && q >= 0 && q <= 1
		}
	}
	return 1, true
}

package observe

import (
	"crypto/rand"
	"net/http"
)

// exchange is a request being answered: the writer of its response, which
// remembers what was written.
type exchange struct {
	http.ResponseWriter
	route  *Route
	id     string
	status int
	bytes  int64
	in     representation
}

// WriteHeader implements http.ResponseWriter.
func (x *exchange) WriteHeader(status int) {
	if x.status == 0 && status >= http.StatusOK { // what comes before is no answer yet
		x.status = status
	}
	x.ResponseWriter.WriteHeader(status)
}

// Write implements http.ResponseWriter.
func (x *exchange) Write(p []byte) (int, error) {
	n, err := x.ResponseWriter.Write(p)
	x.bytes += int64(n)
	return n, err
}

// Flush implements http.Flusher, for streams.
func (x *exchange) Flush() { _ = http.NewResponseController(x.ResponseWriter).Flush() }

// Unwrap lets http.ResponseController reach what is underneath.
func (x *exchange) Unwrap() http.ResponseWriter { return x.ResponseWriter }

func (x *exchange) snapshot() string {
	if s := x.Header()["X-Snapshot"]; len(s) > 0 {
		return s[0]
	}
	return ""
}

// of returns the exchange that a response is written to, directly or through other
// writers, nil if it is not observed.
func of(w http.ResponseWriter) *exchange {
	for {
		if x, ok := w.(*exchange); ok {
			return x
		}
		outer, ok := w.(interface{ Unwrap() http.ResponseWriter })
		if !ok {
			return nil
		}
		w = outer.Unwrap()
	}
}

// Take sets the route of the request whose response is written to w.
func Take(w http.ResponseWriter, r *Route) {
	if x := of(w); x != nil && r != nil {
		x.route = r
	}
}

// As sets the media type of a response without a Content-Type, that is, a 304.
func As(w http.ResponseWriter, mediaType string) {
	if x := of(w); x != nil {
		x.in = representationOf(mediaType)
	}
}

// idHeader carries the name of a request through log lines of several programs.
const idHeader = "X-Request-Id"

// maxID is how long the name may be that a client gives.
const maxID = 128

// identify takes the name that the client gives the request, and repeats it in
// the response. A request without one, or with one that is no name, gets its own
// if it is going to be logged.
func (x *exchange) identify(r *http.Request, logged bool) {
	if given, ok := r.Header[idHeader]; ok && wellFormed(given[0]) {
		x.name(given[0])
	} else if logged {
		x.name(rand.Text())
	}
}

func (x *exchange) name(id string) {
	x.id = id
	x.Header()[idHeader] = []string{id}
}

// ID returns the id of the request whose response is written to w, for log entries. A request
// without one gets it now; the response includes it if its headers were not sent yet.
func ID(w http.ResponseWriter) string {
	x := of(w)
	if x == nil {
		return ""
	}
	if x.id == "" {
		x.name(rand.Text())
	}
	return x.id
}

// wellFormed reports whether a request id can be in a log and a header: it has only letters,
// digits and a few marks, like UUIDs, ULIDs and trace ids.
func wellFormed(id string) bool {
	if id == "" || len(id) > maxID {
		return false
	}
	for i := range len(id) {
		switch c := id[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9':
		case c == '-', c == '_', c == '.', c == ':', c == '/', c == '+', c == '=':
		default:
			return false
		}
	}
	return true
}

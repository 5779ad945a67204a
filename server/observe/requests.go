package observe

import (
	"iter"
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// Requests counts requests by route.
type Requests struct {
	mu        sync.Mutex
	routes    map[string]*Route
	unmatched *Route
	inFlight  atomic.Int64
}

// Unmatched is the pattern of requests without a route.
const Unmatched = "unmatched"

// NewRequests returns counters with value zero.
func NewRequests() *Requests {
	q := &Requests{routes: map[string]*Route{}}
	q.unmatched = q.Route(Unmatched)
	return q
}

// Route returns the counters of a route by its pattern, such as
// "/api/v1/guidelines/{guideline_id}". Patterns must be constants of the build and contain
// nothing from a request. A nil Requests returns a nil Route, which counts nothing.
func (q *Requests) Route(pattern string) *Route {
	if q == nil {
		return nil
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	r := q.routes[pattern]
	if r == nil {
		r = &Route{Pattern: pattern}
		q.routes[pattern] = r
	}
	return r
}

// Routes lists the routes by pattern.
func (q *Requests) Routes() []*Route {
	q.mu.Lock()
	defer q.mu.Unlock()
	return slices.SortedFunc(
		maps.Values(q.routes), func(a, b *Route) int { return strings.Compare(a.Pattern, b.Pattern) },
	)
}

// InFlight returns the number of requests in progress.
func (q *Requests) InFlight() int64 { return q.inFlight.Load() }

// Route counts the requests of one route.
type Route struct {
	Pattern string
	Latency Histogram

	counts [statusSlots][representationSlots]atomic.Uint64
	bytes  atomic.Uint64
}

// Bytes returns the size of all bodies sent, as they were sent.
func (r *Route) Bytes() uint64 { return r.bytes.Load() }

// Count is the number of requests with the same labels.
type Count struct {
	Status         string // "200"; "other" for one that the service does not send itself
	Representation string // "json", "markdown", …; "none" without a body
	Requests       uint64
}

// Counts lists the counters of a route that are not zero.
func (r *Route) Counts() iter.Seq[Count] {
	return func(yield func(Count) bool) {
		for s := range r.counts {
			for p := range r.counts[s] {
				n := r.counts[s][p].Load()
				if n > 0 && !yield(Count{statusName(s), representations[p], n}) {
					return
				}
			}
		}
	}
}

func (r *Route) count(status int, p representation, bytes int64, took time.Duration) {
	r.counts[statusSlot(status)][p].Add(1)
	r.bytes.Add(uint64(bytes))
	r.Latency.Observe(took)
}

// statuses are those that the service sends.
var statuses = [...]int{200, 202, 204, 304, 400, 401, 403, 404, 405, 406, 408, 410, 413, 414, 415, 422, 429, 500, 503}

const statusSlots = len(statuses) + 1 // the last one is for all others

// slots has the index in statuses by status.
var slots = func() (all [600]uint8) {
	for status := range all {
		all[status] = uint8(statusSlots - 1)
	}
	for i, status := range statuses {
		all[status] = uint8(i)
	}
	return all
}()

func statusSlot(status int) uint8 {
	if status < 0 || status >= len(slots) {
		return uint8(statusSlots - 1)
	}
	return slots[status]
}

func statusName(slot int) string {
	if slot == statusSlots-1 {
		return "other"
	}
	return strconv.Itoa(statuses[slot])
}

// representation is what an answer is written in.
type representation uint8

const (
	none representation = iota
	inJSON
	inMarkdown
	inHTML
	inText
	asProblem
	inOther
)

var representations = [...]string{
	none: "none", inJSON: "json", inMarkdown: "markdown", inHTML: "html", inText: "text", asProblem: "problem",
	inOther: "other",
}

const representationSlots = len(representations)

// representationOf classifies a media type, whatever its parameters.
func representationOf(mediaType string) representation {
	if mediaType == "application/json" {
		return inJSON
	}
	switch name, _, _ := strings.Cut(mediaType, ";"); name {
	case "":
		return none
	case "application/json":
		return inJSON
	case "text/markdown":
		return inMarkdown
	case "text/html":
		return inHTML
	case "text/plain":
		return inText
	case "application/problem+json":
		return asProblem
	}
	return inOther
}

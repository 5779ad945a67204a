package site

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"rulestore/content/crash"
	"rulestore/server/api"
)

// Encoder compresses bodies in the background: current items after each swap, others on first
// request. Until a coding is ready, [Encoder.EncodeForRequest] provides a larger one.
type Encoder struct {
	// Settled, if it is set before Run, is called by Run whenever all current items are
	// encoded.
	Settled func()
	// Crashed, if it is set before Run, is called for each panic. A body that cannot be encoded
	// is served without coding, and an item that cannot be analysed is not found by a search.
	Crashed func(error)

	sites chan *Site
	asked chan job

	mu       sync.Mutex
	retained []cacheEntry // not current, oldest first
	size     int          // of all of them
	limit    int          // of size
}

// cacheEntry is a completed job, with the size of the encoded body and of the body, which it keeps
// in memory even if no site refers to it any more.
type cacheEntry struct {
	job
	size int
}

type job struct {
	rep    *Representation
	coding int
}

const (
	// maxAsked is the maximum number of waiting bodies; others are served without coding and
	// scheduled by a later request.
	maxAsked = 256
	// maxKept is the maximum total size of kept bodies, in bytes.
	maxKept = 32 << 20
	// minEncoded is the size below which compressing does not pay.
	minEncoded = 512
	// maxEncodedNow is the size above which a body is not encoded for a second.
	maxEncodedNow = 256 << 10
)

// NewEncoder returns an encoder that works while [Encoder.Run] does.
func NewEncoder() *Encoder {
	return &Encoder{sites: make(chan *Site, 1), asked: make(chan job, maxAsked), limit: maxKept}
}

// Warm schedules preparing the search of a site and encoding its current versions. Only the
// newest site is prepared.
func (e *Encoder) Warm(s *Site) {
	for {
		select {
		case e.sites <- s:
			return
		case <-e.sites: // replaced by a newer site
		}
	}
}

// Run encodes until the context ends.
func (e *Encoder) Run(ctx context.Context) {
	var current []job
	settled := true
	for {
		if len(current) > 0 {
			select {
			case <-ctx.Done():
				return
			case s := <-e.sites:
				current = e.ready(s)
			case j := <-e.asked:
				e.keep(j)
			default:
				j := current[0]
				current = current[1:]
				e.encode(j)
			}
			continue
		}
		if !settled && e.Settled != nil {
			e.crashed(crash.Do(e.Settled))
		}
		settled = true
		select {
		case <-ctx.Done():
			return
		case s := <-e.sites:
			current, settled = e.ready(s), false
		case j := <-e.asked:
			e.keep(j)
		}
	}
}

// ready makes a site's search index, and returns the bodies to encode. It uses one processor,
// leaving the others to requests.
func (e *Encoder) ready(s *Site) []job {
	var lacking []error
	e.crashed(crash.Do(func() { lacking = s.Warm() }))
	for _, err := range lacking {
		e.crashed(err)
	}
	return s.unencoded()
}

// crashed reports a panic, if there was one; e may be nil.
func (e *Encoder) crashed(err error) {
	if err != nil && e != nil && e.Crashed != nil {
		e.Crashed(err)
	}
}

// encode does a job, and reports whether it did not panic: else it must not be repeated.
func (e *Encoder) encode(j job) bool {
	err := crash.Do(func() { j.rep.encode(j.coding) })
	if err != nil {
		j.rep.plain.Store(true)
		e.crashed(err)
	}
	return err == nil
}

// unencoded lists the unencoded bodies that a site serves to programs under unversioned paths.
func (s *Site) unencoded() []job {
	var jobs []job
	for coding := range slices.Backward(Encodings) { // the most widely accepted first
		for _, item := range s.Snapshot.Items {
			if item.Current == nil {
				continue
			}
			for _, rep := range s.entries[item.Current.Publication].resource.Representations {
				if rep.Type != api.HTMLType && rep.encodable() && rep.codings[coding].Load() == nil {
					jobs = append(jobs, job{rep, coding})
				}
			}
		}
	}
	return jobs
}

// keep encodes a requested body, and drops the oldest ones above the limit.
func (e *Encoder) keep(j job) {
	if j.rep.codings[j.coding].Load() != nil {
		return
	}
	if !e.encode(j) {
		return
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	k := cacheEntry{j, len(j.rep.codings[j.coding].Load().head) + len(j.rep.Body.Bytes)}
	e.retained = append(e.retained, k)
	e.size += k.size
	for e.size > e.limit {
		oldest := e.retained[0]
		e.retained[0] = cacheEntry{} // so that the array does not keep it alive
		e.retained = e.retained[1:]
		oldest.rep.codings[oldest.coding].Store(nil)
		e.size -= oldest.size
	}
}

// Encode returns the representation in a content coding, by its index in Encodings, with a time
// in TimeFormat; nil means that it is not ready, and schedules it.
func (e *Encoder) Encode(r *Representation, coding int, now string) *Coded {
	if e == nil {
		return nil
	}
	c := r.codings[coding].Load()
	switch _, ahead := tailOf(r.Body); {
	case c != nil && (ahead || c.now == now):
		return c
	case len(r.Body.Bytes) < minEncoded || r.plain.Load():
		return nil
	case !ahead:
		return e.encodeNow(r, coding, now)
	}
	select {
	case e.asked <- job{r, coding}:
	default: // the queue is full: a later request schedules it
	}
	return nil
}

// encodeNow encodes a body with several times, and keeps it for the current second. While one
// request does that, others get nil.
func (e *Encoder) encodeNow(r *Representation, coding int, now string) (c *Coded) {
	if len(r.Body.Bytes) > maxEncodedNow || !r.encoding.TryLock() {
		return nil
	}
	defer r.encoding.Unlock()
	if c = e.coded(r, coding, thorough, now); c != nil {
		c.now = now
		r.codings[coding].Store(c)
	}
	return c
}

// EncodeForRequest encodes a representation for one request; nil means to serve it without coding,
// because it does not become smaller enough or encoding panicked before. It may be called on
// nil.
func (e *Encoder) EncodeForRequest(r *Representation, coding int, now string) *Coded {
	if len(r.Body.Bytes) < minEncoded || r.plain.Load() {
		return nil
	}
	return e.coded(r, coding, quick, now)
}

// coded encodes a body with a time.
func (e *Encoder) coded(r *Representation, coding int, by map[string]*sync.Pool, now string) (c *Coded) {
	if err := crash.Do(func() { c = r.coded(coding, by, r.Body.Append(nil, now), nil) }); err != nil {
		r.plain.Store(true)
		e.crashed(err)
		return nil
	}
	return c
}

// Coded is a representation in one content coding.
type Coded struct {
	encoded
	tail    []byte   // the rest of the body, Blank and all
	now     string   // when head is true, if the time stands in it
	Headers []Header // of a response with status 200
}

// Append appends the encoded body to dst with a time in TimeFormat.
func (c *Coded) Append(dst []byte, now string) []byte {
	var buf [maxTail]byte
	tail := append(buf[:0], c.tail...)
	copy(tail, now)
	return c.append(dst, tail)
}

// encodable reports whether a representation can and should be encoded. If making its body
// panics, that is left to the encoding.
func (r *Representation) encodable() bool {
	if r.plain.Load() {
		return false
	}
	ok := true
	_ = crash.Do(func() {
		r.Ready()
		_, ok = tailOf(r.Body)
		ok = ok && len(r.Body.Bytes) >= minEncoded
	})
	return ok
}

// encode makes a coding.
func (r *Representation) encode(coding int) {
	tail, _ := tailOf(r.Ready().Body)
	r.codings[coding].Store(r.coded(coding, thorough, r.Body.Bytes[:tail], r.Body.Bytes[tail:]))
}

// coded encodes a body given in two parts, and adds the headers.
func (r *Representation) coded(coding int, by map[string]*sync.Pool, head, tail []byte) *Coded {
	c := &Coded{encoded: encode(Encodings[coding], by, head), tail: tail}
	length := strconv.Itoa(len(c.append(nil, tail)))
	for _, h := range r.Headers {
		if h.Name == "Content-Length" {
			h.Values = []string{length}
		}
		c.Headers = append(c.Headers, h)
	}
	c.Headers = append(c.Headers, Header{"Content-Encoding", []string{Encodings[coding]}})
	return c
}

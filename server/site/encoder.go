package site

import (
	"context"
	"slices"
	"strconv"
	"sync"

	"rulestore/content/crash"
	"rulestore/server/api"
)

// Encoder compresses bodies: of current items thoroughly after each swap, others quickly when they are asked for.
type Encoder struct {
	// Settled, if it is set before Run, is called by Run whenever all current items of a site are encoded.
	Settled func()
	// Crashed, if it is set before Run, is called for each panic. A body that cannot be encoded
	// is served without coding, and an item that cannot be analysed is not found by a search.
	Crashed func(error)

	sites chan *Site
	asked recent // by job
}

type job struct {
	rep    *Representation
	coding int
}

// minEncoded is the size below which compressing does not pay.
const minEncoded = 512

// NewEncoder returns an encoder that prepares sites while [Encoder.Run] does.
func NewEncoder() *Encoder { return &Encoder{sites: make(chan *Site, 1)} }

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

// Run prepares sites until the context ends. It uses one processor, leaving the others to requests.
func (e *Encoder) Run(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case s := <-e.sites:
			if e.prepare(ctx, s) && e.Settled != nil {
				e.crashed(crash.Do(e.Settled))
			}
		}
	}
}

// prepare makes a site's search index, and encodes its current versions. It reports whether it did all of that
// before the context ended or a newer site came.
func (e *Encoder) prepare(ctx context.Context, s *Site) bool {
	var lacking []error
	e.crashed(crash.Do(func() { lacking = s.Warm() }))
	for _, err := range lacking {
		e.crashed(err)
	}
	for _, j := range s.unencoded(e.crashed) {
		if ctx.Err() != nil || len(e.sites) > 0 {
			return false
		}
		tail, _ := tailOf(j.rep.Body)
		c := e.coded(j.rep, j.coding, thorough, j.rep.Body.Bytes[:tail], j.rep.Body.Bytes[tail:])
		j.rep.codings[j.coding].Store(c)
	}
	return true
}

// crashed reports a panic, if there was one; e may be nil.
func (e *Encoder) crashed(err error) {
	if err != nil && e != nil && e.Crashed != nil {
		e.Crashed(err)
	}
}

// unencoded lists the unencoded bodies that a site serves to programs under unversioned paths. It reports panics of
// making them.
func (s *Site) unencoded(crashed func(error)) []job {
	var jobs []job
	for coding := range slices.Backward(Encodings) { // the most widely accepted first
		for _, item := range s.Snapshot.Items {
			if item.Current == nil {
				continue
			}
			for _, rep := range s.entries[item.Current.Publication].resource.Representations {
				if rep.Type == api.HTMLType || rep.codings[coding].Load() != nil {
					continue
				}
				crashed(crash.Do(func() {
					if _, ahead := tailOf(rep.Ready().Body); ahead && rep.pays() {
						jobs = append(jobs, job{rep, coding})
					}
				}))
			}
		}
	}
	return jobs
}

// pays reports whether compressing a body pays; it does not if it panicked before.
func (r *Representation) pays() bool { return len(r.Body.Bytes) >= minEncoded && !r.plain.Load() }

// Encode returns a representation in a content coding, by its index in Encodings, with a time in TimeFormat; nil
// means to serve it without coding. What lasts beyond the request is cached. It may be called on nil.
func (e *Encoder) Encode(r *Representation, coding int, now string, lasting bool) *Coded {
	if c := r.codings[coding].Load(); c != nil {
		return c
	}
	switch tail, ahead := tailOf(r.Body); {
	case !r.pays():
		return nil
	case e == nil || !lasting || !ahead:
		return e.coded(r, coding, quick, r.Body.Append(nil, now), nil)
	default:
		return remembered(&e.asked, job{r, coding}, func() (*Coded, int) {
			c := e.coded(r, coding, quick, r.Body.Bytes[:tail], r.Body.Bytes[tail:])
			if c == nil {
				return nil, 0
			}
			return c, len(c.head) + len(r.Body.Bytes) // which it keeps in memory
		})
	}
}

// coded encodes a body given in two parts; nil if that panics.
func (e *Encoder) coded(
	r *Representation, coding int, by map[string]*sync.Pool, head, tail []byte,
) (c *Coded) {
	if err := crash.Do(func() { c = r.coded(coding, by, head, tail) }); err != nil {
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
	Headers []Header // of a response with status 200
}

// Append appends the encoded body to dst with a time in TimeFormat.
func (c *Coded) Append(dst []byte, now string) []byte {
	var buf [maxTail]byte
	tail := append(buf[:0], c.tail...)
	copy(tail, now)
	return c.append(dst, tail)
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

package site

import (
	"bytes"
	"context"
	"fmt"
	"runtime"
	"strconv"
	"strings"
	"sync"
	"testing"
	"time"
	"weak"

	"rulestore/content"
	"rulestore/server/api"
)

const (
	now   = "2026-11-20T12:00:00Z"
	later = "2026-11-20T12:00:01Z"
)

// running returns an encoder at work for as long as the test runs.
func running(t *testing.T) *Encoder {
	e := NewEncoder()
	run(t, e)
	return e
}

func run(t *testing.T, e *Encoder) {
	ctx, cancel := context.WithCancel(context.Background())
	var wg sync.WaitGroup
	wg.Go(func() { e.Run(ctx) })
	t.Cleanup(func() {
		cancel()
		wg.Wait() // it ends with its context
	})
}

// eventually waits until something is so.
func eventually(t *testing.T, what string, is func() bool) {
	t.Helper()
	for deadline := time.Now().Add(time.Minute); !is(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not in time: %s", what)
		}
	}
}

// coded asks for a coding until it is ready.
func coded(t *testing.T, e *Encoder, r *Representation, coding int) (c *Coded) {
	t.Helper()
	eventually(t, Encodings[coding], func() bool {
		c = e.Encode(r, coding, now)
		return c != nil
	})
	return c
}

// checkCoded says whether a coding is the body, with a length and headers that
// are right.
func checkCoded(t *testing.T, r *Representation, coding int, c *Coded, at string) {
	t.Helper()
	sent := c.Append([]byte("before "), at)[len("before "):]
	if got, want := decode(t, Encodings[coding], sent), r.Body.Append(nil, at); !bytes.Equal(got, want) {
		t.Errorf("%s: %d bytes came back of %d\n%.300s", Encodings[coding], len(got), len(want), got)
	}
	if len(sent) >= len(r.Body.Bytes) {
		t.Errorf("%s: %d bytes in place of %d", Encodings[coding], len(sent), len(r.Body.Bytes))
	}
	want := map[string]string{"Content-Length": strconv.Itoa(len(sent)), "Content-Encoding": Encodings[coding]}
	for _, h := range r.Headers {
		if h.Name != "Content-Length" {
			want[h.Name] = fmt.Sprint(h.Values)
		}
	}
	for _, h := range c.Headers {
		if w := want[h.Name]; w != fmt.Sprint(h.Values) && w != h.Values[0] {
			t.Errorf("%s: %s is %q, want %s", Encodings[coding], h.Name, h.Values, w)
		}
		delete(want, h.Name)
	}
	if len(want) > 0 {
		t.Errorf("%s: no headers %v", Encodings[coding], want)
	}
}

// After a swap all that is current is encoded, once, and nothing else.
func TestWarm(t *testing.T) {
	t.Parallel()
	kinds := lastKinds()
	s := Build(nil, kinds, config)
	e := running(t)
	e.Warm(s)
	eventually(t, "all that is current", func() bool { return len(s.unencoded()) == 0 })
	for _, item := range s.Snapshot.Items {
		for _, entry := range item.Entries {
			for _, r := range s.entries[entry.Publication].resource.Representations {
				for coding := range Encodings {
					c := r.codings[coding].Load()
					if due := r.Type != api.HTMLType && entry == item.Current &&
						len(r.Ready().Body.Bytes) >= minEncoded; due != (c != nil) {
						t.Fatalf("%s %s in %s: due is %v, encoded is %v", entry.Tag(), r.Type,
							Encodings[coding], due, c != nil)
					}
					if c != nil {
						checkCoded(t, r, coding, c, later)
					}
				}
			}
		}
	}
	// The paths that lead to a version share what is encoded.
	for _, path := range []string{"/api/v1/guidelines/fraud.code.001", "/guidelines/fraud.code.001/current.json",
		"/api/v1/fraud/signals", "/instructions/assistant.md"} {
		r := s.Lookup(path).Representations[0]
		if c := r.codings[0].Load(); c == nil || e.Encode(r, 0, now) != c {
			t.Errorf("%s is not encoded", path)
		}
	}
	// What a swap does not change stays encoded.
	next := Build(s, kinds, config)
	if jobs := next.unencoded(); len(jobs) > 0 {
		t.Errorf("%d bodies would be encoded again", len(jobs))
	}
}

// Run says when all that is current is encoded: once for a site, even if there was
// nothing to do, and not for what is asked for besides.
func TestSettled(t *testing.T) {
	t.Parallel()
	e, settled := NewEncoder(), make(chan int, 8)
	s := Build(nil, lastStore(), config)
	e.Settled = func() { settled <- len(s.unencoded()) }
	run(t, e)
	for range 2 {
		e.Warm(s)
		if left := <-settled; left > 0 {
			t.Errorf("%d bodies are not encoded", left)
		}
	}
	old := s.Lookup("/api/v1/guidelines/product.deposit.001/versions/1.0.0").Representations[0].Ready()
	old.codings[0].Store(nil)
	e.Encode(old, 0, now)
	eventually(t, "what was asked for", func() bool { return old.codings[0].Load() != nil })
	if len(settled) > 0 {
		t.Error("settled again without a site")
	}
}

// The newest site alone counts, and no swap waits for the encoder.
func TestWarmNeverWaits(t *testing.T) {
	e := NewEncoder()
	var sites []*Site
	for _, snapshot := range storeHistory() {
		s := Build(nil, snapshot, config)
		sites = append(sites, s)
		e.Warm(s)
	}
	if got := <-e.sites; got != sites[len(sites)-1] {
		t.Error("not the newest")
	}
}

// Who asks never waits: neither for an encoder that is busy, nor for one that is
// not there.
func TestAskingNeverWaits(t *testing.T) {
	s := Build(nil, lastStore(), config)
	e := NewEncoder() // and nobody runs it
	r := s.Lookup("/api/v1/guidelines/product.deposit.001/versions/1.0.0").Representations[0].Ready()
	for range 3 * maxAsked {
		if e.Encode(r, 0, now) != nil {
			t.Fatal("encoded by whom?")
		}
	}
	if len(e.asked) != maxAsked {
		t.Errorf("%d are waiting", len(e.asked))
	}
	var none *Encoder
	if none.Encode(r, 0, now) != nil {
		t.Error("encoded by nobody")
	}
	// When it comes to work, the many are one.
	run(t, e)
	checkCoded(t, r, 0, coded(t, e, r, 0), now)
	eventually(t, "the rest", func() bool { return len(e.asked) == 0 })
	e.mu.Lock()
	defer e.mu.Unlock()
	if len(e.retained) != 1 || e.size != len(r.codings[0].Load().head)+len(r.Body.Bytes) {
		t.Errorf("%d are kept, of %d bytes", len(e.retained), e.size)
	}
}

// What is not current is kept while there is room; the oldest goes, and comes
// back when it is asked for again.
func TestKeptWithinTheLimit(t *testing.T) {
	t.Parallel()
	var all []*content.Publication
	for version := range 12 {
		p := madeUp(1, version)
		p.ChangeNote = strings.Repeat("Новая редакция. ", 20)
		p.Text = content.Written{Object: p.Body().With("summary", content.String(strings.Repeat("слово ", 300)))}
		all = append(all, p)
	}
	s := Build(nil, content.NewSnapshot(input(all...)), config)
	var old []*Representation
	largest := 0
	for _, item := range s.Snapshot.Items {
		for _, entry := range item.Entries {
			if entry != item.Current {
				r := s.entries[entry.Publication].resource.Representations[0].Ready()
				old, largest = append(old, r), max(largest, len(r.Body.Bytes))
			}
		}
	}
	e := NewEncoder()
	e.limit = 5 * largest // with its coding it has room
	run(t, e)
	kept := func() (n int) {
		for _, r := range old {
			if c := r.codings[2].Load(); c != nil {
				n += len(c.head) + len(r.Body.Bytes)
			}
		}
		return n
	}
	for _, r := range old {
		coded(t, e, r, 2)
	}
	eventually(t, "letting go", func() bool { return kept() <= e.limit })
	if kept() == 0 || old[0].codings[2].Load() != nil || old[len(old)-1].codings[2].Load() == nil {
		t.Errorf("%d bytes are kept", kept())
	}
	checkCoded(t, old[0], 2, coded(t, e, old[0], 2), now)
	eventually(t, "letting go again", func() bool { return kept() <= e.limit })
	e.mu.Lock()
	size, jobs := e.size, len(e.retained)
	e.mu.Unlock()
	if size != kept() || jobs < 2 || jobs >= len(old) {
		t.Errorf("%d jobs of %d bytes, really %d", jobs, size, kept())
	}

	// What is larger than all the room is served as it is, and takes nothing along.
	e.mu.Lock()
	e.limit = 1
	e.mu.Unlock()
	e.Encode(old[0], 0, now)
	eventually(t, "letting go of everything", func() bool { return len(e.asked) == 0 && kept() == 0 })
}

// A coding that is kept keeps the body alive that it is of, long after the site is
// gone; so the limit is one of both, however well a body can be compressed.
func TestKeptWithTheirBodies(t *testing.T) {
	e := NewEncoder()
	e.limit = 1 << 20
	var all []weak.Pointer[Representation]
	for i := range 100 {
		r := represent(api.TextType, time.Time{}, nil, func() Body {
			return Body{Bytes: bytes.Repeat([]byte{byte(i)}, 64<<10)}
		})
		e.keep(job{r, i % len(Encodings)})
		all = append(all, weak.Make(r))
	}
	runtime.GC()
	runtime.GC()
	alive := 0
	for _, r := range all {
		if r.Value() != nil {
			alive++
		}
	}
	if most := e.limit / (64 << 10); alive == 0 || alive > most {
		t.Errorf("%d bodies are alive, of %d that the limit has room for", alive, most)
	}
	runtime.KeepAlive(e)
}

// A body in which the time stands in several places is encoded for the second
// in which it is true.
func TestEncodedForASecond(t *testing.T) {
	s := Build(nil, lastStore(), config)
	e := NewEncoder() // it needs nobody's work
	list := s.Lookup("/api/v1/guidelines").Representations[0].Ready()
	if len(list.Body.Stamps) < 5 {
		t.Fatalf("%d stamps", len(list.Body.Stamps))
	}
	for coding := range Encodings {
		c := e.Encode(list, coding, now)
		if c == nil {
			t.Fatal("not encoded")
		}
		checkCoded(t, list, coding, c, now)
		if e.Encode(list, coding, now) != c {
			t.Error("encoded twice for one second")
		}
		next := e.Encode(list, coding, later)
		if next == c || next == nil {
			t.Fatal("not encoded anew for the next second")
		}
		checkCoded(t, list, coding, next, later)
		// Who took it in its second may send it a moment later.
		if got := decode(t, Encodings[coding], c.Append(nil, later)); !bytes.Equal(got, list.Body.Append(nil, now)) {
			t.Error("a body of two times")
		}
	}
	// While one request encodes, others are served the body as it is.
	list.encoding.Lock()
	if e.Encode(list, 0, "2026-11-20T12:00:02Z") != nil {
		t.Error("nobody waited for the other")
	}
	list.encoding.Unlock()
	if len(e.asked) != 0 {
		t.Error("the encoder was asked")
	}
	huge := represent(api.JSONType, time.Time{}, nil, func() Body {
		var o object
		o.fetchedAt()
		o.text("text", string(bytes.Repeat([]byte("я"), maxEncodedNow)))
		o.fetchedAt()
		return o.end()
	}).Ready()
	if e.Encode(huge, 2, now) != nil {
		t.Error("a request encodes a huge body")
	}
}

// The time may be last but one, as long as it is near the end.
func TestTail(t *testing.T) {
	body := func(after int) Body {
		var o object
		o.text("text", "то, что сжимают")
		o.fetchedAt()
		o.text("rest", string(bytes.Repeat([]byte("r"), after)))
		return o.end()
	}
	for after, want := range map[int]bool{0: true, maxTail - len(Blank) - len(`","rest":""}`): true,
		maxTail - len(Blank) - len(`","rest":""}`) + 1: false, 1000: false} {
		b := body(after)
		at, ok := tailOf(b)
		if ok != want || ok && string(b.Bytes[at:at+len(Blank)]) != Blank {
			t.Errorf("%d bytes after the time: %d %v", after, at, ok)
		}
	}
	if at, ok := tailOf(Body{Bytes: []byte("text")}); !ok || at != 4 {
		t.Errorf("without a time: %d %v", at, ok)
	}
}

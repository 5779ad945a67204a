package site

import (
	"bytes"
	"context"
	"fmt"
	"strconv"
	"sync"
	"testing"
	"time"

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
	eventually(t, "all that is current", func() bool { return len(s.unencoded(func(error) {})) == 0 })
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
		if c := r.codings[0].Load(); c == nil || e.Encode(r, 0, now, true) != c {
			t.Errorf("%s is not encoded", path)
		}
	}
	// What a swap does not change stays encoded.
	next := Build(s, kinds, config)
	if jobs := next.unencoded(func(error) {}); len(jobs) > 0 {
		t.Errorf("%d bodies would be encoded again", len(jobs))
	}
}

// Run says when all that is current is encoded: once for a site, even if there was nothing to do.
func TestSettled(t *testing.T) {
	t.Parallel()
	e, settled := NewEncoder(), make(chan int, 8)
	s := Build(nil, lastStore(), config)
	e.Settled = func() { settled <- len(s.unencoded(func(error) {})) }
	run(t, e)
	for range 2 {
		e.Warm(s)
		if left := <-settled; left > 0 {
			t.Errorf("%d bodies are not encoded", left)
		}
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

// What lasts is encoded once when it is asked for, with or without an encoder at work, and kept within a limit with
// the bodies that it keeps alive.
func TestEncodedWhenAsked(t *testing.T) {
	s, e := Build(nil, lastStore(), config), NewEncoder()
	r := s.Lookup("/api/v1/guidelines/product.deposit.001/versions/1.0.0").Representations[0].Ready()
	for coding := range Encodings {
		c := e.Encode(r, coding, now, true)
		checkCoded(t, r, coding, c, later)
		if e.Encode(r, coding, later, true) != c {
			t.Error("encoded twice")
		}
		if once := e.Encode(r, coding, now, false); once == c || once == nil {
			t.Error("what was made for one request is not encoded for it alone")
		}
		checkCoded(t, r, coding, (*Encoder)(nil).Encode(r, coding, now, true), now)
	}
	for range 100 {
		large := new(Resource).addText(api.TextType, func() []byte { return bytes.Repeat([]byte("x"), maxCached/8) })
		e.Encode(large.Representations[0].Ready(), 0, now, true)
	}
	if e.asked.size > maxCached || len(e.asked.order) > 8 || len(e.asked.order) != len(e.asked.cached) {
		t.Errorf("%d are kept, of %d bytes", len(e.asked.order), e.asked.size)
	}
}

// A body in which the time stands in several places is encoded for each request.
func TestEncodedWithSeveralTimes(t *testing.T) {
	s, e := Build(nil, lastStore(), config), NewEncoder()
	list := s.Lookup("/api/v1/guidelines").Representations[0].Ready()
	if len(list.Body.Stamps) < 5 {
		t.Fatalf("%d stamps", len(list.Body.Stamps))
	}
	for coding := range Encodings {
		for _, at := range []string{now, later} {
			checkCoded(t, list, coding, e.Encode(list, coding, at, true), at)
		}
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

package site

import (
	"context"
	"strings"
	"sync"
	"testing"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/search"
)

// told collects crashes.
type told struct {
	mu  sync.Mutex
	all []error
}

func (c *told) add(err error) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.all = append(c.all, err)
}

func (c *told) count() int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return len(c.all)
}

// distinct are the errors that were told, each once.
func (c *told) distinct() map[error]bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	all := map[error]bool{}
	for _, err := range c.all {
		all[err] = true
	}
	return all
}

// jammed is a compressor with a defect.
type jammed struct{ compressor }

func (jammed) Write([]byte) (int, error) { panic("jammed") }

// A body that cannot be encoded is served as it is, is not tried again, and keeps
// nobody from being encoded.
func TestCrashingCompressor(t *testing.T) {
	for _, pools := range []map[string]*sync.Pool{thorough, quick} {
		sound := pools["br"]
		pools["br"] = &sync.Pool{New: func() any { return jammed{sound.Get().(compressor)} }}
		t.Cleanup(func() { pools["br"] = sound })
	}
	var crashes told
	e := NewEncoder()
	e.Crashed = crashes.add
	text := strings.Repeat("правило ", 1000)
	for name, stamps := range map[string][]int{"with a tail": {len(text) - len(Blank)}, "with many times": {0, 100}} {
		t.Run(name, func(t *testing.T) {
			before := crashes.count()
			body := func(stamps []int) *Representation {
				r := jsonResource(func() Body { return Body{Bytes: []byte(text), Stamps: stamps} })
				return r.Representations[0].Ready()
			}
			r := body(stamps)
			for range 3 {
				if e.Encode(r, 0, now, true) != nil || e.Encode(r, 0, now, false) != nil {
					t.Error("it is encoded")
				}
			}
			other, gzip := body(stamps[:1]), len(Encodings)-1
			checkCoded(t, other, gzip, e.Encode(other, gzip, now, true), now)
			if n := crashes.count() - before; n != 1 {
				t.Errorf("%d crashes", n)
			}
		})
	}
}

// A resource that cannot be made is a crash for whoever asks for it, always the same;
// everything else of the site is encoded and found.
func TestCrashingRepresentation(t *testing.T) {
	t.Parallel()
	kinds := lastKinds()
	s := Build(nil, kinds, config)
	var broken *Representation
	for _, item := range s.Snapshot.Items {
		if item.Current != nil {
			broken = s.entries[item.Current.Publication].resource.Representations[0]
			break
		}
	}
	broken.make.Store(new(func() Prepared { panic("a defect") }))
	var crashes told
	e := NewEncoder()
	e.Crashed = crashes.add
	settled := make(chan bool, 1)
	e.Settled = func() { settled <- true; panic("and another") }
	run(t, e)
	e.Warm(s)
	<-settled
	if left := s.unencoded(func(error) {}); len(left) != 0 {
		t.Errorf("%d jobs are left", len(left))
	}
	var first error
	for range 3 {
		err := crash.Do(func() { broken.Ready() })
		if first == nil {
			first = err
		}
		if err == nil || err != first {
			t.Errorf("%v after %v", err, first)
		}
	}
	eventually(t, "both crashes", func() bool { return len(crashes.distinct()) > 1 }) // one may be told twice
	if all := crashes.distinct(); len(all) != 2 || !all[first] {
		t.Errorf("%v", all)
	}
}

// explosive is a text that panics once it is armed.
type explosive struct {
	content.Text
	armed *bool
}

func (e explosive) Body() content.Object {
	if *e.armed {
		panic("a defect")
	}
	return e.Text.Body()
}

// An item that cannot be analysed is not found, and the others are.
func TestCrashingAnalysis(t *testing.T) {
	t.Parallel()
	armed := false
	var all []*content.Publication
	for _, item := range lastKinds().Items {
		for _, e := range item.Entries {
			p := *e.Publication
			if p.Name == "fraud.code.001" {
				p.Text = explosive{p.Text, &armed}
			}
			all = append(all, &p)
		}
	}
	s := Build(nil, content.NewSnapshot(content.Input{Settings: lastKinds().Settings, Publications: all}), config)
	armed = true
	lacking := s.Warm()
	if len(lacking) != 1 || lacking[0].Error() != "crashed: a defect" {
		t.Fatalf("%v", lacking)
	}
	result := string(s.Search(search.Query{Limit: 500}, HitView{}).Representations[0].Ready().Body.Bytes)
	if strings.Contains(result, `"id":"fraud.code.001"`) || !strings.Contains(result, `"scenario"`) {
		t.Errorf("%.2000s", result)
	}
}

// Where nothing can be found at all, whoever runs the encoder is told, and what is current is encoded all the same.
func TestCrashingIndex(t *testing.T) {
	t.Parallel()
	s := Build(nil, lastStore(), config)
	s.index = func() index { panic("a defect") }
	var crashes told
	e := NewEncoder()
	e.Crashed = crashes.add
	ctx, cancel := context.WithCancel(t.Context())
	e.Settled = cancel
	e.Warm(s)
	e.Run(ctx)
	if crashes.count() != 1 || len(s.unencoded(func(error) {})) != 0 {
		t.Errorf("%v, %d jobs left", crashes.all, len(s.unencoded(func(error) {})))
	}
}

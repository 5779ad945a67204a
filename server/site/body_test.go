package site

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

// Every place for the time is marked, and nothing else looks like one.
func TestStamps(t *testing.T) {
	s := Build(nil, storeHistory()[3], config)
	for path, r := range s.resources {
		for _, rep := range r.Representations {
			if !ofContent(path) {
				continue
			}
			b := rep.Ready().Body
			for _, at := range b.Stamps {
				if got := string(b.Bytes[at : at+len(Blank)]); got != Blank {
					t.Errorf("%s: %q at %d", path, got, at)
				}
			}
			if n := bytes.Count(b.Bytes, []byte(Blank)); n != len(b.Stamps) {
				t.Errorf("%s: %d blanks, %d places", path, n, len(b.Stamps))
			}
			if rep.Type == api.JSONType && !json.Valid(b.Bytes) {
				t.Errorf("%s is no JSON", path)
			}
		}
	}
}

// The time changes nothing but itself: not the length, not the tag, not what is
// kept.
func TestAppend(t *testing.T) {
	var inner, o object
	inner.fetchedAt()
	inner.text("a", "б")
	element := inner.end()
	o.fetchedAt()
	o.array("list", []Body{element, element})
	o.optional("nothing", "")
	o.time("never", time.Time{})
	b := o.end()
	tag := b.tag()
	const now, later = "2026-11-20T12:00:00Z", "2026-11-20T12:00:01Z"
	got := b.Append([]byte("before "), now)
	want := `before {"fetched_at":"` + now + `","list":[{"fetched_at":"` + now +
		`","a":"б"},{"fetched_at":"` + now + `","a":"б"}]}`
	if string(got) != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
	if next := b.Append(nil, later); len(next) != len(b.Bytes) || bytes.Contains(next, []byte(now)) || b.tag() != tag {
		t.Errorf("a second later: %s", next)
	}
	if time.Unix(0, 0).UTC().Format(TimeFormat) != "1970-01-01T00:00:00Z" || len(TimeFormat) != len(Blank) {
		t.Error("the time does not fit into its place")
	}
	var empty object
	if got := string(empty.end().Bytes); got != "{}" {
		t.Errorf("nothing is %s", got)
	}
}

// Whoever asks first makes a representation; all get the same.
func TestReadyOnce(t *testing.T) {
	made := 0
	r := jsonResource(func() Body {
		made++
		return Body{Bytes: []byte("{}")}
	}).Representations[0]
	var wg sync.WaitGroup
	for range 20 {
		wg.Go(func() {
			if r.Ready().ETag == "" {
				t.Error("not ready")
			}
		})
	}
	wg.Wait()
	if made != 1 {
		t.Errorf("made %d times", made)
	}
}

// What a list says of an item is what the item says of itself.
func TestSummaryAgreesWithItem(t *testing.T) {
	t.Parallel()
	s := Build(nil, lastKinds(), config)
	for _, k := range content.Kinds {
		if !k.List {
			continue
		}
		var list map[string]json.RawMessage
		if err := json.Unmarshal([]byte(text(t, s, k.Path)), &list); err != nil {
			t.Fatal(err)
		}
		var elements []content.Object
		if err := json.Unmarshal(list[k.Folder], &elements); err != nil || len(elements) == 0 {
			t.Fatal(k.Folder, err)
		}
		for _, e := range elements {
			var item content.Object
			if err := json.Unmarshal([]byte(text(t, s, strings.TrimPrefix(e.Text("canonical_url"), baseURL))),
				&item); err != nil {
				t.Fatal(err)
			}
			for _, m := range e {
				if string(item.Get(m.Name)) != string(m.Value) {
					t.Errorf("%s: %s is %s in the list, %s in the item", e.Text(k.ID), m.Name,
						m.Value, item.Get(m.Name))
				}
			}
		}
	}
}

// readObject reads a JSON object.
func readObject(raw []byte) (o content.Object) {
	_ = json.Unmarshal(raw, &o)
	return o
}

// The identity of what has a text besides is the members that say which version it is and where it came from.
func TestIdentity(t *testing.T) {
	const now = "2026-11-20T12:00:00Z"
	for _, snapshot := range []*content.Snapshot{lastStore(), lastKinds()} {
		s := Build(nil, snapshot, config)
		for _, path := range s.Paths() {
			r := s.Lookup(path)
			isPart := r.Name != "" || r.referenced != nil
			if !isPart || len(r.Representations) < 2 || strings.HasSuffix(path, "/versions") {
				continue
			}
			b := r.Representations[0].Ready().Body
			want := slices.DeleteFunc(readObject(b.Append(nil, now)), func(m content.Member) bool {
				return !identifying.MatchString(m.Name) || m.Value[0] == '{' || m.Value[0] == '['
			})
			if got := b.Identity(now); len(want) == 0 || string(got) != string(want.AppendJSON(nil)) {
				t.Errorf("%s: %s, want %s", path, got, want.AppendJSON(nil))
			}
		}
	}
}

// A page has the elements from one to before another as they stand in the list, and nothing else
// changes but next_offset, which follows the total.
func TestPage(t *testing.T) {
	const now = "2026-11-20T12:00:00Z"
	for n := range 4 {
		var all []Body
		for i := range n {
			var element object
			element.value("]", i)
			element.fetchedAt()
			all = append(all, element.end())
		}
		var o object
		o.text("item", "x")
		o.total(9)
		o.fetchedAt()
		o.elements("list", all)
		o.array("others", all)
		b := o.end()
		for from := range n + 1 {
			for to := from; to <= n; to++ {
				for _, next := range []int{0, 7} {
					want := readObject(b.Append(nil, now))
					var elements []json.RawMessage
					must(0, json.Unmarshal(want.Get("list"), &elements))
					for i := range want {
						if want[i].Name == "list" {
							want[i].Value, _ = json.Marshal(elements[from:to])
						}
					}
					if next > 0 {
						want = slices.Insert(want, 2, content.Member{Name: "next_offset", Value: []byte("7")})
					}
					if got := b.Page(from, to, next, now); string(got) != string(want.AppendJSON(nil)) {
						t.Errorf("%d to %d of %d: %s, want %s", from, to, n, got, want.AppendJSON(nil))
					}
				}
			}
		}
	}
}

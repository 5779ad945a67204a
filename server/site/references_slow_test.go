//go:build slow

package site

import (
	"bytes"
	"testing"
)

// Who names a thing changes what is said of it, and the validator of that; where it does
// not change, what was made is kept. What it is told from is of no account.
func TestNaming(t *testing.T) {
	history := starterHistory()
	before, changed := Build(nil, history[0], config), 0
	before.Warm()
	for _, snapshot := range history[1:] {
		after := Build(before, snapshot, config)
		after.Warm()
		alone := Build(nil, snapshot, config)
		for path, r := range after.resources {
			if r.referenced == nil {
				continue
			}
			now := after.Lookup(path)
			if !same(now, alone.Lookup(path)) {
				t.Fatalf("%s: another answer after a swap", path)
			}
			if r != before.resources[path] {
				continue
			}
			was := before.Lookup(path)
			alike := bytes.Equal(jsonOf(now), jsonOf(was))
			if tagOf(now) == tagOf(was) != alike || now == was != alike {
				t.Errorf("%s: alike %v, by the tag %v, kept %v", path, alike, tagOf(now) == tagOf(was), now == was)
			}
			if !alike {
				changed++
			}
		}
		before = after
	}
	if changed == 0 {
		t.Error("nothing was ever named by something new")
	}
}

func jsonOf(r *Resource) []byte { return r.Representations[0].Ready().Body.Bytes }

func tagOf(r *Resource) string { return r.Representations[0].Ready().ETag }

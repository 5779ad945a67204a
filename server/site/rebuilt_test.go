package site

import (
	"slices"
	"testing"

	"rulestore/content"
)

// histories are some: in the last commits of these versions are marked.
var histories = map[string]func() []*content.Snapshot{"store": storeHistory, "kinds": kindsHistory}

// A site made from the one before is the site made from nothing, byte for byte.
func TestRebuiltIsBuilt(t *testing.T) {
	for name, snapshots := range histories {
		snapshots := snapshots()
		fresh := fresh(snapshots)
		var s *Site
		for n, snapshot := range snapshots {
			s = Build(s, snapshot, config)
			fresh := fresh[n]
			if s.ID != fresh.ID || len(s.resources) != len(fresh.resources) {
				t.Errorf("%s %d: %s with %d paths, from nothing %s with %d", name, n, s.ID, len(s.resources),
					fresh.ID, len(fresh.resources))
			}
			for path, r := range fresh.resources {
				if ofContent(path) && !same(s.resources[path], r) {
					t.Errorf("%s %d: %s differs from what is built from nothing", name, n, path)
				}
			}
		}
		for n := range slices.Backward(snapshots) { // publications may also go away
			s = Build(s, snapshots[n], config)
			for path, r := range fresh[n].resources {
				if ofContent(path) && !same(s.resources[path], r) {
					t.Errorf("%s back to %d: %s differs from what is built from nothing", name, n, path)
				}
			}
		}
	}
}

// What a rebuild changes is made anew; most of what it does not change is taken over.
func TestReuse(t *testing.T) {
	for name, snapshots := range histories {
		snapshots := snapshots()
		fresh := fresh(snapshots)
		for n := range len(snapshots) - 1 {
			before, fresh := fresh[n], fresh[n+1]
			after := Build(before, snapshots[n+1], config)
			kept, made := 0, 0
			for path, r := range after.resources {
				old := before.resources[path]
				if !ofItem(after, path) || old == nil || !r.answers() {
					continue
				}
				if r == old {
					kept++
				} else {
					made++
				}
				if r == old && !same(old, fresh.resources[path]) {
					t.Errorf("%s %d: %s changed and is taken over", name, n, path)
				}
			}
			if kept == 0 || name == "store" && made == 0 {
				t.Errorf("%s %d: %d resources kept, %d made", name, n, kept, made)
			}
		}
	}
}

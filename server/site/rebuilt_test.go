package site

import (
	"slices"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
)

// histories are some: in the last commits of these versions are marked.
var histories = map[string]func() []*content.Snapshot{"store": storeHistory, "kinds": kindsHistory}

// sampled leaves most pages for people out: they are many, alike, and rendering
// them takes long.
func sampled(path string, r *Resource) *Resource {
	if r == nil || len(path)%6 == 0 {
		return r
	}
	data := *r
	data.Representations = slices.DeleteFunc(slices.Clone(r.Representations),
		func(rep *Representation) bool { return rep.Type == api.HTMLType })
	return &data
}

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
				if ofContent(path) && !same(sampled(path, s.resources[path]), sampled(path, r)) {
					t.Errorf("%s %d: %s differs from what is built from nothing", name, n, path)
				}
			}
			compareTables(t, s, fresh)
		}
		for n := range slices.Backward(snapshots) { // publications may also go away
			s = Build(s, snapshots[n], config)
			for path, r := range fresh[n].resources {
				if ofContent(path) && !same(sampled(path, s.resources[path]), sampled(path, r)) {
					t.Errorf("%s back to %d: %s differs from what is built from nothing", name, n, path)
				}
			}
		}
	}
}

// compareTables looks at what is made for a request of what a site took over: the
// records of registries in an order.
func compareTables(t *testing.T, s, fresh *Site) {
	t.Helper()
	for _, item := range s.Snapshot.Items {
		order := s.SortFields(item)
		if order == nil {
			continue
		}
		v := View{Sort: order[0]}
		other := fresh.Snapshot.Item(item.Kind, item.Name)
		if !same(s.Records(item.Current, v), fresh.Records(other.Current, v)) {
			t.Errorf("the records of %s in the order of %s differ from what is built from nothing", item.ID(), v.Sort)
		}
	}
}

// What a rebuild changes is made anew, and what it does not change is taken over
// as it is: the very same resources.
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
				if unchanged := same(old, fresh.resources[path]); unchanged != (r == old) {
					t.Errorf("%s %d: %s: unchanged is %v, taken over is %v", name, n, path, unchanged, r == old)
				}
			}
			if kept == 0 || name == "store" && made == 0 {
				t.Errorf("%s %d: %d resources kept, %d made", name, n, kept, made)
			}
		}
	}
}

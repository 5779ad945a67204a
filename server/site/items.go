package site

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/page"
)

// itemPages is all that is served of an item. It is taken over from the site
// before if nothing of the item changed, so that a swap costs little for each item
// and nothing for each of its pages but to be found. Like [entryPages] it leads
// back to no site.
type itemPages struct {
	item     *content.Item // as it was when this was made
	frame    *page.Frame
	remarks  uint64    // what a preview says of its file
	waiting  uint64    // what is said of versions that are not served
	override *override // what overrides it, and what it overrides; nil: nothing
	entries  []*entryPages
	listed   *entryPages // what lists have of it, nil if nothing
	placed   []placed
}

// placed is a resource with its path.
type placed struct {
	path string
	*Resource
}

// addItems adds the items of the snapshot. Those of prev are in the same order.
func (s *Site) addItems(prev *Site) {
	var before []*itemPages
	if prev != nil {
		before = prev.items
	}
	s.items = make([]*itemPages, 0, len(s.Snapshot.Items))
	for _, item := range s.Snapshot.Items {
		for len(before) > 0 && content.CompareItems(before[0].item, item) < 0 {
			before = before[1:]
		}
		if len(before) > 0 && before[0].same(s, item) && (s.titled == prev.titled || before[0].holds(s.titled)) {
			s.takeOver(before[0])
		} else {
			s.addItem(prev, item)
		}
	}
}

// same says whether an item is served by s as it was. An output schema has the
// codes of registries in it, so its versions are looked at one by one.
func (p *itemPages) same(s *Site, item *content.Item) bool {
	return !s.relogged[item.ID()] && p.item.Kind == item.Kind && p.item.Name == item.Name &&
		item.Kind != content.OutputSchemas && p.frame == s.frame && p.waiting == sumOf(s.waiting[item.ID()]) &&
		p.remarks == remarksOf(s.manuscripts[item.ID()]) &&
		publication(p.item.Current) == publication(item.Current) && p.override == s.overrides[item.ID()] &&
		slices.EqualFunc(p.item.Entries, item.Entries, sameEntry)
}

// holds reports whether no page says what is called otherwise now.
func (p *itemPages) holds(now *titled) bool {
	all := true
	for _, e := range p.entries {
		all = e.quoted.holds(now) && all
	}
	for _, r := range p.placed {
		all = r.holds(now) && all
	}
	return all
}

// sameEntry says whether a version stands as it did: its neighbours follow from
// the versions of the item.
func sameEntry(a, b *content.Entry) bool {
	return a.Publication == b.Publication && a.Status == b.Status && a.Reason == b.Reason && a.Since == b.Since &&
		a.ReplacedBy == b.ReplacedBy && a.ModifiedAt.Equal(b.ModifiedAt)
}

// takeOver adds an item as it was.
func (s *Site) takeOver(own *itemPages) {
	s.items = append(s.items, own)
	for _, p := range own.entries {
		s.entries[p.entry.Publication] = p
	}
	for _, p := range own.placed {
		s.resources[p.path] = p.Resource
	}
	s.list(own)
}

func (s *Site) list(own *itemPages) {
	if own.listed != nil {
		s.lists[own.item.Kind] = append(s.lists[own.item.Kind], own.listed)
	}
}

func (s *Site) place(own *itemPages, path string, r *Resource) {
	s.resources[path] = r
	own.placed = append(own.placed, placed{path, r})
}

// addItem adds everything under the item's path.
func (s *Site) addItem(prev *Site, item *content.Item) {
	own := &itemPages{
		item: item, frame: s.frame, remarks: remarksOf(s.manuscripts[item.ID()]), waiting: sumOf(s.waiting[item.ID()]),
		override: s.overrides[item.ID()],
	}
	s.items = append(s.items, own)
	base := item.Kind.ItemPath(item.Name)
	versions := versionsOf(item) ^ own.waiting
	for _, e := range item.Entries {
		pages := s.pages(prev, item, e, versions)
		s.entries[e.Publication] = pages
		own.entries = append(own.entries, pages)
		s.place(own, pages.path, pages.resource)
		s.addJSONSchema(prev, own, e)
		if e == item.Current && e.Status != content.Archived {
			own.listed = pages
		}
	}
	s.list(own)
	if !s.relogged[item.ID()] && s.sameVersions(prev, item.Entries[0]) {
		s.place(own, base+"/versions", prev.resources[base+"/versions"])
	} else {
		s.place(own, base+"/versions", s.versions(item))
	}
	s.addUnversioned(prev, own, base)
	s.addPeriods(own, base)
}

// sameVersions says whether the versions of an item stand as they did in prev; the
// highest is enough to tell.
func (s *Site) sameVersions(prev *Site, highest *content.Entry) bool {
	if prev == nil || prev.entries[highest.Publication] == nil {
		return false
	}
	if prev.entries[highest.Publication].seen.override != s.entries[highest.Publication].seen.override {
		return false
	}
	old, now := prev.entries[highest.Publication].around, s.entries[highest.Publication].around
	return old.frame == now.frame && old.history == now.history
}

// addUnversioned adds what is at the paths that name no version: the current one
// or, where there is none, the notice that the highest was redacted. Otherwise
// only a day can be asked for.
func (s *Site) addUnversioned(prev *Site, own *itemPages, base string) {
	item := own.item
	e := item.Current
	if e == nil {
		e = item.Entries[0]
		if e.Status != content.Redacted {
			s.place(own, base, new(Resource).bare(item))
			return
		}
	}
	r := s.entries[e.Publication].bare
	s.place(own, base, r)
	if item.Current != nil {
		s.addRecords(prev, own, base)
	}
	if item.Kind.Static == "" {
		return
	}
	for ext, mediaType := range map[string]string{".json": jsonType, ".md": markdownType} {
		path := strings.ReplaceAll(item.Kind.Static, "{name}", item.Name) + ext
		static := r.only(mediaType)
		if prev != nil && prev.resources[path].isSame(static) {
			static = prev.resources[path]
		}
		s.place(own, path, static)
	}
}

package site

import (
	"slices"

	"rulestore/content"
	"rulestore/server/api"
)

// preparedItem is what is served of an item. It is taken over from the previous site if nothing of
// the item changed, so that a swap is cheap. Like [preparedVersion] it has no reference to a site.
type preparedItem struct {
	item    *content.Item // as of when this was made
	entries []*preparedVersion
	listed  *preparedVersion // the version in lists, nil if there is none
	placed  []placed
}

// placed is a resource with its path.
type placed struct {
	path string
	*Resource
}

// addItems adds the items of the snapshot. Those of prev are in the same order.
func (s *Site) addItems(prev *Site) {
	var old []*preparedItem
	if prev != nil {
		old = prev.items
	}
	s.items = make([]*preparedItem, 0, len(s.Snapshot.Items))
	for _, item := range s.Snapshot.Items {
		for len(old) > 0 && content.CompareItems(old[0].item, item) < 0 {
			old = old[1:]
		}
		if len(old) > 0 && old[0].same(s, item) {
			s.reuse(old[0])
		} else {
			s.addItem(prev, item)
		}
	}
}

// same reports whether s serves an item unchanged. An output schema contains the codes of
// registries, so its versions are compared one by one.
func (p *preparedItem) same(s *Site, item *content.Item) bool {
	return !s.relogged[item.ID()] && p.item.Kind == item.Kind && p.item.Name == item.Name &&
		item.Kind != content.OutputSchemas && publication(p.item.Current) == publication(item.Current) &&
		slices.EqualFunc(p.item.Entries, item.Entries, sameEntry)
}

// sameEntry reports whether a version is unchanged; its neighbours follow from the versions of the
// item.
func sameEntry(a, b *content.Entry) bool {
	return a.Publication == b.Publication && a.Status == b.Status && a.Reason == b.Reason && a.Since == b.Since &&
		a.ReplacedBy == b.ReplacedBy && a.ModifiedAt.Equal(b.ModifiedAt)
}

// reuse adds the pages of an unchanged item.
func (s *Site) reuse(own *preparedItem) {
	s.items = append(s.items, own)
	for _, p := range own.entries {
		s.entries[p.entry.Publication] = p
	}
	for _, p := range own.placed {
		s.resources[p.path] = p.Resource
	}
	s.list(own)
}

func (s *Site) list(own *preparedItem) {
	if own.listed != nil {
		s.lists[own.item.Kind] = append(s.lists[own.item.Kind], own.listed)
	}
}

func (s *Site) place(own *preparedItem, path string, r *Resource) {
	s.resources[path] = r
	own.placed = append(own.placed, placed{path, r})
}

// addItem adds everything under the item's path.
func (s *Site) addItem(prev *Site, item *content.Item) {
	own := &preparedItem{item: item}
	s.items = append(s.items, own)
	base := item.Kind.ItemPath(item.Name)
	for _, e := range item.Entries {
		pages := s.pages(prev, item, e)
		s.entries[e.Publication] = pages
		own.entries = append(own.entries, pages)
		s.place(own, pages.path, pages.resource)
		s.addJSONSchema(prev, own, e)
		if e == item.Current && e.Status != content.Archived {
			own.listed = pages
		}
	}
	s.list(own)
	s.place(own, base+"/versions", s.versions(item))
	s.addUnversioned(own, base)
	s.addPeriods(own, base)
}

// addUnversioned adds the resources at paths without a version: the current version or, if there
// is none, the notice that the highest was redacted, else a resource that only answers requests
// with a day.
func (s *Site) addUnversioned(own *preparedItem, base string) {
	item := own.item
	e := item.Current
	if e == nil {
		e = item.Entries[0]
		if e.Status != content.Redacted {
			s.place(own, base, new(Resource).unversioned(item))
			return
		}
	}
	r := s.entries[e.Publication].unversioned
	s.place(own, base, r)
	if item.Current != nil {
		s.addRecords(own, base)
	}
	if item.Kind.Static == "" {
		return
	}
	for ext, mediaType := range map[string]string{".json": api.JSONType, ".md": api.MarkdownType} {
		path := item.Kind.StaticPath(item.Name) + ext
		s.place(own, path, r.only(mediaType))
	}
}

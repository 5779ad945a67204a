package site

import (
	"cmp"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/server/page"
)

const (
	// maxNearby is how many things are named that may have been meant.
	maxNearby = 3
	// maxCompared is how many names a wrong one is compared with: of more only those count
	// that begin as it does.
	maxCompared = 2000
)

// Near lists the items of a kind whose names are similar to an unknown one.
func (s *Site) Near(k *content.Kind, name string) (all []page.Link) {
	var names []string
	for _, p := range s.lists[k] {
		names = append(names, p.entry.Name)
	}
	for _, near := range check.NearestFew(name, beginning(names, name), maxNearby) {
		all = append(all, page.Link{Title: s.Title(k.Folder + "/" + near), Href: s.frame.Root + k.ItemPath(near)})
	}
	return all
}

// NearRecord lists the records of the registry at a path whose codes are similar to an unknown
// one.
func (s *Site) NearRecord(path, code string) (all []page.Link) {
	res := s.Lookup(path)
	if res == nil || s.Snapshot.Item(res.Kind, res.Name).Current == nil {
		return nil
	}
	r := s.config.recordsOf(s.entries[s.Snapshot.Item(res.Kind, res.Name).Current.Publication])
	if r == nil {
		return nil
	}
	titles, ids := map[string]string{}, []string(nil)
	for _, o := range r.all {
		id := o.Text(r.field.Unique)
		titles[id], ids = title(o), append(ids, id)
	}
	for _, near := range check.NearestFew(code, beginning(ids, code), maxNearby) {
		all = append(all, page.Link{Title: cmp.Or(titles[near], near), Href: s.frame.Root + path + "/" + near})
	}
	return all
}

// Title returns the title of an item, folder and name; the name if it has no current version.
func (s *Site) Title(item string) string { return cmp.Or(s.titled.all[item].Title, item) }

// beginning leaves out names that do not begin as a word does, if there are many.
func beginning(names []string, word string) (some []string) {
	if len(names) <= maxCompared {
		return names
	}
	for _, n := range names {
		if len(some) < maxCompared && strings.HasPrefix(n, word[:min(len(word), 3)]) {
			some = append(some, n)
		}
	}
	return some
}

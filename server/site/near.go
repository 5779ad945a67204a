package site

import (
	"cmp"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/server/api"
)

const (
	// maxSimilar is the maximum number of suggestions.
	maxSimilar = 3
	// maxCompared is the maximum number of names compared with a wrong one; of more, only those
	// that begin like it.
	maxCompared = 2000
)

// SimilarItems lists the items of a kind whose names are similar to an unknown one.
func (s *Site) SimilarItems(k *content.Kind, name string) (all []Link) {
	var names []string
	for _, p := range s.lists[k] {
		names = append(names, p.entry.Name)
	}
	for _, similar := range check.NearestFew(name, withSamePrefix(names, name), maxSimilar) {
		all = append(all, Link{s.Title(k.Folder + "/" + similar), k.ItemPath(similar)})
	}
	return all
}

// SimilarRecords lists the records of the registry at a path whose codes are similar to an unknown
// one.
func (s *Site) SimilarRecords(path, code string) (all []Link) {
	res := s.Lookup(path)
	if res == nil {
		return nil
	}
	r := s.CurrentRecords(s.Snapshot.Item(res.Kind, res.Name))
	for _, similar := range check.NearestFew(code, withSamePrefix(r.codes(), code), maxSimilar) {
		all = append(all, Link{r.Title(r.find(similar)), path + "/" + similar})
	}
	return all
}

// SimilarCalculation returns the id of the calculation that is the most similar to an unknown one, "" if none is.
func (s *Site) SimilarCalculation(id string) string { return check.Nearest(id, api.Shared("ToolId").Allowed()) }

// OtherVersions returns links to the current version of an item, folder and name, and to the list of all;
// nil if there is no such item.
func (s *Site) OtherVersions(item string) (all []Link) {
	it := s.Snapshot.ItemByID(item)
	if it == nil {
		return nil
	}
	path := it.Kind.ItemPath(it.Name)
	if it.Current != nil {
		all = append(all, Link{"Открыть действующую версию: " + s.Title(item), path})
	}
	return append(all, Link{"Посмотреть все версии", path + "/versions"})
}

// Title returns the title of an item, folder and name; the name if it has no current version.
func (s *Site) Title(item string) string { return cmp.Or(s.titles()[item].Title, item) }

// withSamePrefix reduces a long list of names to those that begin like a word.
func withSamePrefix(names []string, word string) (some []string) {
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

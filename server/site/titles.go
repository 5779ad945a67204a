package site

import (
	"cmp"
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/server/api"
)

// titles are the titles and addresses of everything current: by target, as references name it, and by word,
// as texts do.
type titles map[string]Link

// readTitles reads the titles of the snapshot.
func (s *Site) readTitles() titles {
	all := make(titles, 3*len(s.Snapshot.Items))
	for tool := range s.Math.Tools() {
		l := Link{Title: tool.Title, Path: api.ToolsPath + tool.ID}
		all[ToolTarget(tool.ID)], all[wordTarget(tool.ID)] = l, l
	}
	for _, item := range s.Snapshot.Items {
		if item.Current != nil {
			_ = crash.Do(func() { s.readTitle(all, item.Current) }) // what cannot be read has no title
		}
	}
	return all
}

// readTitle adds the title of a current version and, of a registry, its codes.
func (s *Site) readTitle(all titles, e *content.Entry) {
	l := Link{Title: e.Body().Text("title"), Path: e.Kind.ItemPath(e.Name)}
	all[e.Item()] = l
	for _, word := range []string{wordTarget(e.ID()), wordTarget(e.Name)} {
		if _, tool := all[word]; !tool {
			all[word] = l
		}
	}
	if e.Kind == content.Registries {
		s.readCodes(all, e, l.Path)
	}
}

// readCodes adds the codes of a registry, whose page has a path.
func (s *Site) readCodes(all titles, e *content.Entry, base string) {
	for _, f := range s.format(e.Publication).Root().Fields {
		if f.Unique == "" {
			continue
		}
		for _, o := range readObjects(e.Body().Get(f.Name)) {
			id := o.Text(f.Unique)
			path := "#" + f.Name + "/" + url.PathEscape(id)
			if f.Records {
				path = "/" + url.PathEscape(id)
			}
			l := Link{Title: title(o), Path: base + path}
			all[e.Name+"/"+f.Name+"/"+id] = l
			if _, taken := all[codeTarget(id)]; taken {
				l = Link{} // a word of several records names none of them
			}
			all[codeTarget(id)] = l
		}
	}
}

// codeTarget is the target of a code in a text that does not say of which registry it is.
func codeTarget(code string) string { return "=" + code }

// Named returns the title and the path of a target: a current item by folder and name, a record by its list
// and code, or a calculation.
func (s *Site) Named(target string) (l Link, ok bool) {
	l, ok = s.titles()[target]
	return l, ok
}

// NamedWord returns those of what a word in a text names, and NamedCode of a code that does not say of which
// registry it is; not ok if there is none, or several.
func (s *Site) NamedWord(word string) (l Link, ok bool) { return s.Named(wordTarget(word)) }

// NamedCode is described at [Site.NamedWord].
func (s *Site) NamedCode(code string) (l Link, ok bool) {
	l = s.titles()[codeTarget(code)]
	return l, l.Path != ""
}

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
func (s *Site) SimilarCalculation(id string) string {
	return check.Nearest(id, api.Shared("ToolId").Allowed())
}

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

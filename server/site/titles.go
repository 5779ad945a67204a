package site

import (
	"encoding/json"
	"net/url"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/server/api"
)

// titles are the titles and addresses of everything current: by target, as references name it, and by word,
// as texts do.
type titles map[string]Link

// readTitles reads the titles of the snapshot.
func (s *Site) readTitles() titles {
	all := make(titles, 3*len(s.Snapshot.Items))
	for tool := range s.config.Math.Tools() {
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
	for _, f := range s.config.format(e.Publication).Root().Fields {
		var records []content.Object
		if f.Unique == "" || json.Unmarshal(orEmptyList(e.Body().Get(f.Name)), &records) != nil {
			continue
		}
		for _, o := range records {
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

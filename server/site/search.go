package site

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/search"
	"rulestore/server/page"
)

// SearchPath is where the current items are searched.
const SearchPath = "/api/v1/search"

var (
	// searched are the kinds whose items are found as a whole.
	searched = []*content.Kind{content.Guidelines, content.Instructions, content.Parameters}
	// recordKinds are the registries whose records are found one by one, with what
	// a record is called.
	recordKinds = map[string]string{"glossary": "term", "fraud-signals": "signal"}
)

// findable is something that a search can find.
type findable struct {
	entry   *search.Entry // as it was read; an index has it in its scenarios
	pages   *entryPages
	path    string
	partial bool // it is a record of the pages' registry
}

// findables lists what the pages of a current version give a search. It is made
// once, so that a swap costs what changed.
func (c Config) findables(p *entryPages) []findable {
	p.foundOnce.Do(func() {
		e := p.entry
		switch record := recordKinds[e.Name]; {
		case slices.Contains(searched, e.Kind):
			p.found = []findable{{entry: search.Analyse(document(e)), pages: p, path: e.Kind.ItemPath(e.Name)}}
		case e.Kind == content.Registries && record != "":
			p.found = c.recordFindables(p, record)
		}
	})
	return p.found
}

// tryFindables is findables of an item that may be more than that was made for: it is
// not found then, and the others are.
func (s *Site) tryFindables(p *entryPages) (all []findable, err error) {
	err = crash.Do(func() { all = s.config.findables(p) })
	return all, err
}

// document is an item as a search reads it.
func document(e *content.Entry) search.Document {
	var texts []string
	about := slices.IndexFunc(e.Body(), func(m content.Member) bool { return m.Name == "title" }) + 1
	for _, m := range e.Body()[about:] { // what comes before tells machines what it is
		texts = appendTexts(texts, m.Value)
	}
	signals := signalCodes(texts)
	return search.Document{
		Kind: e.Kind.Name, ID: e.ID(), Title: e.Body().Text("title"), Text: texts,
		Codes: append([]string{e.ID()}, signals...), Signals: signals,
		Scenarios: scenariosOf(e), ProductTypes: productTypes(e),
	}
}

// scenariosOf are those that an item names.
func scenariosOf(e *content.Entry) []string {
	if s := e.Body().Text("scenario"); s != "" {
		return []string{s}
	}
	var list []string
	if json.Unmarshal(e.Body().Get("scenarios"), &list) != nil {
		return nil
	}
	return list
}

func (c Config) recordFindables(p *entryPages, kind string) (all []findable) {
	r := c.recordsOf(p)
	if r == nil {
		return nil
	}
	base := p.entry.Kind.ItemPath(p.entry.Name)
	for _, record := range r.all {
		id := record.Text(r.field.Unique)
		d := search.Document{Kind: kind, ID: id, Title: title(record), Codes: []string{id}}
		for _, m := range record {
			switch m.Name {
			case r.field.Unique, "title", "term":
			case "synonyms":
				d.Codes = appendTexts(d.Codes, m.Value)
			default:
				d.Text = appendTexts(d.Text, m.Value)
			}
		}
		if kind == "signal" {
			d.Signals = []string{id}
		}
		all = append(all, findable{search.Analyse(d), p, base + "/" + id, true})
	}
	return all
}

func title(record content.Object) string {
	if t := record.Text("title"); t != "" {
		return t
	}
	return record.Text("term")
}

// appendTexts appends the strings of a JSON value, in order.
func appendTexts(texts []string, value json.RawMessage) []string {
	switch value[0] {
	case '"':
		var s string
		if json.Unmarshal(value, &s) == nil {
			texts = append(texts, s)
		}
	case '[':
		var elements []json.RawMessage
		if json.Unmarshal(value, &elements) == nil {
			for _, e := range elements {
				texts = appendTexts(texts, e)
			}
		}
	case '{':
		var o content.Object
		if json.Unmarshal(value, &o) == nil {
			for _, m := range o {
				texts = appendTexts(texts, m.Value)
			}
		}
	}
	return texts
}

var signalCode = regexp.MustCompile(`\b[A-Z][A-Z0-9]+(_[A-Z0-9]+)+\b`)

// signalCodes are the codes of signals that texts name.
func signalCodes(texts []string) []string {
	var codes []string
	for _, t := range texts {
		codes = append(codes, signalCode.FindAllString(t, -1)...)
	}
	slices.Sort(codes)
	return slices.Compact(codes)
}

// index is what a search looks in, and what it leads to.
type index struct {
	*search.Index
	found   map[*search.Entry]findable
	crashes []error // of what is left out
}

// indexOnce returns what makes the index when it is first asked for. If that crashes,
// so does whoever asks, with the same crash.
func (s *Site) indexOnce() func() index {
	var made once
	var x index
	return func() index {
		made.Do(func() { x = s.makeIndex() })
		return x
	}
}

// makeIndex makes the index of what is current.
func (s *Site) makeIndex() index {
	x := index{found: map[*search.Entry]findable{}}
	var entries []*search.Entry
	var synonyms [][]string
	belonging := s.belonging()
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			found, err := s.tryFindables(p)
			if err != nil {
				x.crashes = append(x.crashes, err)
			}
			for _, f := range found {
				entry := f.entry
				if scenarios := belonging[p.entry.Item()]; scenarios != nil {
					entry = entry.In(scenarios)
				}
				entries = append(entries, entry)
				x.found[entry] = f
			}
			if k == content.Registries && p.entry.Name == "glossary" {
				if err := crash.Do(func() { synonyms = s.config.synonyms(p) }); err != nil {
					x.crashes = append(x.crashes, err)
				}
			}
		}
	}
	x.Index = search.New(entries, synonyms)
	return x
}

// Warm makes what a swap does not wait for, so that no request has to: the index
// of the search. The errors are crashes that left something out.
func (s *Site) Warm() []error { return s.index().crashes }

// synonyms are the names of each term of the glossary.
func (c Config) synonyms(p *entryPages) (groups [][]string) {
	r := c.recordsOf(p)
	if r == nil {
		return nil
	}
	for _, record := range r.all {
		if names := appendTexts([]string{record.Text("term")}, orEmpty(record.Get("synonyms"))); len(names) > 1 {
			groups = append(groups, names)
		}
	}
	return groups
}

func orEmpty(value json.RawMessage) json.RawMessage {
	if value == nil {
		return json.RawMessage("[]")
	}
	return value
}

// Search makes the answer to a search.
func (s *Site) Search(q search.Query) *Resource {
	return jsonResource(func() Body {
		x := s.index()
		result := x.Search(q)
		var hits []Body
		for _, h := range result.Hits {
			hits = append(hits, s.hit(h, x.found[h.Entry]))
		}
		var asked object
		asked.optional("q", q.Text)
		asked.optional("scenario", q.Scenario)
		asked.optional("product_type", q.ProductType)
		asked.optional("signal", q.Signal)
		var o object
		o.raw("query", asked.end().Bytes)
		o.value("total", result.Total)
		o.value("limit", q.Limit)
		o.value("offset", q.Offset)
		o.fetchedAt()
		o.array("results", hits)
		return o.end()
	}).with(s.frame, func() page.Page { return s.searchPage(q, true) })
}

func (s *Site) hit(h search.Hit, f findable) Body {
	e, d := f.pages.entry, h.Entry.Document()
	var o object
	o.text("kind", d.Kind)
	o.text("id", d.ID)
	o.text("title", d.Title)
	o.text("version", e.Version.String())
	o.text("status", string(e.Status))
	if len(d.Scenarios) > 0 {
		o.value("scenarios", d.Scenarios)
	}
	o.text("snippet", marked(h.Snippet))
	o.text("url", s.URL(f.path))
	if f.partial {
		o.text("source_url", s.URL(e.Path()))
		o.text("source_checksum", e.Checksum)
	} else {
		o.text("canonical_url", s.URL(e.Path()))
		o.text("content_checksum", e.Checksum)
	}
	return o.end()
}

// marked writes a snippet with what matched between double asterisks.
func marked(s search.Snippet) string {
	var b strings.Builder
	if s.Before {
		b.WriteString("… ")
	}
	for _, segment := range s.Segments {
		if segment.Match {
			b.WriteString("**" + segment.Text + "**")
		} else {
			b.WriteString(segment.Text)
		}
	}
	if s.After {
		b.WriteString(" …")
	}
	return b.String()
}

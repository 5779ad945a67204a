package site

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/content/search"
	"rulestore/server/api"
)

// index is the search index, with what its entries stand for.
type index struct {
	*search.Index
	found   map[*search.AnalysedDocument]findable
	crashes []error // panics because of which something was left out
}

// makeIndex makes the index of current items. It records the panics of reading them or their
// references.
func (s *Site) makeIndex() index {
	names := s.references()
	x := index{found: map[*search.AnalysedDocument]findable{}}
	var entries []*search.AnalysedDocument
	var synonyms [][]string
	scenarios := s.scenariosByItem()
	for _, k := range content.Kinds {
		for _, p := range s.lists[k] {
			found, err := s.tryFindables(p)
			if err = cmp.Or(names.crashed[p], err); err != nil {
				x.crashes = append(x.crashes, err)
			}
			for _, f := range found {
				entry := f.entry
				if own := scenarios[p.entry.Item()]; own != nil {
					entry = entry.In(own)
				}
				entries = append(entries, entry)
				x.found[entry] = f
			}
			if k == content.Registries {
				if err := crash.Do(func() { synonyms = append(synonyms, s.synonyms(p)...) }); err != nil {
					x.crashes = append(x.crashes, err)
				}
			}
		}
	}
	for _, f := range s.tools() {
		entries = append(entries, f.entry)
		x.found[f.entry] = f
	}
	x.Index = search.New(entries, synonyms)
	return x
}

// Warm prepares what a swap does not wait for, so that no request has to: references, and the
// search index. The errors are panics because of which something was left out.
func (s *Site) Warm() []error {
	crashes := slices.Clone(s.index().crashes)
	if err := crash.Do(func() { s.fraud() }); err != nil {
		crashes = append(crashes, err)
	}
	return crashes
}

// synonyms are the names of each term if an item is the glossary, and the groups of synonyms if it
// is the taxonomy.
func (c Config) synonyms(p *preparedVersion) (groups [][]string) {
	list, names := "", []string(nil)
	switch p.entry.Name {
	case "glossary":
		list, names = "terms", []string{"term", "synonyms"}
	case "taxonomy":
		list, names = "synonyms", []string{"words"}
	default:
		return nil
	}
	for _, record := range readObjects(p.entry.Body().Get(list)) {
		var group []string
		for _, name := range names {
			group = appendTexts(group, orEmptyList(record.Get(name)))
		}
		if len(group) > 1 {
			groups = append(groups, group)
		}
	}
	return groups
}

func orEmptyList(value json.RawMessage) json.RawMessage {
	if value == nil {
		return json.RawMessage("[]")
	}
	return value
}

// A HitView selects the details of each hit: in full, also addresses and checksums; InForce,
// whether it is in force on that day, "" for no day; AsOf, by what was published until which
// other day, "" for now, and whether it was in force on that day if InForce is empty. The
// search itself is always in the current items.
type HitView struct {
	Full          bool
	InForce, AsOf string
}

// Search returns the response to a search.
func (s *Site) Search(q search.Query, v HitView) *Resource {
	v.InForce = cmp.Or(v.InForce, s.Snapshot.DateOf(v.AsOf))
	return jsonResource(func() Body {
		f := s.Find(q, v)
		var o object
		o.optional("note", f.Note)
		o.raw("query", queryJSON(q, v))
		o.total(f.Total)
		o.value("limit", q.Limit)
		o.value("offset", q.Offset)
		o.fetchedAt()
		o.elements("results", bodies(f.Hits, func(h Hit) Body { return s.hit(h, v) }))
		if f.Suggestion != nil {
			o.raw("suggestions", f.suggestions().Bytes)
		}
		return o.end()
	}).addText(api.MarkdownType, func() []byte {
		return s.searchMarkdown(q, s.Find(q, v))
	}).with(ShownSearch{q, v, true})
}

// Found is what a search found.
type Found struct {
	search.Result
	Note string // that nothing answers the query, "" if something does
	Hits []Hit
	Near []Hit // other documents with such words in the title
}

// Hit is a document, or a record of one, that was found.
type Hit struct {
	search.Hit
	search.Document
	findable
	InForce content.Object // about the requested day
}

// Path is that of what was found.
func (h Hit) Path() string { return h.path }

// IsRecord reports whether it is a record of its version.
func (h Hit) IsRecord() bool { return h.partial }

// Version is the version, of a record that of its registry; nil for a calculation.
func (h Hit) Version() *content.Entry {
	if h.pages == nil {
		return nil
	}
	return h.pages.entry
}

// Find returns what a search finds, the best first.
func (s *Site) Find(q search.Query, v HitView) (f Found) {
	x := s.index()
	f.Result = x.Search(q)
	f.Note = unfit(f.Result)
	for _, h := range f.Result.Hits {
		of := x.found[h.Entry]
		d := h.Entry.Document()
		f.Hits = append(f.Hits, Hit{h, d, of, s.hitInForce(of, d.ID, v)})
	}
	if f.Suggestion == nil {
		return f
	}
	for _, e := range f.Suggestion.Titles {
		if !slices.ContainsFunc(f.Result.Hits, func(h search.Hit) bool { return h.Entry == e }) {
			f.Near = append(f.Near, Hit{Document: e.Document(), findable: x.found[e]})
		}
	}
	return f
}

// unfit says that nothing answers the query, "" if something does.
func unfit(r search.Result) string {
	said := "Похоже, ответа на этот вопрос в правилах нет"
	switch {
	case !r.Unfit:
		return ""
	case len(r.Unknown) > 0:
		words := "слов"
		if len(r.Unknown) == 1 {
			words = "слова"
		}
		unknown := strings.Join(r.Unknown[:min(len(r.Unknown), 5)], "», «")
		said += ": ни в одном документе нет " + words + " «" + unknown + "»"
	}
	if r.Total > 0 {
		said += ". Найденное только близко к нему"
	}
	return said + "."
}

// FindCalculations lists the ids of calculations that match words, the best first.
func (s *Site) FindCalculations(words string) (ids []string) {
	for _, d := range s.FindAll(search.Query{Text: words, Kinds: []string{calculationKind.name}}) {
		ids = append(ids, d.ID)
	}
	return ids
}

// queryJSON repeats the query in the answer.
func queryJSON(q search.Query, v HitView) []byte {
	var o object
	o.optional("q", q.Text)
	if len(q.Kinds) > 0 {
		o.text("kind", q.Kinds[0])
	}
	o.optional("scenario", q.Scenario)
	o.optional("product_type", q.ProductType)
	o.optional("signal", q.Signal)
	o.optional(InForceParameter, v.InForce)
	o.optional("as_of", v.AsOf)
	return o.end().Bytes
}

// suggestions are what may have been meant: words, titles, and the kinds with results if the filters leave none.
func (f Found) suggestions() Body {
	var o object
	o.optional("q", f.Suggestion.Text)
	addRecords(&o, "words", f.Suggestion.Words)
	o.array("titles", bodies(f.Near, func(h Hit) Body {
		var o object
		o.text("kind", h.Kind)
		o.text("id", h.ID)
		o.text("title", h.Title)
		return o.end()
	}))
	addRecords(&o, "kinds", f.Suggestion.Kinds)
	return o.end()
}

// CheckCodes adds a fault for each filter of a query with an unknown code.
func (s *Site) CheckCodes(q search.Query, a Asked) {
	if u := s.UnknownProduct(q.ProductType); u != nil {
		a.Unknown("product_type", "unknown_value", NoValue, u)
	}
	if q.Signal == "" || s.Snapshot.Item(content.Registries, "fraud-signals") == nil || s.index().HasSignal(q.Signal) {
		return
	}
	if u := s.UnknownSignal(q.Signal); u != nil {
		a.Unknown("signal", "unknown_value", NoValue, u)
	}
}

// UnknownProduct returns a product type that neither the taxonomy nor an item has; nil if it is
// known, or there is no taxonomy.
func (s *Site) UnknownProduct(code string) *Unknown {
	known := s.taxonomy().products
	if code == "" || len(known) == 0 || known[code] != "" || s.index().HasProductType(code) {
		return nil
	}
	return &Unknown{
		code, check.Nearest(code, slices.Sorted(maps.Keys(known))),
		"Коды видов продуктов — в таксономии:", content.Registries.ItemPath("taxonomy"),
	}
}

func (s *Site) hit(h Hit, v HitView) Body {
	var o object
	o.text("kind", h.Kind)
	o.text("id", h.ID)
	o.text("title", h.Title)
	if h.Snippet.Section != "" && !h.partial {
		o.text("section", h.Snippet.Section)
	}
	if h.Class != search.Unasked {
		o.text("match", classes[h.Class])
		o.value("words", h.Words)
	}
	o.text("snippet", marked(h.Snippet))
	o.members(h.InForce)
	if v.Full {
		s.origin(&o, h)
		s.references().mentions(s.Config, h.target).write(&o)
	}
	return o.end()
}

// origin writes the version and the addresses of a hit.
func (s *Site) origin(o *object, h Hit) {
	e := h.Version()
	if e == nil {
		o.text("version", h.tool.Version)
		o.text("url", s.URL(h.path))
		return
	}
	o.text("version", e.Version.String())
	o.text("status", string(e.Status))
	o.texts("scenarios", h.Scenarios)
	o.text("url", s.URL(h.path))
	if h.partial {
		o.text("source_url", s.URL(e.Path()))
		o.text("source_checksum", e.Checksum)
	} else {
		o.text("canonical_url", s.URL(e.Path()))
		o.text("content_checksum", e.Checksum)
	}
}

// classes are the names of the classes of matches.
var classes = map[search.Coverage]string{
	search.AllWords: "all_words", search.SomeWords: "some_words", search.Similar: "similar",
}

// marked is a snippet with the matches between double asterisks.
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

// FoundTitle is the title of the kind of a hit.
func (s *Site) FoundTitle(h Hit) string {
	if e := h.Version(); e != nil && !h.partial {
		return s.newest(e.Kind).Title
	}
	return h.kind.title
}

// FoundKindTitle is the title of a kind of results.
func FoundKindTitle(name string) string {
	for _, k := range content.Kinds {
		if k.Name == name {
			return k.Title
		}
	}
	if name == calculationKind.name {
		return calculationKind.titles
	}
	return cmp.Or(recordKinds[name].titles, recordKinds[api.FoundRecord].titles)
}

// FindAll lists all hits of a search, without pages, the best first.
func (s *Site) FindAll(q search.Query) []search.Document {
	entries := s.index().Find(q)
	found := make([]search.Document, len(entries))
	for i, e := range entries {
		found[i] = e.Document()
	}
	return found
}

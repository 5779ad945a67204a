package site

import (
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// Filter filters the list of a kind. An empty field is no filter.
type Filter struct {
	Scenario    string
	Status      content.Status
	ProductType string
	Prefix      string // of the id
	AsOf        string // a day: the versions current at its end; or an instant
	InForce     string // a day: what was in force on it, by these versions

	// Offset is the first entry of the page for people. Data is listed completely.
	Offset int
}

// addList adds the list of a kind's current versions.
func (s *Site) addList(k *content.Kind) {
	r := s.List(k, Filter{})
	r.Action, r.Kind = api.ListItems, k
	s.resources[k.Path] = r
}

// List returns the list of a kind: each item's current version or, if the filter has a status,
// its newest version with that status. Archived items are listed only if the filter selects
// them.
func (s *Site) List(k *content.Kind, f Filter) *Resource {
	if f.InForce != "" {
		return s.listInForce(k, f)
	}
	matches := f.matcher(s.config)
	var chosen []*preparedVersion
	for _, p := range s.candidates(k, f) {
		if matches(p) {
			chosen = append(chosen, p)
		}
	}
	return jsonResource(func() Body {
		var o object
		o.total(len(chosen))
		if len(chosen) == 0 && f.AsOf != "" {
			o.optional("first_published_at", s.FirstPublished(k, f.AsOf))
		}
		o.fetchedAt()
		o.elements(k.Folder, bodies(chosen, func(p *preparedVersion) Body { return p.listed(s.config).summary }))
		return o.end()
	}).addList(len(chosen), func(from, to int) []byte {
		w := newList(k.Title, len(chosen))
		for _, p := range chosen[from:to] {
			s.listEntry(w, p.entry)
		}
		return w.Bytes()
	}).with(ShownList{k, f, entriesOf(chosen)})
}

// PartOfList returns some of the elements of a list: those from offset on, and no more than limit if that was
// given. As data it has what was asked for; it has no page. What has no list is returned as it is.
func PartOfList(list *Resource, a Asked) *Resource {
	i := slices.IndexFunc(list.Representations, func(r *Representation) bool { return r.Type == api.JSONType })
	if i < 0 {
		return list
	}
	whole := list.Representations[i].Ready()
	l := whole.Body.List
	if l == nil {
		return list
	}
	from, to := min(a.Number("offset"), l.Len()), l.Len()
	var asked []byte
	if a.Has("limit") {
		to = min(to, from+a.Number("limit"))
		asked = strconv.AppendInt(append(asked, `,"limit":`...), int64(a.Number("limit")), 10)
	}
	if a.Has("offset") {
		asked = strconv.AppendInt(append(asked, `,"offset":`...), int64(a.Number("offset")), 10)
	}
	var own []Header // the others depend on the body
	for _, h := range whole.NotModified {
		if h.Name != "Etag" && h.Name != "Last-Modified" {
			own = append(own, h)
		}
	}
	part := &Resource{about: fixed(whole.LastModified, own...)}
	part.add(api.JSONType, func() Body { return whole.Body.part(from, to, asked) })
	if list.listText != nil {
		part.addText(api.MarkdownType, func() []byte { return list.listText(from, to) })
	}
	return part
}

func (s *Site) candidates(k *content.Kind, f Filter) []*preparedVersion {
	if f.Status == "" && f.AsOf == "" {
		return s.lists[k]
	}
	choose := func(item *content.Item) *content.Entry { return newestOf(item, f.Status) }
	if f.AsOf != "" {
		day := s.Snapshot.On(f.AsOf)
		choose = func(item *content.Item) *content.Entry { return currentOn(day, item, f.Status) }
	}
	var all []*preparedVersion
	for _, item := range s.Snapshot.Items {
		if item.Kind != k {
			continue
		}
		if e := choose(item); e != nil && e.Status != content.Redacted {
			all = append(all, s.entries[e.Publication])
		}
	}
	return all
}

// FirstPublished returns the day of the first publication of a kind if it is after a day, else "".
func (s *Site) FirstPublished(k *content.Kind, asOf string) (first string) {
	known := s.Snapshot.On(asOf)
	for _, item := range s.Snapshot.Items {
		if day := known.Later(item); item.Kind == k && day != "" && (first == "" || day < first) {
			first = day
		}
	}
	return first
}

// newestOf is the newest version of an item with a status, nil if there is none.
func newestOf(item *content.Item, status content.Status) *content.Entry {
	i := slices.IndexFunc(item.Entries, func(e *content.Entry) bool { return e.Status == status })
	if i < 0 {
		return nil
	}
	return item.Entries[i]
}

// currentOn is the version of an item that was current and not archived on a day. A status is
// compared with that of today.
func currentOn(day content.Day, item *content.Item, status content.Status) *content.Entry {
	e := day.Current(item)
	switch {
	case e == nil, status != "" && e.Status != status, status == "" && day.Archived(item):
		return nil
	}
	return e
}

// matcher returns what reports whether a version is in the list, days and statuses aside.
func (f Filter) matcher(c Config) func(*preparedVersion) bool {
	return func(p *preparedVersion) bool {
		listed := p.listed(c) // also for the list, which has it whatever becomes of the item
		if f.Scenario != "" && p.entry.Body().Text("scenario") != f.Scenario {
			return false
		}
		if !strings.HasPrefix(p.entry.ID(), f.Prefix) {
			return false
		}
		return f.ProductType == "" || slices.Contains(listed.products, f.ProductType)
	}
}

// productTypes are the product types that a guideline applies to, or a scenario covers.
func productTypes(e *content.Entry) []string {
	var body struct {
		ProductTypes  []string `json:"product_types"`
		Applicability struct {
			ProductTypes []string `json:"product_types"`
		} `json:"applicability"`
	}
	var own content.Object
	for _, name := range []string{"product_types", "applicability"} {
		if v := e.Body().Get(name); v != nil {
			own = own.With(name, v)
		}
	}
	if json.Unmarshal(own.AppendJSON(nil), &body) != nil {
		return nil // not of a format with product types
	}
	return append(body.ProductTypes, body.Applicability.ProductTypes...)
}

// newest returns the newest format of a kind.
func (s *Site) newest(k *content.Kind) *content.Field {
	return content.NewestFormat(s.config.Schemas, k.Folder).Root()
}

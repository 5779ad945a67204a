package site

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/content/markdown"
	"rulestore/content/search"
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
	matches := f.matcher(s.Config)
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
		o.elements(k.Folder, bodies(chosen, func(p *preparedVersion) Body { return p.listed(s.Config).summary }))
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
	return content.NewestFormat(s.Schemas, k.Folder).Root()
}

// newList begins a list as Markdown.
func newList(title string, total int) *markdown.Plain {
	return markdown.NewPlain(title, []string{"всего " + strconv.Itoa(total)})
}

// listEntry lists a version, with its title, id, number and summary.
func (s *Site) listEntry(w *markdown.Plain, e *content.Entry) {
	w.Entry(cmp.Or(e.Body().Text("title"), e.ID()), s.URL(e.Path()), About(e), e.ID(), e.Version.String())
}

// versionsMarkdown lists some versions of an item.
func (c Config) versionsMarkdown(item *content.Item, some []*content.Entry) []byte {
	w := newList("Версии: "+c.titleOf(item), len(item.Entries))
	for _, e := range some {
		text := string(e.Status)
		if !e.PublishedAt.IsZero() {
			text += ", " + i18n.Day(e.PublishedAt)
		}
		if note := e.Note(); note != "" {
			text += " — " + note
		}
		w.Entry(e.Version.String(), c.URL(e.Path()), text)
	}
	w.Text("Элемент: " + item.Entries[0].ID() + ".")
	return w.Bytes()
}

// titleOf is the title of an item by its newest version that may be read.
func (c Config) titleOf(item *content.Item) string {
	for _, e := range item.Entries {
		if isReadable(e) {
			return cmp.Or(e.Body().Text("title"), item.ID())
		}
	}
	return item.ID()
}

// searchMarkdown is the answer to a search.
func (s *Site) searchMarkdown(q search.Query, f Found) []byte {
	w := newList("Поиск: "+cmp.Or(q.Text, "по отбору"), f.Total)
	switch {
	case f.Note != "":
		w.Text(f.Note)
	case f.Total == 0:
		w.Text("По этому запросу ничего не найдено.")
	}
	for _, h := range f.Hits {
		var text strings.Builder
		for _, segment := range h.Snippet.Segments {
			text.WriteString(segment.Text)
		}
		w.Entry(h.Title, s.URL(h.path), text.String(), h.Kind, h.ID)
	}
	goesOn(w, q.Offset, len(f.Hits), f.Total)
	return w.Bytes()
}

// goesOn says where the rest of a list begins, if so many of its elements from an offset on are not all.
func goesOn(w *markdown.Plain, offset, shown, total int) {
	if next := offset + shown; shown > 0 && next < total {
		w.Text("Показаны не все: дальше — offset=" + strconv.Itoa(next) + ".")
	}
}

// changelogMarkdown is a part of the changelog.
func (s *Site) changelogMarkdown(p ShownChangelog) []byte {
	w, changes := newList("Журнал изменений", p.Total), p.Changes()
	for _, c := range changes {
		text := strings.TrimSpace(strings.Join(append([]string{c.Text}, c.Points...), " "))
		if c.Path == "" {
			w.Item(i18n.Day(c.Date)+", "+c.Title, text, c.Version)
			continue
		}
		w.Entry(i18n.Day(c.Date)+", "+c.Title, s.URL(c.Path), text, c.Version)
	}
	goesOn(w, p.Offset, len(changes), p.Total)
	return w.Bytes()
}

// upcomingMarkdown lists some of what is published ahead.
func (s *Site) upcomingMarkdown(from, to int) []byte {
	w := newList("Что будет опубликовано", len(s.Snapshot.Upcoming))
	for _, p := range s.Snapshot.Upcoming[from:to] {
		w.Item(i18n.DayOf(s.Snapshot.DayOf(p.PublishedAt)), cmp.Or(p.Body().Text("title"), p.ID()), p.Tag())
	}
	return w.Bytes()
}

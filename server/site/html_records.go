package site

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// View selects the records of a registry on a page.
type View struct {
	AsOf    string // the day by which the version was requested, "" if there is none
	Offset  int
	Filters map[string]string

	// Only are the fields that the page shows, of the values in force on the Day; nil: all.
	Only content.Object
	Day  string
}

const (
	// maxRows is the maximum number of records on a page: a phone has to lay them out.
	maxRows = 250
	// maxColumns is the maximum number of columns besides the name.
	maxColumns = 4
	// maxListed is the maximum length in letters of a list that is shown with its record.
	maxListed = 160
)

// aboutFields are the fields that describe a record.
var aboutFields = []string{"description", "definition", "summary"}

// table makes the table of the records that pass the filters of a view. Links and filters are only those of
// the version shown: only records of the current version have addresses, and another version can be
// filtered only if it is selected by a day.
func (s *Site) table(e *content.Entry, current bool, r *records, v View) *page.Records {
	base, own := s.frame.Root+e.Kind.ItemPath(e.Name), ""
	columns, chosen := r.columns(), r.chosen(v.Filters)
	if v.Day != "" {
		chosen = r.validOn(v.Day)
	}
	if current {
		own = base
	}
	from := min(v.Offset, len(chosen))
	shown := chosen[from:min(from+maxRows, len(chosen))]
	t := &page.Records{Title: r.field.Title, Total: len(r.all), Found: len(chosen), Columns: []string{"Название"}}
	for _, f := range columns {
		t.Columns = append(t.Columns, cmp.Or(f.Title, f.Name))
	}
	known, with := r.links(own), s.drawing(e, true)
	s.nameCodes(known, r, shown)
	for _, record := range shown {
		t.Rows = append(t.Rows, r.row(record, columns, known, with))
	}
	if v.Day != "" || !current && v.AsOf == "" {
		t.Left = len(chosen) - len(t.Rows)
		return t
	}
	t.Filters = r.form(s.frame, e, v)
	t.Pager = pager(func(n int) string { return address(base, v.query(n)) }, maxRows, from, len(t.Rows), len(chosen))
	return t
}

// query is the query of the view with an offset.
func (v View) query(offset int) url.Values {
	q := parameters(v.Filters)
	maps.Copy(q, parameters(map[string]string{"as_of": v.AsOf, "offset": nonDefault(offset, 0)}))
	return q
}

// columns are the fields shown as columns: those with a filter, then other short ones.
func (r *records) columns() (chosen []*content.Field) {
	short := func(f *content.Field) bool {
		return f.Items == nil && len(f.Fields) == 0 && f.Name != r.field.Unique &&
			!slices.Contains(aboutFields, f.Name) && f.Name != "title" && f.Name != "term"
	}
	for _, first := range []bool{true, false} {
		for _, f := range r.field.Items.Fields {
			wanted := f.Filter != "" == first && (first || f.Boolean || len(f.Values) > 0)
			if wanted && short(f) && len(chosen) < maxColumns {
				chosen = append(chosen, f)
			}
		}
	}
	return chosen
}

// form is the form that filters the records of a version.
func (r *records) form(frame *page.Frame, e *content.Entry, v View) page.Filters {
	o, names := api.Of(api.ReadItem, e.Kind, e.Name), []string(nil)
	for _, p := range o.Filters() {
		names = append(names, p.Name)
	}
	return form(frame, o, e.Kind.ItemPath(e.Name), v.query(0), r.offers(), names...)
}

func (r *records) offers() map[string]offer {
	offers := map[string]offer{}
	for _, f := range r.field.Items.Fields {
		if f.Filter != "" && (f.Boolean || len(f.Values) > 0) {
			offers[f.Filter] = offer{title: func(value string) string { return word(f, value) }}
		}
	}
	return offers
}

// word is a value for people.
func word(f *content.Field, value string) string {
	switch {
	case f.Boolean && value == "true":
		return "да"
	case f.Boolean && value == "false":
		return "нет"
	}
	return label(f, value)
}

// scalar is the text of a JSON value that is no list or object.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// links are the titles of the records by code, with their addresses if these have a base.
func (r *records) links(base string) map[string]page.Link {
	all := map[string]page.Link{}
	for _, record := range r.all {
		code := r.code(record)
		link := page.Link{Title: r.title(record)}
		if base != "" {
			link.Href = base + "/" + url.PathEscape(code)
		}
		all[code] = link
	}
	return all
}

// nameCodes adds the titles of the codes of other registries in records, by list and code.
func (s *Site) nameCodes(known map[string]page.Link, r *records, all []content.Object) {
	for _, f := range r.field.Items.Fields {
		if f.Items == nil || f.Items.Codes == "" {
			continue
		}
		for _, record := range all {
			for _, w := range appendTexts(nil, orEmptyList(record.Get(f.Name))) {
				if l, ok := s.titles()[f.Items.Codes+"/"+w]; ok {
					known[f.Items.Codes+"/"+w] = l
				}
			}
		}
	}
}

// anchor makes the HTML id of a code; it differs from those of headings.
func anchor(code string) string {
	return "r-" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '-'
	}, code)
}

func (r *records) row(
	record content.Object, columns []*content.Field, known map[string]page.Link, with page.Drawing,
) page.Row {
	code := r.code(record)
	row := page.Row{ID: anchor(code), Href: known[code].Href, Title: known[code].Title, Code: code}
	for _, m := range record {
		if slices.Contains(aboutFields, m.Name) {
			row.About = page.Inline(&document.Read(content.Object{m}, r.field.Items).Kids[0], with)
		}
		f := r.field.Items.Field(m.Name)
		if m.Name == searchTerms || f != nil && f.Items != nil && f.Items.Reference != "" {
			continue // on the page of the record, with a link
		}
		if l, ok := shortList(f, m, known); ok {
			row.Lists = append(row.Lists, l)
		}
	}
	for _, f := range columns {
		row.Cells = append(row.Cells, cell(f, record.Get(f.Name)))
	}
	return row
}

// shortList is a list of a record, not ok if it is longer than a line or two.
func shortList(f *content.Field, m content.Member, known map[string]page.Link) (page.Named, bool) {
	var words []string
	if f == nil || json.Unmarshal(m.Value, &words) != nil || len(words) == 0 ||
		utf8.RuneCountInString(strings.Join(words, ", ")) > maxListed {
		return page.Named{}, false
	}
	l := page.Named{Title: f.Title}
	for _, w := range words {
		link, ok := known[w]
		if f.Items != nil && f.Items.Codes != "" && !ok {
			link, ok = known[f.Items.Codes+"/"+w]
		}
		if ok {
			l.Links = append(l.Links, link)
		} else {
			l.Links = append(l.Links, page.Link{Title: label(f.Items, w)})
		}
	}
	return l, true
}

func cell(f *content.Field, raw json.RawMessage) page.Cell {
	value, c := scalar(raw), page.Cell{Title: cmp.Or(f.Title, f.Name)}
	if value == "" || value == "null" {
		c.Text = "—"
		return c
	}
	c.Text, c.Day = word(f, value), dayIn(value)
	if f.Boolean && value == "true" && strings.Contains(f.Name, "stop") {
		c.Class = "stop"
	}
	return c
}

package site

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

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
	// maxRows is the maximum number of records on a page, which is made for each request.
	maxRows = 50
	// maxColumns is the maximum number of columns besides the name.
	maxColumns = 4
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
	with := s.drawing(e, true)
	for _, record := range shown {
		t.Rows = append(t.Rows, r.row(record, columns, own, with))
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

// anchor makes the HTML id of a code; it differs from those of headings.
func anchor(code string) string {
	return "r-" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '-'
	}, code)
}

// row is a record in the table; its page lies below a path unless that is "".
func (r *records) row(record content.Object, columns []*content.Field, base string, with page.Drawing) page.Row {
	code := r.code(record)
	row := page.Row{ID: anchor(code), Title: r.title(record), Code: code}
	if base != "" {
		row.Href = base + "/" + url.PathEscape(code)
	}
	for _, m := range record {
		if slices.Contains(aboutFields, m.Name) {
			row.About = page.Inline(&document.Read(content.Object{m}, r.field.Items).Kids[0], with)
		}
	}
	for _, f := range columns {
		row.Cells = append(row.Cells, cell(f, record.Get(f.Name)))
	}
	return row
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

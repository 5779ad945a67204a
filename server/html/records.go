package html

import (
	"cmp"
	"maps"
	"net/url"
	"slices"
	"strings"
	"unicode"

	"rulestore/content"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/site"
)

const (
	// maxRows is the maximum number of records on a page, which is made for each request.
	maxRows = 50
	// maxColumns is the maximum number of columns besides the name.
	maxColumns = 4
)

// table makes the table of the records that pass the filters of a view. Links and filters are only those of
// the version shown: only records of the current version have addresses, and another version can be
// filtered only if it is selected by a day.
func (m maker) table(e *content.Entry, current bool, r *site.Records, v site.View) *Records {
	base, own := m.root+e.Kind.ItemPath(e.Name), ""
	columns, chosen := columnsOf(r), r.Chosen(v.Filters)
	if v.Day != "" {
		chosen = r.ValidOn(v.Day)
	}
	if current {
		own = base
	}
	from := min(v.Offset, len(chosen))
	shown := chosen[from:min(from+maxRows, len(chosen))]
	t := &Records{Title: r.Field.Title, Total: len(r.All), Found: len(chosen)}
	with := m.drawing(e, true)
	for _, record := range shown {
		t.Rows = append(t.Rows, recordRow(r, record, columns, own, with))
	}
	if v.Day != "" || !current && v.AsOf == "" {
		t.Left = len(chosen) - len(t.Rows)
		return t
	}
	t.Filters = m.recordForm(r, e, v)
	page := func(n int) string { return site.Address(base, viewQuery(v, n)) }
	t.Pager = pager(page, maxRows, from, len(t.Rows), len(chosen))
	return t
}

// viewQuery is the query of a view with an offset.
func viewQuery(v site.View, offset int) url.Values {
	q := site.Query(v.Filters)
	maps.Copy(q, site.Query(map[string]string{"as_of": v.AsOf, "offset": site.NonDefault(offset, 0)}))
	return q
}

// columnsOf are the fields shown as columns: those with a filter, then other short ones.
func columnsOf(r *site.Records) (chosen []*content.Field) {
	short := func(f *content.Field) bool {
		return f.Items == nil && len(f.Fields) == 0 && f.Name != r.Field.Unique &&
			!slices.Contains(site.AboutFields, f.Name) && f.Name != "title" && f.Name != "term"
	}
	for _, first := range []bool{true, false} {
		for _, f := range r.Field.Items.Fields {
			wanted := f.Filter != "" == first && (first || f.Boolean || len(f.Values) > 0)
			if wanted && short(f) && len(chosen) < maxColumns {
				chosen = append(chosen, f)
			}
		}
	}
	return chosen
}

// recordForm is the form that filters the records of a version.
func (m maker) recordForm(r *site.Records, e *content.Entry, v site.View) Filters {
	o, names := api.Of(api.ReadItem, e.Kind, e.Name), []string(nil)
	for _, p := range o.Filters() {
		names = append(names, p.Name)
	}
	return m.form(o, e.Kind.ItemPath(e.Name), viewQuery(v, 0), recordOffers(r), names...)
}

func recordOffers(r *site.Records) map[string]offer {
	offers := map[string]offer{}
	for _, f := range r.Field.Items.Fields {
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
	return f.Label(value)
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

// recordRow is a record in the table; its page lies below a path unless that is "".
func recordRow(r *site.Records, record content.Object, columns []*content.Field, base string, with Drawing) Row {
	code := r.Code(record)
	row := Row{Anchor: anchor(code), Title: r.Title(record), Code: code}
	if base != "" {
		row.Href = base + "/" + url.PathEscape(code)
	}
	root := document.Read(record, r.Field.Items)
	for i := range root.Kids {
		if n := &root.Kids[i]; slices.Contains(site.AboutFields, n.Name) {
			row.About = Inline(n, with)
		}
	}
	for _, f := range columns {
		c := Cell{Title: cmp.Or(f.Title, f.Name), Text: none}
		if n := root.Member(f.Name); n != nil && !n.Blank() {
			c.Text = Inline(n, with)
			if n.Text == "true" && strings.Contains(f.Name, "stop") {
				c.Class = "stop"
			}
		}
		row.Cells = append(row.Cells, c)
	}
	return row
}

package site

import (
	"cmp"
	"encoding/json"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/page"
)

// View says how a page shows the records of a registry; it chooses none away.
type View struct {
	Sort    string // a field, with a minus before it from the end; "" is as written
	Offset  int
	Filters map[string]string
}

const (
	// maxRows is how many records a page shows: a phone has to lay them out.
	maxRows = 250
	// maxColumns is how many columns a table has besides the name.
	maxColumns = 4
	// maxListed is how long a list may be, in letters, to be shown with its record.
	maxListed = 160
)

// aboutFields are the texts that say what a record is.
var aboutFields = []string{"description", "definition", "summary"}

// table makes the table of the records that passed the filters of a view.
func (c Config) table(frame *page.Frame, e *content.Entry, r *records, chosen []content.Object, v View) *page.Records {
	base := frame.Root + e.Kind.ItemPath(e.Name)
	columns := r.columns()
	t := &page.Records{
		Title: r.field.Title, Total: len(r.all), Found: len(chosen),
		Filters: r.form(base, v), Columns: heads(base, r, columns, v),
	}
	rows := r.sorted(chosen, v.Sort)
	from := min(v.Offset, len(rows))
	rows = rows[from:min(from+maxRows, len(rows))]
	known := r.anchors(rows)
	for _, record := range rows {
		t.Rows = append(t.Rows, r.row(base, record, columns, known))
	}
	t.Pager = page.Pager{From: from + 1, To: from + len(rows), Total: len(chosen)}
	if from > 0 {
		t.Pager.Newer = base + v.query("offset", strconv.Itoa(max(0, from-maxRows)))
	}
	if from+len(rows) < len(chosen) {
		t.Pager.Older = base + v.query("offset", strconv.Itoa(from+maxRows))
	}
	if t.Pager.Newer == "" && t.Pager.Older == "" {
		t.Pager = page.Pager{}
	}
	if v.Sort == "" {
		t.Letters = letters(t.Rows)
	}
	return t
}

// query is the view as the query string of an address, with one parameter set.
func (v View) query(name, value string) string {
	q := url.Values{}
	for n, f := range v.Filters {
		q.Set(n, f)
	}
	if v.Sort != "" {
		q.Set("sort", v.Sort)
	}
	if value != "" {
		q.Set(name, value)
	}
	return "?" + q.Encode()
}

// columns are the fields that make good columns: those to filter by, then other
// short ones.
func (r *records) columns() (chosen []*content.Field) {
	short := func(f *content.Field) bool {
		return f.Items == nil && len(f.Fields) == 0 && f.Name != r.field.Unique && !slices.Contains(aboutFields, f.Name) && f.Name != "title" && f.Name != "term"
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

// form is the form that filters the records.
func (r *records) form(action string, v View) page.Filters {
	form := page.Filters{Action: action, Chosen: len(v.Filters) > 0 || v.Sort != ""}
	for _, f := range r.field.Items.Fields {
		if f.Filter == "" {
			continue
		}
		choice := page.Filter{Name: f.Filter, Title: f.Title, Type: "text", Value: v.Filters[f.Filter]}
		values := f.Values
		if f.Boolean {
			values = []string{"true", "false"}
		}
		if len(values) > 0 {
			choice.Choices = choices(values, v.Filters[f.Filter], func(value string) string { return word(f, value) })
		}
		form.Fields = append(form.Fields, choice)
	}
	if v.Sort != "" && len(form.Fields) > 0 {
		form.Fields = append(form.Fields, page.Filter{Name: "sort", Title: "Порядок", Type: "text", Value: v.Sort})
	}
	return form
}

// choices are the values of a filter; first, that none is asked for.
func choices(values []string, chosen string, title func(string) string) []page.Choice {
	all := []page.Choice{{Title: "не важно"}}
	for _, v := range values {
		all = append(all, page.Choice{Value: v, Title: title(v), Chosen: v == chosen})
	}
	return all
}

// word is a value as people read it.
func word(f *content.Field, value string) string {
	switch {
	case f.Boolean && value == "true":
		return "да"
	case f.Boolean && value == "false":
		return "нет"
	}
	return label(f, value)
}

// heads are the heads of the columns, each leading to the table sorted by it.
func heads(base string, r *records, columns []*content.Field, v View) []page.Column {
	var all []page.Column
	name := &content.Field{Name: r.name(), Title: "Название"}
	for _, f := range append([]*content.Field{name}, columns...) {
		column, next := page.Column{Title: cmp.Or(f.Title, f.Name)}, f.Name
		switch v.Sort {
		case f.Name:
			column.Sorted, next = "ascending", "-"+f.Name
		case "-" + f.Name:
			column.Sorted = "descending"
		}
		sorted := v
		sorted.Sort = next
		column.Href = base + sorted.query("", "")
		all = append(all, column)
	}
	return all
}

// name is the field that names a record.
func (r *records) name() string {
	for _, n := range []string{"title", "term"} {
		if r.field.Items.Field(n) != nil {
			return n
		}
	}
	return r.field.Unique
}

// SortFields lists what the records of an item can be sorted by, nil if it has
// none.
func (s *Site) SortFields(item *content.Item) (all []string) {
	if item.Current == nil {
		return nil
	}
	r := s.config.recordsOf(s.entries[item.Current.Publication])
	if r == nil {
		return nil
	}
	for _, name := range append([]string{r.name()}, names(r.columns())...) {
		all = append(all, name, "-"+name)
	}
	return all
}

func names(fields []*content.Field) (all []string) {
	for _, f := range fields {
		all = append(all, f.Name)
	}
	return all
}

// sorted puts records in the order of a field: the values of an enumeration as
// the schema has them, anything else by alphabet.
func (r *records) sorted(all []content.Object, by string) []content.Object {
	name, down := strings.CutPrefix(by, "-")
	f := r.field.Items.Field(name)
	if f == nil {
		return all
	}
	all = slices.Clone(all)
	slices.SortStableFunc(all, func(a, b content.Object) int {
		if down {
			a, b = b, a
		}
		x, y := scalar(a.Get(name)), scalar(b.Get(name))
		if len(f.Values) > 0 {
			return cmp.Compare(slices.Index(f.Values, x), slices.Index(f.Values, y))
		}
		return cmp.Compare(strings.ToLower(x), strings.ToLower(y))
	})
	return all
}

// scalar is a short JSON value as text.
func scalar(raw json.RawMessage) string {
	var s string
	if json.Unmarshal(raw, &s) == nil {
		return s
	}
	return string(raw)
}

// anchors are the records that are on the page, by code, and where on it.
func (r *records) anchors(rows []content.Object) map[string]page.Link {
	all := map[string]page.Link{}
	for _, record := range rows {
		code := record.Text(r.field.Unique)
		all[code] = page.Link{Title: cmp.Or(title(record), code), Href: "#" + anchor(code)}
	}
	return all
}

// anchor makes an id of a code, one that no heading has.
func anchor(code string) string {
	return "r-" + strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || r == '_' {
			return r
		}
		return '-'
	}, code)
}

func (r *records) row(base string, record content.Object, columns []*content.Field, known map[string]page.Link) page.Row {
	code := record.Text(r.field.Unique)
	row := page.Row{ID: anchor(code), Href: base + "/" + url.PathEscape(code), Title: cmp.Or(title(record), code), Code: code}
	for _, m := range record {
		if slices.Contains(aboutFields, m.Name) {
			row.About = record.Text(m.Name)
		}
		if l, ok := shortList(r.field.Items.Field(m.Name), m, known); ok {
			row.Lists = append(row.Lists, l)
		}
	}
	for _, f := range columns {
		row.Cells = append(row.Cells, cell(f, record.Get(f.Name)))
	}
	return row
}

// shortList is a list of a record that fits on a line or two.
func shortList(f *content.Field, m content.Member, known map[string]page.Link) (page.Named, bool) {
	var words []string
	if f == nil || json.Unmarshal(m.Value, &words) != nil || len(words) == 0 || utf8.RuneCountInString(strings.Join(words, ", ")) > maxListed {
		return page.Named{}, false
	}
	l := page.Named{Title: f.Title}
	for _, w := range words {
		if link, ok := known[w]; ok {
			l.Links = append(l.Links, link)
		} else {
			l.Links = append(l.Links, page.Link{Title: label(f.Items, w)})
		}
	}
	return l, true
}

func cell(f *content.Field, raw json.RawMessage) page.Cell {
	value := scalar(raw)
	if value == "" || value == "null" {
		return page.Cell{Text: "—"}
	}
	c := page.Cell{Text: word(f, value)}
	if f.Boolean && value == "true" && strings.Contains(f.Name, "stop") {
		c.Class = "stop"
	}
	return c
}

// minLetters is how many rows make letters to jump to worth their place.
const minLetters = 60

// letters lead to the first row of each letter, if the rows come by alphabet.
func letters(rows []page.Row) (all []page.Link) {
	if len(rows) < minLetters {
		return nil
	}
	last := ""
	for _, row := range rows {
		r, _ := utf8.DecodeRuneInString(row.Title)
		l := string(unicode.ToUpper(r))
		switch {
		case l < last:
			return nil
		case l > last:
			all = append(all, page.Link{Title: l, Href: "#" + row.ID})
		}
		last = l
	}
	return all
}

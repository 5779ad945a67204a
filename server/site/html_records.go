package site

import (
	"cmp"
	"encoding/json"
	"maps"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// View selects the records of a registry on a page, and their order.
type View struct {
	AsOf    string // the day by which the version was requested, "" if there is none
	Text    string // words that the records contain
	Sort    string // a field, with a minus before it for descending order; "" is the original order
	Offset  int
	Filters map[string]string

	// Only are the fields that the page shows, of the values in force on the Day; nil: all.
	Only content.Object
	Day  string
}

const (
	// maxRows is how many records a page shows, however short they are: a phone has
	// to lay them out.
	maxRows = 250
	// maxColumns is how many columns a table has besides the name.
	maxColumns = 4
	// maxListed is how long a list may be, in letters, to be shown with its record.
	maxListed = 160
)

// aboutFields are the texts that say what a record is.
var aboutFields = []string{"description", "definition", "summary"}

// table makes the table of the records that pass the filters of a view, as many as
// fit on a page. Nothing in it leads to another version: only the current one has
// addresses of records, and a version that is not can be looked at in another way
// only by a day.
func (c Config) table(
	frame *page.Frame, e *content.Entry, said *quoted, current bool, r *records, v View,
) *page.Records {
	base := frame.Root + e.Kind.ItemPath(e.Name)
	own, columns, chosen := "", r.columns(), r.chosen(v.Filters)
	if v.Day != "" {
		chosen = r.validOn(v.Day)
	}
	if v.Text != "" {
		chosen = r.withWords(chosen, v.Text)
	}
	if current {
		own = base
	}
	t := &page.Records{Title: r.field.Title, Total: len(r.all), Found: len(chosen)}
	if v.Day == "" && (current || v.AsOf != "") {
		t.Filters = r.form(frame, e, v)
	} else {
		base = ""
	}
	t.Columns = heads(base, r, columns, v)
	chosen, known := r.sorted(chosen, v.Sort), r.links(own)
	said.nameCodes(known, r, chosen)
	from := min(v.Offset, len(chosen))
	t.Rows = r.rows(chosen[from:], columns, known)
	if v.Sort == "" {
		t.Letters = r.letters(chosen, from, len(t.Rows), base, v)
	}
	if base == "" {
		t.Left = len(chosen) - len(t.Rows)
		return t
	}
	before := slices.Clone(chosen[max(0, from-maxRows):from])
	slices.Reverse(before)
	at := func(offset int) string { return v.at(base, offset) }
	t.Pager = pager(at, from-len(r.rows(before, columns, known)), from, len(t.Rows), len(chosen))
	return t
}

// saying are the records that have words in the code, the name, other names or what they
// are about.
func (r *records) withWords(all []content.Object, words string) (chosen []content.Object) {
	for _, record := range all {
		texts := []string{record.Text(r.field.Unique), title(record)}
		for _, name := range append([]string{"synonyms"}, aboutFields...) {
			if raw := record.Get(name); raw != nil {
				texts = appendTexts(texts, raw)
			}
		}
		if hasAllWords(words, texts...) {
			chosen = append(chosen, record)
		}
	}
	return chosen
}

// rows are those of the first records, as many as fit on a page.
func (r *records) rows(all []content.Object, columns []*content.Field, known map[string]page.Link) []page.Row {
	return page.Fitting(min(len(all), maxRows), func(i int) page.Row { return r.row(all[i], columns, known) })
}

// at is the address of the view from an offset on.
func (v View) at(base string, offset int) string { return address(base, v.query(offset)) }

// query is the view as the query of an address, from an offset on.
func (v View) query(offset int) url.Values {
	q := v.chosen()
	maps.Copy(q, parameters(map[string]string{TextParameter: v.Text, "sort": v.Sort, "offset": nonDefault(offset, 0)}))
	return q
}

// chosen is the part of the view that says which records there are, as the query of
// an address: a program asks for no more.
func (v View) chosen() url.Values {
	q := parameters(v.Filters)
	maps.Copy(q, parameters(map[string]string{"as_of": v.AsOf}))
	return q
}

// columns are the fields that make good columns: those to filter by, then other
// short ones.
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
	o := api.Of(api.ReadItem, e.Kind, e.Name)
	names, offers := []string{TextParameter}, map[string]offer{"sort": {r.orders(), r.orderTitle}}
	for _, p := range o.Filters() {
		names = append(names, p.Name)
	}
	for _, f := range r.field.Items.Fields {
		if f.Filter != "" && (f.Boolean || len(f.Values) > 0) {
			offers[f.Filter] = offer{title: func(value string) string { return word(f, value) }}
		}
	}
	return form(frame, o, e.Kind.ItemPath(e.Name), v.query(0), offers, names...)
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

// nameTitle is the head of the column with the names of records.
const nameTitle = "Название"

// heads are the heads of the columns, each leading to the table sorted by it if
// there is an address of the table.
func heads(base string, r *records, columns []*content.Field, v View) []page.Column {
	var all []page.Column
	name := &content.Field{Name: r.name(), Title: nameTitle}
	for _, f := range append([]*content.Field{name}, columns...) {
		column, next := page.Column{Title: cmp.Or(f.Title, f.Name)}, f.Name
		switch v.Sort {
		case f.Name:
			column.Sorted, next = "ascending", "-"+f.Name
		case "-" + f.Name:
			column.Sorted = "descending"
		}
		if sorted := v; base != "" {
			sorted.Sort = next
			column.Href = sorted.at(base, 0)
		}
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

// SortFields lists the fields by which the records of an item can be sorted, nil if it has no
// records.
func (s *Site) SortFields(item *content.Item) []string {
	if item.Current == nil {
		return nil
	}
	r := s.config.recordsOf(s.entries[item.Current.Publication])
	if r == nil {
		return nil
	}
	return r.orders()
}

// orders are the fields by which the records can be sorted, each also in reverse.
func (r *records) orders() (all []string) {
	for _, name := range append([]string{r.name()}, names(r.columns())...) {
		all = append(all, name, "-"+name)
	}
	return all
}

// orderTitle is what people call an order: the head of its column.
func (r *records) orderTitle(order string) string {
	name, reversed := strings.CutPrefix(order, "-")
	title := nameTitle
	if f := r.field.Items.Field(name); f != nil && name != r.name() {
		title = cmp.Or(f.Title, name)
	}
	if reversed {
		title += ", в обратном порядке"
	}
	return title
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

// links are what the records are called, by code, and below base where they are;
// without it they are nowhere.
func (r *records) links(base string) map[string]page.Link {
	all := map[string]page.Link{}
	for _, record := range r.all {
		code := record.Text(r.field.Unique)
		link := page.Link{Title: cmp.Or(title(record), code)}
		if base != "" {
			link.Href = base + "/" + url.PathEscape(code)
		}
		all[code] = link
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

func (r *records) row(record content.Object, columns []*content.Field, known map[string]page.Link) page.Row {
	code := record.Text(r.field.Unique)
	row := page.Row{ID: anchor(code), Href: known[code].Href, Title: known[code].Title, Code: code}
	for _, m := range record {
		if slices.Contains(aboutFields, m.Name) {
			row.About = record.Text(m.Name)
		}
		f := r.field.Items.Field(m.Name)
		if m.Name == searchTerms || f != nil && f.Items != nil && f.Items.Reference != "" {
			continue // the page of the record says it, and leads there
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

// shortList is a list of a record that fits on a line or two.
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
	c.Text = word(f, value)
	if day, err := time.Parse(content.Date, value); err == nil {
		c.Day = day
	}
	if f.Boolean && value == "true" && strings.Contains(f.Name, "stop") {
		c.Class = "stop"
	}
	return c
}

// minLetters is how many records make letters to jump to worth their place.
const minLetters = 60

// letters lead to the first record of each letter, if the records come by alphabet:
// on the page where it is shown, else to the page that begins with it.
func (r *records) letters(all []content.Object, from, shown int, base string, v View) (links []page.Link) {
	if len(all) < minLetters {
		return nil
	}
	last := ""
	for i, record := range all {
		code := record.Text(r.field.Unique)
		first, _ := utf8.DecodeRuneInString(cmp.Or(title(record), code))
		l := page.Link{Title: string(unicode.ToUpper(first)), Href: "#" + anchor(code)}
		if l.Title < last {
			return nil
		}
		if i < from || i >= from+shown {
			l.Href = v.at(base, i) + l.Href
		}
		if l.Title > last && (base != "" || l.Href[0] == '#') {
			links = append(links, l)
		}
		last = l.Title
	}
	return links
}

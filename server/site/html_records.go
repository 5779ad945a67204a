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
	// maxRows is the maximum number of records on a page, however short they are: a phone has to
	// lay them out.
	maxRows = 250
	// maxColumns is the maximum number of columns besides the name.
	maxColumns = 4
	// maxListed is the maximum length in letters of a list that is shown with its record.
	maxListed = 160
)

// aboutFields are the fields that describe a record.
var aboutFields = []string{"description", "definition", "summary"}

// table makes the table of the records that pass the filters of a view, as many as fit on a page.
// Links and filters are only those of the version shown: only records of the current version have
// addresses, and another version can be filtered only if it is selected by a day.
func (c Config) table(
	frame *page.Frame, e *content.Entry, said *quoted, current bool, r *records, v View,
) *page.Records {
	base := frame.Root + e.Kind.ItemPath(e.Name)
	own, columns, chosen := "", r.columns(), r.chosen(v.Filters)
	if v.Day != "" {
		chosen = r.validOn(v.Day)
	}
	if v.Text != "" {
		chosen = r.withWords(chosen, newWordFilter(v.Text))
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
	t.Columns = columnHeads(base, r, columns, v)
	chosen, known := r.sorted(chosen, v.Sort), r.links(own)
	said.nameCodes(known, r, chosen)
	from := min(v.Offset, len(chosen))
	draw := said.inline(c, e, frame.Root)
	t.Rows = r.rows(chosen[from:], columns, known, draw)
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
	t.Pager = pager(at, from-len(r.rows(before, columns, known, draw)), from, len(t.Rows), len(chosen))
	return t
}

// withWords lists the records with words in the code, the name, other names or the description.
func (r *records) withWords(all []content.Object, words wordFilter) (chosen []content.Object) {
	for _, record := range all {
		texts := []string{r.code(record), title(record)}
		for _, name := range append([]string{"synonyms"}, aboutFields...) {
			if raw := record.Get(name); raw != nil {
				texts = appendTexts(texts, raw)
			}
		}
		if words.matches(texts...) {
			chosen = append(chosen, record)
		}
	}
	return chosen
}

// rows are the rows of the first records, as many as fit on a page.
func (r *records) rows(
	all []content.Object, columns []*content.Field, known map[string]page.Link, draw func(*document.Node) page.HTML,
) []page.Row {
	return page.Fitting(min(len(all), maxRows), func(i int) page.Row { return r.row(all[i], columns, known, draw) })
}

// at is the address of the view with an offset.
func (v View) at(base string, offset int) string { return address(base, v.query(offset)) }

// query is the query of the view with an offset.
func (v View) query(offset int) url.Values {
	q := v.dataQuery()
	maps.Copy(q, parameters(map[string]string{TextParameter: v.Text, "sort": v.Sort, "offset": nonDefault(offset, 0)}))
	return q
}

// dataQuery is the query for the same records as data, which has no words, order or offset.
func (v View) dataQuery() url.Values {
	q := parameters(v.Filters)
	maps.Copy(q, parameters(map[string]string{"as_of": v.AsOf}))
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
	o := api.Of(api.ReadItem, e.Kind, e.Name)
	names := []string{TextParameter}
	for _, p := range o.Filters() {
		names = append(names, p.Name)
	}
	return form(frame, o, e.Kind.ItemPath(e.Name), v.query(0), r.offers(), names...)
}

func (r *records) offers() map[string]offer {
	offers := map[string]offer{"sort": {title: r.orderTitle}}
	for _, f := range r.field.Items.Fields {
		if f.Filter != "" && (f.Boolean || len(f.Values) > 0) {
			offers[f.Filter] = offer{title: func(value string) string { return word(f, value) }}
		}
	}
	return offers
}

// orderTitle is the title of an order of the records.
func (r *records) orderTitle(order string) string {
	name, down := strings.CutPrefix(order, "-")
	title := nameTitle
	if f := r.field.Items.Field(name); f != nil && name != r.nameField() {
		title = cmp.Or(f.Title, name)
	}
	if down {
		title += ", по убыванию"
	}
	return title
}

// nameTitle is the title of the column with the names of records.
const nameTitle = "Название"

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

// columnHeads are the heads of the columns; each links to the table sorted by it if the table has
// an address.
func columnHeads(base string, r *records, columns []*content.Field, v View) []page.Column {
	var all []page.Column
	name := &content.Field{Name: r.nameField(), Title: nameTitle}
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

// nameField is the field with the name of a record.
func (r *records) nameField() string {
	for _, n := range []string{"title", "term"} {
		if r.field.Items.Field(n) != nil {
			return n
		}
	}
	return r.field.Unique
}

// SortFields lists the fields by which the records of an item can be sorted, nil if it has no
// records.
func (s *Site) SortFields(item *content.Item) (all []string) {
	r := s.currentRecords(item)
	if r == nil {
		return nil
	}
	for _, name := range append([]string{r.nameField()}, names(r.columns())...) {
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

// sorted sorts records by a field: the values of an enumeration in the order of the schema, others
// alphabetically.
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
	record content.Object, columns []*content.Field, known map[string]page.Link, draw func(*document.Node) page.HTML,
) page.Row {
	code := r.code(record)
	row := page.Row{ID: anchor(code), Href: known[code].Href, Title: known[code].Title, Code: code}
	for _, m := range record {
		if slices.Contains(aboutFields, m.Name) {
			row.About = draw(&document.Read(content.Object{m}, r.field.Items).Kids[0])
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

// minLetters is the minimum number of records for links to letters.
const minLetters = 60

// letters link to the first record of each letter if the records are in alphabetical order: on
// this page, else on the page that begins with it.
func (r *records) letters(all []content.Object, from, shown int, base string, v View) (links []page.Link) {
	if len(all) < minLetters {
		return nil
	}
	last := ""
	for i, record := range all {
		first, _ := utf8.DecodeRuneInString(r.title(record))
		l := page.Link{Title: string(unicode.ToUpper(first)), Href: "#" + anchor(r.code(record))}
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

package site

import (
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/document"
	"rulestore/content/markdown"
	"rulestore/server/api"
)

// records are the records of a version of a registry.
type Records struct {
	Field *content.Field // the array in the schema
	All   []content.Object
}

// recordsOf returns the records of a version, parsed once; nil if its kind has none.
func (c Config) recordsOf(p *preparedVersion) *Records {
	return p.records.get(func() *Records { return c.readRecords(p.entry.Publication) })
}

// CurrentRecords returns the records of the current version of an item, which may be nil; nil if it
// has none.
func (s *Site) CurrentRecords(item *content.Item) *Records {
	if item == nil || item.Current == nil {
		return nil
	}
	return s.recordsOf(s.entries[item.Current.Publication])
}

// Code is the code of a record.
func (r *Records) Code(record content.Object) string { return record.Text(r.Field.Unique) }

// Title is the title of a record, or its code if it has none.
func (r *Records) Title(record content.Object) string { return cmp.Or(title(record), r.Code(record)) }

// find returns the record with a code, nil if there is none.
func (r *Records) find(code string) content.Object {
	i := slices.IndexFunc(r.All, func(record content.Object) bool { return r.Code(record) == code })
	if i < 0 {
		return nil
	}
	return r.All[i]
}

func (c Config) readRecords(p *content.Publication) (read *Records) {
	for _, f := range c.format(p).Root().Fields {
		if !f.Records {
			continue
		}
		if all := readObjects(p.Body().Get(f.Name)); all != nil {
			read = &Records{f, all}
		}
	}
	return read
}

// placeRecords places a resource for each record of a registry.
func (s *Site) placeRecords(own *preparedItem, p *preparedVersion) {
	c, r, e := s.Config, s.recordsOf(p), p.entry
	if r == nil {
		return
	}
	for _, record := range r.All {
		if r.Code(record) == "versions" { // whose path is that of the versions
			continue
		}
		make := func(by mentions) *Resource { return c.record(e, r, record, by) }
		res := make(mentions{})
		res.referenced = &referenced{r.Target(e.Name, r.Code(record)), make, e.ModifiedAt}
		s.place(own, "/"+r.Code(record), "/{record}", res)
	}
}

// record is the resource of a record, with the references to it.
func (c Config) record(e *content.Entry, r *Records, record content.Object, by mentions) *Resource {
	return jsonResource(func() Body {
		o := object{tells: true}
		o.members(record)
		c.source(&o, e)
		by.write(&o)
		o.fetchedAt()
		return o.end()
	}).addText(api.MarkdownType, func() []byte {
		return c.recordMarkdown(e, r, record, by)
	}).with(ShownRecord{e, r, record})
}

// recordMarkdown is a record with its source and the references to it, without its search terms,
// which tell a reader nothing new.
func (c Config) recordMarkdown(e *content.Entry, r *Records, record content.Object, by mentions) []byte {
	w := markdown.NewPlain(r.Title(record), append([]string{"`" + r.Code(record) + "`"}, c.facts(e)...))
	shown := slices.DeleteFunc(slices.Clone(record), func(m content.Member) bool { return m.Name == searchTerms })
	w.Object(document.Read(shown, r.Field.Items), r.Field.Unique)
	by.markdown(w)
	return w.Bytes()
}

// source writes the version that a part is from.
func (c Config) source(o *object, e *content.Entry) {
	o.text(e.Kind.ID, e.ID())
	o.text(e.Kind.Version, e.Version.String())
	o.text("source_checksum", e.Checksum)
	o.text("source_url", c.URL(e.Path()))
}

// Filters lists the parameters by which the records of an item can be filtered, with the
// possible values of each; nil means any.
func (s *Site) Filters(item *content.Item) map[string][]string {
	r := s.CurrentRecords(item)
	if r == nil {
		return nil
	}
	filters := map[string][]string{}
	for _, f := range r.Field.Items.Fields {
		switch {
		case f.Filter == "":
		case f.Boolean:
			filters[f.Filter] = []string{"true", "false"}
		default:
			filters[f.Filter] = f.Values
		}
	}
	return filters
}

// UnknownCode returns an unknown code in a filter of a registry; nil if it is known, or the codes
// are not.
func (s *Site) UnknownCode(item *content.Item, filter, code string) *Unknown {
	r := s.CurrentRecords(item)
	if r == nil || len(r.Chosen(map[string]string{filter: code})) > 0 {
		return nil
	}
	registry, list, ok := strings.Cut(r.codesOf(filter), "/")
	named := s.CurrentRecords(s.Snapshot.Item(content.Registries, registry))
	if !ok || named == nil || named.Field.Name != list {
		return nil
	}
	codes := named.codes()
	if slices.Contains(codes, code) {
		return nil
	}
	return &Unknown{
		code, check.Nearest(code, codes), "Коды — в справочнике", content.Registries.ItemPath(registry),
	}
}

// codesOf names the registry and its list whose codes a filter takes, "" if it takes something
// else.
func (r *Records) codesOf(filter string) string {
	for _, f := range r.Field.Items.Fields {
		switch {
		case f.Filter != filter:
		case f.Items != nil:
			return f.Items.Codes
		default:
			return f.Codes
		}
	}
	return ""
}

// RecordAt returns the title of the record at the address of a section of a registry, and its
// own path; "" if there is no record.
func (s *Site) RecordAt(e *content.Entry, address string) (name, path string) {
	list, code, _ := strings.Cut(address, "/")
	r := s.recordsOf(s.entries[e.Publication])
	if r == nil || r.Field.Name != list {
		return "", ""
	}
	record := r.find(code)
	if record == nil {
		return "", ""
	}
	return r.Title(record), e.Kind.ItemPath(e.Name) + "/" + code
}

// codes lists the codes of the records; r may be nil.
func (r *Records) codes() (all []string) {
	if r == nil {
		return nil
	}
	for _, record := range r.All {
		all = append(all, r.Code(record))
	}
	return all
}

// AsOf returns a version as selected by a day: the same data, with a page whose links lead to
// other views of that day.
func (s *Site) AsOf(e *content.Entry, day string) *Resource {
	r := *s.made(s.entries[e.Publication])
	if r.Gone == nil {
		r.Shows = ShownVersion{e, View{AsOf: day}}
	}
	return &r
}

// Records returns the part of a registry whose records pass the filters of a view; a version
// without records is returned whole, and of a redacted one what became of it.
func (s *Site) Records(e *content.Entry, v View) *Resource {
	own := s.entries[e.Publication]
	r := s.recordsOf(own)
	if r == nil || own.resource.Gone != nil {
		return s.made(own)
	}
	chosen, c := r.Chosen(v.Filters), s.Config
	return jsonResource(func() Body {
		elements := bodies(chosen, func(record content.Object) Body { return Body{Bytes: record.AppendJSON(nil)} })
		var o object
		c.source(&o, e)
		o.total(len(chosen))
		o.fetchedAt()
		o.elements(r.Field.Name, elements)
		return o.end()
	}).with(ShownVersion{e, v})
}

// Chosen lists the records that pass the filters.
func (r *Records) Chosen(filters map[string]string) (all []content.Object) {
	if len(filters) == 0 {
		return r.All
	}
	for _, record := range r.All {
		if r.passes(record, filters) {
			all = append(all, record)
		}
	}
	return all
}

// passes reports whether a record has the values of all filters; a list has to contain them.
func (r *Records) passes(record content.Object, filters map[string]string) bool {
	for _, f := range r.Field.Items.Fields {
		want, ok := filters[f.Filter]
		if f.Filter == "" || !ok {
			continue
		}
		raw := record.Get(f.Name)
		var list []string
		if json.Unmarshal(raw, &list) == nil {
			if !slices.Contains(list, want) {
				return false
			}
			continue
		}
		if string(raw) != want && string(raw) != strconv.Quote(want) {
			return false
		}
	}
	return true
}

package api

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// An itemAddress is where items are that share an address: those of a kind, or one that has an
// address of its own. The zero value is that of operations which are of no kind.
type itemAddress struct {
	words
	of   *kindWords
	set  *schemas.Set
	kind *content.Kind
	item string // the name of the one item; "" for all others of the kind
	path string
}

// ofKind are the operations of a kind: its list, its items, and what belongs to each.
func ofKind(k *content.Kind, set *schemas.Set) (all []*Operation) {
	d, w := declared(), wordsOf(k)
	add := func(raw json.RawMessage, s itemAddress) {
		o := operation(raw, s)
		o.Kind, o.Item, o.Tag = k, s.item, cmp.Or(o.Tag, s.Tag, w.Tag)
		if s.item != "" && o.Path != s.path && s.isCovered() {
			o.Name = ""
		}
		all = append(all, o)
	}
	addresses := addressesOf(k, w, set)
	if k.List {
		for _, raw := range d.Kinds {
			add(raw, itemAddress{of: w, set: set, kind: k})
		}
	}
	for _, s := range addresses {
		for _, raw := range d.Items {
			var only struct{ For string }
			if _ = json.Unmarshal(raw, &only); s.is(only.For) { // it is an operation
				add(raw, s)
			}
		}
	}
	return all
}

// isCovered reports whether the template of the kind has the addresses below that of the item, too.
func (s itemAddress) isCovered() bool {
	return strings.HasPrefix(s.path, s.kind.Path+"/") && !strings.Contains(s.item, "/")
}

// is reports whether an operation that is for some addresses is for this one.
func (s itemAddress) is(group string) bool {
	switch group {
	case "plain":
		return s.records() == nil
	case "records":
		return s.records() != nil
	case "record":
		return s.Record != nil
	case "files":
		return s.kind.Static != ""
	}
	return group == "" || group == s.kind.Folder
}

// answer is the one that an address has in place of another that several have: output schemas are answered as
// JSON Schemas, too.
func (s itemAddress) answer(name string) string {
	if name == "item" && s.kind == content.OutputSchemas {
		return "schema"
	}
	return name
}

// fill fills in the words in angle brackets of a declaration.
func (s itemAddress) fill() *strings.Replacer {
	if s.kind == nil {
		return strings.NewReplacer()
	}
	k, w, r := s.kind, s.of, cmp.Or(s.Record, &record{Code: &Param{}})
	verb, schemaName, apart := "getCurrent", "json_schema", ""
	if k.StaticEnd == "" {
		verb = "getStatic"
	}
	if k == content.OutputSchemas {
		apart = "-Own"
	}
	if s.item != "" {
		schemaName = s.Name + "_json_schema"
	}
	pairs := []string{
		"<id field>", k.ID, "<version field>", k.Version, "<status>", statusOf(k).Key,
		"<header>", k.Header, "<version header>", k.Header + apart + "-Version", "<kind example>", w.ID,
		"<version example>", w.Version,
		"<version pattern>", Shared("Version").Pattern,
		"<folder>", k.Folder, "<kind path>", k.Path, "<kind schema>", w.Schema,
		"<plural>", w.Plural, "<list>", w.List, "<list about>", w.About, "<of kind>", w.Of,
		"<path>", s.path, "<id>", s.ID, "<name>", s.Name, "<schema>", s.Schema, "<title>", s.Title,
		"<about>", s.About, "<of>", s.Of, "<of version>", cmp.Or(s.OfVersion, s.Of),
		"<verb>", verb, "<file>", k.StaticPath(cmp.Or(s.item, "{"+k.Argument()+"}")),
		"<JSON Schema>", JSONSchemasPath + cmp.Or(s.item, "{name}"), "<JSON Schema name>", schemaName,
		"<JSON Schema id>", strings.Replace(s.ID, "Schema", "JsonSchema", 1),
		"<record>", r.ID, "<record name>", r.Name, "<record title>", r.Title, "<code>", r.Code.Name,
		"<record about>", cmp.Or(r.About, "Одна запись действующей версии."),
	}
	for i := 1; i < len(pairs); i += 2 { // the declaration is JSON
		quoted := content.String(pairs[i])
		pairs[i] = string(quoted[1 : len(quoted)-1])
	}
	return strings.NewReplacer(pairs...)
}

// param are the parameters of a name, which may depend on the address.
func (s itemAddress) param(name string) []*Param {
	if s.kind == nil {
		return []*Param{Shared(name)}
	}
	root := newest(s.set, s.kind.Folder)
	only := func(is bool, of ...*Param) []*Param {
		if is {
			return of
		}
		return nil
	}
	switch name {
	case "item":
		return only(s.item == "", s.of.Param)
	case "version":
		return []*Param{s.numbers()}
	case "record":
		return []*Param{s.Record.Code}
	case "filters":
		return s.filters()
	case "some": // of the records
		few, from := *Shared("ListLimit"), *Shared("Offset")
		few.Answers, from.Answers = []string{s.Schema + "View"}, []string{s.Schema + "View"}
		few.Key, from.Key = "", ""
		return []*Param{&few, &from}
	case "periods":
		return only(hasPeriods(s.kind, s.set), Shared("InForce"))
	case "product types":
		return only(hasProductTypes(root), Shared("ProductType"))
	case "scenario":
		f := cmp.Or(root.Field("scenario"), &content.Field{})
		return only(root.Field("scenario") != nil, &Param{
			Name: "scenario", In: "query", Type: Word, Title: "Сценарий",
			About: "Только " + strings.ToLower(s.kind.Title) + " этого сценария.",
			Brief: "Например fraud_risk", Open: true, Values: f.Values, Key: s.of.Schema + "Scenario",
		})
	case "status":
		return []*Param{statusOf(s.kind)}
	}
	return []*Param{Shared(name)}
}

// statusOf is the parameter that chooses the status of what a list holds.
func statusOf(k *content.Kind) *Param {
	if k.Expires {
		return Shared("StatusWithReview")
	}
	return Shared("Status")
}

// HasPeriods reports whether items of a kind have periods of validity.
func HasPeriods(k *content.Kind) bool { return hasPeriods(k, schemas.Embedded()) }

func hasPeriods(k *content.Kind, set *schemas.Set) bool {
	return newest(set, k.Folder).Field("valid_from") != nil
}

// hasProductTypes reports whether items can be for product types.
func hasProductTypes(root *content.Field) bool {
	return root.Field("product_types") != nil || root.Field("applicability").Field("product_types") != nil
}

// newest is the newest format in a folder.
func newest(set *schemas.Set, folder string) *content.Field {
	if format := content.NewestFormat(set, folder); format != nil {
		return format.Root()
	}
	return &content.Field{}
}

// numbers is the parameter of the path that names a version.
func (s itemAddress) numbers() *Param {
	version := Shared("Version")
	if s.Numbered == "" {
		return version
	}
	own := *version
	own.Example, own.Key = s.Numbered, s.ID+"Version"
	return &own
}

// records is the field of the format that holds records; nil if there is none.
func (s itemAddress) records() *content.Field {
	root := newest(s.set, content.FormatsOf(s.set, s.kind, s.item))
	i := slices.IndexFunc(root.Fields, func(f *content.Field) bool { return f.Records })
	if i < 0 {
		return nil
	}
	return root.Fields[i]
}

// filters are the parameters by which records are chosen; their titles and values are those of their
// format.
func (s itemAddress) filters() (all []*Param) {
	for _, f := range s.Filters {
		p := &f
		p.In, p.Type, p.Length, p.Filter, p.Answers = "query", Text, 200, true, []string{s.Schema + "View"}
		for _, field := range s.records().Items.Fields {
			if field.Filter != p.Name {
				continue
			}
			p.Title, p.Codes = field.Title, field.Codes
			if field.Items != nil {
				p.Codes = field.Items.Codes
			}
			switch {
			case field.Boolean:
				p.Type, p.Length = Switch, 0
			case field.Values != nil:
				p.Type, p.Length, p.Values = Word, 0, field.Values
			}
		}
		all = append(all, p)
	}
	return all
}

package api

import (
	"cmp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// An itemAddress is where items are that share an address: those of a kind, or one that has an
// address of its own.
type itemAddress struct {
	words
	set  *schemas.Set
	kind *content.Kind
	item string // the name of the one item; "" for all others of the kind
	path string
}

// ofKind are the operations of a kind: its list, its items, and what belongs to each.
func ofKind(k *content.Kind, set *schemas.Set) (all []*Operation) {
	w := wordsOf(k)
	if k.List {
		all = append(all, list(k, w, set))
	}
	for _, s := range addressesOf(k, w, set) {
		all = append(all, s.operations(w)...)
	}
	return all
}

func list(k *content.Kind, w *kindWords, set *schemas.Set) *Operation {
	var params []*Param
	root := newest(set, k.Folder)
	if f := root.Field("scenario"); f != nil {
		params = append(params, &Param{
			Name: "scenario", In: "query", Type: Word, Title: "Сценарий",
			About: "Только " + strings.ToLower(k.Title) + " этого сценария.",
			Brief: "Например fraud_risk", Open: true, Values: f.Values, Key: w.Schema + "Scenario",
		})
	}
	params = append(params, statusOf(k))
	if hasProductTypes(root) {
		params = append(params, productType)
	}
	params = append(params, prefix, AsOf)
	params = append(params, dated(k, set)...)
	return &Operation{
		Name: k.Folder, ID: "list" + w.Plural, Path: k.Path, Tag: w.Tag, Title: "Список " + w.List, About: w.About,
		Params: append(params, ListLimit, offset), Action: ListItems, Kind: k,
		Answer: Response{
			Key: w.Schema + "List", About: "Список " + w.List + ".", Headers: kept,
			Forms: []Form{newForm(JSONType, w.Schema+"List"), titledForm, pageForm},
		},
	}
}

// statusOf is the parameter that chooses the status of what a list holds.
func statusOf(k *content.Kind) *Param {
	if k.Expires {
		return statusWithReview
	}
	return status
}

// dated is the parameter for the day of which what was in force is asked, where items of
// the kind say since when they are.
func dated(k *content.Kind, set *schemas.Set) []*Param {
	if hasPeriods(k, set) {
		return []*Param{InForce}
	}
	return nil
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

// operations are those of an address.
func (s itemAddress) operations(w *kindWords) (all []*Operation) {
	all = append(all, s.current(w), s.versions(w), s.version(w), s.proof(w))
	if s.kind == content.Parameters {
		all = append(all, s.periods(w))
	}
	if s.kind.Static != "" {
		all = append(all, s.file(w, "Json", ".json", JSONType), s.file(w, "Markdown", ".md", MarkdownType))
	}
	if s.kind == content.OutputSchemas {
		all = append(all, s.jsonSchemas(w)...)
	}
	if s.Record != nil {
		all = append(all, s.recordOf())
	}
	for _, o := range all {
		o.Kind, o.Item, o.Tag = s.kind, s.item, cmp.Or(o.Tag, s.Tag, w.Tag)
	}
	return all
}

// named is the name of an endpoint; "" where the template of the kind has the address.
func (s itemAddress) named(suffix string) string {
	if suffix != "" && s.item != "" && strings.HasPrefix(s.path, s.kind.Path+"/") && !strings.Contains(s.item, "/") {
		return ""
	}
	return s.Name + suffix
}

// by are the parameters of the path.
func (s itemAddress) by(w *kindWords, others ...*Param) []*Param {
	if s.item != "" {
		return others
	}
	return append([]*Param{w.Param}, others...)
}

// numbers is the parameter of the path that names a version.
func (s itemAddress) numbers() *Param {
	if s.Numbered == "" {
		return version
	}
	own := *version
	own.Example, own.Key = s.Numbered, s.ID+"Version"
	return &own
}

func (s itemAddress) current(w *kindWords) *Operation {
	var params []*Param
	for _, f := range s.Filters {
		params = append(params, f.param(s.records(), s.Schema+"View"))
	}
	params = append(append(append(params, AsOf), dated(s.kind, s.set)...), Section, View)
	o := &Operation{
		Name: s.named(""), ID: "get" + s.ID, Path: s.path, Title: s.Title, About: s.About, Params: s.by(w, params...),
		Answer: s.whole(w), Missing: "NotFound", Redacted: true, Lenient: s.records() == nil, Action: ReadItem,
	}
	if s.records() != nil {
		part := []string{s.Schema + "View"}
		few, from := *ListLimit, *offset
		few.Answers, few.Key, from.Answers, from.Key = part, "", part, ""
		o.Params = append(o.Params, &few, &from)
		o.Answer = s.filterable()
	}
	if s.Filters != nil {
		o.About += " Фильтры можно сочетать; значение вне списка и неизвестный параметр — ошибка 400."
	}
	return o
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

// param is the parameter by which records are chosen; its title and values are those of their
// format.
func (f filter) param(records *content.Field, answer string) *Param {
	p := &Param{
		Name: f.Name, In: "query", Type: Text, About: f.About, Brief: f.Brief, Example: f.Example,
		Length: maxCode, Key: f.Key, Filter: true, Open: f.Open, Answers: []string{answer},
	}
	for _, field := range records.Items.Fields {
		if field.Filter != f.Name {
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
	return p
}

// whole is the answer with a version.
func (s itemAddress) whole(w *kindWords) Response {
	a := Response{
		Key: s.Schema, Headers: itemHeaders(s.kind),
		About: "Версия " + cmp.Or(s.OfVersion, s.Of) +
			". В JSON или Markdown, по заголовку Accept; без него и при `*/*` — JSON. Чем отвечают с параметрами " +
			"`section`, `view` и `in_force`, сказано у них (`x-answers`).",
		Forms: []Form{
			newForm(JSONType, s.Schema), newForm(MarkdownType, "Markdown"),
		},
	}
	if s.kind == content.OutputSchemas {
		a.About = "Версия схемы результата. В JSON, Markdown или как JSON Schema 2020-12, по заголовку Accept; " +
			"без него и при `*/*` — JSON."
		a.Forms = append(a.Forms, newForm(SchemaType, "OutputJsonSchema"))
	}
	a.Forms = append(a.Forms, pageForm)
	return a
}

// filterable is the answer with a registry, or those of its records that pass the filters.
func (s itemAddress) filterable() Response {
	a := s.whole(&kindWords{})
	a.Key += "Filterable"
	a.About = "Действующая версия справочника целиком или, если заданы фильтр, `limit` или `offset`, часть его " +
		"записей; её формат — только JSON. Целиком — JSON или Markdown, по заголовку Accept."
	a.Headers = unfiltered(a.Headers)
	return a
}

func (s itemAddress) versions(w *kindWords) *Operation {
	return &Operation{
		Name: s.named("_versions"), ID: "list" + s.ID + "Versions", Path: s.path + "/versions", Title: "Версии " + s.Of,
		About: "Все версии, от высшей к низшей: статус, дата, что изменилось, контрольная сумма и постоянный адрес. " +
			"Изъятые тоже перечислены.",
		Params: s.by(w, ListLimit, offset), Missing: "NotFound", Action: ListVersions,
		Answer: Response{
			Key: w.Schema + "VersionList", About: "Все версии " + w.Of + ".", Headers: kept,
			Forms: []Form{newForm(JSONType, w.Schema+"VersionList"), titledForm, pageForm},
		},
	}
}

func (s itemAddress) version(w *kindWords) *Operation {
	return &Operation{
		Name: s.named("_version"), ID: "get" + s.ID + "Version", Path: s.path + VersionPattern,
		Title: "Версия " + s.Of,
		About: "Версия, опубликованная под этим номером. Содержание её не меняется; меняться могут статус и ссылки на " +
			"соседние версии.",
		Params: s.by(w, s.numbers(), Section, versionView), Answer: s.whole(w), Missing: "VersionNotFound",
		Redacted: true,
		Lenient:  true, Action: ReadVersion,
	}
}

func (s itemAddress) proof(w *kindWords) *Operation {
	return &Operation{
		Name: s.named("_proof"), ID: "get" + s.ID + "VersionProof", Path: s.path + VersionPattern + ProofSuffix,
		Tag: "Проверка", Title: "Доказательство: версия " + s.Of,
		About: "Доказывает, что версия есть в журнале: номер, путь до корня и подписанная контрольная точка " +
			"(c2sp.org/tlog-proof). В `extra` — лист: тег, сумма и дата. Заголовок Accept не учитывается.",
		Params: s.by(w, s.numbers()), Missing: "NotFound", AnyAccept: true, Action: Prove,
		Route:  "/{item:.+}" + VersionPattern + ProofSuffix,
		Answer: newAnswer("Доказательство.", kept, newForm(TextType, `{"type":"string","pattern":"^c2sp.org/tlog-proof@v1\\n"}`)),
	}
}

func (s itemAddress) periods(w *kindWords) *Operation {
	headers := slices.DeleteFunc(itemHeaders(s.kind), func(h string) bool { return strings.HasPrefix(h, "X-Content") })
	return &Operation{
		Name: s.named("_periods"), ID: "listParameterPeriods", Path: s.path + PeriodsSuffix,
		Title: "Значения параметра по периодам",
		About: "Что и когда действовало, действует и будет действовать, от раннего к позднему, с пропусками между " +
			"периодами. У параметра без периодов их составляют сроки действия его версий.",
		Params: s.by(w, AsOf, ListLimit, offset), Missing: "NotFound", Redacted: true, Action: ListPeriods,
		Answer: Response{
			Key: "ParameterPeriods", About: "Значения параметра по периодам. В JSON или Markdown, по заголовку Accept.",
			Headers: headers, Forms: []Form{
				newForm(JSONType, "ParameterPeriods"), newForm(MarkdownType, "Markdown"), pageForm,
			},
		},
	}
}

// file is the current version as a plain file.
func (s itemAddress) file(w *kindWords, form, extension, mediaType string) *Operation {
	verb := "getCurrent"
	if s.kind.StaticEnd == "" {
		verb = "getStatic"
	}
	called := form
	if mediaType == JSONType {
		called = "JSON"
	}
	answer := Response{
		Key: s.Schema + form, About: "Версия " + cmp.Or(s.OfVersion, s.Of) + ".", Headers: whole(itemHeaders(s.kind)),
		Forms: []Form{newForm(JSONType, s.Schema)},
	}
	if mediaType == MarkdownType {
		answer.Forms = []Form{newForm(MarkdownType, "Markdown")}
	}
	return &Operation{
		Name: s.fileName(strings.ToLower(form)), ID: verb + s.ID + form,
		Path:  s.kind.StaticPath(cmp.Or(s.item, "{"+s.kind.Argument()+"}")) + extension,
		Title: s.Title + ", файл " + called,
		About: "Действующая версия под постоянным именем файла. Формат назван в адресе, поэтому заголовок Accept и " +
			"параметры запроса не учитываются.",
		Params: s.by(w), Answer: answer, Missing: "NotFound", Redacted: true, Lenient: true, AnyAccept: true,
	}
}

func (s itemAddress) fileName(form string) string {
	if s.item != "" {
		return ""
	}
	return s.Name + "_" + form
}

func (s itemAddress) recordOf() *Operation {
	r := s.Record
	var params []*Param
	if s.item == "" {
		params = append(params, wordsOf(s.kind).Param)
	}
	return &Operation{
		Name: r.Name, ID: "get" + r.ID, Path: s.path + "/{" + r.Code.Name + "}", Title: r.Title,
		About:  cmp.Or(r.About, "Одна запись действующей версии."),
		Params: append(params, r.Code), Missing: "NotFound", Redacted: true, Lenient: true,
		Answer: Response{Key: r.ID, About: "Запись справочника.", Headers: kept, Forms: []Form{
			newForm(JSONType, r.ID+"Page"), titledForm, pageForm,
		}},
	}
}

// jsonSchemas are the versions of an output schema as JSON Schemas: the current one, and each.
func (s itemAddress) jsonSchemas(w *kindWords) []*Operation {
	id, base := strings.Replace(s.ID, "Schema", "JsonSchema", 1), JSONSchemasPath+cmp.Or(s.item, "{name}")
	answer := Response{
		Key: "OutputJsonSchema", About: "Схема результата как JSON Schema 2020-12.",
		Headers: whole(itemHeaders(s.kind)),
		Forms:   []Form{newForm(SchemaType, "OutputJsonSchema")},
	}
	return []*Operation{
		{
			Name: s.jsonName("json_schema"), ID: "get" + id, Path: base + ".json", Title: s.Title + " как JSON Schema",
			About: "Действующая версия в виде JSON Schema 2020-12: ею проверяют составленный результат. Коды, которые " +
				"берутся из справочников, перечислены по их действующим версиям. Заголовок Accept не учитывается. " +
				"Имя с папкой описано отдельно: /schemas/output/math/loan-calculation.json.",
			Params: s.by(w), Answer: answer, Missing: "NotFound", Redacted: true, Lenient: true, AnyAccept: true,
		},
		{
			Name: s.jsonName("json_schema_version"), ID: "get" + id + "Version", Path: base + "/{version}.json",
			Title: "Версия " + s.Of + " как JSON Schema",
			About: "Версия, опубликованная под этим номером, в виде JSON Schema 2020-12; этот адрес — её `$id`. " +
				"Меняться " +
				"могут только коды из справочников. Заголовок Accept не учитывается.",
			Params: s.by(w, s.numbers()), Answer: answer, Missing: "VersionNotFound", Redacted: true, Lenient: true,
			AnyAccept: true,
		},
	}
}

// jsonName is the name of an endpoint of JSON Schemas.
func (s itemAddress) jsonName(name string) string {
	if s.item != "" {
		return s.Name + "_" + name
	}
	return name
}

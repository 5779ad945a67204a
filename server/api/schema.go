package api

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// kindSchemas are the components for the bodies that a kind has: what is at each of its addresses,
// its list, its versions.
func kindSchemas(k *content.Kind, w *kindWords, set *schemas.Set) (all content.Object) {
	addresses, shapes := addressesOf(k, w, set), shapesOf(k, set)
	for _, s := range addresses {
		if all.Get(s.Schema) == nil {
			all = append(all, s.bodies(shapes.common(s.formats()))...)
		}
	}
	id := inside(shapes.common(addresses[len(addresses)-1].formats()).properties, k.ID)
	all = append(all, Object(w.Schema+"Version", versionSchema(k, w), w.Schema+"VersionList", closed(
		"Все версии "+w.Of+", от высшей к низшей.", []string{k.ID, "total", "fetched_at", "versions"},
		append(Object(k.ID, id), listed("versions", w.Schema+"Version")...),
	))...)
	if !k.List {
		return all
	}
	return append(all, Object(
		w.Schema+"Summary", summarySchema(k, w, set, shapes),
		w.Schema+"List", listSchema(k, w, set),
	)...)
}

// listed are the members of a list, of which limit and offset are there if they were asked for.
func listed(name, element string) content.Object {
	return Object(
		"total", ref("schemas", "Total"), "limit", ref("schemas", "Limit"), "offset", ref("schemas", "Offset"),
		"fetched_at", ref("schemas", "FetchedAt"),
		name, Object("type", "array", "items", ref("schemas", element)),
	)
}

// formats are the folders with the formats of what is at an address.
func (s itemAddress) formats() (folders []string) {
	if s.item != "" {
		return []string{content.FormatsOf(s.set, s.kind, s.item)}
	}
	for _, folder := range s.set.Folders() {
		name, ofItem := strings.CutPrefix(folder, s.kind.Folder+"/")
		elsewhere := slices.ContainsFunc(wordsOf(s.kind).Own, func(o own) bool { return o.Item == name })
		if folder == s.kind.Folder || ofItem && !elsewhere {
			folders = append(folders, folder)
		}
	}
	return folders
}

// bodies are the components for what is at an address: a version, its records, some of these, and one.
func (s itemAddress) bodies(shape shape) content.Object {
	records := s.records()
	if records == nil {
		return Object(s.Schema, s.served(shape))
	}
	about := inside(shape.properties, records.Name)
	record := inside(about, "items")
	element := JSON(record)
	all := Object()
	if s.Record != nil {
		all = Object(
			s.Record.ID, record, s.Record.ID+"Page", Object("description", "Отдельная запись и её источник.", "allOf",
				[]any{ref("schemas", s.Record.ID), ref("schemas", "RecordSource")}),
		)
		element = JSON(ref("schemas", s.Record.ID))
	}
	list := merge(Object("items", element), about)
	for i, m := range shape.properties {
		if m.Name == records.Name {
			shape.properties[i].Value = JSON(list)
			total := Object("description", "Число записей.", "type", "integer", "minimum", 0)
			shape.properties = slices.Insert(shape.properties, i, Object("total", total)...)
			break
		}
	}
	shape.required = append(shape.required, "total")
	source := Object(s.kind.ID, inside(shape.properties, s.kind.ID), s.kind.Version, ref("schemas", "Version"),
		"source_checksum", ref("schemas", "Checksum"), "source_url", ref("schemas", "Url"))
	some := listed(records.Name, "")
	some[len(some)-1].Value = JSON(list)
	return append(Object(s.Schema, s.served(shape), s.Schema+"View", closed(
		"Записи, которые прошли фильтр, или часть списка. Вместо контрольной суммы справочника — ссылка на версию, из "+
			"которой они взяты.",
		[]string{s.kind.ID, s.kind.Version, "source_checksum", "source_url", "total", "fetched_at", records.Name},
		append(source, some...),
	)), all...)
}

// addKinds adds to the description what names all kinds: those that are found and counted, what
// is missing if an item is, and the items in the document for programs.
func addKinds(doc content.Object, kinds []*content.Kind) content.Object {
	var folders, missing []string
	discovered, properties, none := Object(), Object(), Object()
	for _, k := range kinds {
		w := wordsOf(k)
		folders = append(folders, k.Folder)
		if k.List {
			missing = append(missing, k.Name+"_not_found")
		}
		none = append(none, Object(k.Folder, []any{})...)
		properties = append(properties, Object(
			k.Folder, Object("type", "array", "items", ref("schemas", "Discovered"+w.Schema)),
		)...)
		discovered = append(discovered, Object("Discovered"+w.Schema, closed(
			"Где действующая версия "+w.Of+".", []string{k.ID, k.Version, "url", "content_checksum"}, Object(
				k.ID, Object("type", "string"), k.Version, ref("schemas", "Version"), "url", ref("schemas", "Url"),
				"content_checksum", ref("schemas", "Checksum"),
			),
		))...)
	}
	counted := Object("items", Object("propertyNames", Object("enum", folders)))
	schemas := append(discovered, Object(
		"FoundKind", Object("description", "Вид найденного.", "type", "string", "enum", foundKinds(kinds)),
		"HealthCounts", Object("properties", counted), "Discovery", Object("properties", properties),
	)...)
	examples := Object("Discovery", Object("value", none)) // which has items of some kinds
	doc = merge(doc, Object("components", Object("schemas", schemas, "examples", examples)))
	doc = extended(doc, folders, "components", "schemas", "Discovery", "required")
	return extended(doc, missing, "components", "schemas", "Problem", "properties", "code", "enum")
}

// extended adds to the list at a path of names.
func extended(o content.Object, more []string, names ...string) content.Object {
	i := slices.IndexFunc(o, func(m content.Member) bool { return m.Name == names[0] })
	if len(names) > 1 {
		o[i].Value = JSON(extended(asObject(o[i].Value), more, names[1:]...))
		return o
	}
	var all []string
	_ = json.Unmarshal(o[i].Value, &all) // texts
	o[i].Value = JSON(append(all, more...))
	return o
}

// closed is an object with these fields and no others.
func closed(about string, required []string, properties content.Object) content.Object {
	return Object(
		"description", about, "type", "object", "additionalProperties", false, "required", required,
		"properties", properties,
	)
}

func versionSchema(k *content.Kind, w *kindWords) content.Object {
	required := []string{k.Version, "status", "content_checksum", "canonical_url"}
	return closed("Версия "+w.Of+" в списке версий.", required, Object(
		k.Version, ref("schemas", "Version"), "status", ref("schemas", "Version"+statusSchema(k)),
		"status_reason", ref("schemas", "StatusReason"), "published_at", ref("schemas", "PublishedAt"),
		"change_note", ref("schemas", "ChangeNote"), "signed_by", ref("schemas", "SignedBy"),
		"content_checksum", ref("schemas", "Checksum"), "log_index", ref("schemas", "LogIndex"),
		"tag", Object("type", "string", "description", "Тег git, который публикует версию; у черновика его нет."),
		"blob", gitObject("Объект git с файлом автора, из которого взята версия: его показывает git show."),
		"commit", gitObject("Коммит git, из которого взята версия."), "canonical_url", ref("schemas", "CanonicalUrl"),
	))
}

func gitObject(about string) content.Object {
	return Object("type", "string", "pattern", "^[0-9a-f]{40}([0-9a-f]{24})?$", "description", about)
}

// statusSchema is the component for the status of a version.
func statusSchema(k *content.Kind) string {
	if k.Expires {
		return "StatusWithReview"
	}
	return "Status"
}

func listSchema(k *content.Kind, w *kindWords, set *schemas.Set) content.Object {
	properties := listed(k.Folder, w.Schema+"Summary")
	if hasPeriods(k, set) {
		day := append(ref("schemas", "Date"), Object("description", "День, о котором спросили.")...)
		properties = append(properties, Object(
			"in_force", day, "first_published_at", ref("schemas", "FirstPublishedAt"), "not_in_force", Object(
				"description", "Что в этот день не действовало, и ближайшие дни, в которые действует.",
				"type", "array", "items", ref("schemas", "NotInForce"),
			),
		)...)
	}
	return closed("Список "+w.List+".", []string{"total", "fetched_at", k.Folder}, properties)
}

// summarySchema is the schema of an element of the list, which has items of all formats of the kind.
func summarySchema(k *content.Kind, w *kindWords, set *schemas.Set, shapes shapes) content.Object {
	folders := slices.Sorted(maps.Keys(shapes))
	version := append(ref("schemas", "Version"), Object("description", "Версия "+w.Of+".")...)
	properties := Object(
		k.ID, inside(shapes.common(folders).properties, k.ID), k.Version, version,
		"status", ref("schemas", statusSchema(k)),
	)
	required := []string{k.ID, k.Version, "status"}
	for _, name := range k.Summary {
		always := true
		for _, folder := range folders {
			s := shapes[folder]
			if raw := s.properties.Get(name); raw != nil && properties.Get(name) == nil {
				properties = append(properties, content.Member{Name: name, Value: raw})
			}
			always = always && slices.Contains(s.required, name)
		}
		if always {
			required = append(required, name)
		}
	}
	if hasPeriods(k, set) {
		for _, near := range [][3]string{
			{"in_force", "Days", "Период на день `in_force`."},
			{"previous", "NearDays", "Что действовало до этого."},
			{"next", "NearDays", "Что будет действовать после."},
		} {
			days := append(ref("schemas", near[1]), Object("description", near[2])...)
			properties = append(properties, Object(near[0], days)...)
		}
	}
	properties = append(properties, Object(
		"canonical_url", ref("schemas", "CanonicalUrl"), "content_checksum", ref("schemas", "Checksum"),
		"fetched_at", ref("schemas", "FetchedAt"),
	)...)
	return closed(
		"Элемент списка: действующая (или выбранная фильтром) версия "+w.Of+".",
		append(required, "canonical_url", "content_checksum", "fetched_at"), properties,
	)
}

// served is the schema of a version: the fields of its formats, and those that the service adds
// (see site.Config.item).
func (s itemAddress) served(item shape) content.Object {
	k := s.kind
	properties := Object(
		k.ID, inside(item.properties, k.ID), k.Version, ref("schemas", "Version"),
		"status", ref("schemas", statusSchema(k)),
	)
	for _, m := range item.properties {
		if m.Name != k.ID {
			properties = append(properties, m)
		}
	}
	properties = append(properties, Object(
		"published_at", ref("schemas", "PublishedAt"), "updated_at", ref("schemas", "UpdatedAt"),
		"change_note", ref("schemas", "ChangeNote"), "canonical_url", ref("schemas", "CanonicalUrl"),
	)...)
	for _, name := range []string{"output_schema_url", "discovery_urls"} {
		if item.derived[name] != nil {
			properties = append(properties, content.Member{Name: name, Value: item.derived[name]})
		}
	}
	properties = append(properties, Object(
		"checksum_algorithm", ref("schemas", "ChecksumAlgorithm"), "content_checksum", ref("schemas", "Checksum"),
		"fetched_at", ref("schemas", "FetchedAt"),
	)...)
	required := append([]string{k.Version, "status"}, item.required...)
	required = append(required, "canonical_url", "checksum_algorithm", "content_checksum", "fetched_at")
	return Object("description", item.about, "type", "object", "required", required, "properties", properties)
}

// shape is what formats say to readers.
type shape struct {
	about      string
	properties content.Object
	required   []string
	derived    map[string]json.RawMessage // the schemas of what only some items have from the service
}

// shapes are those of the items of a kind, by the folders of their formats.
type shapes map[string]shape

func shapesOf(k *content.Kind, set *schemas.Set) shapes {
	all := shapes{}
	for _, folder := range set.Folders() {
		if of, _, _ := strings.Cut(folder, "/"); of == k.Folder {
			all[folder] = shapeOfFolder(k, set, folder)
		}
	}
	return all
}

// common is the shape of items in the formats of some folders: it has the fields that are in all of them.
func (s shapes) common(folders []string) (all shape) {
	for i, folder := range folders {
		one := s[folder]
		if i == 0 {
			all = shape{one.about, slices.Clone(one.properties), slices.Clone(one.required), maps.Clone(one.derived)}
			continue
		}
		all.properties = slices.DeleteFunc(all.properties, func(m content.Member) bool {
			return inside(one.properties, m.Name).Text("type") != asObject(m.Value).Text("type")
		})
		all.required = slices.DeleteFunc(all.required, func(name string) bool {
			return !slices.Contains(one.required, name)
		})
		maps.Copy(all.derived, one.derived)
	}
	return all
}

// shapeOfFolder is the shape of items in any of the formats of a folder: it has all of their fields, and those are
// required that all of them require.
func shapeOfFolder(k *content.Kind, set *schemas.Set, folder string) (all shape) {
	all.derived = map[string]json.RawMessage{}
	formats := set.Formats(folder)
	for i, format := range slices.Backward(formats) {
		var root content.Object
		if err := json.Unmarshal(set.Document(folder, format), &root); err != nil {
			panic(err) // schemas wrote it
		}
		s := reading(root, inside(root, "$defs"))
		var required []string
		_ = json.Unmarshal(s.Get("required"), &required) // texts
		if i == len(formats)-1 {
			all.about, all.required = sentence(root.Text("description")), required
		}
		all.required = slices.DeleteFunc(all.required, func(name string) bool {
			return !slices.Contains(required, name)
		})
		all.properties = merge(all.properties, inside(s, "properties"))
		fields := set.Schema(folder, format).Root()
		if fields.OutputSchema != "" || fields.Field("output_schema") != nil || k == content.OutputSchemas {
			all.derived["output_schema_url"] = JSON(ref("schemas", "OutputSchemaUrl"))
		}
		if len(fields.Discovery) > 0 {
			all.derived["discovery_urls"] = JSON(ref("schemas", "DiscoveryUrls"))
		}
	}
	for i, m := range all.properties {
		if m.Name == k.Format {
			all.properties[i].Value = JSON(Object(
				"description", "Формат, по которому написан элемент. Его схема — по ссылке `describedby`.",
				"type", "string", "enum", formats,
			))
		}
	}
	return all
}

// forReaders are the members of a format that readers need; lengths, counts and hints are for
// authors.
var forReaders = []string{
	"type", "enum", "const", "pattern", "format", "minLength", "required", "properties", "items", "oneOf", "anyOf",
	"examples",
}

// reading is what a schema of a format says to readers, with what it refers to in place: one of the definitions.
func reading(node, definitions content.Object) content.Object {
	if to := node.Text("$ref"); to != "" {
		target := inside(definitions, strings.TrimPrefix(to, "#/$defs/"))
		own := slices.DeleteFunc(slices.Clone(node), func(m content.Member) bool { return m.Name == "$ref" })
		return reading(merge(own, target), definitions)
	}
	s := Object()
	if title := node.Text("title"); title != "" {
		s = Object("description", labelled(sentence(title), node))
	}
	for _, m := range node {
		if !slices.Contains(forReaders, m.Name) {
			continue
		}
		s = append(s, content.Member{Name: m.Name, Value: within(m, definitions)})
	}
	return s
}

// within reads the schemas inside a member of a schema.
func within(m content.Member, definitions content.Object) json.RawMessage {
	switch m.Name {
	case "items":
		return JSON(reading(asObject(m.Value), definitions))
	case "properties":
		properties := Object()
		for _, p := range asObject(m.Value) {
			properties = append(properties, Object(p.Name, reading(asObject(p.Value), definitions))...)
		}
		return JSON(properties)
	case "oneOf", "anyOf":
		var options []json.RawMessage
		_ = json.Unmarshal(m.Value, &options) // a list
		all := []any{}
		for _, o := range options {
			all = append(all, reading(asObject(o), definitions))
		}
		return JSON(all)
	}
	return m.Value
}

func asObject(raw json.RawMessage) (o content.Object) {
	_ = json.Unmarshal(raw, &o) // what is none has no members
	return o
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// labelled adds to a text what the values of an enumeration mean.
func labelled(text string, node content.Object) string {
	var values, all []string
	_ = json.Unmarshal(node.Get("enum"), &values) // others have no labels
	labels := asObject(node.Get("x-labels"))
	for _, v := range values {
		if label := labels.Text(v); label != "" {
			all = append(all, "`"+v+"` — "+label)
		}
	}
	if all == nil {
		return text
	}
	return text + " Значения: " + strings.Join(all, "; ") + "."
}

package api

import (
	"encoding/json"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/schemas"
)

// kindSchemas are the components for the bodies that a kind has: its items, its list, its
// versions.
func kindSchemas(k *content.Kind, w kindWords, set *schemas.Set) content.Object {
	all := object()
	id := object("description", "Идентификатор.", "type", "string")
	item := itemSchema(k, set)
	fields := inside(item, "properties")
	if raw := fields.Get(k.ID); raw != nil {
		id = inside(fields, k.ID)
	}
	all = append(all, object(w.schema, item)...)
	all = append(all, object(w.schema+"Version", versionSchema(k, w), w.schema+"VersionList", closed(
		"Все версии "+w.of+", от высшей к низшей.", []string{k.ID, "total", "fetched_at", "versions"}, object(
			k.ID, id, "total", ref("schemas", "Total"), "fetched_at", ref("schemas", "FetchedAt"),
			"versions", object("type", "array", "minItems", 1, "items", ref("schemas", w.schema+"Version")),
		),
	))...)
	if !k.List {
		return all
	}
	summary := summarySchema(k, w, set, id, item)
	return append(all, object(w.schema+"Summary", summary, w.schema+"List", listSchema(k, w, set))...)
}

// addKinds adds to the description what names all kinds: those that are found and counted, what
// is missing if an item is, and the items in the document for programs.
func addKinds(doc content.Object, kinds []*content.Kind) content.Object {
	var folders, missing []string
	discovered, properties, none := object(), object(), object()
	for _, k := range kinds {
		w := wordsOf(k)
		folders = append(folders, k.Folder)
		if k.List {
			missing = append(missing, k.Name+"_not_found")
		}
		none = append(none, object(k.Folder, []any{})...)
		properties = append(properties, object(
			k.Folder, object("type", "array", "items", ref("schemas", "Discovered"+w.schema)),
		)...)
		discovered = append(discovered, object("Discovered"+w.schema, closed(
			"Где действующая версия "+w.of+".", []string{k.ID, k.Version, "url", "content_checksum"}, object(
				k.ID, object("type", "string"), k.Version, ref("schemas", "Version"), "url", ref("schemas", "Url"),
				"content_checksum", ref("schemas", "Checksum"),
			),
		))...)
	}
	counted := object("items", object("propertyNames", object("enum", folders)))
	schemas := append(discovered, object(
		"FoundKind", object("description", "Вид найденного.", "type", "string", "enum", foundKinds(kinds)),
		"HealthCounts", object("properties", counted), "Discovery", object("properties", properties),
	)...)
	examples := object("Discovery", object("value", none)) // which has items of some kinds
	doc = merge(doc, object("components", object("schemas", schemas, "examples", examples)))
	doc = extended(doc, folders, "components", "schemas", "Discovery", "required")
	return extended(doc, missing, "components", "schemas", "Problem", "properties", "code", "enum")
}

// extended adds to the list at a path of names.
func extended(o content.Object, more []string, names ...string) content.Object {
	i := slices.IndexFunc(o, func(m content.Member) bool { return m.Name == names[0] })
	if len(names) > 1 {
		o[i].Value = value(extended(asObject(o[i].Value), more, names[1:]...))
		return o
	}
	var all []string
	_ = json.Unmarshal(o[i].Value, &all) // texts
	o[i].Value = value(append(all, more...))
	return o
}

// closed is an object with these fields and no others.
func closed(about string, required []string, properties content.Object) content.Object {
	return object(
		"description", about, "type", "object", "additionalProperties", false, "required", required,
		"properties", properties,
	)
}

func versionSchema(k *content.Kind, w kindWords) content.Object {
	required := []string{k.Version, "status", "content_checksum", "canonical_url"}
	return closed("Версия "+w.of+" в списке версий.", required, object(
		k.Version, ref("schemas", "Version"), "status", ref("schemas", "Version"+statusSchema(k)),
		"status_reason", ref("schemas", "StatusReason"), "published_at", ref("schemas", "PublishedAt"),
		"change_note", ref("schemas", "ChangeNote"), "signed_by", ref("schemas", "SignedBy"),
		"content_checksum", ref("schemas", "Checksum"), "log_index", ref("schemas", "LogIndex"),
		"canonical_url", ref("schemas", "CanonicalUrl"),
	))
}

// statusSchema is the component for the status of a version.
func statusSchema(k *content.Kind) string {
	if k.Expires {
		return "StatusWithReview"
	}
	return "Status"
}

func listSchema(k *content.Kind, w kindWords, set *schemas.Set) content.Object {
	properties := object("total", ref("schemas", "Total"))
	if hasPeriods(k, set) {
		day := append(ref("schemas", "Date"), object("description", "День, о котором спросили.")...)
		first := ref("schemas", "FirstPublishedAt")
		properties = append(properties, object("in_force", day, "first_published_at", first)...)
	}
	properties = append(properties, object(
		"fetched_at", ref("schemas", "FetchedAt"),
		k.Folder, object("type", "array", "items", ref("schemas", w.schema+"Summary")),
	)...)
	if hasPeriods(k, set) {
		properties = append(properties, object("not_in_force", object(
			"description", "Что в этот день не действовало, и ближайшие дни, в которые действует.",
			"type", "array", "items", ref("schemas", "NotInForce"),
		))...)
	}
	return closed("Список "+w.list+".", []string{"total", "fetched_at", k.Folder}, properties)
}

func summarySchema(k *content.Kind, w kindWords, set *schemas.Set, id, item content.Object) content.Object {
	version := append(ref("schemas", "Version"), object("description", "Версия "+w.of+".")...)
	properties := object(k.ID, id, k.Version, version, "status", ref("schemas", statusSchema(k)))
	required := []string{k.ID, k.Version, "status"}
	var always []string
	_ = json.Unmarshal(item.Get("required"), &always) // texts
	fields := inside(item, "properties")
	for _, name := range k.Summary {
		if raw := fields.Get(name); raw != nil {
			properties = append(properties, content.Member{Name: name, Value: raw})
		}
		if slices.Contains(always, name) {
			required = append(required, name)
		}
	}
	if hasPeriods(k, set) {
		for _, near := range [][3]string{
			{"in_force", "Days", "Период на день `in_force`."},
			{"previous", "NearDays", "Что действовало до этого."},
			{"next", "NearDays", "Что будет действовать после."},
		} {
			days := append(ref("schemas", near[1]), object("description", near[2])...)
			properties = append(properties, object(near[0], days)...)
		}
	}
	properties = append(properties, object(
		"canonical_url", ref("schemas", "CanonicalUrl"), "content_checksum", ref("schemas", "Checksum"),
		"fetched_at", ref("schemas", "FetchedAt"),
	)...)
	return closed(
		"Элемент списка: действующая (или выбранная фильтром) версия "+w.of+".",
		append(required, "canonical_url", "content_checksum", "fetched_at"), properties,
	)
}

// itemSchema is the schema of an item: the fields of its newest format, and those that the
// service adds.
func itemSchema(k *content.Kind, set *schemas.Set) content.Object {
	formats := set.Formats(k.Folder)
	if len(formats) == 0 {
		return object("type", "object")
	}
	return served(k, set, k.Folder, formats)
}

func served(k *content.Kind, set *schemas.Set, folder string, formats []string) content.Object {
	var root content.Object
	document := set.Document(folder, formats[len(formats)-1])
	if err := json.Unmarshal(document, &root); err != nil {
		panic(err) // schemas wrote it
	}
	s := reading(root, root)
	fields := inside(s, "properties")
	properties := object(
		k.ID, inside(fields, k.ID), k.Version, ref("schemas", "Version"), "status", ref("schemas", statusSchema(k)),
	)
	for _, m := range fields {
		if m.Name != k.ID {
			properties = append(properties, m)
		}
	}
	properties = append(properties, object(
		"published_at", ref("schemas", "PublishedAt"), "updated_at", ref("schemas", "UpdatedAt"),
		"change_note", ref("schemas", "ChangeNote"), "canonical_url", ref("schemas", "CanonicalUrl"),
		"checksum_algorithm", ref("schemas", "ChecksumAlgorithm"), "content_checksum", ref("schemas", "Checksum"),
		"fetched_at", ref("schemas", "FetchedAt"),
	)...)
	var required []string
	_ = json.Unmarshal(s.Get("required"), &required) // texts
	required = append([]string{k.Version, "status"}, required...)
	required = append(required, "canonical_url", "checksum_algorithm", "content_checksum", "fetched_at")
	return object(
		"description", sentence(root.Text("description")), "type", "object", "required", required,
		"properties", properties,
	)
}

// forReaders are the members of a format that readers need; lengths, counts and hints are for
// authors.
var forReaders = []string{
	"type", "enum", "const", "pattern", "format", "minLength", "required", "properties", "items", "oneOf", "anyOf",
}

// reading is what a schema of a format says to readers, with what it refers to in place.
func reading(node, root content.Object) content.Object {
	if to := node.Text("$ref"); to != "" {
		target := inside(root, strings.Split(strings.TrimPrefix(to, "#/"), "/")...)
		own := slices.DeleteFunc(slices.Clone(node), func(m content.Member) bool { return m.Name == "$ref" })
		return reading(merge(own, target), root)
	}
	s := object()
	if title := node.Text("title"); title != "" {
		s = object("description", sentence(title))
	}
	for _, m := range node {
		if !slices.Contains(forReaders, m.Name) {
			continue
		}
		s = append(s, content.Member{Name: m.Name, Value: within(m, root)})
	}
	return s
}

// within reads the schemas inside a member of a schema.
func within(m content.Member, root content.Object) json.RawMessage {
	switch m.Name {
	case "items":
		return value(reading(asObject(m.Value), root))
	case "properties":
		properties := object()
		for _, p := range asObject(m.Value) {
			properties = append(properties, object(p.Name, reading(asObject(p.Value), root))...)
		}
		return value(properties)
	case "oneOf", "anyOf":
		var options []json.RawMessage
		_ = json.Unmarshal(m.Value, &options) // a list
		all := []any{}
		for _, o := range options {
			all = append(all, reading(asObject(o), root))
		}
		return value(all)
	}
	return m.Value
}

func asObject(raw json.RawMessage) (o content.Object) {
	_ = json.Unmarshal(raw, &o) // what is none has no members
	return o
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

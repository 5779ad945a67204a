package api

import (
	"bytes"
	_ "embed"
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

//go:embed bodies.yaml
var bodiesYAML []byte

var templates = sync.OnceValue(func() (all map[string]json.RawMessage) {
	ReadYAML("bodies.yaml", bodiesYAML, &all)
	return all
})

// template is a schema of bodies.yaml for an address, with what else its objects have.
func (s itemAddress) template(name string, more ...any) (schema content.Object) {
	if err := strictly(s.fill().Replace(string(templates()[name])), &schema); err != nil {
		panic("embedded bodies.yaml: " + name + ": " + err.Error())
	}
	return merge(schema, Object(more...))
}

// kindSchemas are the components for the bodies that a kind has: what is at each of its addresses,
// its list, its versions.
func kindSchemas(k *content.Kind, w *kindWords, set *schemas.Set) (all content.Object) {
	addresses, shapes := addressesOf(k, w, set), shapesOf(k, set)
	for _, s := range addresses {
		if all.Get(s.Schema) == nil {
			all = append(all, s.bodies(shapes.common(s.formats()))...)
		}
	}
	of := itemAddress{of: w, set: set, kind: k}
	id := inside(shapes.common(addresses[len(addresses)-1].formats()).properties, k.ID)
	all = append(all, Object(
		w.Schema+"Version", of.template("version"),
		w.Schema+"VersionList", of.template("versions", "properties", Object(k.ID, id)),
	)...)
	if !k.List {
		return all
	}
	list := of.template("list")
	if hasPeriods(k, set) {
		list = merge(list, of.template("periods of a list"))
	}
	return append(all, Object(w.Schema+"Summary", of.summary(shapes), w.Schema+"List", list)...)
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
		all = Object(s.Record.ID, record, s.Record.ID+"Page", s.template("record"))
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
	view := s.template("view", "properties", Object(s.kind.ID, inside(shape.properties, s.kind.ID), records.Name, list))
	view = extended(view, []string{records.Name}, "required")
	return append(Object(s.Schema, s.served(shape), s.Schema+"View", view), all...)
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
		discovered = append(discovered, Object(
			"Discovered"+w.Schema, itemAddress{of: w, kind: k}.template("discovered"),
		)...)
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
	o[i].Value = JSON(append(texts(o[i].Value), more...))
	return o
}

// summary is the schema of an element of the list, which has items of all formats of the kind.
func (s itemAddress) summary(shapes shapes) content.Object {
	k, folders := s.kind, slices.Sorted(maps.Keys(shapes))
	fields := Object(k.ID, inside(shapes.common(folders).properties, k.ID))
	var required []string
	for _, name := range k.Summary {
		always := true
		for _, folder := range folders {
			in := shapes[folder]
			if raw := in.properties.Get(name); raw != nil && fields.Get(name) == nil {
				fields = append(fields, content.Member{Name: name, Value: raw})
			}
			always = always && slices.Contains(in.required, name)
		}
		if always {
			required = append(required, name)
		}
	}
	schema := s.template("summary", "properties", fields)
	if hasPeriods(k, s.set) {
		schema = merge(schema, s.template("periods of a summary"))
	}
	schema = merge(schema, s.template("found at"))
	return extended(schema, append(required, "canonical_url", "content_checksum", "fetched_at"), "required")
}

// served is the schema of a version: the fields of its formats, and those that the service adds
// (see site.Config.item).
func (s itemAddress) served(item shape) content.Object {
	schema := merge(Object("description", item.about), s.template("item", "properties", item.properties))
	schema = merge(schema, s.template("published"))
	for _, name := range []string{"output_schema_url", "discovery_urls"} {
		if item.derived[name] != nil {
			schema = merge(schema, Object("properties", Object(name, item.derived[name])))
		}
	}
	required := slices.Concat(item.required, []string{
		"canonical_url", "checksum_algorithm", "content_checksum", "fetched_at",
	})
	return extended(merge(schema, s.template("checked")), required, "required")
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
		all.properties = alike(all.properties, one.properties)
		all.required = inBoth(all.required, one.required)
		maps.Copy(all.derived, one.derived)
	}
	return all
}

// alike are the properties that two lists of properties have with the same type.
func alike(a, b content.Object) content.Object {
	all := Object()
	for _, m := range a {
		if one, other := asObject(m.Value), inside(b, m.Name); one.Text("type") == other.Text("type") {
			all = append(all, content.Member{Name: m.Name, Value: JSON(common(one, other))})
		}
	}
	return all
}

// common is what two schemas have in common: whatever is valid by one of them is valid by it.
func common(a, b content.Object) (all content.Object) {
	for _, m := range a {
		other := b.Get(m.Name)
		switch {
		case m.Name == "description", m.Name == "examples", bytes.Equal(m.Value, other):
		case other == nil:
			continue
		case m.Name == "properties":
			fields := alike(asObject(m.Value), asObject(other))
			if m.Value = JSON(fields); len(fields) == 0 { // any: without properties clients would take it for none
				m = Object("additionalProperties", true)[0]
			}
		case m.Name == "items":
			m.Value = JSON(common(asObject(m.Value), asObject(other)))
		case m.Name == "required":
			names := inBoth(texts(m.Value), texts(other))
			if m.Value = JSON(names); len(names) == 0 {
				continue
			}
		default:
			continue
		}
		all = append(all, m)
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
		required := texts(s.Get("required"))
		if i == len(formats)-1 {
			all.about, all.required = sentence(root.Text("description")), required
		}
		all.required = inBoth(all.required, required)
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

// texts are those of a list; none if it has other values.
func texts(raw json.RawMessage) (all []string) {
	if json.Unmarshal(raw, &all) != nil {
		return nil
	}
	return all
}

// inBoth are the texts of one list that another has, too.
func inBoth(one, other []string) []string {
	return slices.DeleteFunc(one, func(text string) bool { return !slices.Contains(other, text) })
}

// sentence ends a text with a full stop.
func sentence(text string) string { return strings.TrimSuffix(text, ".") + "." }

// labelled adds to a text what the values of an enumeration mean.
func labelled(text string, node content.Object) string {
	var all []string
	labels := asObject(node.Get("x-labels"))
	for _, v := range texts(node.Get("enum")) { // others have no labels
		if label := labels.Text(v); label != "" {
			all = append(all, "`"+v+"` — "+label)
		}
	}
	if all == nil {
		return text
	}
	return text + " Значения: " + strings.Join(all, "; ") + "."
}

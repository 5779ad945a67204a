package api

import (
	"bytes"
	"cmp"
	_ "embed"
	"encoding/json"
	"slices"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

//go:embed openapi.yaml
var written []byte

// OpenAPI returns the OpenAPI description as YAML and as JSON, of a service below a path of its host, "" if
// it has the host alone: derived from the operations and openapi.yaml.
func OpenAPI(root string) (asYAML, asJSON []byte) {
	asYAML, asJSON = openAPI()
	if root == "" {
		return asYAML, asJSON
	}
	return bytes.Replace(asYAML, []byte("url: /\n"), []byte("url: "+root+"\n"), 1),
		bytes.Replace(asJSON, []byte(`"url": "/"`), []byte(`"url": "`+root+`"`), 1)
}

var openAPI = sync.OnceValues(func() (asYAML, asJSON []byte) {
	doc, err := describe(content.Kinds, schemas.Embedded())
	if err != nil {
		panic("embedded openapi.yaml: " + err.Error()) // a test reads it
	}
	return inBothForms(doc)
})

// describe describes the interface to kinds.
func describe(kinds []*content.Kind, set *schemas.Set) (doc content.Object, err error) {
	base, err := schemas.FromYAML(written)
	if err != nil {
		return nil, err
	}
	if err := json.Unmarshal(base, &doc); err != nil {
		return nil, err
	}
	components := inside(doc, "components")
	d := description{
		examples: inside(components, "examples"), parameters: content.Object{}, responses: content.Object{},
	}
	for _, o := range operations(kinds, set) {
		if !o.Undescribed {
			d.add(o)
		}
	}
	tags := doc.Get("tags")
	headers, bodies := content.Object{}, content.Object{}
	for _, k := range kinds {
		w := wordsOf(k)
		headers = append(headers, kindHeaders(k, w)...)
		bodies = append(bodies, kindSchemas(k, w, set)...)
		if !bytes.Contains(tags, JSON(w.Tag)) {
			tags = JSON([]any{tags[1 : len(tags)-1], Object("name", w.Tag, "description", k.About)})
		}
	}
	doc = addKinds(doc, kinds)
	doc = merge(doc, Object(
		"paths", d.paths,
		"components",
		Object("parameters", d.parameters, "headers", headers, "responses", d.responses, "schemas", bodies),
	))
	doc[slices.IndexFunc(doc, func(m content.Member) bool { return m.Name == "tags" })].Value = tags
	return doc, nil
}

// inBothForms writes a description as YAML and as JSON.
func inBothForms(doc content.Object) (asYAML, asJSON []byte) {
	asJSON, err := json.MarshalIndent(doc, "", "  ")
	if err != nil {
		panic(err) // it is made of values
	}
	return inYAML(JSON(doc)), asJSON
}

// merge adds to an object what another has that it lacks.
func merge(to, from content.Object) content.Object {
	for _, m := range from {
		i := slices.IndexFunc(to, func(has content.Member) bool { return has.Name == m.Name })
		if i < 0 {
			to = append(to, m)
			continue
		}
		var a, b content.Object
		if json.Unmarshal(to[i].Value, &a) == nil && json.Unmarshal(m.Value, &b) == nil {
			to[i].Value = JSON(merge(a, b))
		}
	}
	return to
}

// description is what the operations so far come to.
type description struct {
	examples                     content.Object // that there are
	paths, parameters, responses content.Object
}

func (d *description) add(o *Operation) {
	op := Object("operationId", o.ID, "tags", []string{o.Tag}, "summary", o.Title, "description", o.About)
	if o.Deprecated {
		op = append(op, Object("deprecated", true)...)
	}
	if params := d.params(o); len(params) > 0 {
		op = append(op, Object("parameters", params)...)
	}
	if o.Body != nil {
		op = append(op, Object("requestBody", d.body(o.Body))...)
	}
	if o.Answer.About != "" { // else openapi.yaml says it
		op = append(op, Object("responses", d.answers(o))...)
	}
	d.paths = merge(d.paths, Object(o.Path, Object(strings.ToLower(o.method()), op)))
}

// params refers to the parameters of an operation, and to the headers of a client that has
// an answer already.
func (d *description) params(o *Operation) (all []any) {
	params := slices.Clone(o.Params)
	if o.has("ETag") {
		params = append(params, Shared("IfNoneMatch"))
	}
	if o.has("Last-Modified") {
		params = append(params, Shared("IfModifiedSince"))
	}
	for _, p := range params {
		if p.Key == "" {
			all = append(all, p.describe())
			continue
		}
		d.parameters = component(d.parameters, p.Key, p.describe)
		all = append(all, ref("parameters", p.Key))
	}
	return all
}

// component adds a component that is not there yet.
func component(to content.Object, key string, describe func() content.Object) content.Object {
	if to.Get(key) == nil {
		to = append(to, Object(key, describe())...)
	}
	return to
}

// answers are what an operation may answer, by status.
func (d *description) answers(o *Operation) content.Object {
	all := Object("200", d.answer(o.Answer))
	if o.has("ETag") {
		all = append(all, Object("304", d.unchanged(o))...)
	}
	for _, r := range []struct {
		status, key string
		may         bool
	}{
		{"400", "BadRequest", !o.Lenient || len(o.Query()) > 0},
		{"404", o.Missing, o.Missing != ""},
		{"406", "NotAcceptable", !o.AnyAccept},
		{"408", "BodyIncomplete", o.Body != nil},
		{"410", "Gone", o.Redacted},
		{"413", "BodyTooLarge", o.Body != nil},
		{"415", "UnsupportedMediaType", o.Body != nil},
		{"422", "ValidationFailed", o.Body != nil},
	} {
		if o.Deprecated && !o.reads() {
			r.key = "Legacy" + r.key
		}
		if r.may {
			all = append(all, Object(r.status, ref("responses", r.key))...)
		}
	}
	return append(all, Object(
		"414", ref("responses", "URITooLong"), "429", ref("responses", "TooManyRequests"),
		"500", ref("responses", "InternalError"), "503", ref("responses", cmp.Or(o.Unready, "NotReady")),
	)...)
}

// answer is a component if it has a name.
func (d *description) answer(a Response) content.Object {
	if a.Key == "" {
		return d.describe(a)
	}
	d.responses = component(d.responses, a.Key, func() content.Object { return d.describe(a) })
	return ref("responses", a.Key)
}

// unchanged is the answer to a client that has the body, named by the headers it has.
func (d *description) unchanged(o *Operation) content.Object {
	a := Response{About: "Не изменилось: тела нет, заголовки те же, что у ответа 200.", Headers: o.Answer.Headers}
	if slices.Equal(a.Headers, declared().Headers["kept"]) {
		a.Key = "NotModified"
	} else if o.Answer.Key != "" {
		a.Key = o.Answer.Key + "NotModified"
	}
	return d.answer(a)
}

func (d *description) describe(a Response) content.Object {
	o := Object("description", a.About)
	if len(a.Headers) > 0 {
		headers := content.Object{}
		for _, h := range a.Headers {
			name, key, named := strings.Cut(h, "=")
			if !named {
				key = name
			}
			headers = append(headers, Object(name, ref("headers", key))...)
		}
		o = append(o, Object("headers", headers)...)
	}
	if len(a.Forms) > 0 {
		forms := content.Object{}
		for _, f := range a.Forms {
			forms = append(forms, Object(f.Type, d.form(f.Schema, f.Examples))...)
		}
		o = append(o, Object("content", forms)...)
	}
	return o
}

// form is what a body is in one media type. The example of a component has its name.
func (d *description) form(schema string, examples []string) content.Object {
	o := Object("schema", schemaOf(schema))
	if len(examples) == 0 {
		examples = []string{schema}
	}
	all := content.Object{}
	for _, name := range examples {
		if d.examples.Get(name) != nil {
			all = append(all, Object(name, ref("examples", name))...)
		}
	}
	if len(all) == 0 {
		return o
	}
	return append(o, Object("examples", all)...)
}

func (d *description) body(b *Body) content.Object {
	o := Object("required", true, "content", Object(JSONType, d.form(b.Schema, b.Examples)))
	if b.About != "" {
		o = append(Object("description", b.About), o...)
	}
	return o
}

// inside returns the object at a path of names.
func inside(o content.Object, names ...string) content.Object {
	for _, name := range names {
		o = asObject(o.Get(name))
	}
	return o
}

// schemaOf reads what a Form says of its schema.
func schemaOf(text string) json.RawMessage {
	if text[0] == '{' {
		return json.RawMessage(text)
	}
	return JSON(ref("schemas", text))
}

// kindHeaders describes the headers that name a version of a kind.
func kindHeaders(k *content.Kind, w *kindWords) content.Object {
	all := itemAddress{of: w, kind: k}.template("headers")
	if k != content.Registries { // a part of another kind has them, too
		all = slices.DeleteFunc(all, func(m content.Member) bool { return strings.HasSuffix(m.Name, "-Unfiltered") })
	}
	for _, m := range all {
		if strings.Contains(m.Name, "-Status") {
			all = extended(all, statusOf(k).Values, m.Name, "schema", "enum")
		}
	}
	return all
}

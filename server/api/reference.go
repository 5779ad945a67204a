package api

import (
	"encoding/json"
	"strings"
	"sync"

	"rulestore/content"
	"rulestore/schemas"
)

// A Group is a named group of operations.
type Group struct {
	Title, About string
	Operations   []*Operation
}

// Groups lists the described operations by group, in the order of the description.
var Groups = sync.OnceValue(func() (all []Group) {
	var tags []struct{ Name, Description string }
	_ = json.Unmarshal(described().Get("tags"), &tags) // they are written so
	for _, t := range tags {
		g := Group{Title: t.Name, About: t.Description}
		for _, o := range Operations() {
			if o.Tag == t.Name && !o.Undescribed {
				g.Operations = append(g.Operations, o)
			}
		}
		all = append(all, g)
	}
	return all
})

// described is the description of the interface.
var described = sync.OnceValue(func() content.Object {
	doc, err := describe(content.Kinds, schemas.Embedded())
	if err != nil {
		panic("embedded openapi.yaml: " + err.Error()) // a test reads it
	}
	return doc
})

// components are those of the description, by group.
var components = sync.OnceValue(func() map[string]content.Object {
	all := map[string]content.Object{}
	for _, m := range inside(described(), "components") {
		all[m.Name] = asObject(m.Value)
	}
	return all
})

// paths are those of the description, with their methods.
var paths = sync.OnceValue(func() content.Object { return inside(described(), "paths") })

// A Response is one of the responses of an operation, by its status.
type Response struct{ Status, About string }

// Responses lists the possible responses of the operation.
func (o *Operation) Responses() []Response { return responses(o) }

var responses = cached(func(o *Operation) (all []Response) {
	for _, m := range inside(paths(), o.Path, strings.ToLower(o.method()), "responses") {
		all = append(all, Response{m.Name, resolved(asObject(m.Value)).Text("description")})
	}
	return all
})

// cached returns a function of the description with its results cached. They must not be modified.
func cached[K comparable, V any](f func(K) V) func(K) V {
	var results sync.Map
	return func(of K) V {
		if v, ok := results.Load(of); ok {
			return v.(V)
		}
		v := f(of)
		results.Store(of, v)
		return v
	}
}

// A Shape is an alternative of a JSON body, with its fields.
type Shape struct {
	Name, About string
	Fields      []Member
}

// A Member is a field of an object.
type Member struct {
	Name, Type, About string
	Required          bool
}

// Shapes lists the alternatives of the JSON response; empty if it has none.
func (o *Operation) Shapes() []Shape {
	for _, f := range o.Answer.Forms {
		if strings.HasSuffix(f.Type, "json") {
			return shapes(f.Schema)
		}
	}
	return nil
}

// Shapes lists the alternatives of a body.
func (b *Body) Shapes() []Shape { return shapes(b.Schema) }

// shapes are those of the components that a form names.
var shapes = cached(func(schema string) (all []Shape) {
	if schema[0] == '{' {
		return nil
	}
	for name := range strings.FieldsSeq(schema) {
		own := asObject(components()["schemas"].Get(name))
		s := Shape{Name: name, About: own.Text("description")}
		var required []string
		_ = json.Unmarshal(own.Get("required"), &required) // names, if any
		wanted := map[string]bool{}
		for _, r := range required {
			wanted[r] = true
		}
		for _, m := range inside(own, "properties") {
			field := asObject(m.Value)
			whole := resolved(field)
			about := field.Text("description")
			if about == "" {
				about = whole.Text("description")
			}
			s.Fields = append(s.Fields, Member{m.Name, typeOf(whole), about, wanted[m.Name]})
		}
		all = append(all, s)
	}
	return all
})

// resolved is the target of a reference, or the value itself if it is none.
func resolved(o content.Object) content.Object {
	group, name, ok := strings.Cut(strings.TrimPrefix(o.Text("$ref"), "#/components/"), "/")
	if !ok {
		return o
	}
	return asObject(components()[group].Get(name))
}

// typeOf says of what type the values of a schema are, as JSON Schema calls it.
func typeOf(schema content.Object) string {
	raw := schema.Get("type")
	var several []string
	if json.Unmarshal(raw, &several) == nil {
		return strings.Join(several, ", ")
	}
	own := schema.Text("type")
	if own == "array" {
		if of := typeOf(resolved(inside(schema, "items"))); of != "" {
			return "array, " + of
		}
	}
	return own
}

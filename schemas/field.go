package schemas

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// describe reads the parts of a schema for readers, in their order. A $ref to a definition of the
// same file adds what is missing at the reference.
func describe(name string, node, root *yaml.Node) *content.Field {
	f := &content.Field{Name: name}
	if ref := text(node, "$ref"); ref != "" {
		*f = *describe(name, resolve(root, ref), root)
	}
	for key, value := range map[string]*string{
		"title": &f.Title, "description": &f.About, "x-reference": &f.Reference, "x-section-of": &f.SectionOf,
		"x-codes": &f.Codes, "x-unique": &f.Unique, "x-filter": &f.Filter, "x-first": &f.First,
	} {
		*value = cmp.Or(text(node, key), *value)
	}
	for key, value := range map[string]*bool{"x-ordered": &f.Ordered, "x-records": &f.Records} {
		if said := text(node, key); said != "" {
			*value = said == "true"
		}
	}
	if t := types(node); len(t) > 0 {
		f.Types = t
	}
	if e := example(node); e != nil {
		f.Example = e
	} else if e := typical[text(node, "format")]; e != "" && f.Example == nil {
		f.Example = json.RawMessage(e)
	}
	f.Boolean = f.Boolean || text(node, "type") == "boolean"
	f.Prose = (f.Prose || text(node, "type") == "string") && !isFormal(node)
	f.OutputSchema = text(node, "x-output-schema")
	for name, path := range pairs(child(node, "x-discovery")) {
		f.Discovery = append(f.Discovery, content.Link{Name: name, Path: path.Value})
	}
	describeValues(f, node)
	describeParts(f, node, root)
	return f
}

// describeValues reads the values that a field allows, with their labels.
func describeValues(f *content.Field, node *yaml.Node) {
	if values := child(node, "enum"); values != nil {
		for _, v := range values.Content {
			f.Values = append(f.Values, v.Value)
		}
	}
	if labels := child(node, "x-labels"); labels != nil {
		f.Labels = map[string]string{}
		for k, v := range pairs(labels) {
			f.Labels[k] = v.Value
		}
	}
}

// describeParts reads the fields of an object and the items of a list.
func describeParts(f *content.Field, node, root *yaml.Node) {
	for k, v := range pairs(child(node, "properties")) {
		f.Fields = append(f.Fields, describe(k, v, root))
	}
	if required := child(node, "required"); required != nil {
		for _, name := range required.Content {
			if g := f.Field(name.Value); g != nil {
				g.Required = true
			}
		}
	}
	if items := child(node, "items"); items != nil {
		f.Items = describe("", items, root)
	}
}

// types lists the types that a value may have, including those of alternatives.
func types(node *yaml.Node) (all []string) {
	switch t := child(node, "type"); {
	case t != nil && t.Kind == yaml.ScalarNode:
		return []string{t.Value}
	case t != nil:
		for _, e := range t.Content {
			all = append(all, e.Value)
		}
	}
	for _, word := range []string{"oneOf", "anyOf"} {
		if alternatives := child(node, word); alternatives != nil {
			for _, a := range alternatives.Content {
				all = append(all, types(a)...)
			}
		}
	}
	return all
}

// typical are example values of formats.
var typical = map[string]string{"date": `"2026-05-01"`, "uri": `"https://www.cbr.ru/"`}

// example returns the first of the examples, else the only possible value.
func example(node *yaml.Node) json.RawMessage {
	value := child(node, "const")
	if examples := child(node, "examples"); examples != nil && len(examples.Content) > 0 {
		value = examples.Content[0]
	}
	if value == nil {
		return nil
	}
	raw, err := ordered{value}.MarshalJSON()
	if err != nil {
		return nil // not representable in JSON, so no author could write it
	}
	return raw
}

// isFormal reports whether the value is for programs.
func isFormal(node *yaml.Node) bool {
	return slices.ContainsFunc([]string{
		"pattern", "format", "enum", "const", "x-reference", "x-section-of",
	}, func(word string) bool {
		return child(node, word) != nil
	})
}

// resolve follows a reference such as #/$defs/text.
func resolve(root *yaml.Node, ref string) *yaml.Node {
	node := root
	for step := range strings.SplitSeq(strings.TrimPrefix(ref, "#/"), "/") {
		if node = child(node, step); node == nil {
			return &yaml.Node{}
		}
	}
	return node
}

func child(node *yaml.Node, key string) *yaml.Node {
	for k, v := range pairs(node) {
		if k == key {
			return v
		}
	}
	return nil
}

func text(node *yaml.Node, key string) string {
	if c := child(node, key); c != nil {
		return c.Value
	}
	return ""
}

// ordered is a YAML document that becomes JSON with the fields in the order of the file.
type ordered struct{ *yaml.Node }

// MarshalJSON implements json.Marshaler.
func (o ordered) MarshalJSON() ([]byte, error) { return appendOrdered(nil, o.Node) }

// appendOrdered appends the JSON of a node, in one pass.
func appendOrdered(dst []byte, node *yaml.Node) (_ []byte, err error) {
	switch node.Kind {
	case yaml.MappingNode:
		dst = append(dst, '{')
		for k, v := range pairs(node) {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(content.AppendString(dst, k), ':')
			if dst, err = appendOrdered(dst, v); err != nil {
				return nil, err
			}
		}
		return append(dst, '}'), nil
	case yaml.SequenceNode:
		dst = append(dst, '[')
		for i, e := range node.Content {
			if i > 0 {
				dst = append(dst, ',')
			}
			if dst, err = appendOrdered(dst, e); err != nil {
				return nil, err
			}
		}
		return append(dst, ']'), nil
	}
	var v any = node.Value
	if node.ShortTag() != "!!str" {
		if err := node.Decode(&v); err != nil {
			return nil, err
		}
	}
	raw, err := json.Marshal(v)
	return append(dst, raw...), err
}

// pairs yields the keys and values of a mapping in the order of the file.
func pairs(node *yaml.Node) func(yield func(string, *yaml.Node) bool) {
	return func(yield func(string, *yaml.Node) bool) {
		if node == nil || node.Kind != yaml.MappingNode {
			return
		}
		for i := 0; i+1 < len(node.Content); i += 2 {
			if !yield(node.Content[i].Value, node.Content[i+1]) {
				return
			}
		}
	}
}

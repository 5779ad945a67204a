package schemas

import (
	"encoding/json"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// describe reads what the schema says to readers, in the order in which it is
// written. A $ref to a definition of the same file lends what the place itself
// does not say.
func describe(name string, node, root *yaml.Node) *content.Field {
	f := &content.Field{Name: name}
	if ref := text(node, "$ref"); ref != "" {
		*f = *describe(name, resolve(root, ref), root)
	}
	if t := text(node, "title"); t != "" {
		f.Title = t
	}
	if r := text(node, "x-reference"); r != "" {
		f.Reference = r
	}
	if c := text(node, "x-codes"); c != "" {
		f.Codes = c
	}
	if u := text(node, "x-unique"); u != "" {
		f.Unique = u
	}
	if r := text(node, "x-records"); r != "" {
		f.Records = r == "true"
	}
	f.Boolean = f.Boolean || text(node, "type") == "boolean"
	f.Prose = (f.Prose || text(node, "type") == "string") && !isFormal(node)
	if p := text(node, "x-filter"); p != "" {
		f.Filter = p
	}
	f.OutputSchema = text(node, "x-output-schema")
	for name, path := range pairs(child(node, "x-discovery")) {
		f.Discovery = append(f.Discovery, content.Link{Name: name, Path: path.Value})
	}
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
	if properties := child(node, "properties"); properties != nil {
		for k, v := range pairs(properties) {
			f.Fields = append(f.Fields, describe(k, v, root))
		}
	}
	if items := child(node, "items"); items != nil {
		f.Items = describe("", items, root)
	}
	return f
}

// isFormal says whether a program is meant to understand the value.
func isFormal(node *yaml.Node) bool {
	return slices.ContainsFunc([]string{"pattern", "format", "enum", "const", "x-reference"}, func(word string) bool {
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

// ordered writes a YAML document as JSON, its fields in the order of the file.
type ordered struct{ *yaml.Node }

func (o ordered) MarshalJSON() ([]byte, error) {
	switch o.Kind {
	case yaml.MappingNode:
		var fields content.Object
		for k, v := range pairs(o.Node) {
			raw, err := ordered{v}.MarshalJSON()
			if err != nil {
				return nil, err
			}
			fields = append(fields, content.Member{Name: k, Value: raw})
		}
		return fields.AppendJSON(nil), nil
	case yaml.SequenceNode:
		elements := make([]ordered, len(o.Content))
		for i, e := range o.Content {
			elements[i] = ordered{e}
		}
		return json.Marshal(elements)
	}
	var v any
	if err := o.Decode(&v); err != nil {
		return nil, err
	}
	return json.Marshal(v)
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

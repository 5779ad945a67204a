package schemas

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v3"
)

// Skeleton returns a file of a format with every required field, each under its description
// from the schema, in Russian. Known top-level fields are filled in, others only if they can
// have just one value. The rest is empty, so that a check lists it. The format has to be one of
// folder's.
func (s *Set) Skeleton(folder, format string, known map[string]string) ([]byte, error) {
	document := s.Document(folder, format)
	if document == nil {
		return nil, fmt.Errorf("there is no format %s of %s", format, folder)
	}
	var doc yaml.Node
	if err := yaml.Unmarshal(document, &doc); err != nil { // JSON, with its fields in order
		return nil, err
	}
	w := &skeleton{root: doc.Content[0], known: known}
	w.fields(w.root, "")
	return w.text.Bytes(), nil
}

// skeleton is a file that is being written.
type skeleton struct {
	root  *yaml.Node
	known map[string]string
	text  bytes.Buffer
}

// of returns the value of a key, nil if there is none.
func of(n *yaml.Node, key string) *yaml.Node {
	if n == nil || n.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i+1 < len(n.Content); i += 2 {
		if n.Content[i].Value == key {
			return n.Content[i+1]
		}
	}
	return nil
}

func scalar(n *yaml.Node) string {
	if n == nil {
		return ""
	}
	return n.Value
}

// resolved follows references inside of the document, and the first of alternatives.
func (w *skeleton) resolved(n *yaml.Node) *yaml.Node {
	for range 8 { // a schema may refer to itself
		if ref, ok := strings.CutPrefix(scalar(of(n, "$ref")), "#/$defs/"); ok {
			n = of(of(w.root, "$defs"), ref)
		} else if one := of(n, "oneOf"); one != nil && len(one.Content) > 0 {
			n = one.Content[0]
		} else {
			break
		}
	}
	return n
}

// fields writes the required fields of an object.
func (w *skeleton) fields(object *yaml.Node, indent string) {
	for name, said := range pairs(of(object, "properties")) {
		if isRequired(object, name) {
			w.field(name, said, indent)
		}
	}
}

// isRequired reports whether an object must have the field: always, or in the first of its
// alternatives.
func isRequired(object *yaml.Node, name string) bool {
	names := func(list *yaml.Node) bool {
		return list != nil && slices.ContainsFunc(list.Content, func(n *yaml.Node) bool { return n.Value == name })
	}
	any := of(object, "anyOf")
	return names(of(object, "required")) || any != nil && len(any.Content) > 0 && names(of(any.Content[0], "required"))
}

// field writes one field with its description.
func (w *skeleton) field(name string, said *yaml.Node, indent string) {
	schema := w.resolved(said)
	for _, line := range about(said, schema) {
		fmt.Fprintf(&w.text, "%s# %s\n", indent, line)
	}
	fmt.Fprintf(&w.text, "%s%s:", indent, name)
	if value, ok := w.known[name]; ok && indent == "" {
		fmt.Fprintf(&w.text, " %s\n", value)
		return
	}
	w.value(schema, indent)
}

// value writes the value after a name.
func (w *skeleton) value(schema *yaml.Node, indent string) {
	switch kind := scalar(of(schema, "type")); {
	case of(schema, "const") != nil:
		fmt.Fprintf(&w.text, " %q\n", scalar(of(schema, "const")))
	case kind == "object" && of(schema, "required") == nil:
		w.text.WriteString(" {}\n")
	case kind == "object":
		w.text.WriteString("\n")
		w.fields(schema, indent+"  ")
	case kind == "array":
		w.text.WriteString("\n")
		w.element(w.resolved(of(schema, "items")), indent)
	case kind == "string" || of(schema, "enum") != nil:
		w.text.WriteString(" \"\"\n")
	default:
		w.text.WriteString("\n")
	}
}

// element writes one element of a list.
func (w *skeleton) element(items *yaml.Node, indent string) {
	if scalar(of(items, "type")) != "object" || of(items, "required") == nil {
		fmt.Fprintf(&w.text, "%s  - \"\"\n", indent)
		return
	}
	fmt.Fprintf(&w.text, "%s  -\n", indent)
	w.fields(items, indent+"    ")
}

// width is the maximum length of lines in comments, in letters.
const width = 90

// about describes a field: its title, its description, its values, an example.
func about(said, schema *yaml.Node) (lines []string) {
	first := func(key string) *yaml.Node {
		if n := of(said, key); n != nil {
			return n
		}
		return of(schema, key)
	}
	parts := []string{strings.TrimSuffix(scalar(first("title")), ".") + ".", scalar(first("description"))}
	if enum := first("enum"); enum != nil {
		var values []string
		for _, v := range enum.Content {
			values = append(values, v.Value)
		}
		parts = append(parts, "Одно из: "+strings.Join(values, ", ")+".")
	}
	if examples := first("examples"); examples != nil && len(examples.Content) > 0 &&
		examples.Content[0].Kind == yaml.ScalarNode {
		parts = append(parts, "Например: "+examples.Content[0].Value)
	}
	return wrapped(strings.Join(parts, " "))
}

// wrapped breaks a text into lines.
func wrapped(s string) (lines []string) {
	line := ""
	for _, word := range strings.Fields(s) {
		if line != "" && len([]rune(line))+len([]rune(word)) >= width {
			lines, line = append(lines, line), ""
		}
		line = strings.TrimSpace(line + " " + word)
	}
	return append(lines, line)
}

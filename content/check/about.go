package check

import (
	"slices"
	"strconv"
	"strings"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// fieldRules are the rules whose findings include the description of the field.
var fieldRules = []string{
	"missing-field", "unknown-field", "unknown-value", "wrong-type", "wrong-form", "length", "duplicate", "schema",
	"id", "value", "period", "period-gap", "step-order", "reference", "unknown-code", "circle", "date-order",
	"not-russian",
}

// withAbout adds the descriptions of fields to findings.
func (d *Document) withAbout(found []content.Finding, format string, root *content.Field) []content.Finding {
	for i := range found {
		f := &found[i]
		if slices.Contains(fieldRules, f.Rule) && f.About == (content.About{}) {
			f.About = about(format, d.Pointer(f.Line, f.Column), root)
		}
	}
	return found
}

// aboutViolation returns the description of the field of a violation; of an unknown field
// that of the field that was probably meant.
func (d *Document) aboutViolation(v content.Violation, format string, root *content.Field) content.About {
	at := v.Pointer
	switch {
	case v.Text.Rule == "unknown-field":
		near := Nearest(v.Key, d.free(v.Pointer, root))
		if near == "" {
			return content.About{}
		}
		at = below(at, near)
	case v.Key != "":
		at = below(at, v.Key)
	}
	return about(format, at, root)
}

// about returns the description of the field at a place, empty if the format does not have
// it; of an element, that of the list.
func about(format string, at []string, root *content.Field) content.About {
	f, names := root, []string(nil)
	var named *content.Field
	for _, step := range at {
		if _, err := strconv.Atoi(step); err == nil && f != nil && f.Items != nil {
			f = f.Items
			continue
		}
		if f = f.Field(step); f == nil {
			break
		}
		named, names = f, append(names, step)
	}
	if named == nil || named.About == "" {
		return content.About{}
	}
	a := content.About{Format: format, Field: strings.Join(names, "."), Title: named.Title, Description: named.About}
	if value := sample(named, 0); value != nil {
		a.Example = line(named.Name, value)
	}
	return a
}

// sample returns an example value of a field, nil if the format has none.
func sample(f *content.Field, depth int) *yaml.Node {
	switch {
	case f == nil || depth > maxDepth:
		return nil
	case f.Example != nil:
		var n yaml.Node
		if yaml.Unmarshal(f.Example, &n) != nil || len(n.Content) == 0 {
			return nil
		}
		return n.Content[0]
	case len(f.Values) > 0:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: f.Values[0]}
	case f.Boolean:
		return &yaml.Node{Kind: yaml.ScalarNode, Value: "true"}
	case f.Items != nil:
		return collection(yaml.SequenceNode, sample(f.Items, depth+1))
	case len(f.Fields) > 0:
		var fields []*yaml.Node
		for _, g := range f.Fields {
			if value := sample(g, depth+1); g.Required && value != nil {
				fields = append(fields, &yaml.Node{Kind: yaml.ScalarNode, Value: g.Name}, value)
			}
		}
		return collection(yaml.MappingNode, fields...)
	}
	return nil
}

// collection returns a list or an object in flow style, nil if it is empty.
func collection(kind yaml.Kind, inner ...*yaml.Node) *yaml.Node {
	inner = slices.DeleteFunc(inner, func(n *yaml.Node) bool { return n == nil })
	if len(inner) == 0 {
		return nil
	}
	return &yaml.Node{Kind: kind, Style: yaml.FlowStyle, Content: inner}
}

// line formats a field on one line.
func line(name string, value *yaml.Node) string {
	raw, err := yaml.Marshal(&yaml.Node{
		Kind: yaml.MappingNode, Content: []*yaml.Node{{Kind: yaml.ScalarNode, Value: name}, value},
	})
	if err != nil {
		return ""
	}
	return clipped(strings.Join(strings.Fields(string(raw)), " "))
}

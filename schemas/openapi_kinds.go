package schemas

import (
	_ "embed"
	"slices"
	"strings"
	"text/template"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

//go:embed openapi_kind.yaml
var openAPIKind string

var openAPITemplate = template.Must(template.New("openapi_kind.yaml").Parse(openAPIKind))

// describedKind is a kind as the template of its description needs it.
type describedKind struct {
	*content.Kind
	Type string // the name of its components
}

// describeKinds adds to the description of the interface the kinds with a list of which it
// says nothing, and reports whether there are any.
func describeKinds(doc *yaml.Node, kinds []*content.Kind, formats *Set) (added bool, err error) {
	for _, k := range kinds {
		if !k.List || child(child(doc, "paths"), k.Path) != nil {
			continue
		}
		d, err := describeKind(k, formats)
		if err != nil {
			return false, err
		}
		mergeNodes(doc, d)
		added = true
	}
	return added, nil
}

// describeKind returns what the description of the interface says of a kind.
func describeKind(k *content.Kind, formats *Set) (*yaml.Node, error) {
	d := describedKind{k, strings.ToUpper(k.Name[:1]) + k.Name[1:]}
	var text strings.Builder
	if err := openAPITemplate.Execute(&text, d); err != nil {
		return nil, err
	}
	var doc, format yaml.Node
	if err := yaml.Unmarshal([]byte(text.String()), &doc); err != nil {
		return nil, err
	}
	expand(doc.Content[0], nil)
	newest := formats.formats[k.Folder]
	if len(newest) == 0 {
		return doc.Content[0], nil
	}
	// JSON is YAML: the fields keep the order that authors see.
	document := formats.schemas[k.Folder+"/"+newest[len(newest)-1]].document
	if err := yaml.Unmarshal(document, &format); err != nil {
		return nil, err
	}
	expand(format.Content[0], format.Content[0])
	fields := child(format.Content[0], "properties")
	components := child(child(doc.Content[0], "components"), "schemas")
	mergeNodes(child(child(components, d.Type), "properties"), fields)
	mergeNodes(child(child(components, d.Type+"Summary"), "properties"), only(fields, k.Summary))
	return doc.Content[0], nil
}

// only returns a mapping with some of the keys of another.
func only(mapping *yaml.Node, keys []string) *yaml.Node {
	some := &yaml.Node{Kind: yaml.MappingNode}
	for i := 0; i+1 < len(mapping.Content); i += 2 {
		if slices.Contains(keys, mapping.Content[i].Value) {
			some.Content = append(some.Content, mapping.Content[i:i+2]...)
		}
	}
	return some
}

// mergeNodes adds to a node what another has that it lacks.
func mergeNodes(to, from *yaml.Node) {
	if to.Kind == yaml.SequenceNode {
		to.Content = append(to.Content, from.Content...)
		return
	}
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		switch has := child(to, key.Value); {
		case has == nil:
			to.Content = append(to.Content, key, value)
		case has.Kind == value.Kind && has.Kind != yaml.ScalarNode:
			mergeNodes(has, value)
		}
	}
}

// expand puts what aliases, and references into a root, stand for in their places.
func expand(n, root *yaml.Node) {
	n.Anchor = ""
	for i, c := range n.Content {
		ref := text(c, "$ref")
		switch {
		case c.Kind == yaml.AliasNode:
			n.Content[i] = c.Alias
		case root != nil && ref != "":
			n.Content[i] = resolve(root, ref)
			fallthrough
		default:
			expand(n.Content[i], root)
		}
	}
}

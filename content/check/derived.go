package check

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// reserved lists the top-level names of an item that the service sets.
func reserved(k *content.Kind) []string {
	return append(slices.Clone(content.Derived), k.Version, "checksum_algorithm")
}

// authored returns the fields of the file without reserved ones, so that a value by an author
// never takes the place of one of the service, which the checksum would not show. The values
// of reserved fields are not checked, and each name is reported once.
func (d *Document) authored(reserved []string) *yaml.Node {
	kept := *d.root
	kept.Content = make([]*yaml.Node, 0, len(d.root.Content))
	for i := 0; i+1 < len(d.root.Content); i += 2 {
		key := d.root.Content[i]
		if key.Kind == yaml.ScalarNode && slices.Contains(reserved, key.Value) {
			d.reportDerived(key)
			continue
		}
		kept.Content = append(kept.Content, key, d.root.Content[i+1])
	}
	return &kept
}

// reportDerived reports a field that is removed.
func (d *Document) reportDerived(key *yaml.Node) {
	f := foundAt(d.Path, key.Line, key.Column, say("derived-field", "derived", args{"field": key.Value}))
	if !slices.ContainsFunc(d.dropped, func(g content.Finding) bool { return g.Encoded == f.Encoded }) {
		d.dropped = append(d.dropped, f)
	}
}

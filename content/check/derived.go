package check

import (
	"slices"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// reserved lists the names that belong to the service at the top of an item.
func reserved(k *content.Kind) []string {
	return append(slices.Clone(content.Derived), k.Version, "checksum_algorithm")
}

// authored returns the fields of the file but for those with reserved names. They
// are left out before anything is made of the file, so that no body, no page and no
// index can have what an author wrote in place of the service: the checksum would
// not show it. What stands there is not even looked into, and each name is said
// once, however often it stands there.
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

// drop says that a field is left out.
func (d *Document) reportDerived(key *yaml.Node) {
	f := foundAt(d.Path, key.Line, key.Column, say("derived-field", "derived", args{"field": key.Value}))
	if !slices.ContainsFunc(d.dropped, func(g content.Finding) bool { return g.Says == f.Says }) {
		d.dropped = append(d.dropped, f)
	}
}

package check

import (
	"fmt"
	"slices"

	"rulestore/content"
	"rulestore/content/document"
)

// sections finds addresses of sections that an item does not have. Missing items are found by
// references.
func (r *reviewer) sections(o *File) {
	o.each(func(at []string, value any, f *content.Field) {
		addresses, item := f.Pointing()
		object, ok := value.(map[string]any)
		if addresses == nil || !ok {
			return
		}
		of := o.Item()
		if named, ok := object[item.Name].(string); ok {
			of = item.Names(named)
		}
		root := r.tree(of)
		list, _ := object[addresses.Name].([]any)
		for i, e := range list {
			address, _ := e.(string)
			if root == nil || root.At(address) != nil || r.isFull(o.doc.Path, content.Error) {
				continue
			}
			s := say("unknown-section", "section", args{"section": address, "item": of})
			r.add(
				o, below(below(at, addresses.Name), fmt.Sprint(i)), content.Error,
				s.Guess(NearestSection(root, address)),
			)
		}
	})
}

// tree returns the document of an item, nil if its file is not available.
func (r *reviewer) tree(item string) *document.Node {
	root, known := r.trees[item]
	if known {
		return root
	}
	i := slices.IndexFunc(r.Items, func(f File) bool { return f.Item() == item })
	if i >= 0 && r.Items[i].OK() {
		root = document.Read(r.Items[i].Body, r.Items[i].root)
	}
	r.trees[item] = root
	return root
}

package author

import (
	"fmt"

	"rulestore/content"
	"rulestore/content/check"
)

// find returns the item that a person names: by folder and name, or by its name
// alone where only one has it. The error says what was probably meant.
func find(s *content.Snapshot, name string) (*content.Item, error) {
	var known []string
	var alike []*content.Item
	for _, it := range s.Items {
		if it.ID() == name {
			return it, nil
		}
		if it.Name == name {
			alike = append(alike, it)
		}
		known = append(known, it.ID(), it.Name)
	}
	if len(alike) == 1 {
		return alike[0], nil
	}
	if len(alike) > 1 {
		return nil, fmt.Errorf("%q names more than one item: write %s or %s", name, alike[0].ID(), alike[1].ID())
	}
	if near := check.Nearest(name, known); near != "" {
		return nil, fmt.Errorf("there is no item %s: did you mean %s?", name, near)
	}
	return nil, fmt.Errorf("there is no item %q: write folder and name, for example guidelines/product.common.001", name)
}

package author

import (
	"fmt"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// find returns the item with that folder and name, nil if there is none.
func find(s *content.Snapshot, item string) *content.Item {
	folder, name, _ := strings.Cut(item, "/")
	if k := content.KindOf(folder); k != nil {
		return s.Item(k, name)
	}
	return nil
}

// unknown is the error about an item that is not there, with what its author
// probably meant: the name may lack its folder, or a letter.
func unknown(s *content.Snapshot, item string) error {
	var known []string
	for _, it := range s.Items {
		if it.Name == item {
			return fmt.Errorf("%q names no item: did you mean %s?", item, it.ID())
		}
		known = append(known, it.ID())
	}
	if near := check.Nearest(item, known); near != "" {
		return fmt.Errorf("there is no item %s: did you mean %s?", item, near)
	}
	return fmt.Errorf("there is no item %q: write folder and name, for example guidelines/product.common.001", item)
}

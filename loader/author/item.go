package author

import (
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

// Find returns the item that a person names: by folder and name, by the path of its file, or by
// its name alone if it is unique. The error has a suggestion.
func Find(s *content.Snapshot, name string) (*content.Item, error) {
	plain := plainName(name)
	var known []string
	var alike []*content.Item
	for _, it := range s.Items {
		if it.ID() == plain {
			return it, nil
		}
		if it.Name == plain {
			alike = append(alike, it)
		}
		known = append(known, it.ID(), it.Name)
	}
	if len(alike) == 1 {
		return alike[0], nil
	}
	if len(alike) > 1 {
		return nil, i18n.Errorf("%q names more than one item: write %s or %s", name, alike[0].ID(), alike[1].ID())
	}
	if near := check.Nearest(plain, known); near != "" {
		return nil, i18n.Errorf("there is no item %q: did you mean %s?", name, near)
	}
	return nil, i18n.Errorf(
		"there is no item %q: write folder and name, for example guidelines/product.common.001", name,
	)
}

// plainName removes the parts of a file's path that are not in the name of an item.
func plainName(name string) string {
	name = strings.TrimPrefix(name, "./")
	if k, item, ok := content.ItemAt(name); ok {
		return k.Folder + "/" + item
	}
	return strings.TrimSuffix(name, ".yaml")
}

// LeftOut finds the named draft among those that a load left out, because they are invalid or
// held. It returns folder and name, and the reason; "" if it is none of them.
func LeftOut(r content.Report, name string) (item string, why []content.Finding) {
	name = plainName(name)
	for _, tag := range slices.Concat(r.Refused, r.Held) {
		t, err := content.ParseTag(tag)
		if err != nil || !content.IsDraft(tag) || name != t.Name && name != t.Item() {
			continue
		}
		for _, f := range r.Findings {
			if f.Tag == tag {
				why = append(why, f)
			}
		}
		return t.Item(), why
	}
	return "", nil
}

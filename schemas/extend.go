package schemas

import (
	"cmp"
	"fmt"
	"io/fs"
	"path"
	"slices"

	"go.yaml.in/yaml/v3"
)

// extended returns a format whose file has only the differences from an older one (x-extends),
// merged with it. A mapping is merged key by key, everything else is replaced; a new field is
// appended, or inserted after the one that x-after names.
func extended(fsys fs.FS, name string, node *yaml.Node) (*yaml.Node, error) {
	older := text(node, "x-extends")
	if older == "" {
		return node, nil
	}
	from := path.Join(path.Dir(name), older+".yaml")
	if cmp.Or(cmp.Compare(len(from), len(name)), cmp.Compare(from, name)) >= 0 { // no circle
		return nil, fmt.Errorf("x-extends: %s is not older", older)
	}
	base, err := document(fsys, from)
	if err == nil {
		base, err = extended(fsys, from, base)
	}
	if err != nil {
		return nil, fmt.Errorf("x-extends: %w", err)
	}
	remove(node, "x-extends")
	if err := merge(base, node); err != nil {
		return nil, err
	}
	return base, nil
}

// merge puts the keys of one mapping into another.
func merge(into, from *yaml.Node) error {
	for i := 0; i+1 < len(from.Content); i += 2 {
		key, value := from.Content[i], from.Content[i+1]
		at := keyAt(into, key.Value)
		switch {
		case at < 0:
			if err := insert(into, key, value); err != nil {
				return err
			}
		case into.Content[at+1].Kind == yaml.MappingNode && value.Kind == yaml.MappingNode:
			if err := merge(into.Content[at+1], value); err != nil {
				return err
			}
		default:
			into.Content[at+1] = value
		}
	}
	return nil
}

// insert adds a key after the one that its value names by x-after, else at the end.
func insert(into, key, value *yaml.Node) error {
	at := len(into.Content)
	if after := text(value, "x-after"); after != "" {
		i := keyAt(into, after)
		if i < 0 {
			return fmt.Errorf("%s: x-after: there is no %s", key.Value, after)
		}
		at = i + 2
		remove(value, "x-after")
	}
	into.Content = slices.Insert(into.Content, at, key, value)
	return nil
}

func remove(mapping *yaml.Node, key string) {
	if i := keyAt(mapping, key); i >= 0 {
		mapping.Content = slices.Delete(mapping.Content, i, i+2)
	}
}

// keyAt returns the index of a key in the content of a mapping, -1 if it has none.
func keyAt(mapping *yaml.Node, key string) int {
	for i := 0; mapping.Kind == yaml.MappingNode && i+1 < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return i
		}
	}
	return -1
}

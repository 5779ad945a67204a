package schemas

import (
	"fmt"
	"io/fs"
	"maps"
	"slices"
)

// LoadAll is Load, and compiles all schemas. The error is that of the first invalid file.
func LoadAll(fsys fs.FS) (*Set, error) {
	s, err := Load(fsys)
	if err != nil {
		return nil, err
	}
	for _, name := range slices.Sorted(maps.Keys(s.schemas)) {
		if _, err := s.schemas[name].compiled(); err != nil {
			return nil, fmt.Errorf("%s.yaml: %w", name, err)
		}
	}
	return s, nil
}

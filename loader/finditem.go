package loader

import (
	"errors"
	"io/fs"
	"os"
	"slices"

	"rulestore/content"
)

// FindItem returns the paths of an item's files in a work tree, in all areas, sorted. Links are
// not followed.
func FindItem(dir string, k *content.Kind, name string) (paths []string, err error) {
	root, err := os.OpenRoot(dir)
	if err != nil {
		return nil, err
	}
	defer root.Close()
	info, err := root.Lstat(k.Folder)
	switch {
	case errors.Is(err, fs.ErrNotExist), err == nil && !info.IsDir():
		return nil, nil
	case err != nil:
		return nil, err
	}
	found, _, err := listFolder(root, k.Folder, 1)
	for _, l := range found {
		if _, ok := itemAt(l.path); ok && content.PlainPath(l.path) == k.File(name) {
			paths = append(paths, l.path)
		}
	}
	slices.Sort(paths)
	return paths, err
}

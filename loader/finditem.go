package loader

import (
	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// FindItem returns the paths of an item's files in a work tree, in all areas, sorted. Links are
// not followed.
func FindItem(dir string, k *content.Kind, name string) (paths []string, err error) {
	return worktree.Find(dir, worktree.Wanted{Tops: []string{k.Folder}, Keep: func(path string, _ git.Mode) bool {
		_, ok := itemAt(path)
		return ok && content.PlainPath(path) == k.File(name)
	}})
}

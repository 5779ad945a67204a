package author

import (
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
)

// sealFiles are the contents of the files of seals, by path. One that is to be removed is empty.
type sealFiles map[string]string

// sealsAt returns the files of seals of a commit.
func sealsAt(repo *git.Repo, commit git.OID) (sealFiles, error) {
	raw, err := loader.ReadSeals(repo, commit)
	files := make(sealFiles, len(raw))
	for path, text := range raw {
		files[path] = string(text)
	}
	return files, err
}

// lines lists the lines of all files, by path.
func (f sealFiles) lines() (all []string) {
	for _, path := range slices.Sorted(maps.Keys(f)) {
		for line := range strings.Lines(f[path]) {
			all = append(all, strings.TrimSuffix(line, "\n"))
		}
	}
	return all
}

// tags returns the tags that the lines seal, but for some lines.
func (f sealFiles) tags(but map[string]content.Seal) map[string]bool {
	all := map[string]bool{}
	for _, line := range f.lines() {
		if _, left := but[line]; !left {
			all[content.SealTag(line)] = true
		}
	}
	return all
}

// with returns the files with some lines added and others taken out; places are the
// files of items. What changes is sorted.
func (f sealFiles) with(more, gone []string, places map[string]git.File) sealFiles {
	next, homes := maps.Clone(f), map[string]string{}
	for _, path := range slices.Backward(slices.Sorted(maps.Keys(f))) {
		homes[content.PlainPath(path)] = path // of several the first
	}
	edit := func(path string, lines []string) {
		slices.Sort(lines)
		next[path] = strings.TrimPrefix(strings.Join(slices.Compact(lines), "\n")+"\n", "\n")
	}
	for _, line := range gone {
		for path, text := range next {
			if strings.Contains(text, line+"\n") {
				edit(path, slices.DeleteFunc(strings.Split(text, "\n"), func(s string) bool { return s == line }))
			}
		}
	}
	for _, line := range more {
		plain := content.SealsPath(content.Seal{Tag: content.SealTag(line)}.Item())
		if homes[plain] == "" {
			homes[plain] = newHome(line, places)
		}
		edit(homes[plain], append(strings.Split(next[homes[plain]], "\n"), line))
	}
	return next
}

// newHome returns the path of the file for the first line of an item: beside the item's file
// ([content.SealsBeside]).
func newHome(line string, places map[string]git.File) string {
	item := content.Seal{Tag: content.SealTag(line)}.Item()
	path := content.SealsBeside(places[item+".yaml"].Path)
	if sealed, ok := content.SealedItem(path); ok && sealed == item {
		return path
	}
	return content.SealsPath(item)
}

// differing lists the paths at which two states differ.
func (f sealFiles) differing(other sealFiles) (paths []string) {
	for path := range other {
		if f[path] != other[path] {
			paths = append(paths, path)
		}
	}
	return slices.Sorted(slices.Values(paths))
}

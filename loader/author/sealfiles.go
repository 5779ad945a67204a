package author

import (
	"errors"
	"io/fs"
	"maps"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
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

// workSeals returns the files of seals in the work tree, which differ at some paths from those of the commit.
func (r *Repository) workSeals(committed sealFiles, differ []string) (sealFiles, error) {
	now := maps.Clone(committed)
	for _, path := range differ {
		if !content.HoldsSeals(path) {
			continue
		}
		raw, err := worktree.Read(r.Dir, path)
		if err != nil && !errors.Is(err, fs.ErrNotExist) {
			return nil, err
		}
		now[path] = string(raw)
	}
	return now, nil
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

// tagOf returns the tag that a line seals.
func tagOf(line string) string {
	tag, _, _ := strings.Cut(line, " ")
	return tag
}

// tags returns the tags that the lines seal, those that are kept; nil keeps all.
func (f sealFiles) tags(keep func(line string) bool) map[string]bool {
	all := map[string]bool{}
	for _, line := range f.lines() {
		if keep == nil || keep(line) {
			all[tagOf(line)] = true
		}
	}
	return all
}

// homes are the existing files, by their paths without areas.
func (f sealFiles) homes() map[string]string {
	h := make(map[string]string, len(f))
	for _, path := range slices.Backward(slices.Sorted(maps.Keys(f))) {
		h[content.PlainPath(path)] = path // of several the first
	}
	return h
}

// place returns the path of the file for a line: the one that its item has or, if there is none,
// the one beside the item's file ([content.SealsBeside]), if that is not too deep to be read.
func place(line string, homes map[string]string, places map[string]git.File) string {
	item := content.Seal{Tag: tagOf(line)}.Item()
	plain := content.SealsPath(item)
	if path, ok := homes[plain]; ok {
		return path
	}
	path := content.SealsBeside(places[item+".yaml"].Path)
	if sealed, ok := content.SealedItem(path); ok && sealed == item && strings.Count(path, "/") <= git.MaxDepth {
		return path
	}
	return plain
}

// with returns the files with some lines added and others taken out; places are the
// files of items. What changes is sorted.
func (f sealFiles) with(more, gone []string, places map[string]git.File) sealFiles {
	without := map[string]bool{}
	for _, line := range gone {
		without[line] = true
	}
	changed := map[string][]string{}
	for path, text := range f {
		lines := strings.Split(text, "\n")
		kept := slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return without[s] })
		if len(kept) < len(lines) {
			changed[path] = kept
		}
	}
	homes := f.homes()
	for _, line := range more {
		path := place(line, homes, places)
		if changed[path] == nil {
			changed[path] = strings.Split(f[path], "\n")
		}
		changed[path] = append(changed[path], line)
	}
	next := maps.Clone(f)
	for path, lines := range changed {
		slices.Sort(lines)
		next[path] = strings.TrimPrefix(strings.Join(slices.Compact(lines), "\n")+"\n", "\n")
	}
	return next
}

// differing lists the paths at which two states differ.
func (f sealFiles) differing(other sealFiles) []string {
	paths := map[string]bool{}
	for _, files := range []sealFiles{f, other} {
		for path := range files {
			if f[path] != other[path] {
				paths[path] = true
			}
		}
	}
	return slices.Sorted(maps.Keys(paths))
}

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
)

// sealFiles are the contents of the files of seals, by path.
type sealFiles map[string]string

// sealsAt returns the files of seals of a commit.
func (r *Repository) sealsAt(commit string) (sealFiles, error) {
	raw, err := readAt(r, commit, loader.ReadSeals)
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

// tagOf returns the tag that a line seals.
func tagOf(line string) string {
	tag, _, _ := strings.Cut(line, " ")
	return tag
}

// tags returns the tags that the lines seal.
func (f sealFiles) tags() map[string]bool {
	all := map[string]bool{}
	for _, line := range f.lines() {
		all[tagOf(line)] = true
	}
	return all
}

// sealHomes are the existing files of seals, by their paths without areas.
type sealHomes map[string]string

func (f sealFiles) homes() sealHomes {
	h := make(sealHomes, len(f))
	for _, path := range slices.Backward(slices.Sorted(maps.Keys(f))) {
		h[content.PlainPath(path)] = path // of several the first
	}
	return h
}

// place returns the path of the file for a line: the one that its item has or, if there is none,
// the one beside the item's file ([content.SealsBeside]), if that is not too deep to be read.
func (h sealHomes) place(line string, places map[string]string) string {
	seal := content.Seal{Tag: tagOf(line)}
	plain := content.SealsPath(seal.Item())
	if path, ok := h[plain]; ok {
		return path
	}
	path := content.SealsBeside(places[seal.Item()+".yaml"])
	if item, ok := content.SealedItem(path); ok && item == seal.Item() && strings.Count(path, "/") <= git.MaxDepth {
		return path
	}
	return plain
}

// with returns the files with some lines added and others removed; places are the paths of the
// files of items. A file is sorted, and empty if it is to be removed.
func (f sealFiles) with(more []string, without map[string]bool, places map[string]string) sealFiles {
	next, changed := maps.Clone(f), map[string][]string{}
	for path, text := range f {
		lines := strings.Split(strings.TrimSuffix(text, "\n"), "\n")
		if slices.ContainsFunc(lines, func(line string) bool { return without[line] }) {
			changed[path] = slices.DeleteFunc(lines, func(line string) bool { return without[line] })
		}
	}
	home := f.homes()
	for _, line := range more {
		path := home.place(line, places)
		if _, ok := changed[path]; !ok {
			changed[path] = strings.Split(f[path], "\n")
		}
		changed[path] = append(changed[path], line)
	}
	for path, lines := range changed {
		if next[path] = sorted(lines); next[path] == "" {
			delete(next, path)
		}
	}
	return next
}

// sorted sorts lines, without duplicates.
func sorted(lines []string) string {
	lines = slices.DeleteFunc(slices.Clone(lines), func(s string) bool { return s == "" })
	slices.Sort(lines)
	if lines = slices.Compact(lines); len(lines) == 0 {
		return ""
	}
	return strings.Join(lines, "\n") + "\n"
}

// differing lists the paths at which two states differ.
func (f sealFiles) differing(other sealFiles) []string {
	paths := map[string]bool{}
	for _, files := range []sealFiles{f, other} {
		for path := range files {
			a, inA := f[path]
			b, inB := other[path]
			paths[path] = paths[path] || a != b || inA != inB
		}
	}
	maps.DeleteFunc(paths, func(_ string, differs bool) bool { return !differs })
	return slices.Sorted(maps.Keys(paths))
}

// tops returns pathspecs for paths, which can be tens of thousands: the file and the folder that
// contain all of them.
func tops(paths []string) (all []string) {
	for _, path := range paths {
		top, _, _ := strings.Cut(path, "/")
		if !slices.Contains(all, top) {
			all = append(all, top)
		}
	}
	return all
}

// writeSeals writes the planned files to the work tree.
func (r *Repository) writeSeals(paths []string, files sealFiles) (err error) {
	for _, path := range paths {
		text, exists := files[path]
		if exists {
			err = r.write(path, text)
		} else if err = r.remove(path); errors.Is(err, fs.ErrNotExist) {
			err = nil
		}
		if err != nil {
			return err
		}
	}
	return nil
}

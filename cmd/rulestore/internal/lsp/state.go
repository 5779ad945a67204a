package lsp

import (
	"bytes"
	"context"
	"errors"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader"
	"rulestore/loader/git"
)

// state is the outcome of a review of a folder. It does not change.
type state struct {
	edits     int // of the folder when it was reviewed
	open      map[string]*document
	tree      *loader.Tree
	files     map[string]*file  // as they could last be parsed, by path
	published *content.Snapshot // nil if unknown
	version   string            // of what is published, for the loader
}

// file is an item or a file of the root.
type file struct {
	positions
	path  string
	raw   []byte
	item  check.File // its Kind is nil for a file of the root
	names []check.Name
}

// positions has the places in what a file was parsed to.
type positions interface {
	Position(pointer ...string) (line, column int)
}

// review reads the folder, with the editor's texts, and reviews the open files in the context of all
// files and of the publications, as validate does.
func (f *folder) review(before *state, open map[string]*document, moved bool) *state {
	s := &state{open: open}
	buffers := make(map[string][]byte, len(open))
	for path, d := range open {
		buffers[path] = d.raw
	}
	tree, err := f.reader.Read(buffers)
	if err != nil {
		f.Log.Error("read the folder", "folder", f.root, "error", err)
	}
	if before != nil {
		s.published, s.version = before.published, before.version
	}
	if f.loader != nil {
		if moved {
			f.load(s)
		}
		if s.published != nil && err == nil {
			f.loader.CheckTree(tree, s.published)
		}
	}
	tree.Today = f.Now().UTC().Format(content.Date)
	tree.Review(func(path string) bool { return open[path] != nil })
	s.tree, s.files = tree, f.files(tree, before)
	return s
}

// load loads the publications, if they have changed. If they cannot be read, they stay what they were.
func (f *folder) load(s *state) {
	load := f.loader.Begin // which leaves the texts of superseded publications until they are needed
	if s.version != "" {
		load = func(ctx context.Context) (loader.Loaded, error) { return f.loader.Look(ctx, s.version) }
	}
	result, err := load(f.ctx)
	switch {
	case errors.Is(err, loader.ErrNothingPublished), errors.Is(err, git.ErrEmpty):
		s.published, s.version = content.NewSnapshot(content.Input{}), ""
	case err != nil:
		f.Log.Warn("what is published cannot be seen", "folder", f.root, "error", err)
	case result.Snapshot != nil:
		s.published, s.version = result.Snapshot, result.State
	}
}

// files are those of a tree as they could last be parsed.
func (f *folder) files(tree *loader.Tree, before *state) map[string]*file {
	known, all := map[string]*file{}, make(map[string]*file, len(tree.Raw))
	if before != nil {
		known = before.files
	}
	keep := func(path string, item check.File, parsed bool, of positions, names func() []check.Name) {
		switch raw, old := tree.Raw[path], known[path]; {
		case old != nil && (!parsed || bytes.Equal(old.raw, raw)):
			all[path] = old
		case parsed:
			all[path] = &file{of, path, raw, item, names()}
		}
	}
	for _, item := range tree.Items {
		keep(item.Path(), item, item.Value() != nil, item, item.Names)
	}
	for _, path := range []string{content.SettingsFile, content.LifecycleFile} {
		doc, _ := check.Parse(path, tree.Raw[path])
		keep(path, check.File{}, doc != nil, doc, func() []check.Name { return doc.Names(f.Schemas) })
	}
	return all
}

// publishedItem returns the published item, nil if there is none or it is unknown.
func (s *state) publishedItem(id string) *content.Item {
	folder, name, _ := strings.Cut(id, "/")
	if k := content.KindOf(folder); k != nil && s.published != nil {
		return s.published.Item(k, name)
	}
	return nil
}

// use is a name and the file that it is in.
type use struct {
	*file
	check.Name
}

// uses lists the names that satisfy wanted, by file.
func (s *state) uses(wanted func(check.Name) bool) (all []use) {
	for _, f := range s.files {
		for _, n := range f.names {
			if wanted(n) {
				all = append(all, use{f, n})
			}
		}
	}
	slices.SortStableFunc(all, func(a, b use) int { return strings.Compare(a.path, b.path) })
	return all
}

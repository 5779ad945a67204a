package git

import (
	"crypto/sha256"
	"fmt"
	"slices"
	"strings"
)

// place records the files that a commit changed against its first parent, and the commits of
// git log -1.
func (h *History) place(n *node) {
	for _, f := range n.changes {
		h.record(n, f)
	}
	for _, f := range n.changes {
		places := h.places[h.name(f.Path)]
		p := places.at(n)
		p.by = h.changed(n, places, p.file)
	}
}

// record records the change of a commit at one path.
func (h *History) record(n *node, f File) {
	name := h.name(f.Path)
	all := h.places[name]
	if all == nil {
		all = &places{}
		h.places[name] = all
	}
	p := all.at(n)
	if p == nil {
		before, _ := h.found(n.firstParent(), all)
		p = all.insert(place{node: n, file: before.file, all: before.all})
	}
	p.take(f)
	h.work += int64(len(p.all)) * 64
}

// changed returns the commit of git log -1 for the state of a file: for a merge that took it
// from another parent, the commit on that side, and nil if that side never had the file;
// otherwise the commit itself. If the file only moved between its paths, it is the commit of
// the earlier state.
func (h *History) changed(n *node, places *places, f File) *node {
	if q, ok := h.found(n.firstParent(), places); ok && q.file.Path != f.Path && sameState(q, ok, f) {
		return q.by
	}
	for _, parent := range n.parents[min(1, len(n.parents)):] {
		if q, ok := h.found(parent, places); sameState(q, ok, f) {
			return q.by
		}
	}
	return n
}

// at returns the place of a commit, nil if there is none.
func (p *places) at(n *node) *place {
	list := *p.on(n.chain)
	if i, ok := slices.BinarySearchFunc(list, n, comparePlace); ok {
		return &list[i]
	}
	return nil
}

// insert adds the place of a commit that has none yet.
func (p *places) insert(new place) *place {
	list := p.on(new.node.chain)
	i, _ := slices.BinarySearchFunc(*list, new.node, comparePlace)
	*list = slices.Insert(*list, i, new)
	return &(*list)[i]
}

// take sets the state at one path. Histories share their data, so existing lists are not
// modified.
func (p *place) take(f File) {
	if p.all == nil && (p.file.Mode == Absent || p.file.Path == f.Path) {
		p.file = f
		return
	}
	var all []File
	for _, other := range p.files() {
		if other.Path != f.Path {
			all = append(all, other)
		}
	}
	if f.Mode != Absent {
		all = append(all, f)
	}
	slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	switch len(all) {
	case 0:
		p.file, p.all = f, nil
	case 1:
		p.file, p.all = all[0], nil
	default:
		p.file, p.all = several(all), all
	}
}

// several is the state of a file at several paths.
func several(all []File) File {
	h := sha256.New()
	for _, f := range all {
		fmt.Fprintf(h, "%s %o %s\n", f.OID, f.Mode, f.Path)
	}
	f := File{Path: all[0].Path, Mode: Several}
	copy(f.OID[:], h.Sum(nil))
	return f
}

// files lists the files of the place.
func (p place) files() []File {
	switch {
	case p.all != nil:
		return p.all
	case p.file.Mode == Absent:
		return nil
	}
	return []File{p.file}
}

// each returns the versions of the files of the place.
func (p place) each() (all []Version) {
	for _, f := range p.files() {
		v := p.version()
		v.File = f
		all = append(all, v)
	}
	return all
}

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
		p, _ := places.at(n)
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
	p, fresh := all.at(n)
	if fresh {
		before, _ := h.found(n.firstParent(), all)
		p.file, p.all = before.file, before.all
	}
	p.take(f)
	h.work += int64(max(0, len(p.all)-1)) * 64
}

// changed returns the commit of git log -1 for the state of a file: for a merge that took it
// from another parent, the commit on that side, and nil if that side never had the file;
// otherwise the commit itself. If the file only moved between its paths, it is the commit of
// the earlier state.
func (h *History) changed(n *node, places *places, f File) *node {
	for i, parent := range n.parents {
		if q, _ := h.found(parent, places); q.sameAs(f) && (i > 0 || q.file.Path != f.Path) {
			return q.by
		}
	}
	return n
}

// at returns the place of a commit, a new one if there is none yet.
func (p *places) at(n *node) (at *place, fresh bool) {
	list := p.on(n.chain)
	i, found := slices.BinarySearchFunc(*list, n, comparePlace)
	if !found {
		*list = slices.Insert(*list, i, place{node: n})
	}
	return &(*list)[i], !found
}

// take sets the state at one path. Histories share their data, so existing lists are not
// modified.
func (p *place) take(f File) {
	all := slices.DeleteFunc(slices.Clone(p.all), func(other File) bool { return other.Path == f.Path })
	if f.Mode != Absent {
		all = append(all, f)
		slices.SortFunc(all, func(a, b File) int { return strings.Compare(a.Path, b.Path) })
	}
	switch p.all = all; len(all) {
	case 0:
		p.file = f
	case 1:
		p.file = all[0]
	default:
		p.file = several(all)
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

// each returns the versions of the files of the place.
func (p place) each() (all []Version) {
	for _, f := range p.all {
		v := p.version()
		v.File = f
		all = append(all, v)
	}
	return all
}

package gitrepo

import (
	"bytes"
	"cmp"
	"path"

	"github.com/go-git/go-git/v5/plumbing"
)

// File is a path with what is there.
type File struct {
	Path string
	Mode Mode
	OID  OID
}

// maxFolders is how deep folders are read.
const maxFolders = 6

// maxTree is how many bytes a folder's list of entries may have: a million
// entries. What says that it has more is damaged.
const maxTree = 64 << 20

// Changes lists what differs between two trees, among the paths that keep
// approves of: the state in the new tree, with mode Absent for what is gone.
// keep is asked about folders too, so that what nobody wants is never read. A
// zero id is the empty tree.
func (r *Repo) Changes(old, new OID, keep func(path string, m Mode) bool) ([]File, error) {
	d := differ{repo: r, keep: keep, read: map[OID][]byte{}}
	err := d.trees("", old, new, 0)
	r.trees = d.read
	return d.changes, err
}

type differ struct {
	repo    *Repo
	keep    func(string, Mode) bool
	read    map[OID][]byte // the trees that were compared
	changes []File
}

func (d *differ) trees(dir string, old, new OID, depth int) error {
	if old == new || depth > maxFolders {
		return nil
	}
	a, err := d.tree(old)
	if err != nil {
		return err
	}
	b, err := d.tree(new)
	if err != nil {
		return err
	}
	for {
		if a, b = skipCommon(a, b); len(a) == 0 && len(b) == 0 {
			return nil
		}
		ea, restA, err := nextEntry(a)
		if err != nil {
			return unreadable("tree", old, err)
		}
		eb, restB, err := nextEntry(b)
		if err != nil {
			return unreadable("tree", new, err)
		}
		switch order := compareEntries(ea, eb); {
		case order < 0:
			a, eb = restA, entry{}
		case order > 0:
			b, ea = restB, entry{}
		default:
			a, b = restA, restB
		}
		if err := d.entries(dir, ea, eb, depth); err != nil {
			return err
		}
	}
}

// skipCommon drops the entries that both trees begin with. Of thousands of
// entries a commit changes a few, and comparing bytes is much faster than reading
// entries.
func skipCommon(a, b []byte) ([]byte, []byte) {
	same := commonPrefix(a, b)
	start := 0
	for {
		nul := bytes.IndexByte(a[start:same], 0) // after it comes the id
		if nul < 0 || start+nul+1+len(OID{}) > same {
			return a[start:], b[start:]
		}
		start += nul + 1 + len(OID{})
	}
}

// commonPrefix returns how many bytes both begin with.
func commonPrefix(a, b []byte) int {
	n := min(len(a), len(b))
	i := 0
	for step := n; step > 0; step /= 2 {
		for i+step <= n && bytes.Equal(a[i:i+step], b[i:i+step]) {
			i += step
		}
	}
	return i
}

// entries compares what two trees have under one name; a zero entry is absent.
func (d *differ) entries(dir string, old, new entry, depth int) error {
	if old.mode == new.mode && old.oid == new.oid {
		return nil
	}
	name := new.name
	if name == nil {
		name = old.name
	}
	if !isName(name) {
		return nil
	}
	at := path.Join(dir, string(name))
	var oldTree, newTree OID
	if old.mode == Folder && d.keep(at, Folder) {
		oldTree = old.oid
	}
	if new.mode == Folder && d.keep(at, Folder) {
		newTree = new.oid
	}
	if err := d.trees(at, oldTree, newTree, depth+1); err != nil {
		return err
	}
	switch {
	case new.mode != Folder && new.mode != Absent:
		if d.keep(at, new.mode) {
			d.changes = append(d.changes, File{at, new.mode, new.oid})
		}
	case old.mode != Folder && old.mode != Absent:
		if d.keep(at, old.mode) {
			d.changes = append(d.changes, File{Path: at})
		}
	}
	return nil
}

// isName says whether an entry could be checked out under its name. What git
// fsck complains of is not followed: it would pass for a path elsewhere.
func isName(name []byte) bool {
	switch string(name) {
	case "", ".", "..":
		return false
	}
	return !bytes.EqualFold(name, []byte(".git")) && bytes.IndexByte(name, '/') < 0
}

// tree reads a tree, unless the comparison before, which a walk through history
// made of the child, has read it.
func (d *differ) tree(id OID) ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	raw, ok := d.repo.trees[id]
	if !ok {
		var err error
		if raw, err = d.repo.raw(plumbing.TreeObject, id, maxTree); err != nil {
			return nil, unreadable("tree", id, err)
		}
	}
	d.read[id] = raw
	return raw, nil
}

type entry struct {
	mode Mode
	name []byte
	oid  OID
}

// nextEntry reads "<octal mode> <name>\0<20 bytes>" from the front of a tree.
func nextEntry(raw []byte) (entry, []byte, error) {
	if len(raw) == 0 {
		return entry{}, nil, nil
	}
	var e entry
	i := 0
	for ; i < len(raw) && raw[i] >= '0' && raw[i] <= '7'; i++ {
		e.mode = e.mode<<3 | Mode(raw[i]-'0')
	}
	end := bytes.IndexByte(raw, 0)
	if i == 0 || end < i+2 || raw[i] != ' ' || len(raw) < end+1+len(e.oid) {
		return entry{}, nil, errDamaged
	}
	e.name = raw[i+1 : end]
	copy(e.oid[:], raw[end+1:])
	return e, raw[end+1+len(e.oid):], nil
}

// compareEntries orders entries as git does: a folder's name ends in a slash.
// An absent entry comes after all others.
func compareEntries(a, b entry) int {
	switch {
	case a.name == nil && b.name == nil:
		return 0
	case a.name == nil:
		return 1
	case b.name == nil:
		return -1
	}
	n := min(len(a.name), len(b.name))
	if c := bytes.Compare(a.name[:n], b.name[:n]); c != 0 {
		return c
	}
	return cmp.Or(cmp.Compare(a.at(n), b.at(n)), cmp.Compare(len(a.name), len(b.name)))
}

func (e entry) at(i int) byte {
	switch {
	case i < len(e.name):
		return e.name[i]
	case e.mode == Folder:
		return '/'
	}
	return 0
}

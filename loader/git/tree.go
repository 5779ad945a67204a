package git

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"
)

// File is the state of a path.
type File struct {
	Path string
	Mode Mode
	OID  OID
}

// MaxDepth is the maximum depth of folders that are read: those of the root have depth 1.
const MaxDepth = 6

// maxTree is the maximum size of a tree, a commit or a tag, in bytes: a million entries. Only a root can have
// that many, of which few are wanted.
const maxTree = 64 << 20

// MaxFolder is the maximum total size of the trees of a folder and all folders in it, in bytes:
// enough for more than 200,000 files with ordinary names. Trees that refer to each other
// repeatedly can represent an astronomical number of files in a few KB.
const MaxFolder = 16 << 20

// Changes lists the differences between two trees of commits among
// the paths that keep accepts: the state in the new tree, with mode Absent for a removed path.
// keep is also called for folders, so that unwanted ones are never read. A zero id is the empty
// tree.
//
// A folder that is too large, or deeper than [MaxDepth], is listed itself, with mode Folder,
// without its content; the root's path is "". Whether it is depends on the folder alone, not on
// the other tree. A damaged folder is listed in the same way, with mode Unreadable; if it is
// the root, it is an error.
func (r *Repo) Changes(old, new OID, keep func(path string, m Mode) bool) ([]File, error) {
	d, err := r.compare(old, new, keep)
	return d.changes, err
}

// Files lists the files of a commit that keep accepts, see [Repo.Changes].
func (r *Repo) Files(commit OID, keep func(path string, m Mode) bool) ([]File, error) {
	c, err := r.Commit(commit)
	if err != nil {
		return nil, err
	}
	return r.Changes(OID{}, c.Tree, keep)
}

// compare is Changes with its cost.
func (r *Repo) compare(old, new OID, keep func(path string, m Mode) bool) (*differ, error) {
	d := &differ{repo: r, keep: keep}
	if old == new {
		return d, nil
	}
	return d, d.states("", root(old), root(new), 0)
}

func root(tree OID) entry {
	if tree.IsZero() {
		return entry{}
	}
	return entry{mode: Folder, oid: tree}
}

type differ struct {
	repo    *Repo
	keep    func(string, Mode) bool
	changes []File
	torn    bool  // a folder is damaged
	work    int64 // cost: bytes of paths, and a constant for each entry and tree
}

// trees compares two trees that were weighed.
func (d *differ) trees(dir string, old, new OID, depth int) error {
	a, err := d.repo.tree(old)
	if err != nil {
		return err
	}
	b, err := d.repo.tree(new)
	if err != nil {
		return err
	}
	d.work += int64(len(a)+len(b)) / 256 // comparing bytes is quick
	for {
		if a, b = skipCommon(a, b); len(a) == 0 && len(b) == 0 {
			return nil
		}
		ea, restA, err := nextEntry(a)
		if err != nil {
			return err
		}
		eb, restB, err := nextEntry(b)
		if err != nil {
			return err
		}
		switch order := bytes.Compare(ea.key(), eb.key()); {
		case eb.name == nil || ea.name != nil && order < 0:
			eb, restB = entry{}, b
		case ea.name == nil || order > 0:
			ea, restA = entry{}, a
		}
		if a, b = restA, restB; !isName(cmp.Or(string(ea.name), string(eb.name))) {
			continue
		}
		if err := d.states(path.Join(dir, cmp.Or(string(ea.name), string(eb.name))), ea, eb, depth+1); err != nil {
			return err
		}
	}
}

// skipCommon drops the common first entries of two trees. A commit changes few of thousands of
// entries, and comparing bytes is much faster than parsing entries.
func skipCommon(a, b []byte) ([]byte, []byte) {
	same := commonPrefix(a, b)
	start := 0
	for {
		nul := bytes.IndexByte(a[start:same], 0) // before the id
		if nul < 0 || start+nul+1+len(OID{}) > same {
			return a[start:], b[start:]
		}
		start += nul + 1 + len(OID{})
	}
}

// states compares the states of a path.
func (d *differ) states(at string, old, new entry, depth int) error {
	d.work += int64(len(at)) + 100
	if old.mode == new.mode && old.oid == new.oid {
		return nil
	}
	oldTree, oldEntry, err := d.enter(at, old, depth)
	if err != nil {
		return err
	}
	newTree, newEntry, err := d.enter(at, new, depth)
	if err != nil {
		return err
	}
	if oldTree != newTree {
		if err := d.trees(at, oldTree, newTree, depth); err != nil {
			return err
		}
	}
	d.list(at, oldEntry, newEntry)
	return nil
}

// list adds the state of a path, if it changed and is wanted.
func (d *differ) list(at string, old, new entry) {
	switch {
	case old.mode == new.mode && old.oid == new.oid:
	case new.mode != Absent && (at == "" || d.keep(at, new.mode)):
		d.changes = append(d.changes, File{at, new.mode, new.oid})
	case old.mode != Absent && (at == "" || d.keep(at, old.mode)):
		d.changes = append(d.changes, File{Path: at})
	}
}

// enter returns the tree of a folder to read, else the entry to list.
func (d *differ) enter(at string, e entry, depth int) (OID, entry, error) {
	switch {
	case e.mode != Folder:
		return OID{}, e, nil
	case at != "" && !d.keep(at, Folder):
		return OID{}, entry{}, nil
	case depth > MaxDepth:
		return OID{}, e, nil
	}
	weight, err := d.weigh(e.oid, depth)
	if at != "" && IsDamaged(err) {
		d.torn = true
		return OID{}, entry{Unreadable, e.name, e.oid}, nil
	}
	if err != nil || weight > MaxFolder {
		return OID{}, e, err
	}
	return e.oid, entry{}, nil
}

// weigh sums the sizes of the trees of a folder and of the folders in it that are read. Of a root only
// the wanted ones count. The error is that of the folder's own tree.
func (d *differ) weigh(id OID, depth int) (int, error) {
	if weight, ok := d.repo.weights[folderAt{id, depth}]; ok {
		return weight, nil
	}
	raw, err := d.repo.tree(id)
	if errors.Is(err, ErrTooLarge) {
		return MaxFolder + 1, nil
	}
	weight := 0
	if depth > 0 {
		weight = len(raw)
	}
	for e := (entry{}); err == nil && len(raw) > 0 && weight <= MaxFolder; {
		if e, raw, err = nextEntry(raw); err != nil {
			return 0, unreadable("tree", id, err)
		}
		if e.mode == Folder && depth < MaxDepth && isName(string(e.name)) &&
			(depth > 0 || d.keep(string(e.name), Folder)) {
			inside, wrong := d.weigh(e.oid, depth+1)
			if err = wrong; IsDamaged(err) || inside > MaxFolder {
				inside, err = 0, nil // it is not read
			}
			weight += inside
		}
	}
	if err == nil && depth > 0 {
		d.repo.weights[folderAt{id, depth}] = weight
	}
	return weight, err
}

// folderAt is a folder at a depth, which determines the folders in it that are read.
type folderAt struct {
	tree  OID
	depth int
}

// maxFileName is the maximum length of a name in bytes; no file system allows more.
const maxFileName = 255

// isName reports whether an entry could be checked out under its name. Names that git fsck rejects
// are skipped, as they could be paths elsewhere.
func isName(name string) bool {
	switch name {
	case "", ".", "..":
		return false
	}
	return len(name) <= maxFileName && !strings.EqualFold(name, ".git") && !strings.Contains(name, "/")
}

// tree returns a tree. Some of those that were read last are cached: a walk through history compares a tree
// with its child, then with its parent.
func (r *Repo) tree(id OID) ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	if raw, ok := r.trees[id]; ok {
		return raw, nil
	}
	o, err := r.read(aTree, id, maxTree)
	if err != nil {
		return nil, unreadable("tree", id, err)
	}
	if r.held += len(o.Raw); r.held > maxTree {
		clear(r.trees)
		r.held = len(o.Raw)
	}
	r.trees[id] = o.Raw
	return o.Raw, nil
}

type entry struct {
	mode Mode
	name []byte
	oid  OID
}

// nextEntry parses the first entry of a tree, "<octal mode> <name>\0<20 bytes>".
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
	if i == 0 || i > 8 || end < i+2 || raw[i] != ' ' || len(raw) < end+1+len(e.oid) {
		return entry{}, nil, ErrDamaged
	}
	e.mode, e.name = e.mode.canonical(), raw[i+1:end]
	copy(e.oid[:], raw[end+1:])
	return e, raw[end+1+len(e.oid):], nil
}

// key is what git orders entries by: the name, with a slash after that of a folder.
func (e entry) key() []byte {
	if e.mode == Folder {
		return append(slices.Clip(e.name), '/')
	}
	return e.name
}

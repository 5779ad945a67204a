package git

import (
	"bytes"
	"cmp"
	"errors"
	"path"
	"slices"
	"strings"

	"rulestore/content/i18n"
)

// File is the state of a path.
type File struct {
	Path string
	Mode Mode
	OID  OID
}

// maxTree is the maximum size of a tree, a commit or a tag, in bytes: a million entries.
const maxTree = 64 << 20

// maxCompared is the maximum cost of comparing two trees: half a million paths. Trees that refer to each other
// repeatedly can represent an astronomical number of files in a few KB.
const maxCompared = 64 << 20

// errTooMany is the error for a commit with more than that.
var errTooMany = i18n.Because(
	i18n.New("its folders have more files than can be read: remove those that are not needed"), ErrTooLarge,
)

// Changes lists the differences between two trees of commits among
// the paths that keep accepts: the state in the new tree, with mode Absent for a removed path.
// keep is also called for folders, so that unwanted ones are never read. A zero id is the empty
// tree.
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
func (r *Repo) compare(old, new OID, keep func(path string, m Mode) bool) (d *differ, err error) {
	d = &differ{repo: r, keep: keep}
	if old != new {
		err = d.trees("", old, new)
	}
	return d, err
}

type differ struct {
	repo    *Repo
	keep    func(string, Mode) bool
	changes []File
	work    int64 // cost: bytes of paths, and a constant for each entry and tree
}

// trees compares two trees of a folder.
func (d *differ) trees(dir string, old, new OID) error {
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
			return unreadable("tree", old, err)
		}
		eb, restB, err := nextEntry(b)
		if err != nil {
			return unreadable("tree", new, err)
		}
		switch order := bytes.Compare(ea.key(), eb.key()); {
		case eb.name == nil || ea.name != nil && order < 0:
			eb, restB = entry{}, b
		case ea.name == nil || order > 0:
			ea, restA = entry{}, a
		}
		a, b = restA, restB
		name := cmp.Or(string(ea.name), string(eb.name))
		if at := path.Join(dir, name); isName(name) && len(at) <= maxPath {
			err = d.states(at, ea, eb)
		}
		if err != nil {
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
func (d *differ) states(at string, old, new entry) (err error) {
	if d.work += int64(len(at)) + 100; d.work > maxCompared {
		return errTooMany
	}
	if old.mode == new.mode && old.oid == new.oid {
		return nil
	}
	oldTree, old := d.enter(at, old)
	newTree, new := d.enter(at, new)
	if oldTree != newTree {
		err = d.trees(at, oldTree, newTree)
	}
	d.list(at, old, new)
	return err
}

// list adds the state of a path, if it changed and is wanted.
func (d *differ) list(at string, old, new entry) {
	switch {
	case old.mode == new.mode && old.oid == new.oid:
	case new.mode != Absent && d.keep(at, new.mode):
		d.changes = append(d.changes, File{at, new.mode, new.oid})
	case old.mode != Absent && d.keep(at, old.mode):
		d.changes = append(d.changes, File{Path: at})
	}
}

// enter returns the tree of a folder to read, else the entry to list.
func (d *differ) enter(at string, e entry) (tree OID, listed entry) {
	switch {
	case e.mode != Folder:
		return OID{}, e
	case !d.keep(at, Folder):
		return OID{}, entry{}
	}
	return e.oid, entry{}
}

// Maximum lengths of a name and of a path in bytes; file systems allow little more.
const maxFileName, maxPath = 255, 4096

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
	switch {
	case errors.Is(err, ErrTooLarge):
		return nil, errTooMany
	case err != nil:
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

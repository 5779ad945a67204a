package git

import (
	"bytes"
	"cmp"
	"errors"
)

// File is the state of a path.
type File struct {
	Path string
	Mode Mode
	OID  OID
}

// MaxDepth is the maximum depth of folders that are read: those of the root have depth 1.
const MaxDepth = 6

// maxTree is the maximum size of a tree in bytes: a million entries. Only a root can have that
// many, of which few are wanted.
const maxTree = 64 << 20

// MaxFolder is the maximum total size of the trees of a folder and all folders in it, in bytes:
// enough for more than 200,000 files with ordinary names. Trees that refer to each other
// repeatedly can represent an astronomical number of files in a few KB.
const MaxFolder = 16 << 20

// Changes lists the differences between two trees of commits, in the folder that is read, among
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
	d := &differ{repo: r, keep: keep, read: map[OID][]byte{}}
	if old == new {
		return d, nil
	}
	old, err := d.below(old)
	if err == nil {
		new, err = d.below(new)
	}
	if err == nil {
		err = d.states("", root(old), root(new), 0)
	}
	r.trees = d.read
	return d, err
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
	read    map[OID][]byte // the trees that were compared
	held    int            // their size in bytes
	changes []File
	torn    bool  // a folder is damaged
	work    int64 // cost: bytes of paths, and a constant for each entry and tree
}

func (d *differ) trees(dir string, old, new OID, depth int) error {
	if old == new {
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
	d.work += int64(len(a)+len(b)) / 256 // comparing bytes is quick
	for {
		if a, b = skipCommon(a, b); len(a) == 0 && len(b) == 0 {
			return nil
		}
		var ea, eb entry
		if ea, eb, a, b, err = d.nextPair(old, new, a, b); err != nil {
			return err
		}
		if err := d.entries(dir, ea, eb, depth+1); err != nil {
			return err
		}
	}
}

// nextPair parses the first entries of the rests of two trees, if they have one name; otherwise the
// one that comes first, and the other is zero.
func (d *differ) nextPair(old, new OID, a, b []byte) (ea, eb entry, restA, restB []byte, err error) {
	if ea, restA, err = nextEntry(a); err != nil {
		return ea, eb, a, b, d.tear(old, err)
	}
	if eb, restB, err = nextEntry(b); err != nil {
		return ea, eb, a, b, d.tear(new, err)
	}
	switch order := compareEntries(ea, eb); {
	case order < 0:
		return ea, entry{}, restA, b, nil
	case order > 0:
		return entry{}, eb, a, restB, nil
	}
	return ea, eb, restA, restB, nil
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

// entries compares the entries of two trees with one name; a zero entry is absent.
func (d *differ) entries(dir string, old, new entry, depth int) error {
	name := new.name
	if name == nil {
		name = old.name
	}
	if !isName(name) {
		return nil
	}
	at := string(name)
	if dir != "" {
		at = dir + "/" + at
	}
	d.work += int64(len(at)) + 100
	return d.states(at, old, new, depth)
}

// states compares the states of a path.
func (d *differ) states(at string, old, new entry, depth int) error {
	if old.mode == new.mode && old.oid == new.oid {
		return nil
	}
	oldTree, oldEntry, err := d.enter(at, old, depth, new)
	if err != nil {
		return err
	}
	newTree, newEntry, err := d.enter(at, new, depth, old)
	if err != nil {
		return err
	}
	listed := len(d.changes)
	switch err := d.trees(at, oldTree, newTree, depth); {
	case at != "" && (d.repo.torn[oldTree] || d.repo.torn[newTree]):
		d.changes = d.changes[:listed]
		return d.states(at, old, new, depth) // lists the folder itself
	case err != nil:
		return err
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

// tear records that a folder cannot be read.
func (d *differ) tear(id OID, err error) error {
	if d.repo.torn == nil {
		d.repo.torn = map[OID]bool{}
	}
	d.repo.torn[id] = true
	return unreadable("tree", id, err)
}

// enter returns the tree of a folder to read, else the entry to list. The other entry only makes
// weighing faster.
func (d *differ) enter(at string, e entry, depth int, other entry) (OID, entry, error) {
	switch {
	case e.mode != Folder:
		return OID{}, e, nil
	case at != "" && !d.keep(at, Folder):
		return OID{}, entry{}, nil
	case depth > MaxDepth:
		return OID{}, e, nil
	}
	weight, err := d.weigh(e.oid, depth, other.oid)
	if at != "" && (IsDamaged(err) || d.repo.torn[e.oid]) {
		d.torn = true
		return OID{}, entry{Unreadable, e.name, e.oid}, nil
	}
	if err != nil || weight > MaxFolder {
		return OID{}, e, err
	}
	return e.oid, entry{}, nil
}

// weigh sums the sizes of the trees of a folder and of the folders in it that are read. Those of a
// root count only if they are wanted. If a similar folder was weighed, only the differences are.
func (d *differ) weigh(id OID, depth int, like OID) (int, error) {
	key := folderAt{id, depth}
	if weight, ok := d.repo.weights[key]; ok && depth > 0 {
		return weight, nil
	}
	raw, err := d.tree(id)
	if errors.Is(err, ErrTooLarge) {
		return MaxFolder + 1, nil
	} else if err != nil {
		return 0, err
	}
	weight := 0
	if depth > 0 {
		weight = len(raw)
	}
	if listsFolders(raw) {
		before, inside := d.weighed(like, depth)
		added, err := d.weighFolders(id, before, raw, depth, inside)
		if err != nil {
			return 0, err
		}
		weight += added
	}
	if d.repo.weights == nil {
		d.repo.weights = map[folderAt]int{}
	}
	d.repo.weights[key] = weight
	return weight, nil
}

// listsFolders reports whether a tree may have folders. Most have none: only modes of files begin
// with 1, and skipping from entry to entry is faster than searching all names and ids.
func listsFolders(raw []byte) bool {
	for len(raw) > 0 && raw[0] == '1' {
		end := bytes.IndexByte(raw, 0)
		if end < 0 || len(raw) < end+1+len(OID{}) {
			break
		}
		raw = raw[end+1+len(OID{}):]
	}
	return bytes.Contains(raw, []byte("40000 "))
}

// weighed returns the tree of a folder that was weighed, and the sum of the folders in it; nothing
// if it is unknown. The sum of a root is not used, as it depends on the wanted paths.
func (d *differ) weighed(id OID, depth int) (raw []byte, inside int) {
	weight, ok := d.repo.weights[folderAt{id, depth}]
	if !ok || weight > MaxFolder {
		return nil, 0
	}
	raw, err := d.tree(id)
	switch {
	case err != nil || !listsFolders(raw): // without folders
		return nil, 0
	case depth == 0:
		return raw, 0
	}
	return raw, weight - len(raw)
}

// weighFolders sums the weights of the entries of a tree until it is too large: starting with
// those of another tree, minus the entries that only that one has, plus the new ones. The entries
// of a root are all weighed, since its sum is unknown.
func (d *differ) weighFolders(id OID, before, raw []byte, depth, sum int) (int, error) {
	for {
		if depth > 0 {
			before, raw = skipCommon(before, raw)
		}
		if left := len(before) > 0 && depth > 0; !left && (len(raw) == 0 || sum > MaxFolder) {
			return sum, nil
		}
		var old, e entry
		var err error
		if old, e, before, raw, err = d.nextPair(id, id, before, raw); err != nil {
			return 0, err
		}
		more, err := d.weighEntry(e, depth, old.oid)
		if err != nil {
			return 0, err
		}
		less := 0
		if depth > 0 {
			if less, err = d.weighEntry(old, depth, OID{}); err != nil {
				return 0, err
			}
		}
		sum += more - less
	}
}

// weighEntry returns the weight of an entry of a tree.
func (d *differ) weighEntry(e entry, depth int, like OID) (int, error) {
	if e.mode != Folder || depth == MaxDepth || !isName(e.name) || depth == 0 && !d.keep(string(e.name), Folder) {
		return 0, nil
	}
	weight, err := d.weigh(e.oid, depth+1, like)
	if IsDamaged(err) || err == nil && weight > MaxFolder {
		return 0, nil // it is not read
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
func isName(name []byte) bool {
	switch string(name) {
	case "", ".", "..":
		return false
	}
	return len(name) <= maxFileName && !bytes.EqualFold(name, []byte(".git")) && bytes.IndexByte(name, '/') < 0
}

// tree returns a tree, from the cache if this comparison or the previous one read it: a walk
// through history compares a tree with its child, then with its parent.
func (d *differ) tree(id OID) ([]byte, error) {
	if id.IsZero() {
		return nil, nil
	}
	raw, ok := d.read[id]
	if !ok {
		raw, ok = d.repo.trees[id]
	}
	if !ok {
		o, err := d.repo.read(aTree, id, maxTree)
		if err != nil {
			return nil, unreadable("tree", id, err)
		}
		raw = o.Raw
	}
	if _, ok := d.read[id]; !ok && d.held+len(raw) <= maxTree {
		d.read[id] = raw
		d.held += len(raw)
	}
	return raw, nil
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

// compareEntries orders entries like git, with a slash after the names of folders. An absent entry
// comes last.
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

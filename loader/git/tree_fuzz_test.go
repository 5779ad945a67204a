package git

import (
	"bytes"
	"cmp"
	"fmt"
	"slices"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/storage/memory"
)

// treeOf writes a tree: a mode, a name and an id for each entry.
func treeOf(entries ...any) []byte {
	var raw bytes.Buffer
	for i := 0; i < len(entries); i += 3 {
		id := entries[i+2].(OID)
		fmt.Fprintf(&raw, "%v %v\x00%s", entries[i], entries[i+1], id[:])
	}
	return raw.Bytes()
}

// FuzzTree compares any two trees, and folders that hold them. Damage is an
// error; otherwise there and back again are the same changes.
func FuzzTree(f *testing.F) {
	one, two := BlobOID([]byte("1\n")), BlobOID([]byte("2\n"))
	empty := OID(plumbing.ComputeHash(plumbing.TreeObject, nil))
	for _, seed := range [][2][]byte{
		{nil, nil},
		{treeOf("100644", "a", one), treeOf("100644", "a", two)},
		{treeOf("100644", "a", one), treeOf("100755", "a", one, "120000", "b", two)},
		{treeOf("100644", "a", one, "100644", "a.b", one), treeOf("100644", "a.b", one, "40000", "a", empty)},
		{treeOf("040000", "a", empty), treeOf("160000", "a", one)},
		{treeOf("40000", "a", empty), treeOf("100644", "a/b", one)},
		{treeOf("100644", "b", one, "100644", "a", one), treeOf("100644", "a", one, "100644", "a", two)},
		{treeOf("40000", "missing", two), treeOf("40000", "..", empty)},
		{treeOf("100644", "", one), []byte("100644 a")},
		{[]byte("100644 a\x00short"), []byte(" a\x00")},
		{[]byte("77777777777777777777 a\x00aaaaaaaaaaaaaaaaaaaa"), []byte("0 a\x00aaaaaaaaaaaaaaaaaaaa")},
	} {
		f.Add(seed[0], seed[1])
	}
	f.Fuzz(func(t *testing.T, a, b []byte) {
		r := memoryRepo()
		old, new := r.storeTree(t, a), r.storeTree(t, b)
		inOld := r.storeTree(t, treeOf("40000", "folder", old, "40000", "same", old))
		inNew := r.storeTree(t, treeOf("40000", "folder", new, "40000", "same", old))
		for _, pair := range [][2]OID{{old, new}, {inOld, inNew}, {old, {}}, {inNew, {}}, {inOld, old}} {
			there, err := r.changedPaths(pair[0], pair[1])
			back, backErr := r.changedPaths(pair[1], pair[0])
			if (err == nil) != (backErr == nil) {
				t.Fatalf("there %v, back %v", err, backErr)
			}
			if err == nil && !slices.Equal(there, back) {
				t.Fatalf("there %q, back %q", there, back)
			}
			if same, err := r.changedPaths(pair[0], pair[0]); err != nil || len(same) > 0 {
				t.Fatalf("a tree and itself: %q, %v", same, err)
			}
		}
	})
}

func memoryRepo() *Repo {
	st := memory.NewStorage()
	r := newRepo(stored{encoded: st})
	r.refs = st
	return r
}

func (r *Repo) storeTree(t *testing.T, raw []byte) OID {
	t.Helper()
	o := r.refs.(*memory.Storage).NewEncodedObject()
	o.SetType(plumbing.TreeObject)
	w, err := o.Writer()
	if err != nil {
		t.Fatal(err)
	}
	if _, err := w.Write(raw); err != nil {
		t.Fatal(err)
	}
	id, err := r.refs.(*memory.Storage).SetEncodedObject(o)
	if err != nil {
		t.Fatal(err)
	}
	return OID(id)
}

func (r *Repo) changedPaths(old, new OID) ([]string, error) {
	files, err := r.Changes(old, new, func(string, Mode) bool { return true })
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	slices.SortFunc(paths, cmp.Compare[string])
	return paths, err
}

// Entries come in git's order: a folder's name ends in a slash.
func TestChanges(t *testing.T) {
	r := memoryRepo()
	one, two := BlobOID([]byte("1\n")), BlobOID([]byte("2\n"))
	sub := r.storeTree(t, treeOf("100644", "x", one))
	for i, c := range []struct {
		old, new []byte
		want     string
	}{
		{nil, nil, "[]"},
		{nil, treeOf("100644", "a", one), "[a 100644 1]"},
		{treeOf("100644", "a", one), nil, "[a gone]"},
		{treeOf("100644", "a", one), treeOf("100644", "a", two), "[a 100644 2]"},
		{treeOf("100644", "a", one), treeOf("100755", "a", one), "[a 100755 1]"},
		{treeOf("100644", "a", one), treeOf("40000", "a", sub), "[a gone a/x 100644 1]"},
		{treeOf("40000", "a", sub), treeOf("100644", "a", one), "[a 100644 1 a/x gone]"},
		{treeOf("100644", "a", one, "100644", "a.b", one), treeOf("100644", "a.b", one, "40000", "a", sub),
			"[a gone a/x 100644 1]"},
		{treeOf("40000", "a", sub, "100644", "b", one), treeOf("40000", "a", sub, "160000", "b", one), "[b 160000 1]"},
		{treeOf("040000", "a", sub), treeOf("40000", "a", sub), "[]"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			changes, err := r.Changes(r.storeTree(t, c.old), r.storeTree(t, c.new),
				func(string, Mode) bool { return true })
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range changes {
				switch {
				case f.Mode == Absent:
					got = append(got, f.Path+" gone")
				default:
					got = append(got, fmt.Sprintf("%s %o %d", f.Path, f.Mode, map[OID]int{one: 1, two: 2}[f.OID]))
				}
			}
			if fmt.Sprint(got) != c.want {
				t.Errorf("from %q to %q: %v, expected %s", c.old, c.new, got, c.want)
			}
		})
	}
}

//go:build slow

package gitrepo

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
)

func contentOf(t *testing.T, open func() (io.ReadCloser, error)) []byte {
	t.Helper()
	rd, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	raw, err := io.ReadAll(rd)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What is read from packs is what go-git reads, whatever git made a delta of what,
// and in whatever order it is asked for. What is large is read when it is wanted.
func TestPackedIsUnpacked(t *testing.T) {
	dir := versions(t)
	for _, repack := range []string{"--depth=50", "--depth=0", "--depth=4000 --window=250", "ref deltas", "as it is"} {
		t.Run(repack, func(t *testing.T) {
			switch repack {
			case "ref deltas":
				gitIn(t, dir, "-c", "repack.usedeltabaseoffset=false", "repack", "-qadf")
			case "as it is": // which takes more bytes than there are
				gitIn(t, dir, "-c", "core.compression=0", "-c", "pack.compression=0", "repack", "-qadF", "--depth=0")
			default:
				gitIn(t, dir, append([]string{"repack", "-qadf"}, strings.Fields(repack)...)...)
			}
			ids, kinds, sizes := objects(t, dir)
			r, theirs := openDisk(t, dir), openDisk(t, dir).st
			for i := range ids {
				n := i * 7919 % len(ids)
				want, err := theirs.EncodedObject(kinds[n], plumbing.Hash(ids[n]))
				if err != nil {
					t.Fatal(err)
				}
				raw := contentOf(t, want.Reader)
				o, ok := r.packed(kinds[n], ids[n], maxPacked)
				if ordinary := sizes[n] <= maxPacked; ok != ordinary {
					t.Fatalf("%s %s of %d bytes: read %t", kinds[n], ids[n], sizes[n], ok)
				}
				if ok && (!bytes.Equal(o.content, raw) || o.kind != want.Type()) {
					t.Fatalf("%s %s is not what go-git reads", kinds[n], ids[n])
				}
				later, err := r.unpacked(kinds[n], ids[n])
				if err != nil || later.kind != want.Type() || later.size != want.Size() ||
					!bytes.Equal(contentOf(t, later.open), raw) {
					t.Fatalf("%s %s is not what go-git reads: %v", kinds[n], ids[n], err)
				}
				if _, ok := r.packed(plumbing.OFSDeltaObject, ids[n], maxPacked); ok {
					t.Fatalf("%s passes for another kind", ids[n])
				}
			}
		})
	}
}

// An object is the same each time it is read, whatever is remembered of what it is made from.
func TestPackedIsReadAgain(t *testing.T) {
	dir := versions(t)
	gitIn(t, dir, "repack", "-qadf", "--depth=50")
	p := &packs{dir: filepath.Join(dir, ".git/objects/pack"), cache: &packCache{}}
	t.Cleanup(func() { _ = p.close() })
	ids, _, _ := objects(t, dir)
	for _, id := range ids {
		o, err := p.object(id)
		if err != nil {
			t.Fatal(err)
		}
		first := contentOf(t, o.open)
		if !bytes.Equal(contentOf(t, o.open), first) { // what was remembered
			t.Fatalf("%s is another the second time", id)
		}
		*p.cache = packCache{}
		if !bytes.Equal(contentOf(t, o.open), first) {
			t.Fatalf("%s is another the third time", id)
		}
	}
}

// objects lists the ids and kinds of all objects, and their sizes.
func objects(t *testing.T, dir string) (ids []OID, kinds []plumbing.ObjectType, sizes []int) {
	t.Helper()
	for line := range strings.Lines(gitIn(t, dir, "cat-file", "--batch-all-objects", "--batch-check")) {
		var hex, kind string
		var size int
		if _, err := fmt.Sscan(line, &hex, &kind, &size); err != nil {
			t.Fatal(err)
		}
		id := plumbing.NewHash(hex)
		k, err := plumbing.ParseObjectType(kind)
		if err != nil {
			t.Fatal(err)
		}
		ids, kinds, sizes = append(ids, OID(id)), append(kinds, k), append(sizes, size)
	}
	return ids, kinds, sizes
}

// An object that is not what its id says is not read; nor is anything of a pack
// that cannot be opened. What is wrong with it, looking for an object of any size says.
func TestPackedIsChecked(t *testing.T) {
	dir := versions(t)
	gitIn(t, dir, "repack", "-qadf")
	ids, kinds, _ := objects(t, dir)
	p := &packs{dir: filepath.Join(dir, ".git/objects/pack"), cache: &packCache{}}
	blob := ids[slices.Index(kinds, plumbing.BlobObject)]
	if _, ok := p.find(blob, maxPacked); !ok {
		t.Fatal("a file is not found")
	}
	at, err := p.open[0].index.find(plumbing.Hash(blob))
	if err != nil {
		t.Fatal(err)
	}
	holding := func(o packed) recentObjects {
		return recentObjects{rounds: rounds[packed]{current: map[packPlace]packed{{p.open[0], at}: o}}}
	}
	p.cache.others = holding(packed{kind: plumbing.BlobObject, content: []byte("something else")})
	if o, ok := p.find(blob, maxPacked); ok {
		t.Errorf("another object's content is returned: %q", o.content)
	}
	p.cache.others = holding(packed{plumbing.BlobObject, []byte("else"), OID{1}})
	if o, ok := p.find(blob, maxPacked); ok {
		t.Errorf("what was checked against another id is returned: %q", o.content)
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"*.idx", "*.pack"} {
		t.Run("without "+name, func(t *testing.T) {
			names, _ := filepath.Glob(filepath.Join(p.dir, name))
			for _, name := range names {
				if err := os.Chmod(name, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(name, 20); err != nil {
					t.Fatal(err)
				}
			}
			p := &packs{dir: p.dir, cache: &packCache{}}
			if _, ok := p.find(blob, maxPacked); ok {
				t.Error("an object is read all the same")
			}
			if _, err := p.object(blob); !IsDamaged(inObject(err)) {
				t.Errorf("%v is no damage", err)
			}
			_ = p.close()
		})
	}
}

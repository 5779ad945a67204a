package log_test

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"strings"
	"sync"
	"testing"

	"golang.org/x/mod/sumdb/tlog"

	"rulestore/content/log"
)

// ofSize is a log with some leaves, which only have to differ.
func ofSize(n int) *log.Log {
	var leaves []log.Leaf
	for i := range n {
		leaves = append(leaves, log.Leaf(fmt.Sprintf("seal %d", i)))
	}
	return (*log.Log)(nil).Extend(leaves...)
}

// The tree is that of RFC 6962: the leaves and roots that logs of certificates are tried
// with.
func TestRootsOfRFC6962(t *testing.T) {
	leaves := []string{"", "\x00", "\x10", "\x20\x21", "\x30\x31", "\x40\x41\x42\x43",
		"\x50\x51\x52\x53\x54\x55\x56\x57",
		"\x60\x61\x62\x63\x64\x65\x66\x67\x68\x69\x6a\x6b\x6c\x6d\x6e\x6f"}
	roots := []string{
		"e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855",
		"6e340b9cffb37a989ca544e6bb780a2c78901d3fb33738768511a30617afa01d",
		"fac54203e7cc696cf0dfcb42c92a1d9dbaf70ad9e621f4bd8d98662f00e3c125",
		"aeb6bcfe274b70a14fb067a5e5578264db0fa9b51af5e0ba159158f329e06e77",
		"d37ee418976dd95753c1c73862b9398fa2a2cf9b4ff0fdfe8b30cd95209614b7",
		"4e3bbb1f7b478dcfe71fb631631519a3bca12c9aefca1612bfce4c13a86264d4",
		"76e67dadbcdf1e10e1b74ddc608abd2f98dfb16fbce75277b5232a127f2087ef",
		"ddb89be403809e325750d3d263cd78929c2942b7942a34b77e122c9594a74c8c",
		"5dc9da79a70659a9ad559cb701ded9a2ab9d823aad2f4960cfe370eff4604328",
	}
	var l *log.Log
	for size, want := range roots {
		if size > 0 {
			l = l.Extend(log.Leaf(leaves[size-1]))
		}
		if root, ok := l.Root(int64(size)); !ok || hex.EncodeToString(root[:]) != want {
			t.Errorf("the root of %d leaves is %x, want %s", size, root, want)
		}
	}
}

// Each leaf of each size is proven, each size is consistent with each smaller one, and a
// proof is good for nothing else.
func TestProofs(t *testing.T) {
	l := ofSize(70)
	at := func(size int64) log.Checkpoint {
		root, _ := l.Root(size)
		return log.Checkpoint{Origin: "x", Size: size, Root: root}
	}
	for size := int64(1); size <= l.Size(); size++ {
		for i := range size {
			proof, err := l.Inclusion(i, size)
			if err != nil {
				t.Fatal(err)
			}
			if err := log.CheckInclusion(proof, i, l.Since(i)[0], at(size)); err != nil {
				t.Error(err)
			}
			if log.CheckInclusion(proof, (i+1)%size, l.Since(i)[0], at(size)) == nil && size > 1 {
				t.Errorf("leaf %d of %d is proven at another place", i, size)
			}
			old := i + 1
			if proof, err = l.Consistency(old, size); err != nil {
				t.Fatal(err)
			}
			if err := log.CheckConsistency(proof, at(old), at(size)); err != nil {
				t.Error(err)
			}
			forged := at(old)
			forged.Root[3] ^= 1
			if log.CheckConsistency(proof, forged, at(size)) == nil {
				t.Errorf("a forged tree of %d is consistent with that of %d", old, size)
			}
		}
	}
	if log.CheckConsistency(nil, at(9), at(8)) == nil {
		t.Error("a log that was rolled back is consistent")
	}
	for _, bad := range [][2]int64{{-1, 3}, {3, 3}, {0, 71}, {4, 3}} {
		if _, err := l.Inclusion(bad[0], bad[1]); err == nil {
			t.Errorf("leaf %d of %d is proven", bad[0], bad[1])
		}
	}
	for _, bad := range [][2]int64{{0, 3}, {-1, 3}, {4, 3}, {3, 71}} {
		if _, err := l.Consistency(bad[0], bad[1]); err == nil {
			t.Errorf("%d of %d leaves are consistent", bad[0], bad[1])
		}
	}
}

// A log that is extended again and again, whichever ways, is that of its leaves, and those
// that it was made of stay what they were. What is read meanwhile does not matter.
func TestExtend(t *testing.T) {
	base := ofSize(300)
	root := base.Head("x")
	var readers sync.WaitGroup
	defer readers.Wait()
	for range 4 {
		readers.Go(func() {
			for i, leaf := range base.Since(0) {
				if at, ok := base.Index(leaf); !ok || at != int64(i) || base.Head("x") != root {
					t.Errorf("leaf %d is at %d", i, at)
					return
				}
			}
		})
	}
	one, other := base.Extend("seal a", "seal b"), base.Extend("seal b", "seal c")
	if one.Size() != 302 || other.Size() != 302 || !one.Extends(base) || other.Extends(base) || base.Extends(one) {
		t.Errorf("%d and %d leaves", one.Size(), other.Size())
	}
	if _, ok := base.Index("seal a"); ok {
		t.Error("the log that was extended has the new leaf")
	}
	if at, ok := other.Index("seal b"); !ok || at != 300 {
		t.Errorf("the leaf is at %d", at)
	}
	for _, l := range []*log.Log{base, one, other, one.Extend(), other.Extend("seal d")} {
		if again := (*log.Log)(nil).Extend(l.Since(0)...); again.Head("x") != l.Head("x") {
			t.Errorf("%d leaves have two roots", l.Size())
		}
	}
}

// The tiles that a log of that size has are there and no others, and make its root.
func TestTiles(t *testing.T) {
	for _, size := range []int{0, 1, 255, 256, 257, 1000, 70_000} {
		l := ofSize(size)
		var paths []string
		tiles := map[string][]byte{}
		var leaves []log.Leaf
		for _, tile := range l.Tiles() {
			raw, ok := l.Tile(tile)
			parsed, err := log.ParseTile(tile.Path())
			if !ok || err != nil || parsed != tile || tile.L >= 0 && len(raw) != 32*tile.W {
				t.Fatalf("tile %s of %d leaves: %v %v", tile.Path(), size, ok, err)
			}
			paths, tiles[tile.Path()] = append(paths, tile.Path()), raw
			if tile.L < 0 {
				some, err := log.ReadBundle(raw)
				if err != nil || len(some) != tile.W {
					t.Fatal(tile.Path(), err)
				}
				leaves = append(leaves, some...)
			}
			wider := tile
			if wider.W++; !tile.Full() {
				if _, ok := l.Tile(wider); ok {
					t.Errorf("there is more than there is of %s", tile.Path())
				}
			}
		}
		if (*log.Log)(nil).Extend(leaves...).Head("x") != l.Head("x") {
			t.Errorf("the entries are not those of a log of %d leaves", size)
		}
		head := l.Head("x")
		read := reader(tiles)
		root, err := tlog.TreeHash(head.Size, tlog.TileHashReader(tlog.Tree{N: head.Size, Hash: head.Root}, read))
		if err != nil || root != head.Root {
			t.Errorf("the tiles of %d leaves do not make their root: %v", size, err)
		}
		if size == 70_000 { // the example of c2sp.org/tlog-tiles
			for _, want := range []string{"tile/0/272", "tile/0/273.p/112", "tile/entries/273.p/112", "tile/1/000",
				"tile/1/001.p/17", "tile/2/000.p/1"} {
				if tiles[want] == nil {
					t.Errorf("no tile %s", want)
				}
			}
			if len(paths) != 274+274+2+1 {
				t.Errorf("%d tiles", len(paths))
			}
		}
	}
}

// reader reads tiles as the Go team's own reader wants them.
type reader map[string][]byte

func (r reader) Height() int { return 8 }

func (r reader) ReadTiles(tiles []tlog.Tile) (data [][]byte, err error) {
	for _, t := range tiles {
		raw := r[log.Tile{Tile: t}.Path()]
		if raw == nil {
			return nil, fmt.Errorf("no tile %s", log.Tile{Tile: t}.Path())
		}
		data = append(data, raw)
	}
	return data, nil
}

func (r reader) SaveTiles([]tlog.Tile, [][]byte) {}

func TestPathsThatAreNoTile(t *testing.T) {
	for _, path := range []string{
		"", "tile", "tile/", "tile/0", "tile/0/", "tile/0/0", "tile/0/0000", "tile/00/000", "tile/-1/000",
		"tile/64/000", "tile/data/000",
		"tile/8/0/000x", "tile/0/001/234", "tile/0/x000/001", "tile/0/000.p/0", "tile/0/000.p/256", "tile/0/000.p/01",
		"tile/0/000.p", "tile/entries/",
		"tile/entries/000/", "/tile/0/000", "tile/0/000?", "tile/0/x" + strings.Repeat("999/x", 20) + "999",
		"tile/0/+00", "tile/0/000.p/-1",
	} {
		if tile, err := log.ParseTile(path); err == nil {
			t.Errorf("%q is the tile %s", path, tile.Path())
		}
	}
}

func FuzzParseTile(f *testing.F) {
	f.Add("tile/0/x001/234.p/56")
	f.Add("tile/entries/000")
	l := ofSize(600)
	f.Fuzz(func(t *testing.T, path string) {
		tile, err := log.ParseTile(path)
		if err != nil {
			return
		}
		if tile.Path() != path {
			t.Errorf("%q is %q", path, tile.Path())
		}
		l.Tile(tile)
	})
}

func FuzzReadBundle(f *testing.F) {
	f.Add([]byte("\x00\x01a\x00\x00"))
	f.Fuzz(func(t *testing.T, raw []byte) {
		leaves, err := log.ReadBundle(raw)
		if err != nil {
			return
		}
		var again []byte
		for _, leaf := range leaves {
			again = append(append(again, byte(len(leaf)>>8), byte(len(leaf))), leaf...)
		}
		if !bytes.Equal(again, raw) {
			t.Errorf("%x is read as %q", raw, leaves)
		}
	})
}

// A proof among 20,000 leaves reads some dozens of hashes.
func BenchmarkInclusion(b *testing.B) {
	l := ofSize(20_000)
	for i := 0; b.Loop(); i++ {
		if _, err := l.Inclusion(int64(i%20_000), 20_000); err != nil {
			b.Fatal(err)
		}
	}
}

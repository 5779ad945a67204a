package log

import (
	"encoding/binary"
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/mod/sumdb/tlog"
)

// Tile is a part of the log as it is served: hashes of one level of the tree or, on level -1,
// the leaves themselves (c2sp.org/tlog-tiles).
type Tile struct{ tlog.Tile }

const (
	height  = 8           // of a tile, in levels of the tree
	full    = 1 << height // the width of a tile that never changes again
	prefix  = "tile/"
	entries = "entries/"
)

// ParseTile parses a path relative to that of the log: tile/<L>/<N>[.p/<W>], or tile/entries/….
func ParseTile(path string) (Tile, error) {
	rest, ok := strings.CutPrefix(path, prefix)
	if after, of := strings.CutPrefix(rest, entries); of {
		rest = "data/" + after
	} else if strings.HasPrefix(rest, "data/") {
		ok = false
	}
	t, err := tlog.ParseTilePath(prefix + strconv.Itoa(height) + "/" + rest)
	if !ok || err != nil || t.L > 63 || len(path) > maxPath {
		return Tile{}, fmt.Errorf(
			"%.80q is no tile of the log: tile/0/000 is one, and so are tile/0/x001/234.p/56 and tile/entries/000",
			path,
		)
	}
	return Tile{t}, nil
}

// maxPath is the maximum length of a tile's path: no longer one is the number of a leaf.
const maxPath = 60

// Path returns the path relative to that of the log.
func (t Tile) Path() string {
	path := strings.TrimPrefix(t.Tile.Path(), prefix+strconv.Itoa(height)+"/")
	if after, of := strings.CutPrefix(path, "data/"); of {
		path = entries + after
	}
	return prefix + path
}

// Full reports whether the tile has its full width.
func (t Tile) Full() bool { return t.W == full }

// Bundle returns the entry bundle with a leaf, of the tree with a size.
func Bundle(index, size int64) Tile {
	n := index / full
	return Tile{tlog.Tile{H: height, L: -1, N: n, W: int(min(full, size-n*full))}}
}

// Tiles lists the tiles that a log has.
func (l *Log) Tiles() []Tile { return Tiles(l.Size()) }

// Tiles lists the tiles of a log with a number of leaves: hashes and entries.
func Tiles(size int64) (all []Tile) {
	for _, t := range tlog.NewTiles(height, 0, size) {
		if all = append(all, Tile{t}); t.L == 0 {
			t.L = -1
			all = append(all, Tile{t})
		}
	}
	return all
}

// Tile returns the bytes of a tile; not ok if the log is too short for it.
func (l *Log) Tile(t Tile) (raw []byte, ok bool) {
	level := max(t.L, 0)
	if t.H != height || level > 6 || t.N < 0 || t.W < 1 || t.N > l.Size() { // 2^56 leaves: more than there can be
		return nil, false
	}
	if from := t.N*full + int64(t.W); from > l.Size()>>(height*level) {
		return nil, false
	}
	if t.L < 0 {
		return l.bundle(t.N*full, t.W), true
	}
	raw, err := tlog.ReadTileData(t.Tile, l.reader())
	return raw, err == nil
}

// bundle writes leaves with their lengths.
func (l *Log) bundle(from int64, n int) (raw []byte) {
	for _, leaf := range l.leaves[from : from+int64(n)] {
		raw = append(binary.BigEndian.AppendUint16(raw, uint16(len(leaf))), leaf...)
	}
	return raw
}

// ReadBundle parses the leaves of an entry bundle: 256 at most.
func ReadBundle(raw []byte) (leaves []Leaf, err error) {
	for len(raw) > 0 {
		if len(raw) < 2 || len(leaves) == full {
			return nil, fmt.Errorf("this is no bundle of %d leaves at most", full)
		}
		n := int(binary.BigEndian.Uint16(raw))
		if raw = raw[2:]; len(raw) < n {
			return nil, fmt.Errorf("a leaf of %d bytes ends after %d", n, len(raw))
		}
		leaves, raw = append(leaves, Leaf(raw[:n])), raw[n:]
	}
	return leaves, nil
}

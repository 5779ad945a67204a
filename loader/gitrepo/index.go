package gitrepo

import (
	"bytes"
	"encoding/binary"
	"sort"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// packIndex finds the offsets of objects in a pack. go-git's own search keeps every result
// in a map, which costs more time than the search and is never read.
type packIndex struct{ *idxfile.MemoryIndex }

// find returns the offset of an object. It fails if the object is not in the pack
// ([plumbing.ErrObjectNotFound]) or the index is damaged.
func (x packIndex) find(id plumbing.Hash) (int64, error) {
	const nameSize, offsetSize = len(id), 4
	part := x.FanoutMapping[id[0]]
	if part < 0 || part >= min(len(x.Names), len(x.Offset32)) {
		return 0, plumbing.ErrObjectNotFound
	}
	names, offsets := x.Names[part], x.Offset32[part]
	n := min(len(names)/nameSize, len(offsets)/offsetSize)
	name := func(i int) []byte { return names[i*nameSize : (i+1)*nameSize] }
	i := sort.Search(n, func(i int) bool { return bytes.Compare(name(i), id[:]) >= 0 })
	if i == n || !bytes.Equal(name(i), id[:]) {
		return 0, plumbing.ErrObjectNotFound
	}
	offset := binary.BigEndian.Uint32(offsets[i*offsetSize:])
	if offset&isLong == 0 {
		return int64(offset), nil
	}
	at := int64(offset&^isLong) * 8
	if at+8 > int64(len(x.Offset64)) {
		return 0, idxfile.ErrMalformedIdxFile
	}
	return int64(binary.BigEndian.Uint64(x.Offset64[at:])), nil
}

// isLong marks a four-byte offset as an index into the table of eight-byte offsets.
const isLong = 1 << 31

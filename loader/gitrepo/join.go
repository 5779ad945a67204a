package gitrepo

import (
	"bufio"
	"bytes"
	"cmp"
	"crypto"
	"encoding/binary"
	"errors"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/hash"

	"rulestore/content/i18n"
)

// join joins the packs of a generation. Objects are copied unchanged: the base of a delta is at
// a relative offset, which stays the same. A pack with an object that another one has, as after
// a forced push, is linked as it is. Each pack is checked against its checksum, so that damage
// is not copied.
func (g generation) join(before generation) (err error) {
	names, err := filepath.Glob(filepath.Join(before.packs(), "*.pack"))
	if err != nil {
		return err
	}
	slices.SortFunc(names, largestFirst)
	j, others := &joining{seen: map[plumbing.Hash]bool{}}, 0
	for _, name := range names {
		joins, err := j.plan(name)
		if err == nil && !joins {
			others++
			err = g.link(before, name)
		}
		if err != nil {
			return err
		}
	}
	if others > maxPacks/2 {
		return errFragments
	}
	f, err := os.CreateTemp(g.packs(), "joining-*")
	if err != nil {
		return err
	}
	defer func() {
		err = errors.Join(err, f.Close())
		_ = os.Remove(f.Name()) // does not exist if it was renamed
	}()
	if err := j.write(f); err != nil {
		return err
	}
	index, err := j.index.Index()
	if err != nil {
		return err
	}
	path := filepath.Join(g.packs(), "pack-"+plumbing.Hash(index.PackfileChecksum).String())
	if err := writeIndex(index, path+".idx"); err != nil {
		return err
	}
	return os.Rename(f.Name(), path+".pack")
}

// errFragments is the error if too many packs cannot be joined.
var errFragments = i18n.Errorf("too many packs have the same objects")

// largestFirst orders files by size: smaller packs repeat objects of the largest.
func largestFirst(a, b string) int {
	return cmp.Or(cmp.Compare(sizeOf(b), sizeOf(a)), cmp.Compare(a, b))
}

func sizeOf(path string) int64 {
	info, err := os.Stat(path)
	if err != nil {
		return 0
	}
	return info.Size()
}

// link links one pack.
func (g generation) link(before generation, pack string) error {
	base := strings.TrimSuffix(filepath.Base(pack), ".pack")
	for _, name := range []string{base + ".idx", base + ".pack"} {
		if err := linkFile(filepath.Join(before.packs(), name), filepath.Join(g.packs(), name)); err != nil {
			return err
		}
	}
	return nil
}

const (
	packHeader  = 12 // PACK, the version and the number of objects
	packTrailer = 20 // the checksum of the pack
)

// joining is a pack that is being written.
type joining struct {
	parts []part
	index idxfile.Writer // of the new pack
	seen  map[plumbing.Hash]bool
	size  int64 // of all objects
}

// part is one of the packs that are joined.
type part struct {
	name string
	size int64 // of its objects
	sum  [packTrailer]byte
}

// plan adds the objects of a pack from its index, unless one of them has been added before.
func (j *joining) plan(name string) (joins bool, err error) {
	index, err := openIndex(strings.TrimSuffix(name, "pack") + "idx")
	if err != nil {
		return false, err
	}
	entries, err := entriesOf(index)
	if err != nil || slices.ContainsFunc(entries, func(e *idxfile.Entry) bool { return j.seen[e.Hash] }) {
		return false, err
	}
	for _, e := range entries {
		j.seen[e.Hash] = true
		j.index.Add(e.Hash, e.Offset+uint64(j.size), e.CRC32)
	}
	size := sizeOf(name) - packHeader - packTrailer
	j.parts = append(j.parts, part{name, size, index.PackfileChecksum})
	if j.size += max(size, 0); j.size > maxPack-packHeader || len(j.seen) > maxObjects {
		return false, errTooMuch
	}
	return true, nil
}

func entriesOf(index *idxfile.MemoryIndex) (all []*idxfile.Entry, err error) {
	entries, err := index.Entries()
	if err != nil {
		return nil, err
	}
	defer entries.Close()
	for {
		e, err := entries.Next()
		if errors.Is(err, io.EOF) {
			return all, nil
		} else if err != nil {
			return nil, err
		}
		all = append(all, e)
	}
}

// write writes the pack and syncs it to the disk.
func (j *joining) write(f *os.File) error {
	sum := hash.New(crypto.SHA1)
	b := bufio.NewWriter(f)
	w := io.MultiWriter(b, sum)
	head := binary.BigEndian.AppendUint32([]byte("PACK\x00\x00\x00\x02"), uint32(len(j.seen)))
	if _, err := w.Write(head); err != nil {
		return err
	}
	objects := 0
	for _, p := range j.parts {
		n, err := p.copyTo(w)
		if err != nil {
			return err
		}
		objects += n
	}
	if objects != len(j.seen) {
		return i18n.Errorf("packs have %d objects, and their indexes %d: %w", objects, len(j.seen), ErrDamaged)
	}
	trailer := sum.Sum(nil)
	_, err := b.Write(trailer)
	return errors.Join(err, j.index.OnFooter(plumbing.Hash(trailer)), b.Flush(), f.Sync())
}

// copyTo copies the objects of a pack, and returns their number.
func (p part) copyTo(w io.Writer) (objects int, err error) {
	f, err := os.Open(p.name)
	if err != nil {
		return 0, err
	}
	defer f.Close()
	sum := hash.New(crypto.SHA1)
	r := bufio.NewReader(f)
	head := make([]byte, packHeader)
	if _, err := io.ReadFull(r, head); err != nil || p.size < 0 {
		return 0, errors.Join(err, ErrDamaged)
	}
	_, _ = sum.Write(head) // writing to a hash does not fail
	if _, err := io.CopyN(io.MultiWriter(w, sum), r, p.size); err != nil {
		return 0, err
	}
	trailer, err := io.ReadAll(r)
	if err != nil || !bytes.Equal(trailer, p.sum[:]) || !bytes.Equal(trailer, sum.Sum(nil)) {
		return 0, i18n.Errorf(
			"%s is not what its checksum says: %w", filepath.Base(p.name), errors.Join(err, ErrDamaged),
		)
	}
	return int(binary.BigEndian.Uint32(head[8:])), nil
}

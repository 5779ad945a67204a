package gitrepo

import (
	"bytes"
	"compress/zlib"
	"crypto"
	"encoding/binary"
	"errors"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
	"github.com/go-git/go-git/v5/plumbing/hash"

	"rulestore/content/i18n"
)

// A thin pack has deltas to objects in other packs, like a bundle with prerequisite commits. It is
// completed by these objects, as every pack is self-contained here.

// isThin reports whether a pack could not be indexed because it is thin.
func isThin(err error) bool { return errors.Is(err, packfile.ErrReferenceDeltaNotFound) }

// complete adds to a pack, which was surveyed, the objects of a generation that are the bases of
// its deltas.
func (g generation) complete(f *os.File) (err error) {
	bases, count, err := outerBases(f)
	if err != nil {
		return err
	}
	// The generation has no refs yet, so it cannot be opened as a repository.
	packs := &packs{dir: g.packs(), cache: &packCache{}}
	defer func() { err = errors.Join(err, packs.close()) }()
	end, err := f.Seek(-packTrailer, io.SeekEnd)
	if err == nil {
		err = f.Truncate(end)
	}
	if err != nil {
		return err
	}
	for _, id := range bases {
		o, err := found(packs.object, id)
		if errors.Is(err, errAbsent) {
			continue // one of the pack's own
		}
		if err == nil {
			err = appendObject(f, o)
		}
		if err != nil {
			return i18n.Errorf("the pack builds on object %s, which cannot be read: %w", id, err)
		}
		count++
	}
	return seal(f, count)
}

// outerBases lists the ids by which deltas of a pack name their bases.
func outerBases(f *os.File) (bases []OID, count uint32, err error) {
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, 0, err
	}
	scanner := packfile.NewScanner(f)
	if _, count, err = scanner.Header(); err != nil {
		return nil, 0, err
	}
	known := map[plumbing.Hash]bool{}
	for range count {
		h, err := scanner.NextObjectHeader()
		if err != nil {
			return nil, 0, err
		}
		if h.Type == plumbing.REFDeltaObject && !known[h.Reference] {
			known[h.Reference] = true
			bases = append(bases, OID(h.Reference))
		}
		if _, _, err := scanner.NextObject(io.Discard); err != nil {
			return nil, 0, err
		}
	}
	return bases, count, nil
}

// appendObject writes an object in the format of packs (git help format-pack).
func appendObject(w io.Writer, o lazyObject) error {
	if o.size > maxObject {
		return errTooMuch
	}
	in, err := o.open()
	if err != nil {
		return err
	}
	defer in.Close()
	var b bytes.Buffer
	size := uint64(o.size)
	first := byte(o.kind)<<4 | byte(size&0x0f)
	if size >>= 4; size > 0 {
		first |= 0x80
	}
	b.WriteByte(first)
	if size > 0 {
		b.Write(binary.AppendUvarint(nil, size))
	}
	z := zlib.NewWriter(&b)
	if _, err := io.Copy(z, in); err != nil {
		return err
	}
	if err := z.Close(); err != nil {
		return err
	}
	_, err = w.Write(b.Bytes())
	return err
}

// seal updates the number of objects and the checksum of a pack.
func seal(f *os.File, count uint32) error {
	if _, err := f.WriteAt(binary.BigEndian.AppendUint32(nil, count), packHeader-4); err != nil {
		return err
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return err
	}
	sum := hash.New(crypto.SHA1)
	if _, err := io.Copy(sum, f); err != nil {
		return err
	}
	_, err := f.Write(sum.Sum(nil))
	return err
}

package gitrepo

import (
	"context"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"rulestore/content/i18n"
)

// Limits on foreign packs. A few bytes of a pack can expand to a lot of memory or work, so each
// is checked before anything is allocated. The limits are far above normal content: 20,000
// publications are 32 MB in 80,000 objects, which expand to 2.5 GB.
const (
	maxPack     int64 = 2 << 30   // bytes, as sent
	maxObjects        = 5_000_000 // in one pack
	maxObject   int64 = 256 << 20 // bytes of one object
	maxDelta    int64 = 32 << 20  // bytes of one object made from another
	maxExpanded int64 = 16 << 30  // bytes of all objects, unless the pack is so large that maxRatio allows more
	maxRatio    int64 = 20_000    // bytes of objects for each byte sent
)

// minPacked is the minimum size of an object: a header, and an empty zlib stream.
const minPacked = 9

var errTooMuch = i18n.Errorf("the remote sends more than any repository of rules has: serve a clone of it")

// receive stores a pack under its checksum, with an index, in a folder, and returns the ids of its
// objects. A refused pack leaves nothing. A pack that exists already, shared with the previous
// generation, is replaced by the one that was checked.
func (g generation) receive(ctx context.Context, pack io.Reader) (ids map[OID]bool, err error) {
	dir := g.packs()
	f, err := os.CreateTemp(dir, "incoming-*")
	if err != nil {
		return nil, err
	}
	defer func() {
		_ = f.Close()
		_ = os.Remove(f.Name()) // does not exist if it was renamed
	}()
	n, err := io.Copy(f, io.LimitReader(pack, maxPack+1))
	switch {
	case err != nil:
		return nil, err
	case n > maxPack:
		return nil, errTooMuch
	case n == 0:
		return nil, i18n.Errorf("the remote sends an empty pack")
	}
	index, err := inspect(ctx, f)
	if err != nil {
		return nil, err
	}
	if err := f.Sync(); err != nil {
		return nil, err
	}
	if ids, err = idsOf(index); err != nil || len(ids) == 0 {
		return ids, err // nothing had to be sent
	}
	name := filepath.Join(dir, "pack-"+plumbing.Hash(index.PackfileChecksum).String())
	if err := os.Remove(name + ".idx"); err != nil && !errors.Is(err, fs.ErrNotExist) {
		return nil, err
	}
	if err := writeIndex(index, name+".idx"); err != nil {
		return nil, err
	}
	return ids, os.Rename(f.Name(), name+".pack")
}

// inspect checks a pack and indexes it. Any defect is an error, also one at which go-git panics.
func inspect(ctx context.Context, f *os.File) (index *idxfile.MemoryIndex, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = i18n.Errorf("the pack is malformed: %v", p)
		}
	}()
	r := stoppable{f, ctx}
	if err := survey(r); err != nil {
		return nil, i18n.Errorf("the pack is refused: %w", err)
	}
	if _, err := f.Seek(0, io.SeekStart); err != nil {
		return nil, err
	}
	w := &idxfile.Writer{}
	parser, err := packfile.NewParser(packfile.NewScanner(r), w)
	if err != nil {
		return nil, err
	}
	if _, err := parser.Parse(); err != nil {
		return nil, i18n.Errorf("the pack is refused: %w", err)
	}
	return w.Index()
}

// stoppable is a file whose reading ends with a context.
type stoppable struct {
	file *os.File
	ctx  context.Context
}

func (s stoppable) Read(p []byte) (int, error) {
	if s.ctx.Err() != nil {
		return 0, context.Cause(s.ctx)
	}
	return s.file.Read(p)
}

func (s stoppable) Seek(offset int64, whence int) (int64, error) {
	return s.file.Seek(offset, whence)
}

// survey reads the objects of a pack one by one, and refuses those that are too large when they
// are expanded.
func survey(r stoppable) error {
	info, err := r.file.Stat()
	if err != nil {
		return err
	}
	if _, err := r.Seek(0, io.SeekStart); err != nil {
		return err
	}
	scanner := packfile.NewScanner(r)
	_, count, err := scanner.Header()
	if err != nil {
		return err
	}
	if count > maxObjects || int64(count)*minPacked > info.Size() {
		return i18n.Errorf(
			"it says that it has %d objects in %d bytes, at most %d are read", count, info.Size(), maxObjects,
		)
	}
	// The limits on each object bound the memory. The total takes only time, which is proportional
	// to what was sent: a list that grew by a line in each of a hundred thousand versions expands
	// to 7,000 times its size.
	var total int64
	limit := max(maxExpanded, info.Size()*maxRatio)
	for range count {
		size, err := objectSize(scanner)
		if err != nil {
			return err
		}
		if total += size; total > limit {
			return i18n.Errorf("its objects unfold to more than %d bytes", limit)
		}
	}
	return nil
}

// kinds are the types of entries of a pack.
var kinds = []plumbing.ObjectType{
	plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject,
	plumbing.OFSDeltaObject, plumbing.REFDeltaObject,
}

// objectSize skips the next object and returns its expanded size.
func objectSize(scanner *packfile.Scanner) (int64, error) {
	h, err := scanner.NextObjectHeader()
	switch {
	case err != nil:
		return 0, err
	case h.Length > maxObject || h.Length < 0:
		return 0, i18n.Errorf("an object has %d bytes, at most %d are read", h.Length, maxObject)
	case !slices.Contains(kinds, h.Type):
		return 0, i18n.Errorf("an object is of no known kind: %w", ErrDamaged)
	}
	var start prefix
	if _, _, err := scanner.NextObject(&start); err != nil {
		return 0, err
	}
	if start.n != h.Length {
		return 0, i18n.Errorf("an object has %d bytes and says %d: %w", start.n, h.Length, ErrDamaged)
	}
	if !h.Type.IsDelta() {
		return h.Length, nil
	}
	size, err := resultSize(start.head)
	if err == nil && size > maxDelta {
		err = i18n.Errorf("an object made from another has %d bytes, at most %d are read", size, maxDelta)
	}
	return size, err
}

// prefix counts what is written to it, and keeps the first bytes.
type prefix struct {
	head []byte
	n    int64
}

func (p *prefix) Write(b []byte) (int, error) {
	p.n += int64(len(b))
	if room := maxSizes - len(p.head); room > 0 {
		p.head = append(p.head, b[:min(room, len(b))]...)
	}
	return len(b), nil
}

// idsOf lists the ids in an index.
func idsOf(index *idxfile.MemoryIndex) (map[OID]bool, error) {
	entries, err := entriesOf(index)
	ids := make(map[OID]bool, len(entries))
	for _, e := range entries {
		ids[OID(e.Hash)] = true
	}
	return ids, err
}

func writeIndex(index *idxfile.MemoryIndex, path string) error {
	return writeFile(path, func(f io.Writer) error {
		_, err := idxfile.NewEncoder(f).Encode(index)
		return err
	})
}

// writeFile creates a file, and syncs it to the disk.
func writeFile(path string, write func(io.Writer) error) (err error) {
	f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	if err := write(f); err != nil {
		return err
	}
	return f.Sync()
}

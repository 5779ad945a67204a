package gitrepo

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// packs are the packs in a folder of objects. They are read here because go-git hashes every
// object that it caches and copies it three times, and a folder of thousands of files is a new
// object in every commit: with go-git, a cold load of 20,000 publications took 22 s of processor
// time in place of 15, beyond the budget (design, section 12). It also has all deltas of an object
// in memory at once.
type packs struct {
	dir     string
	cache   *packCache
	open    []*pack // nil before the first look-up
	fault   error   // the error of a pack that could not be opened
	checked bool    // see [Checked]
}

// packed is an object of a pack. Its content is shared, and must not be modified.
type packed struct {
	kind      plumbing.ObjectType
	content   []byte
	checkedAs OID // the id that it was checked against, zero if it was not
}

// maxPacked is the maximum size of an object that is read at once. The content of larger ones is
// read on request ([packs.object]).
const maxPacked = 8 << 20

// maxHashed is the maximum size of objects that are always checked against their ids, as by
// go-git. Larger ones, such as the trees of large folders, which are new in every commit, are
// checked only in untrusted repositories ([Checked]).
const maxHashed = 16 << 10

// find returns an ordinary object of at most limit bytes. If it is not ok, [packs.object] has to
// be asked.
func (p *packs) find(id OID, limit int64) (packed, bool) {
	for _, pack := range p.all() {
		offset, err := pack.index.find(plumbing.Hash(id))
		if err != nil {
			continue
		}
		o, err := pack.read(offset, deltaChain{limit: limit, maxStep: maxPacked})
		if err != nil || int64(len(o.content)) > limit {
			return packed{}, false
		}
		if (p.checked || len(o.content) <= maxHashed) && o.checkedAs != id {
			if plumbing.ComputeHash(o.kind, o.content) != plumbing.Hash(id) {
				return packed{}, false
			}
			o.checkedAs = id // a tree is read for two commits
			p.cache.markChecked(packPlace{pack, offset}, o)
		}
		return o, true
	}
	return packed{}, false
}

// lazyObject is an object whose content is read on request.
type lazyObject struct {
	kind plumbing.ObjectType
	size int64
	open func() (io.ReadCloser, error)
}

// lazy returns the object in the form of those that are not in memory.
func (o packed) lazy() lazyObject {
	return lazyObject{o.kind, int64(len(o.content)), func() (io.ReadCloser, error) {
		return io.NopCloser(bytes.NewReader(o.content)), nil
	}}
}

func (p *packs) close() error {
	var errs []error
	for _, pack := range p.open {
		errs = append(errs, pack.file.Close())
	}
	return errors.Join(errs...)
}

// pack is a pack with its index.
type pack struct {
	index   packIndex
	file    *os.File
	scanner *scanner
	cache   *packCache
}

// all returns the packs that can be opened.
func (p *packs) all() []*pack {
	if p.open != nil {
		return p.open
	}
	p.open = []*pack{}
	entries, err := os.ReadDir(p.dir)
	if !errors.Is(err, fs.ErrNotExist) {
		p.fault = err
	}
	for _, e := range entries {
		name, isIndex := strings.CutSuffix(e.Name(), ".idx")
		if !isIndex {
			continue
		}
		if pack, err := p.openPack(filepath.Join(p.dir, name)); err == nil {
			p.open = append(p.open, pack)
		} else {
			p.fault = err
		}
	}
	return p.open
}

// openPack opens the pack with a name, without extension.
func (p *packs) openPack(name string) (*pack, error) {
	index, err := openIndex(name + ".idx")
	if err != nil {
		return nil, err
	}
	f, err := openFile(name + ".pack")
	if err != nil {
		return nil, err
	}
	s, err := newScanner(f)
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	p.cache.grow(s.size)
	return &pack{packIndex{index}, f, s, p.cache}, nil
}

func openIndex(name string) (*idxfile.MemoryIndex, error) {
	f, err := openFile(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	index := idxfile.NewMemoryIndex()
	return index, idxfile.NewDecoder(indexFile{bufio.NewReader(f), f}).Decode(index)
}

// indexFile tells the decoder the size of the file, as it would trust the size that the index
// states.
type indexFile struct {
	io.Reader
	file *os.File
}

// Stat describes the file.
func (f indexFile) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// patch applies a delta to its base, with a limit for the result. go-git's own grows large results
// in steps.
func patch(base, code []byte, limit int) ([]byte, error) {
	d, err := openDelta(code, len(base), limit)
	if err != nil {
		return nil, err
	}
	result := make([]byte, 0, d.size)
	for p, ok := d.next(); ok; p, ok = d.next() {
		if p.inserted {
			result = append(result, code[p.from:p.to]...)
		} else {
			result = append(result, base[p.from:p.to]...)
		}
	}
	return result, d.fault()
}

package gitrepo

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
)

// packs are those of a folder of objects. They are read here because go-git hashes every
// object that it caches and copies it three times, and a folder of thousands of files is
// another object for every commit: with it a cold load of 20,000 publications took 22 s of
// processor time and not 15, beyond the budget (design, section 12). It also holds all
// deltas of an object at once.
type packs struct {
	dir     string
	cache   *packCache
	open    []*pack // nil until the first is looked for
	fault   error   // why one of them could not be opened
	checked bool    // see [Checked]
}

// packed is an object of a pack. Nobody changes its content, which others share.
type packed struct {
	kind    plumbing.ObjectType
	content []byte
	held    OID // that it was checked against; zero if it was not
}

// maxPacked is the greatest size of an object that is read at once. A larger one is read
// when somebody wants its content ([packs.object]).
const maxPacked = 8 << 20

// maxHashed is up to which size an object is checked against its id, as go-git does,
// whoever wrote it. The lists of large folders, of which there is one for every commit,
// are so only where nobody is trusted to have written them ([Checked]).
const maxHashed = 16 << 10

// find returns an object of at most limit bytes that is ordinary. False says nothing but
// that [packs.object] has to be asked.
func (p *packs) find(id OID, limit int64) (packed, bool) {
	for _, pack := range p.all() {
		offset, err := pack.index.find(plumbing.Hash(id))
		if err != nil {
			continue
		}
		o, err := pack.read(offset, deltaChain{limit: limit, most: maxPacked})
		if err != nil || int64(len(o.content)) > limit {
			return packed{}, false
		}
		if (p.checked || len(o.content) <= maxHashed) && o.held != id {
			if plumbing.ComputeHash(o.kind, o.content) != plumbing.Hash(id) {
				return packed{}, false
			}
			o.held = id // a list of entries is read for the commit before and the one after
			p.cache.hold(packPlace{pack, offset}, o)
		}
		return o, true
	}
	return packed{}, false
}

// encoded returns it in the form that go-git decodes.
func (o packed) encoded() plumbing.EncodedObject {
	var m plumbing.MemoryObject
	m.SetType(o.kind)
	_, _ = m.Write(o.content) // into memory
	return &m
}

func (p *packs) close() error {
	var errs []error
	for _, pack := range p.open {
		errs = append(errs, pack.file.Close())
	}
	return errors.Join(errs...)
}

// pack is one with its index.
type pack struct {
	index   packIndex
	file    *os.File
	scanner *scanner
	cache   *packCache
}

// all returns those that can be opened.
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

// openPack opens the one with that name, without its ending.
func (p *packs) openPack(name string) (*pack, error) {
	index, err := openIndex(name + ".idx")
	if err != nil {
		return nil, err
	}
	f, err := os.Open(name + ".pack")
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
	f, err := os.Open(name)
	if err != nil {
		return nil, err
	}
	defer f.Close()
	index := idxfile.NewMemoryIndex()
	return index, idxfile.NewDecoder(indexFile{bufio.NewReader(f), f}).Decode(index)
}

// indexFile tells the decoder how large it is; else that would believe what the
// index says of its size.
type indexFile struct {
	io.Reader
	file *os.File
}

// Stat describes the file.
func (f indexFile) Stat() (fs.FileInfo, error) { return f.file.Stat() }

// patch makes an object of at most so many bytes from its base by a delta. go-git's own lets large results grow
// in steps.
func patch(base, code []byte, most int) ([]byte, error) {
	d, err := openDelta(code, len(base), most)
	if err != nil {
		return nil, err
	}
	made := make([]byte, 0, d.size)
	for p, ok := d.next(); ok; p, ok = d.next() {
		if p.own {
			made = append(made, code[p.from:p.to]...)
		} else {
			made = append(made, base[p.from:p.to]...)
		}
	}
	return made, d.fault()
}

package gitrepo

import (
	"bufio"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strings"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/idxfile"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"

	"rulestore/content/i18n"
)

// packs are those of a folder of objects, read for what is ordinary. go-git does
// the rest, and could do all of it; but it hashes every object that it caches and
// copies it three times, and a folder of thousands of files is another object for
// every commit. Without this a cold load of 20,000 publications takes 22 s of processor
// time and not 15, beyond the budget (design, section 12).
type packs struct {
	dir     string
	open    []*pack // nil until the first is looked for
	checked bool    // see [Checked]
}

// packed is an object of a pack. Nobody changes its content, which others share.
type packed struct {
	kind    plumbing.ObjectType
	content []byte
	held    OID // that it was checked against; zero if it was not
}

// The limits of ordinary objects: size in bytes, and length of a delta chain.
const (
	maxPacked = 8 << 20
	maxChain  = 300
)

// maxHashed is up to which size an object is checked against its id, as go-git does,
// whoever wrote it. The lists of large folders, of which there is one for every commit,
// are so only where nobody is trusted to have written them ([Checked]).
const maxHashed = 16 << 10

var errUnusual = i18n.Errorf("an object that go-git has to read")

// find returns an object. False says nothing but that go-git has to be asked.
func (p *packs) find(id OID) (packed, bool) {
	if p.open == nil {
		p.open = openPacks(p.dir)
	}
	for _, pack := range p.open {
		offset, err := pack.index.find(plumbing.Hash(id))
		if err != nil {
			continue
		}
		o, err := pack.read(offset)
		if err != nil {
			return packed{}, false
		}
		if (p.checked || len(o.content) <= maxHashed) && o.held != id {
			if plumbing.ComputeHash(o.kind, o.content) != plumbing.Hash(id) {
				return packed{}, false
			}
			o.held = id // a list of entries is read for the commit before and the one after
			pack.hold(offset, o)
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
	careful *packfile.Scanner // go-git's, for what is out of the ordinary
	trees   recentObjects
	others  recentObjects
	texts   recentTexts
}

// openPacks opens those that can be read. What is wrong with the others go-git says.
func openPacks(dir string) []*pack {
	all := []*pack{}
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		name, isIndex := strings.CutSuffix(e.Name(), ".idx")
		if !isIndex {
			continue
		}
		if p, err := openPack(filepath.Join(dir, name)); err == nil {
			all = append(all, p)
		}
	}
	return all
}

// openPack opens the one with that name, without its ending.
func openPack(name string) (*pack, error) {
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
		return nil, err
	}
	p := &pack{index: packIndex{index}, file: f, scanner: s, careful: packfile.NewScanner(f)}
	p.trees.most = int(min(s.size/2, largestRecent))
	return p, nil
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

// delta says how the object at an offset differs from another one.
type delta struct {
	offset int64
	code   []byte
}

// read reads the object at an offset, and for that what it differs from, unless
// that was read a short time ago.
func (p *pack) read(offset int64) (packed, error) {
	var deltas []delta
	for {
		if o, ok := p.recall(offset); ok {
			return p.apply(deltas, o)
		}
		if len(deltas) == maxChain {
			return packed{}, errUnusual
		}
		h, content, err := p.scanner.scan(offset, maxPacked)
		if err != nil {
			return packed{}, err
		}
		switch h.kind {
		case plumbing.OFSDeltaObject:
			deltas = append(deltas, delta{offset, content})
			offset = h.base
		case plumbing.REFDeltaObject:
			deltas = append(deltas, delta{offset, content})
			if offset, err = p.index.find(h.name); err != nil {
				return packed{}, err
			}
		default:
			o := packed{kind: h.kind, content: content}
			p.keep(offset, o)
			return p.apply(deltas, o)
		}
	}
}

// apply makes objects by deltas, the last of which is to the object given, and
// returns the first one's.
func (p *pack) apply(deltas []delta, o packed) (packed, error) {
	for _, d := range slices.Backward(deltas) {
		content, err := patch(o.content, d.code, maxPacked)
		if err != nil {
			return packed{}, err
		}
		o = packed{kind: o.kind, content: content}
		p.keep(d.offset, o)
	}
	return o, nil
}

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

// keep remembers an object for what differs from it. Versions of a file lie further
// apart than those of its folder, which are much larger.
func (p *pack) keep(offset int64, o packed) {
	if o.kind == plumbing.TreeObject {
		p.trees.add(offset, o)
	} else {
		p.others.add(offset, o)
	}
}

// hold remembers that an object was checked against its id, if it is remembered.
func (p *pack) hold(offset int64, o packed) {
	for _, s := range []*recentObjects{&p.trees, &p.others} {
		if _, ok := s.now[offset]; ok {
			s.now[offset] = o
		}
	}
}

func (p *pack) recall(offset int64) (packed, bool) {
	if o, ok := p.trees.get(offset); ok {
		return o, true
	}
	return p.others.get(offset)
}

// recentObjects holds the objects that were last used, by offset: at most maxRecent bytes of
// them, or most if that is more, and what was used in the round before.
type recentObjects struct {
	rounds[packed]
	size int // of those of now
	most int
}

// rounds are what was used lately, by offset in a pack, in two generations.
type rounds[V any] struct{ now, before map[int64]V }

// turn begins a round: what was used in the one before the last is forgotten.
func (r *rounds[V]) turn() { r.now, r.before = map[int64]V{}, r.now }

// find returns what was used, and reports whether it was not in this round yet: then it is
// taken out of the one before, for the caller to add it.
func (r *rounds[V]) find(offset int64) (v V, found, old bool) {
	if v, found = r.now[offset]; found {
		return v, true, false
	}
	if v, found = r.before[offset]; found {
		delete(r.before, offset)
	}
	return v, found, found
}

// Folders that change alternately have a delta chain each. Their number is derived from the
// size of the pack.
const (
	maxRecent     = 32 << 20
	largestRecent = 256 << 20
)

func (s *recentObjects) add(offset int64, o packed) {
	const entry = 100 // what it takes beside the content
	if s.size += len(o.content) + entry; s.size > max(s.most, maxRecent) || s.now == nil {
		s.turn()
		s.size = len(o.content) + entry
	}
	s.now[offset] = o
}

func (s *recentObjects) get(offset int64) (packed, bool) {
	o, found, old := s.find(offset)
	if old {
		s.add(offset, o)
	}
	return o, found
}

//go:build slow

package gitrepo_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"io"
	"path/filepath"
	"slices"
	"testing"

	"rulestore/loader/gitrepo"
)

// inserting is a delta of so many bytes that takes nothing of an object of some size, and
// makes zeros.
func inserting(base, size int) []byte {
	d := binary.AppendUvarint(nil, uint64(base))
	d = binary.AppendUvarint(d, uint64(made(size)))
	return append(d, bytes.Repeat(append([]byte{127}, make([]byte, 127)...), size/128)...)
}

// ruleFrom is a delta that makes a file of 200 bytes, all of its own.
func ruleFrom(base int) []byte {
	raw, _ := rule(200)
	d := binary.AppendUvarint(binary.AppendUvarint(nil, uint64(base)), uint64(len(raw)))
	return slices.Concat(d, []byte{100}, raw[:100], []byte{100}, raw[100:])
}

// However many objects a file is made from, and however large these and the deltas are,
// they are not in memory all at once: a few bytes of a pack stand for megabytes.
func TestLongChains(t *testing.T) {
	const MB = 1 << 20
	_, id := rule(200)
	for name, c := range map[string]struct {
		fill func(*packer)
		good bool
	}{
		"60 deltas of 8 MB": {good: true, fill: func(p *packer) {
			p.object(aBlob, make([]byte, made(8*MB-256)))
			p.many(60, inserting(made(8*MB-256), 8*MB-256))
			p.delta(ruleFrom(made(8*MB - 256)))
		}},
		"9 deltas of 30 MB": {good: true, fill: func(p *packer) {
			p.object(aBlob, make([]byte, made(30*MB)))
			p.many(9, inserting(made(30*MB), 30*MB))
			p.delta(ruleFrom(made(30 * MB)))
		}},
		"60 objects of 30 MB": {good: true, fill: func(p *packer) {
			p.object(aBlob, make([]byte, MB))
			p.delta(copies(MB, 30))
			p.many(60, slices.Concat(binary.AppendUvarint(nil, 30*MB), copies(MB, 30)[3:]))
			p.delta(ruleFrom(30 * MB))
		}},
		"4000 deltas that make 60 MB": {fill: func(p *packer) {
			p.object(aBlob, make([]byte, MB))
			p.delta(copies(MB, 60))
			p.many(4000, slices.Concat(binary.AppendUvarint(nil, 60*MB), copies(MB, 60)[3:]))
			p.delta(ruleFrom(60 * MB))
		}},
		"a delta of 8 MB of itself": {fill: func(p *packer) { p.refDelta(id, inserting(200, 8*MB-256)) }},
		"three deltas of 8 MB in a circle": {fill: func(p *packer) {
			p.refDelta(id, inserting(200, 8*MB-256))
			p.refDelta(numbered(0), inserting(200, 8*MB-256))
			p.refDelta(numbered(1), inserting(200, 8*MB-256))
		}},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "rule\n")
			var p packer
			c.fill(&p)
			plantPack(t, filepath.Join(r.dir, ".git"), p.pack(), p.index(p.numbers(id)))
			for how, read := range map[string]func(*gitrepo.Repo) error{
				"file": func(r *gitrepo.Repo) error { _, err := r.Blob(id, 1<<20); return err },
				"text": func(r *gitrepo.Repo) error { _, err := r.Text(id, 64<<20); return err },
			} {
				repo := r.open()
				peak := watchMemory(t)
				err := read(repo)
				if used := peak(); used > 400*MB {
					t.Errorf("a %s of a pack of %d bytes: %d MB in use", how, p.Len(), used/MB)
				}
				if c.good != (err == nil) || !c.good && !gitrepo.IsDamaged(err) {
					t.Errorf("a %s: %v", how, err)
				}
			}
		})
	}
}

// A file that is larger than the caller wants it is not made to find that out, nor what it
// is made from.
func TestLimitIsOfTheCaller(t *testing.T) {
	const MB = 1 << 20
	for name, fill := range map[string]func(*packer){
		"whole":       func(p *packer) { p.header(aBlob, 8*MB); p.data(io.LimitReader(zero{}, 8*MB)) },
		"by a delta":  func(p *packer) { p.object(aBlob, make([]byte, MB)); p.delta(copies(MB, 8)) },
		"by a longer": func(p *packer) { p.object(aBlob, make([]byte, 8*MB)); p.delta(copies(8*MB, 1)) },
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "rule\n")
			id := gitrepo.BlobOID(make([]byte, 8*MB))
			var p packer
			fill(&p)
			plantPack(t, filepath.Join(r.dir, ".git"), p.pack(), p.index(p.numbers(id)))
			repo := r.open()
			peak := watchMemory(t)
			if _, err := repo.Blob(id, 1000); !errors.Is(err, gitrepo.ErrTooLarge) {
				t.Error(err)
			}
			if used := peak(); used > 4*MB {
				t.Errorf("%d KB in use", used>>10)
			}
			if raw, err := repo.Blob(id, 8*MB); err != nil || len(raw) != 8*MB {
				t.Errorf("%d bytes, %v", len(raw), err)
			}
		})
	}
}

// many writes so many deltas, each of the object before it. They are compressed once.
func (p *packer) many(n int, delta []byte) {
	var folded bytes.Buffer
	w := zlib.NewWriter(&folded)
	if _, err := w.Write(delta); err != nil || w.Close() != nil {
		panic(err)
	}
	for range n {
		p.header(anOffsetDelta, int64(len(delta)))
		p.back()
		p.Write(folded.Bytes())
	}
}

// made is how many bytes such a delta makes.
func made(size int) int { return size / 128 * 127 }

// refDelta makes an object of one that it names.
func (p *packer) refDelta(base gitrepo.OID, raw []byte) {
	p.header(aRefDelta, int64(len(raw)))
	p.Write(base[:])
	p.data(bytes.NewReader(raw))
}

// numbered is the id that a test gives the object of a pack with that number.
func numbered(i int) gitrepo.OID { return gitrepo.OID(sha1.Sum([]byte{byte(i), byte(i >> 8)})) }

// numbers are the ids of all objects, the last of which has one of its own.
func (p *packer) numbers(last gitrepo.OID) []gitrepo.OID {
	ids := make([]gitrepo.OID, p.count)
	for i := range ids {
		ids[i] = numbered(i)
	}
	ids[len(ids)-1] = last
	return ids
}

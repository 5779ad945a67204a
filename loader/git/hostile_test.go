package git_test

import (
	"bytes"
	"compress/zlib"
	"context"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"hash/adler32"
	"io"
	"runtime"
	"runtime/debug"
	"slices"
	"testing"
	"time"

	"rulestore/loader/git"
)

// packer writes packs that no git would.
type packer struct {
	bytes.Buffer
	count   uint32
	offsets []int
	zlib    *zlib.Writer
}

// The kinds of objects in a pack.
const (
	aCommit, aTree, aBlob, aTag = 1, 2, 3, 4
	anOffsetDelta, aRefDelta    = 6, 7
)

// header begins an object that says that it has so many bytes.
func (p *packer) header(kind byte, size int64) {
	p.count++
	p.offsets = append(p.offsets, p.Len()+12)
	b := kind<<4 | byte(size&15)
	for size >>= 4; size > 0; size >>= 7 {
		p.WriteByte(b | 128)
		b = byte(size & 127)
	}
	p.WriteByte(b)
}

func (p *packer) data(r io.Reader) {
	if p.zlib == nil {
		p.zlib = zlib.NewWriter(p)
	}
	p.zlib.Reset(p)
	if _, err := io.Copy(p.zlib, r); err != nil {
		panic(err)
	}
	if err := p.zlib.Close(); err != nil {
		panic(err)
	}
}

// megabytes is so many megabytes of zeros after a header, compressed. One is as good as
// the next, so only one is compressed: hundreds take seconds, and minutes with the race
// detector.
func megabytes(n int, header string) []byte {
	const MB = 1 << 20
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err == nil {
		_, err = io.WriteString(w, header)
	}
	err = errors.Join(err, w.Flush())
	start := b.Len()
	_, zeros := w.Write(make([]byte, MB))
	if err = errors.Join(err, zeros, w.Flush()); err != nil {
		panic(err)
	}
	b.Write(bytes.Repeat(b.Bytes()[start:], n-1))
	sum := adler32.Checksum([]byte(header)) // (RFC 1950, section 8.2): zeros only add the low half to the high one
	low, high := sum&0xffff, sum>>16
	high = uint32((uint64(high) + uint64(low)*uint64(n)*MB) % 65521)
	b.Write([]byte{1, 0, 0, 0xff, 0xff}) // the last block, stored and empty (RFC 1951, section 3.2.4)
	return binary.BigEndian.AppendUint32(b.Bytes(), high<<16|low)
}

func (p *packer) object(kind byte, raw []byte) git.OID {
	p.header(kind, int64(len(raw)))
	p.data(bytes.NewReader(raw))
	name := map[byte]string{aCommit: "commit", aTree: "tree", aBlob: "blob", aTag: "tag"}[kind]
	return git.OID(sha1.Sum(append(fmt.Appendf(nil, "%s %d\x00", name, len(raw)), raw...)))
}

// delta makes an object of the one before it.
func (p *packer) delta(raw []byte) {
	p.header(anOffsetDelta, int64(len(raw)))
	p.back()
	p.data(bytes.NewReader(raw))
}

// back says that an object is made of the one before it.
func (p *packer) back() {
	back := p.offsets[len(p.offsets)-1] - p.offsets[len(p.offsets)-2]
	var b []byte
	for b = []byte{byte(back & 127)}; back > 127; {
		back = back>>7 - 1
		b = append([]byte{byte(back&127) | 128}, b...)
	}
	p.Write(b)
}

func (p *packer) pack() []byte {
	b := append([]byte("PACK\x00\x00\x00\x02"), binary.BigEndian.AppendUint32(nil, p.count)...)
	b = append(b, p.Bytes()...)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// watchMemory returns what says how much the heap grew at most.
func watchMemory(t *testing.T) func() uint64 {
	t.Helper()
	debug.FreeOSMemory()
	var before runtime.MemStats
	runtime.ReadMemStats(&before)
	ctx, stop := context.WithCancel(t.Context())
	peak, done := uint64(0), make(chan struct{})
	look := func() {
		var now runtime.MemStats
		runtime.ReadMemStats(&now)
		if now.HeapInuse > before.HeapInuse {
			peak = max(peak, now.HeapInuse-before.HeapInuse)
		}
	}
	go func() {
		defer close(done)
		for ctx.Err() == nil {
			look()
			time.Sleep(10 * time.Millisecond)
		}
	}()
	return func() uint64 { stop(); <-done; look(); return peak }
}

// Names in a folder that lead elsewhere, or are no names, are not followed.
func TestHostileTrees(t *testing.T) {
	entry := func(mode, name string, id git.OID) []byte {
		return append(fmt.Appendf(nil, "%s %s\x00", mode, name), id[:]...)
	}
	var p packer
	blob := p.object(aBlob, []byte("evil"))
	rule := p.object(aBlob, []byte("rule"))
	evil := [][]byte{entry("100644", "../rulestore.yaml", blob), entry("100644", ".", blob),
		entry("100644", "..", blob),
		entry("100644", "a/../../b.yaml", blob), entry("100644", "/etc/passwd", blob),
		entry("100644", "good.yaml", rule)}
	folder := p.object(aTree, bytes.Join(evil, nil))
	deep := p.object(aTree, entry("100644", "deep.yaml", blob))
	for range 5000 {
		deep = p.object(aTree, entry("40000", "d", deep))
	}
	root := p.object(aTree, bytes.Join([][]byte{entry("40000", "..", folder), entry("40000", ".git", folder),
		entry("40000", "deep", deep), entry("40000", "guidelines", folder)}, nil))
	r := p.repository(t, p.commit(root))
	files, err := r.Changes(git.OID{}, root, everything)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	if want := []string{"guidelines/good.yaml"}; !slices.Equal(paths, want) {
		t.Errorf("%q, expected %q", paths, want)
	}
}

// repository makes a repository of the objects of a pack, by git, whose branch is at a commit.
func (p *packer) repository(t testing.TB, commit git.OID) *git.Repo {
	t.Helper()
	r := newRepo(t)
	r.gitInput(string(p.pack()), "unpack-objects", "-q")
	r.write(".git/refs/heads/main", commit.String()+"\n")
	return r.open()
}

// commit is a commit of a tree.
func (p *packer) commit(tree git.OID) git.OID {
	return p.object(aCommit, fmt.Appendf(nil,
		"tree %s\nauthor A <a@example.org> 1767225600 +0000\ncommitter A <a@example.org> 1767225600 +0000\n\nfirst\n",
		tree))
}

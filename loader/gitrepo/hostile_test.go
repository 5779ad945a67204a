package gitrepo_test

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
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"runtime"
	"runtime/debug"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/loader/gitrepo"
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

func (p *packer) object(kind byte, raw []byte) gitrepo.OID {
	p.header(kind, int64(len(raw)))
	p.data(bytes.NewReader(raw))
	name := map[byte]string{aCommit: "commit", aTree: "tree", aBlob: "blob", aTag: "tag"}[kind]
	return gitrepo.OID(sha1.Sum(append(fmt.Appendf(nil, "%s %d\x00", name, len(raw)), raw...)))
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

// commit is a commit of a tree.
func (p *packer) commit(tree gitrepo.OID) gitrepo.OID {
	return p.object(aCommit, fmt.Appendf(nil,
		"tree %s\nauthor A <a@example.org> 1767225600 +0000\ncommitter A <a@example.org> 1767225600 +0000\n\nfirst\n",
		tree))
}

func line(s string) string { return fmt.Sprintf("%04x%s", len(s)+4, s) }

// server speaks git's protocol and says whatever the test wants.
type server struct {
	refs []string // "<id> <name>"
	head string
	pack func(w io.Writer)
}

func (s server) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	if r.Method == http.MethodPost {
		_, _ = io.Copy(io.Discard, r.Body)
		_, _ = io.WriteString(w, line("NAK\n"))
		s.pack(w)
		return
	}
	w.Header().Set("Content-Type", "application/x-git-upload-pack-advertisement")
	_, _ = io.WriteString(w, line("# service=git-upload-pack\n")+"0000")
	for i, ref := range s.refs {
		if i == 0 {
			ref += "\x00ofs-delta symref=HEAD:" + s.head
		}
		if _, err := io.WriteString(w, line(ref+"\n")); err != nil {
			return
		}
	}
	_, _ = io.WriteString(w, "0000")
}

// serve returns the remote that such a server is.
func serve(t testing.TB, h http.Handler) gitrepo.Remote {
	t.Helper()
	s := httptest.NewServer(h)
	t.Cleanup(s.Close)
	return remote(t, s.URL+"/rules.git")
}

const someID = "1111111111111111111111111111111111111111"

func sends(id gitrepo.OID, pack []byte) server {
	return server{refs: []string{id.String() + " refs/heads/main"}, head: "refs/heads/main",
		pack: func(w io.Writer) { _, _ = w.Write(pack) }}
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

func text(s string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { _, _ = io.WriteString(w, s) })
}

func status(code int, body string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { http.Error(w, body, code) })
}

// Names of refs that are no names are left out; they cannot become files.
func TestHostileRefs(t *testing.T) {
	var p packer
	commit := p.commit(p.object(aTree, nil))
	s := sends(commit, p.pack())
	for _, name := range []string{
		"refs/heads/../../../evil", "refs/tags/a\nrefs/tags/b", "refs/tags/.hidden",
		"refs/tags/a.lock", "refs/tags/a..b",
		"refs/tags//a", "refs/tags/a/", "refs/tags/a:b", "refs/tags/a\\b", "refs/heads/",
		"HEADS/main", "refs/tags/\x1b[31m",
	} {
		s.refs = append(s.refs, commit.String()+" "+name)
	}
	s.refs = append(s.refs, strings.Repeat("0", 40)+" refs/tags/zero", commit.String()+" refs/tags/good")
	m := openMirror(t, serve(t, s))
	fetch(t, m, true)
	r, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	refs, err := r.Refs("")
	if err != nil || refs.Branch != "main" || len(refs.Tags) != 1 || refs.Tags[0].Name != "good" {
		t.Errorf("%+v, %v", refs, err)
	}
}

// An incomplete repository is no reason to give up the one before.
func TestIncompleteRemote(t *testing.T) {
	origin := newRepo(t)
	origin.put("guidelines/a.yaml", "1\n")
	bare := filepath.Join(t.TempDir(), "rules.git")
	origin.git("clone", "--quiet", "--mirror", origin.dir, bare)
	var bad http.Handler
	h := backend(t, filepath.Dir(bare))
	m := openMirror(t, serve(t, http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if bad != nil {
			bad.ServeHTTP(w, r)
			return
		}
		h.ServeHTTP(w, r)
	})))
	fetch(t, m, true)
	same(t, m, origin)
	if err := m.Keep(); err != nil {
		t.Fatal(err)
	}
	var p packer
	bad = sends(p.commit(gitrepo.OID{1, 2, 3}), p.pack()) // its tree is nowhere
	fetch(t, m, true)
	r, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	refs, err := r.Refs("")
	if err != nil {
		t.Fatal(err)
	}
	_, err = gitrepo.NewWalker(everything).History(r, refs.Commit, nil)
	_ = r.Close()
	if _, ok := errors.AsType[*gitrepo.ReadError](err); !ok {
		t.Fatalf("%v is no error of reading", err)
	}
	if !m.Failed(err) || !m.Pass() {
		t.Fatal("the one before is gone")
	}
	same(t, m, origin)
	bad = nil
	origin.put("guidelines/a.yaml", "2\n")
	origin.git("push", "--quiet", "--mirror", bare)
	fetch(t, m, true)
	same(t, m, origin)
}

// Names in a folder that lead elsewhere, or are no names, are not followed.
func TestHostileTrees(t *testing.T) {
	entry := func(mode, name string, id gitrepo.OID) []byte {
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
	commit := p.commit(root)
	m := openMirror(t, serve(t, sends(commit, p.pack())))
	fetch(t, m, true)
	r, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	files, err := r.Changes(gitrepo.OID{}, root, everything)
	if err != nil {
		t.Fatal(err)
	}
	var paths []string
	for _, f := range files {
		paths = append(paths, f.Path)
	}
	if want := []string{"deep/d/d/d/d/d/d", "guidelines/good.yaml"}; !slices.Equal(paths, want) {
		t.Errorf("%q, expected %q", paths, want)
	}
}

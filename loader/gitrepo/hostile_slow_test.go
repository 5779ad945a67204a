//go:build slow

package gitrepo_test

import (
	"bytes"
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/loader/gitrepo"
)

// copies is a delta that copies all of what it is made from, so many times.
func copies(size, times int) []byte {
	d := binary.AppendUvarint(nil, uint64(size))
	d = binary.AppendUvarint(d, uint64(size*times))
	return append(d, bytes.Repeat([]byte{0x80 | 0x10 | 0x20 | 0x40, byte(size), byte(size >> 8), byte(size >> 16)},
		times)...)
}

// A pack is refused for what it would take, before it takes it.
func TestHostilePacks(t *testing.T) {
	const MB = 1 << 20
	bomb := func(fill func(*packer)) []byte {
		var p packer
		fill(&p)
		return p.pack()
	}
	zeros := func(n int64) io.Reader { return io.LimitReader(zero{}, n) }
	base := bytes.Repeat([]byte("x"), 60000)
	good := bomb(func(p *packer) { p.object(aBlob, []byte("rule")) })
	for name, c := range map[string]struct {
		pack []byte
		says string
	}{
		"an object of 300 MB in 300 KB": {bomb(func(p *packer) {
			p.header(aBlob, 300*MB)
			p.Write(megabytes(300, ""))
		}), "at most 268435456"},
		"an object that is larger than it says": {bomb(func(p *packer) {
			p.header(aBlob, 10)
			p.Write(megabytes(300, ""))
		}), "the pack is refused"},
		"an object that is smaller than it says": {bomb(func(p *packer) {
			p.header(aBlob, 100*MB)
			p.data(zeros(10))
		}), "the pack is refused"},
		"a size beyond all numbers": {bomb(func(p *packer) {
			p.header(aBlob, 1<<62)
			p.data(zeros(10))
		}), "the pack is refused"},
		"one delta to 120 MB": {bomb(func(p *packer) {
			p.object(aBlob, base)
			p.delta(copies(60000, 2000))
		}), "an object made from another has 120000000 bytes"},
		"a delta that says terabytes": {bomb(func(p *packer) {
			p.object(aBlob, base)
			p.delta(append(binary.AppendUvarint(binary.AppendUvarint(nil, 60000), 1<<42), 0x90, 1))
		}), "an object made from another has 4398046511104 bytes"},
		"deltas to 30 MB, a thousand of them": {bomb(func(p *packer) {
			p.object(aBlob, base)
			p.delta(copies(60000, 500))
			same := binary.AppendUvarint(binary.AppendUvarint(nil, 30000000), 30000000)
			for range 1000 {
				p.delta(append(same, bytes.Repeat([]byte{0xf0, 0x60, 0xea, 0}, 500)...))
			}
		}), "unfold to more than"},
		"deltas upon deltas": {bomb(func(p *packer) {
			p.object(aBlob, base)
			for range 5000 {
				p.delta(copies(60000, 1))
			}
		}), "delta chain depth exceeds"},
		"a delta of nothing": {bomb(func(p *packer) { p.object(aBlob, nil); p.delta(nil) }), "the pack is refused"},
		"a delta that is cut": {bomb(func(p *packer) {
			p.object(aBlob, base)
			p.delta([]byte{0x80})
		}), "the pack is refused"},
		"a thin pack": {bomb(func(p *packer) {
			p.header(aRefDelta, 5)
			p.WriteString("12345678901234567890")
			p.data(strings.NewReader("\x05\x05\x90\x05\x00"))
		}), "the pack is refused"},
		"an unknown kind": {bomb(func(p *packer) { p.header(5, 1); p.data(zeros(1)) }), "the pack is refused"},
		"more objects than bytes": {append([]byte("PACK\x00\x00\x00\x02\xff\xff\xff\xff"), good[12:]...),
			"it says that it has 4294967295 objects"},
		"one object too many": {append([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x02"), good[12:]...),
			"the pack is refused"},
		"no pack":           {[]byte("<html>Please sign in</html>"), "the pack is refused"},
		"nothing":           {nil, "fetch http"},
		"cut in the middle": {good[:len(good)/2], "the pack is refused"},
		"a bit of the checksum": {append(slices.Clone(good[:len(good)-1]), good[len(good)-1]^1),
			"the pack is refused"},
		"not what was asked for": {good, "the remote did not send object " + someID},
	} {
		t.Run(name, func(t *testing.T) {
			cache := t.TempDir()
			id, err := gitrepo.ParseOID(someID)
			if err != nil {
				t.Fatal(err)
			}
			m := openMirrorIn(t, cache, serve(t, sends(id, c.pack)))
			peak := watchMemory(t)
			start := time.Now()
			_, err = m.Fetch(t.Context())
			mustFail(t, err, c.says)
			if used := peak(); used > 512*MB {
				t.Errorf("%d MB in use", used/MB)
			}
			t.Logf("%d bytes, refused after %s: %v", len(c.pack), time.Since(start).Round(time.Millisecond), err)
			if left, _ := filepath.Glob(filepath.Join(m.Folder(), "*")); len(left) != 1 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// What a remote says is never believed: names, sizes, texts, addresses.
func TestHostileServers(t *testing.T) {
	id := someID
	many := make([]string, 1_100_000)
	for i := range many {
		many[i] = fmt.Sprintf("%s refs/tags/t%d", id, i)
	}
	for name, c := range map[string]struct {
		handler http.Handler
		says    []string
	}{
		"a page instead":  {text("<html>\x1b[31mred\r\n" + strings.Repeat("long ", 1000)), []string{"fetch http"}},
		"an endless page": {endless("<html>"), []string{"fetch http"}},
		"an endless line": {endless(line("# service=git-upload-pack\n") + "0000"), []string{"fetch http"}},
		"too many refs":   {server{refs: many, head: "refs/heads/main"}, []string{"fetch http"}},
		"no refs at all":  {text(line("# service=git-upload-pack\n") + "00000000"), []string{"is empty"}},
		"sha256": {text(line("# service=git-upload-pack\n") + "0000" +
			line(strings.Repeat("1", 64)+" refs/heads/main\x00object-format=sha256\n") + "0000"),
			[]string{"sha256 object ids, which cannot be read yet"}},
		"shallow": {text(line("# service=git-upload-pack\n") + "0000" +
			line(id+" refs/heads/main\x00ofs-delta\n") + line("shallow "+id) + "0000"),
			[]string{"the repository is shallow"}},
		"an error of its":  {text(line("ERR no \x1b]0;title\x07 such\nthing")), []string{"fetch http"}},
		"gone":             {http.NotFoundHandler(), []string{"repository not found", "check the address"}},
		"a broken gateway": {status(502, strings.Repeat("sorry ", 1000)), []string{"502"}},
		"an endless redirect": {http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			http.Redirect(w, r, r.URL.Path+"?"+r.URL.RawQuery, http.StatusFound)
		}), []string{"redirect"}},
		"a redirect to a file": {http.RedirectHandler("file:///etc/passwd", http.StatusFound),
			[]string{"redirects to another address", "not followed"}},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := openMirror(t, serve(t, c.handler)).Fetch(t.Context())
			mustFail(t, err, c.says...)
			if err == nil {
				return
			}
			if said := err.Error(); len([]rune(said)) > 700 || strings.ContainsAny(said, "\x1b\x07\r\n") {
				t.Errorf("the error repeats too much: %q", said)
			}
			t.Log(err)
		})
	}
}

func endless(start string) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, start)
		for block := bytes.Repeat([]byte("fffff"), 1<<16); ; {
			if _, err := w.Write(block); err != nil {
				return
			}
		}
	})
}

// A folder of a million files is read in little more memory than it has bytes.
func TestHugeTree(t *testing.T) {
	var p packer
	blob := p.object(aBlob, []byte("rule"))
	var raw []byte
	for i := range 1_000_000 {
		raw = append(fmt.Appendf(raw, "100644 rule-%07d.yaml\x00", i), blob[:]...)
	}
	root := p.object(aTree, raw)
	m := openMirror(t, serve(t, sends(p.commit(root), p.pack())))
	fetch(t, m, true)
	r, err := m.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	peak := watchMemory(t)
	files, err := r.Changes(gitrepo.OID{}, root, func(path string, _ gitrepo.Mode) bool {
		return strings.HasSuffix(path, "99.yaml")
	})
	if err != nil || len(files) != 10_000 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if used := peak(); used > 400<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
}

// A fetch that hangs ends when it is told to, over every transport, and nothing
// is left of it.
func TestHangingRemotes(t *testing.T) {
	l := listen(t) // accepts nothing, says nothing
	_, key := newKey(t)
	host, _ := newKey(t)
	silent := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter,
		r *http.Request) {
		<-r.Context().Done()
	}))
	defer silent.Close()
	var p packer
	commit := p.commit(p.object(aTree, nil))
	half := sends(commit, nil)
	stall := make(chan struct{})
	defer close(stall)
	half.pack = func(w io.Writer) {
		_, _ = w.Write(p.pack()[:20])
		_ = http.NewResponseController(w.(http.ResponseWriter)).Flush()
		<-stall
	}
	overSSH := remote(t, "ssh://git@"+l.Addr().String()+"/rules.git")
	overSSH.SSHKey, overSSH.KnownHosts = key, knownHosts(t, l.Addr(), host.PublicKey())
	for name, r := range map[string]gitrepo.Remote{
		"ssh":       overSSH,
		"https":     remote(t, silent.URL+"/rules.git"),
		"in a pack": serve(t, half),
	} {
		t.Run(name, func(t *testing.T) {
			m := openMirror(t, r)
			ctx, cancel := context.WithCancelCause(t.Context())
			time.AfterFunc(300*time.Millisecond, func() { cancel(errors.New("enough")) })
			_, err := m.Fetch(ctx)
			mustFail(t, err, "enough")
			if left, _ := filepath.Glob(filepath.Join(m.Folder(), "new-*")); len(left) != 0 {
				t.Errorf("left over: %v", left)
			}
		})
	}
}

// Whatever bytes the disk gives back, reading them is an error or the truth.
func TestDamagedMirror(t *testing.T) {
	origin := newRepo(t)
	for i := range 20 {
		origin.put(fmt.Sprintf("guidelines/%d.yaml", i), strings.Repeat(fmt.Sprintln("правило", i), 50))
		origin.git("tag", "-a", "-m", "note", fmt.Sprintf("guidelines/%d/v1.0.0", i))
	}
	cache := t.TempDir()
	m := openMirrorIn(t, cache, overFile(t, origin.dir))
	fetch(t, m, true)
	files, err := filepath.Glob(filepath.Join(generations(t, cache)[0], "objects", "pack", "*"))
	if err != nil || len(files) != 2 {
		t.Fatal(files, err)
	}
	files = append(files, filepath.Join(generations(t, cache)[0], "packed-refs"),
		filepath.Join(generations(t, cache)[0], "HEAD"))
	for _, file := range files {
		sound, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		step := max(len(sound)/60, 1)
		for at := 0; at < len(sound); at += step {
			for how, damaged := range map[string][]byte{
				"a byte changed": append(append(slices.Clone(sound[:at]), sound[at]^0xff), sound[at+1:]...),
				"cut":            sound[:at],
			} {
				if err := os.WriteFile(file, damaged, 0o644); err != nil {
					t.Fatal(err)
				}
				if err := readAll(m); err != nil {
					continue
				}
				if string(damaged) != string(sound) && how == "cut" && strings.HasSuffix(file, ".pack") {
					t.Errorf("%s, %s at %d: nobody noticed", filepath.Base(file), how, at)
				}
			}
		}
		if err := os.WriteFile(file, sound, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if err := readAll(m); err != nil {
		t.Error(err)
	}
}

// readAll reads everything that is reachable; what does not have the id that it
// is asked for by is an error.
func readAll(m *gitrepo.Mirror) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("panic: %v", p)
		}
	}()
	r, err := m.Open()
	if err != nil {
		return err
	}
	defer r.Close()
	refs, err := r.Refs("")
	if err != nil {
		return err
	}
	h, err := gitrepo.NewWalker(everything).History(r, refs.Commit, nil)
	if err != nil {
		return err
	}
	for _, f := range h.Paths(refs.Commit) {
		raw, err := r.Blob(f.OID, 1<<20)
		if err != nil {
			return err
		}
		if gitrepo.BlobOID(raw) != f.OID {
			return errors.New("the file is not what its id says")
		}
	}
	return nil
}

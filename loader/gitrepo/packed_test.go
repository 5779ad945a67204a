package gitrepo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// gitIn runs git in a folder and returns what it prints.
func gitIn(t *testing.T, dir string, args ...string) string {
	t.Helper()
	cmd := exec.Command("git", append([]string{"-C", dir, "-c", "maintenance.auto=false", "-c", "user.name=A", "-c",
		"user.email=a@example.org"}, args...)...)
	out, err := cmd.CombinedOutput()
	if err != nil {
		t.Fatalf("git %s: %v\n%s", strings.Join(args, " "), err, out)
	}
	return string(out)
}

// inTurn leaves a test out of a short run, which also is the one under the race
// detector: it reads many or large objects, one after the other.
func inTurn(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("reads one object after the other: not with -short")
	}
}

// versions is a repository with many versions of a large folder, of a file of some
// size, and of one that is larger than what is ordinary.
func versions(t *testing.T) string {
	t.Helper()
	var in strings.Builder
	put := func(name, text string) { fmt.Fprintf(&in, "M 100644 inline %s\ndata %d\n%s\n", name, len(text), text) }
	large := strings.Repeat("a line of a file that is much too large\n", maxPacked/40+1)
	for v := range 30 {
		who := fmt.Sprintf("A <a@example.org> %d +0000", 1_770_000_000+v)
		fmt.Fprintf(&in, "commit refs/heads/main\nmark :%d\ncommitter %s\ndata 2\nv\n", v+1, who)
		for i := 0; v == 0 && i < 700; i++ {
			put(fmt.Sprintf("file-%03d.yaml", i), fmt.Sprintln(i))
		}
		put(fmt.Sprintf("file-%03d.yaml", v*20), fmt.Sprintln("version", v))
		put("book.yaml", strings.Repeat(fmt.Sprintf("page %d\n", v), v)+strings.Repeat("the same on all pages\n", 2000))
		if v%10 == 0 {
			put("large.yaml", large+fmt.Sprintln(v))
		}
		fmt.Fprintf(&in, "tag v%d\nfrom :%d\ntagger %s\ndata 4\ntag\n", v, v+1, who)
	}
	dir := t.TempDir()
	gitIn(t, dir, "init", "-q", "-b", "main")
	cmd := exec.Command("git", "-C", dir, "fast-import", "--quiet")
	cmd.Stdin = strings.NewReader(in.String())
	if out, err := cmd.CombinedOutput(); err != nil {
		t.Fatalf("git fast-import: %v\n%s", err, out)
	}
	return dir
}

func openDisk(t *testing.T, dir string) *Repo {
	t.Helper()
	r, err := OnDisk(dir).Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = r.Close() })
	return r
}

// objects lists the ids and kinds of all objects, and their sizes.
func objects(t *testing.T, dir string) (ids []OID, kinds []plumbing.ObjectType, sizes []int) {
	t.Helper()
	for line := range strings.Lines(gitIn(t, dir, "cat-file", "--batch-all-objects", "--batch-check")) {
		var hex, kind string
		var size int
		if _, err := fmt.Sscan(line, &hex, &kind, &size); err != nil {
			t.Fatal(err)
		}
		id := plumbing.NewHash(hex)
		k, err := plumbing.ParseObjectType(kind)
		if err != nil {
			t.Fatal(err)
		}
		ids, kinds, sizes = append(ids, OID(id)), append(kinds, k), append(sizes, size)
	}
	return ids, kinds, sizes
}

func contentOf(t *testing.T, open func() (io.ReadCloser, error)) []byte {
	t.Helper()
	rd, err := open()
	if err != nil {
		t.Fatal(err)
	}
	defer rd.Close()
	raw, err := io.ReadAll(rd)
	if err != nil {
		t.Fatal(err)
	}
	return raw
}

// What is read from packs is what go-git reads, whatever git made a delta of what,
// and in whatever order it is asked for. What is large is read when it is wanted.
func TestPackedIsUnpacked(t *testing.T) {
	inTurn(t)
	dir := versions(t)
	for _, repack := range []string{"--depth=50", "--depth=0", "--depth=4000 --window=250", "ref deltas", "as it is"} {
		t.Run(repack, func(t *testing.T) {
			switch repack {
			case "ref deltas":
				gitIn(t, dir, "-c", "repack.usedeltabaseoffset=false", "repack", "-qadf")
			case "as it is": // which takes more bytes than there are
				gitIn(t, dir, "-c", "core.compression=0", "-c", "pack.compression=0", "repack", "-qadF", "--depth=0")
			default:
				gitIn(t, dir, append([]string{"repack", "-qadf"}, strings.Fields(repack)...)...)
			}
			ids, kinds, sizes := objects(t, dir)
			r, theirs := openDisk(t, dir), openDisk(t, dir).st
			for i := range ids {
				n := i * 7919 % len(ids)
				want, err := theirs.EncodedObject(kinds[n], plumbing.Hash(ids[n]))
				if err != nil {
					t.Fatal(err)
				}
				raw := contentOf(t, want.Reader)
				o, ok := r.packed(kinds[n], ids[n], maxPacked)
				if ordinary := sizes[n] <= maxPacked; ok != ordinary {
					t.Fatalf("%s %s of %d bytes: read %t", kinds[n], ids[n], sizes[n], ok)
				}
				if ok && (!bytes.Equal(o.content, raw) || o.kind != want.Type()) {
					t.Fatalf("%s %s is not what go-git reads", kinds[n], ids[n])
				}
				later, err := r.unpacked(kinds[n], ids[n])
				if err != nil || later.kind != want.Type() || later.size != want.Size() ||
					!bytes.Equal(contentOf(t, later.open), raw) {
					t.Fatalf("%s %s is not what go-git reads: %v", kinds[n], ids[n], err)
				}
				if _, ok := r.packed(plumbing.OFSDeltaObject, ids[n], maxPacked); ok {
					t.Fatalf("%s passes for another kind", ids[n])
				}
			}
		})
	}
}

// An object is the same each time it is read, whatever is remembered of what it is made from.
func TestPackedIsReadAgain(t *testing.T) {
	inTurn(t)
	dir := versions(t)
	gitIn(t, dir, "repack", "-qadf", "--depth=50")
	p := &packs{dir: filepath.Join(dir, ".git/objects/pack"), cache: &packCache{}}
	t.Cleanup(func() { _ = p.close() })
	ids, _, _ := objects(t, dir)
	for _, id := range ids {
		o, err := p.object(id)
		if err != nil {
			t.Fatal(err)
		}
		first := contentOf(t, o.open)
		if !bytes.Equal(contentOf(t, o.open), first) { // what was remembered
			t.Fatalf("%s is another the second time", id)
		}
		*p.cache = packCache{}
		if !bytes.Equal(contentOf(t, o.open), first) {
			t.Fatalf("%s is another the third time", id)
		}
	}
}

// An object that is not what its id says is not read; nor is anything of a pack
// that cannot be opened. What is wrong with it, looking for an object of any size says.
func TestPackedIsChecked(t *testing.T) {
	dir := versions(t)
	gitIn(t, dir, "repack", "-qadf")
	ids, kinds, _ := objects(t, dir)
	p := &packs{dir: filepath.Join(dir, ".git/objects/pack"), cache: &packCache{}}
	blob := ids[slices.Index(kinds, plumbing.BlobObject)]
	if _, ok := p.find(blob, maxPacked); !ok {
		t.Fatal("a file is not found")
	}
	at, err := p.open[0].index.find(plumbing.Hash(blob))
	if err != nil {
		t.Fatal(err)
	}
	holding := func(o packed) recentObjects {
		return recentObjects{rounds: rounds[packed]{current: map[packPlace]packed{{p.open[0], at}: o}}}
	}
	p.cache.others = holding(packed{kind: plumbing.BlobObject, content: []byte("something else")})
	if o, ok := p.find(blob, maxPacked); ok {
		t.Errorf("another object's content is returned: %q", o.content)
	}
	p.cache.others = holding(packed{plumbing.BlobObject, []byte("else"), OID{1}})
	if o, ok := p.find(blob, maxPacked); ok {
		t.Errorf("what was checked against another id is returned: %q", o.content)
	}
	if err := p.close(); err != nil {
		t.Fatal(err)
	}
	for _, name := range []string{"*.idx", "*.pack"} {
		t.Run("without "+name, func(t *testing.T) {
			names, _ := filepath.Glob(filepath.Join(p.dir, name))
			for _, name := range names {
				if err := os.Chmod(name, 0o600); err != nil {
					t.Fatal(err)
				}
				if err := os.Truncate(name, 20); err != nil {
					t.Fatal(err)
				}
			}
			p := &packs{dir: p.dir, cache: &packCache{}}
			if _, ok := p.find(blob, maxPacked); ok {
				t.Error("an object is read all the same")
			}
			if _, err := p.object(blob); !IsDamaged(inObject(err)) {
				t.Errorf("%v is no damage", err)
			}
			_ = p.close()
		})
	}
}

// The recentObjects keeps no more than it should, and what was just used the longest.
func TestRecentObjects(t *testing.T) {
	var s recentObjects
	content := make([]byte, maxRecent/10)
	s.add(packPlace{nil, -1}, packed{content: content})
	for i := range 100 {
		s.add(packPlace{nil, int64(i)}, packed{content: content})
		if _, ok := s.get(packPlace{nil, -1}); !ok {
			t.Fatalf("what is used all the time is lost after %d", i)
		}
		if n := len(s.current) + len(s.previous); n > 21 {
			t.Fatalf("%d objects of a tenth are kept", n)
		}
	}
	if _, ok := s.get(packPlace{}); ok {
		t.Error("the first is still there")
	}
}

// A delta makes what it makes in go-git, or is left to it.
func FuzzPatch(f *testing.F) {
	base := bytes.Repeat([]byte("0123456789abcdef"), 8192)
	sizes := func(before, after uint64) []byte {
		return binary.AppendUvarint(binary.AppendUvarint(nil, before), after)
	}
	for _, code := range [][]byte{
		append(sizes(131072, 7), "\x03new\x91\x02\x04"...),
		append(sizes(131072, 65536), 0x80),                          // a size of zero
		append(sizes(131072, 9), 0x97, 0xff, 0xff, 0x01, 9),         // beyond the end
		append(sizes(131072, 1<<40), 0x91, 0, 1),                    // too large
		append(sizes(131072, 3), "\x05new"...),                      // cut off
		append(sizes(131072, 3), 0x91),                              // cut off
		append(sizes(131072, 3), 0x00, 0x00),                        // reserved
		append(sizes(131071, 3), "\x03new"...),                      // of another base
		append(sizes(131072, 4), "\x03new"...),                      // too short
		append(sizes(131072, 2), "\x03new"...),                      // too long
		sizes(131072, 0),                                            // empty
		append(sizes(131072, 131071), 0xf0, 0xff, 0xff, 0x01, 0x01), // all but a byte
	} {
		f.Add(code)
	}
	f.Fuzz(func(t *testing.T, code []byte) {
		got, err := patch(base, code, maxPacked)
		if err != nil {
			return
		}
		if want, err := packfile.PatchDelta(base, code); err != nil || !bytes.Equal(got, want) {
			t.Errorf("made %d bytes, go-git %d, %v", len(got), len(want), err)
		}
	})
}

// An ordinary delta is not left to go-git.
func TestPatch(t *testing.T) {
	for code, want := range map[string]string{
		"\x11\x0b\x90\x09\x02no":      "a folder no",
		"\x11\x08\x03no \x91\x0c\x05": "no files",
		"\x11\x11\x90\x11":            "a folder of files",
	} {
		t.Run(code, func(t *testing.T) {
			if got, err := patch([]byte("a folder of files"), []byte(code), maxPacked); err != nil ||
				string(got) != want {
				t.Errorf("%q makes %q, %v", code, got, err)
			}
		})
	}
}

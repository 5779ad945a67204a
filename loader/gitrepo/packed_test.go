package gitrepo

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"os/exec"
	"strings"
	"testing"

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

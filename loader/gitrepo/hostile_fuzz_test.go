package gitrepo

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
)

// Whatever comes as a pack, it is refused or it has an index; nothing panics and
// nothing is left over.
func FuzzReceive(f *testing.F) {
	good := "PACK\x00\x00\x00\x02\x00\x00\x00\x01\x34x\x9c\x2b\x2a\xcd\x49\x05\x00\x04\x5c\x01\xae"
	f.Add([]byte(good + strings.Repeat("\x00", 20)))
	f.Add([]byte("PACK\x00\x00\x00\x02\x00\x00\x00\x00\x02\x9d\x08\x82\x3b\xd8\xa8\xea\xb5\x10\xad\x6a\xc7\x5c\x82\x3c\xfd\x3e\xd3\x1e"))
	f.Add([]byte("PACK\x00\x00\x00\x02\xff\xff\xff\xff"))
	f.Fuzz(func(t *testing.T, pack []byte) {
		g, err := makeGeneration(t.TempDir())
		if err != nil {
			t.Fatal(err)
		}
		ids, err := g.receive(t.Context(), strings.NewReader(string(pack)))
		left, globErr := filepath.Glob(filepath.Join(g.packs(), "*"))
		if globErr != nil {
			t.Fatal(globErr)
		}
		want := 0
		if err == nil && len(ids) > 0 {
			want = 2
		}
		if len(left) != want {
			t.Errorf("%v, %d objects, left are %v", err, len(ids), left)
		}
		for _, file := range left {
			if info, err := os.Stat(file); err != nil || info.Size() == 0 {
				t.Error(file, err)
			}
		}
	})
}

// What is read of an address reads the same when it is shown.
func FuzzParseAddress(f *testing.F) {
	for _, s := range []string{
		"https://example.org/rules.git", "git@example.org:rules.git", "ssh://git@[::1]:22/a b", "file:///srv/rules",
		"https://anna:s3cret@example.org/x", "https://example.org/x?y=s3cret", "http://example.org:80/%2e%2e/x",
	} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, s string) {
		a, err := ParseAddress(s)
		if err != nil {
			return
		}
		again, err := ParseAddress(a.String())
		if err != nil || again.String() != a.String() {
			t.Errorf("%q is shown as %q, which is read as %q, %v", s, a, again, err)
		}
	})
}

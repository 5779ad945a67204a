//go:build linux && slow

package gitrepo_test

import (
	"crypto/rand"
	"path/filepath"
	"testing"
)

// On a full disk the fetch fails and says so; what is there stays as it is, and
// the next fetch succeeds when there is room.
func TestFullDisk(t *testing.T) {
	origin := newRepo(t)
	origin.put("guidelines/a.yaml", "1\n")
	m := openMirrorIn(t, disk(t, "size=8m"), overFile(t, origin.dir))
	fetch(t, m, true)
	same(t, m, origin)
	small := origin.oid("HEAD")
	large := make([]byte, 20<<20)
	if _, err := rand.Read(large); err != nil {
		t.Fatal(err)
	}
	origin.put("guidelines/large.bin", string(large))
	for range 3 {
		_, err := m.Fetch(t.Context())
		mustFail(t, err, "no space left on device")
		if left, _ := filepath.Glob(filepath.Join(m.Folder(), "new-*")); len(left) != 0 {
			t.Errorf("left over: %v", left)
		}
		r, err := m.Open()
		if err != nil {
			t.Fatal(err)
		}
		if refs, err := r.Refs(""); err != nil || refs.Commit != small {
			t.Errorf("%+v, %v", refs, err)
		}
		_ = r.Close()
	}
	origin.git("reset", "--quiet", "--hard", small.String())
	origin.put("guidelines/a.yaml", "2\n")
	fetch(t, m, true)
	same(t, m, origin)
}

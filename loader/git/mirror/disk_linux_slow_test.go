//go:build linux && slow

package mirror_test

import (
	"crypto/rand"
	"encoding/hex"
	"syscall"
	"testing"
)

// disk mounts a disk of its own for a test.
func disk(t *testing.T, options string) string {
	t.Helper()
	dir := t.TempDir()
	if err := syscall.Mount("tmpfs", dir, "tmpfs", 0, options); err != nil {
		t.Skip("no disk can be mounted here: ", err)
	}
	t.Cleanup(func() {
		if err := syscall.Unmount(dir, 0); err != nil {
			t.Error(err)
		}
	})
	return dir
}

// On a full disk the fetch fails and says so; what is there stays as it is, and
// the next fetch succeeds when there is room.
func TestFullDisk(t *testing.T) {
	origin := newRepo(t)
	m := open(t, disk(t, "size=4m"), origin.overFile())
	fetch(t, m, true)
	before := state(t, m)
	large := make([]byte, 5<<20)
	if _, err := rand.Read(large); err != nil {
		t.Fatal(err)
	}
	origin.put("large " + hex.EncodeToString(large))
	for range 4 {
		_, err := m.Fetch(t.Context())
		mustFail(t, err, "the disk is full: make room")
		if got := state(t, m); got != before {
			t.Errorf("%s has arrived, not %s", got, before)
		}
	}
	origin.git("reset", "--quiet", "--hard", "HEAD~1")
	origin.put("2\n")
	fetch(t, m, true)
	same(t, m, origin)
}

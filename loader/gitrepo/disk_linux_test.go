package gitrepo_test

import (
	"os"
	"path/filepath"
	"syscall"
	"testing"

	"rulestore/loader/gitrepo"
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

// From a disk that cannot be written the mirror is served as it is.
func TestReadOnlyDisk(t *testing.T) {
	origin := newRepo(t)
	origin.put("guidelines/a.yaml", "1\n")
	dir, r := disk(t, "size=8m"), overFile(t, origin.dir)
	m, err := gitrepo.OpenMirror(t.Context(), dir, r)
	if err != nil {
		t.Fatal(err)
	}
	fetch(t, m, true)
	if err := os.MkdirAll(filepath.Join(m.Folder(), "new-killed"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := m.Close(); err != nil {
		t.Fatal(err)
	}
	if err := syscall.Mount("", dir, "", syscall.MS_REMOUNT|syscall.MS_RDONLY, ""); err != nil {
		t.Skip("no disk can be made read-only here: ", err)
	}
	again := openMirrorIn(t, dir, r)
	same(t, again, origin)
	fetch(t, again, false)
	if err := again.Keep(); err != nil {
		t.Error(err)
	}
	origin.put("guidelines/a.yaml", "2\n")
	_, err = again.Fetch(t.Context())
	mustFail(t, err, "read-only file system", "--cache-dir")
	origin.git("reset", "--quiet", "--hard", "HEAD~")
	same(t, again, origin)
	_, err = gitrepo.OpenMirror(t.Context(), dir, overFile(t, t.TempDir()))
	if err != nil {
		t.Error("a mirror that is not there yet: ", err)
	}
}

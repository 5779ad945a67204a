package loader_test

import (
	"os"
	"os/exec"
	"path/filepath"
)

// unpacked is the same repository with a file for every object.
func (r *repo) unpacked() string {
	r.Helper()
	dir, away := filepath.Join(r.TempDir(), "loose.git"), filepath.Join(r.TempDir(), "packs")
	r.git("repack", "-qad")
	r.git("clone", "-q", "--mirror", "--no-hardlinks", ".", dir)
	if err := os.Rename(filepath.Join(dir, "objects/pack"), away); err != nil {
		r.Fatal(err)
	}
	packs, err := filepath.Glob(filepath.Join(away, "*.pack"))
	if err != nil || len(packs) != 1 {
		r.Fatal(packs, err)
	}
	pack, err := os.Open(packs[0])
	if err != nil {
		r.Fatal(err)
	}
	defer pack.Close()
	cmd := exec.Command("git", "-C", dir, "unpack-objects", "-q")
	if cmd.Stdin = pack; cmd.Run() != nil {
		r.Fatal("git unpack-objects failed")
	}
	return dir
}

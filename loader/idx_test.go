package loader_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"encoding/hex"
	"os"
	"path/filepath"
	"testing"
)

// swapInIndex has the index of the only pack of a repository say of one object that it
// is where another one is (gitformat-pack, version 2 of an index), as whoever can write
// to the disk could.
func swapInIndex(t *testing.T, dir, id, other string) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(dir, ".git", "objects", "pack", "*.idx"))
	if err != nil || len(files) != 1 {
		t.Fatalf("there are %d packs, %v", len(files), err)
	}
	raw, err := os.ReadFile(files[0])
	must(t, err)
	const names, idLength = 8 + 256*4, sha1.Size
	n := int(binary.BigEndian.Uint32(raw[names-4:]))
	offset := func(id string) []byte {
		want, err := hex.DecodeString(id)
		must(t, err)
		for i := range n {
			if bytes.Equal(raw[names+i*idLength:][:idLength], want) {
				return raw[names+n*(idLength+4)+i*4:][:4]
			}
		}
		t.Fatalf("%s is not in the pack", id)
		return nil
	}
	copy(offset(id), offset(other))
	sum := sha1.Sum(raw[:len(raw)-sha1.Size])
	copy(raw[len(raw)-sha1.Size:], sum[:])
	must(t, os.Chmod(files[0], 0o600))
	must(t, os.WriteFile(files[0], raw, 0o600))
}

//go:build slow

package git_test

import (
	"bytes"
	"encoding/binary"
	"fmt"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// copies is a delta that copies all of what it is made from, so many times.
func copies(size, times int) []byte {
	d := binary.AppendUvarint(nil, uint64(size))
	d = binary.AppendUvarint(d, uint64(size*times))
	return append(d, bytes.Repeat([]byte{0x80 | 0x10 | 0x20 | 0x40, byte(size), byte(size >> 8), byte(size >> 16)},
		times)...)
}

type zero struct{}

func (zero) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// A folder of 300,000 files is read in little more memory than it has bytes.
func TestHugeTree(t *testing.T) {
	var p packer
	blob := p.object(aBlob, []byte("rule"))
	var raw []byte
	for i := range 300_000 {
		raw = append(fmt.Appendf(raw, "100644 rule-%07d.yaml\x00", i), blob[:]...)
	}
	root := p.object(aTree, raw)
	r := p.repository(t, p.commit(root))
	peak := watchMemory(t)
	files, err := r.Changes(git.OID{}, root, func(path string, _ git.Mode) bool {
		return strings.HasSuffix(path, "99.yaml")
	})
	if err != nil || len(files) != 3_000 {
		t.Errorf("%d files, %v", len(files), err)
	}
	if used := peak(); used > 400<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
}

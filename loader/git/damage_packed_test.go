package git_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"testing"

	"rulestore/loader/git"
)

// index is an index that says that the objects of a pack have these ids
// (gitformat-pack, version 2). Nobody checks its CRCs.
func (p *packer) index(ids []git.OID) []byte {
	order := make([]int, len(ids))
	for i := range order {
		order[i] = i
	}
	slices.SortFunc(order, func(a, b int) int { return bytes.Compare(ids[a][:], ids[b][:]) })
	var names, crcs, offsets []byte
	var fanout [256]uint32
	for _, i := range order {
		names = append(names, ids[i][:]...)
		crcs = append(crcs, 0, 0, 0, 0)
		offsets = binary.BigEndian.AppendUint32(offsets, uint32(p.offsets[i]))
		for b := int(ids[i][0]); b < 256; b++ {
			fanout[b]++
		}
	}
	b := []byte("\xfftOc\x00\x00\x00\x02")
	for _, n := range fanout {
		b = binary.BigEndian.AppendUint32(b, n)
	}
	b = slices.Concat(b, names, crcs, offsets)
	pack := p.pack()
	b = append(b, pack[len(pack)-20:]...)
	sum := sha1.Sum(b)
	return append(b, sum[:]...)
}

// plantPack puts a pack with its index into a repository.
func plantPack(t testing.TB, dir string, pack, index []byte) {
	t.Helper()
	name := filepath.Join(dir, fmt.Sprintf("objects/pack/pack-%x", pack[len(pack)-20:]))
	if err := errors.Join(os.WriteFile(name+".pack", pack, 0o644),
		os.WriteFile(name+".idx", index, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// rule is a file of so many bytes, and the id that it has.
func rule(size int) ([]byte, git.OID) {
	raw := bytes.Repeat([]byte("r"), size)
	return raw, git.BlobOID(raw)
}

// What an index says of its size is not believed either.
func TestHostileIndex(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "rule\n")
	var p packer
	raw, id := rule(200)
	p.object(aBlob, raw)
	index := p.index([]git.OID{id})
	for at := 8; at < 8+4*256; at += 4 { // 4 billion objects, all of which begin with 00
		binary.BigEndian.PutUint32(index[at:], 0xffffffff)
	}
	plantPack(t, filepath.Join(r.dir, ".git"), p.pack(), index)
	repo := r.open()
	repo.Settle()
	peak := watchMemory(t)
	_, err := repo.Blob(id, 1<<20)
	if used := peak(); used > 64<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
	mustFail(t, err, "git fsck")
	if raw, err := repo.Blob(r.oid("HEAD:rule.yaml"), 100); err != nil {
		t.Errorf("another object: %q, %v", raw, err)
	}
}

// The file of packed refs has a limit, too.
func TestLargeFiles(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "rule\n")
	file := filepath.Join(r.dir, ".git", "packed-refs")
	if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Truncate(file, 1<<40)); err != nil { // of holes
		t.Skip("no large files here: ", err)
	}
	_, err := r.open().Refs("")
	mustFail(t, err, "packed-refs has", "at most")
}

package gitrepo_test

import (
	"bytes"
	"crypto/sha1"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"rulestore/loader/gitrepo"
)

// index is an index that says that the objects of a pack have these ids
// (gitformat-pack, version 2). Nobody checks its CRCs.
func (p *packer) index(ids []gitrepo.OID) []byte {
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
func rule(size int) ([]byte, gitrepo.OID) {
	raw := bytes.Repeat([]byte("r"), size)
	return raw, gitrepo.BlobOID(raw)
}

// An object of a pack is no more believed than one with a file of its own: what it
// says of its size, of the deltas that it is made by and of what these are made from.
func TestDamagedPackedObjects(t *testing.T) {
	large(t)
	const MB = 1 << 20
	zeros := func(n int64) io.Reader { return io.LimitReader(zero{}, n) }
	_, id := rule(200)
	base, _ := rule(60000)
	for name, fill := range map[string]func(*packer){
		"300 MB that claim 200 bytes": func(p *packer) { p.header(aBlob, 200); p.Write(megabytes(300, "")) },
		"7 GB that are 2 bytes":       func(p *packer) { p.header(aBlob, 7<<30); p.data(zeros(2)) },
		"7 MB that are 2 bytes":       func(p *packer) { p.header(aBlob, 7*MB); p.data(zeros(2)) },
		"9 MB that are 2 bytes":       func(p *packer) { p.header(aBlob, 9*MB); p.data(zeros(2)) },
		"a size beyond all numbers":   func(p *packer) { p.header(aBlob, 1<<62); p.data(zeros(2)) },
		"another content":             func(p *packer) { p.object(aBlob, base[:199]) },
		"another kind":                func(p *packer) { p.object(aTree, base[:200]) },
		"an unknown kind":             func(p *packer) { p.header(5, 200); p.data(zeros(200)) },
		"no zlib":                     func(p *packer) { p.header(aBlob, 200); p.Write(base[:200]) },
		"cut":                         func(p *packer) { p.header(aBlob, 200); p.WriteString("\x78\x9c") },
		"a delta of 100 MB": func(p *packer) {
			p.object(aBlob, base)
			p.header(anOffsetDelta, 100*MB)
			p.back()
			p.Write(megabytes(100, ""))
		},
		"a delta that claims 7 GB": func(p *packer) {
			p.object(aBlob, base)
			p.count++
			p.offsets = append(p.offsets, p.Len()+12)
			p.Write([]byte{0xe0, 0x80, 0x80, 0x80, 0x80, 0x38, 1, 0})
		},
		"a delta to terabytes": func(p *packer) {
			p.object(aBlob, base)
			p.delta(append(binary.AppendUvarint(binary.AppendUvarint(nil, 60000), 1<<42), 0x90, 1))
		},
		"a delta to 30 MB": func(p *packer) { p.object(aBlob, base); p.delta(copies(60000, 500)) },
		"a delta of an object of 300 MB": func(p *packer) {
			p.header(aBlob, 300*MB)
			p.Write(megabytes(300, ""))
			p.delta(copies(300*MB, 0))
		},
		"a delta of a delta to 600 MB": func(p *packer) {
			p.object(aBlob, base)
			p.delta(copies(60000, 10000))
			p.delta(append(binary.AppendUvarint(binary.AppendUvarint(nil, 600000000), 200), 0x90, 200))
		},
		"5000 deltas": func(p *packer) {
			p.object(aBlob, base)
			for range 5000 {
				p.delta(copies(60000, 1))
			}
		},
		"a delta of nothing": func(p *packer) { p.object(aBlob, base); p.delta(nil) },
		"a delta of what is not there": func(p *packer) {
			p.header(aRefDelta, 5)
			p.WriteString("12345678901234567890")
			p.data(strings.NewReader("\x05\x05\x90\x05\x00"))
		},
		"a delta of itself": func(p *packer) {
			p.header(aRefDelta, 5)
			p.Write(id[:])
			p.data(strings.NewReader("\x05\x05\x90\x05\x00"))
		},
	} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "rule\n")
			var p packer
			fill(&p)
			ids := make([]gitrepo.OID, p.count) // the last is the one that is read
			for i := range ids {
				ids[i] = gitrepo.OID(sha1.Sum([]byte{byte(i), byte(i >> 8)}))
			}
			ids[len(ids)-1] = id
			plantPack(t, filepath.Join(r.dir, ".git"), p.pack(), p.index(ids))
			repo := r.open()
			peak := watchMemory(t)
			_, err := repo.Blob(id, 1<<20)
			_, inParts := repo.Text(id, 1<<20)
			if used := peak(); used > 200*MB {
				t.Errorf("%d MB in use", used/MB)
			}
			t.Log(err)
			if !gitrepo.IsDamaged(err) && !errors.Is(err, gitrepo.ErrTooLarge) {
				t.Errorf("%v is no error of this object", err)
			}
			if fmt.Sprint(inParts) != fmt.Sprint(err) {
				t.Errorf("read in parts: %v, whole: %v", inParts, err)
			}
			if _, err := repo.Commit(r.oid("HEAD")); err != nil {
				t.Errorf("another object: %v", err)
			}
		})
	}
}

// What an index says of its size is not believed either.
func TestHostileIndex(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "rule\n")
	var p packer
	raw, id := rule(200)
	p.object(aBlob, raw)
	index := p.index([]gitrepo.OID{id})
	for at := 8; at < 8+4*256; at += 4 { // 4 billion objects, all of which begin with 00
		binary.BigEndian.PutUint32(index[at:], 0xffffffff)
	}
	plantPack(t, filepath.Join(r.dir, ".git"), p.pack(), index)
	repo := r.open()
	peak := watchMemory(t)
	_, err := repo.Blob(id, 1<<20)
	if used := peak(); used > 64<<20 {
		t.Errorf("%d MB in use", used>>20)
	}
	mustFail(t, err, "damaged")
	if raw, err := repo.Blob(r.oid("HEAD:rule.yaml"), 100); err != nil {
		t.Errorf("another object: %q, %v", raw, err)
	}
}

// Files that say how a repository is kept have limits, too.
func TestLargeFiles(t *testing.T) {
	for name, says := range map[string]string{"packed-refs": "packed-refs has",
		"objects/info/alternates": "alternates has"} {
		t.Run(name, func(t *testing.T) {
			r := newRepo(t)
			r.put("rule.yaml", "rule\n")
			file := filepath.Join(r.dir, ".git", name)
			if err := errors.Join(os.WriteFile(file, nil, 0o644), os.Truncate(file, 1<<40)); err != nil { // of holes
				t.Skip("no large files here: ", err)
			}
			repo, err := gitrepo.OnDisk(r.dir).Open()
			if err == nil {
				_, err = repo.Refs("")
				_ = repo.Close()
			}
			mustFail(t, err, says, "at most")
		})
	}
}

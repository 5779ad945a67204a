package gitrepo_test

import (
	"bytes"
	"compress/zlib"
	"crypto/sha1"

	"rulestore/loader/gitrepo"
)

// many writes so many deltas, each of the object before it. They are compressed once.
func (p *packer) many(n int, delta []byte) {
	var folded bytes.Buffer
	w := zlib.NewWriter(&folded)
	if _, err := w.Write(delta); err != nil || w.Close() != nil {
		panic(err)
	}
	for range n {
		p.header(anOffsetDelta, int64(len(delta)))
		p.back()
		p.Write(folded.Bytes())
	}
}

// made is how many bytes such a delta makes.
func made(size int) int { return size / 128 * 127 }

// refDelta makes an object of one that it names.
func (p *packer) refDelta(base gitrepo.OID, raw []byte) {
	p.header(aRefDelta, int64(len(raw)))
	p.Write(base[:])
	p.data(bytes.NewReader(raw))
}

// numbered is the id that a test gives the object of a pack with that number.
func numbered(i int) gitrepo.OID { return gitrepo.OID(sha1.Sum([]byte{byte(i), byte(i >> 8)})) }

// numbers are the ids of all objects, the last of which has one of its own.
func (p *packer) numbers(last gitrepo.OID) []gitrepo.OID {
	ids := make([]gitrepo.OID, p.count)
	for i := range ids {
		ids[i] = numbered(i)
	}
	ids[len(ids)-1] = last
	return ids
}

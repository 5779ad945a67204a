package site

import (
	"bytes"
	"compress/gzip"
	"io"
	"math/rand/v2"
	"testing"

	"github.com/andybalholm/brotli"
)

func decode(t *testing.T, coding string, b []byte) []byte {
	t.Helper()
	var r io.Reader
	var err error
	switch coding {
	case "br":
		r = brotli.NewReader(bytes.NewReader(b))
	case "gzip":
		r, err = gzip.NewReader(bytes.NewReader(b))
	}
	if err != nil {
		t.Fatal(err)
	}
	out, err := io.ReadAll(r)
	if err != nil {
		t.Fatalf("%s: %v", coding, err)
	}
	return out
}

// What is decoded is what was encoded, whatever the sizes of head and tail.
func TestEncodeRoundTrip(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	block := make([]byte, 10_000)
	for i := range block {
		block[i] = byte('a' + random.IntN(20))
	}
	for _, coding := range Encodings {
		for _, size := range []int{1, 2, 100, 3000, 70_000, 1<<20 + 1} { // the last is beyond every window
			head := bytes.Repeat(block, size/len(block)+1)[:size]
			e := encode(coding, thorough, head)
			for _, n := range []int{0, 1, 22, 64} {
				if size > 100_000 && n != 22 { // it takes long, and is alike
					continue
				}
				tail := bytes.Repeat([]byte("z"), n)
				got := decode(t, coding, e.append(nil, tail))
				if want := append(bytes.Clone(head), tail...); !bytes.Equal(got, want) {
					t.Fatalf("%s, %d bytes and a tail of %d: %d bytes came back", coding, size, n, len(got))
				}
			}
		}
	}
}

// A compressor is used again, and replicas use them in another order: what it
// compressed before must not show.
func TestEncodeAgain(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(3, 4))
	for _, coding := range Encodings {
		fresh := map[string][]byte{}
		for range 40 {
			head := bytes.Repeat([]byte("правило №"+string(rune('0'+random.IntN(8)))+", "), 1+random.IntN(3)*2000)
			got := encode(coding, thorough, head).head
			if before, ok := fresh[string(head)]; ok && !bytes.Equal(got, before) {
				t.Fatalf("%s: %d bytes, and %d after others", coding, len(before), len(got))
			}
			fresh[string(head)] = got
		}
	}
}

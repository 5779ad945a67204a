package export

import (
	"bytes"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/andybalholm/brotli/matchfinder"
	"github.com/klauspost/compress/gzip"
)

// A coding is a content coding in which files have compressed copies.
type coding struct {
	ending     string
	compressor func() compressor
}

var codings = []coding{
	{".br", func() compressor { return newBrotli() }},
	{".gz", func() compressor { return gzip.NewWriter(nil) }},
}

// newBrotli returns a compressor with tables of 128 KB, which are cleared for each file. Level 4 of
// Brotli's newer implementation has tables of 3.7 MB, and saves half a percent of the bytes by them;
// its older implementation takes twice the time of either.
func newBrotli() *matchfinder.Writer {
	return &matchfinder.Writer{
		MatchFinder: &matchfinder.M4{
			MaxDistance: 1 << 20, HashLen: 5, TableBits: 15, ChainLength: 2, DistanceBitCost: 32,
		},
		Encoder: &brotli.Encoder{}, BlockSize: 1 << 16,
	}
}

type compressor interface {
	io.WriteCloser
	Reset(io.Writer)
}

// A coder compresses one file after the other. It must be used by one goroutine.
type coder struct {
	compressor
	coded *bytes.Buffer
}

// newCoders returns a coder for each of the codings.
func newCoders() []coder {
	all := make([]coder, len(codings))
	for i, c := range codings {
		all[i] = coder{c.compressor(), new(bytes.Buffer)}
	}
	return all
}

// encode returns the compressed content, which is valid until the next call.
func (c coder) encode(content []byte) []byte {
	c.coded.Reset()
	c.Reset(c.coded)
	c.Write(content) // writing to memory does not fail
	c.Close()
	return c.coded.Bytes()
}

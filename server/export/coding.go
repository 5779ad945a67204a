package export

import (
	"bytes"
	"io"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/gzip"
	"github.com/klauspost/compress/zstd"
)

// A coding is a content coding in which files have compressed copies.
type coding struct {
	name, ending string
	compressor   func() compressor
}

// Brotli's newer implementation takes half the time of the other for as many bytes.
var codings = []coding{
	{"br", ".br", func() compressor { return brotli.NewWriterV2(nil, 4) }},
	{"zstd", ".zst", func() compressor {
		w, _ := zstd.NewWriter(nil, zstd.WithEncoderConcurrency(1)) // fails only for wrong options
		return w
	}},
	{"gzip", ".gz", func() compressor { return gzip.NewWriter(nil) }},
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

package verify

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"io"
	"net/http"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"rulestore/content/i18n"
)

// maxWindow is the maximum memory of a decoder (RFC 9659).
const maxWindow = 8 << 20

// maxAhead is the maximum buffer that is allocated because of a Content-Length alone.
const maxAhead = 1 << 20

// readBody reads and decodes a body, up to a limit of decoded bytes.
func readBody(res *http.Response, limit int64) ([]byte, error) {
	if res.Request.Method == http.MethodHead || res.StatusCode == http.StatusNotModified {
		return nil, nil
	}
	sent := &received{Reader: res.Body}
	r, err := decoder(res.Header.Get("Content-Encoding"), sent)
	if err != nil {
		return nil, sent.blame(err)
	}
	defer r.Close()
	var body bytes.Buffer
	body.Grow(int(max(0, min(res.ContentLength, limit, maxAhead))) + bytes.MinRead)
	_, err = body.ReadFrom(io.LimitReader(r, limit+1))
	if int64(body.Len()) > limit {
		return nil, i18n.Errorf("the answer is larger than %d bytes", limit)
	}
	return body.Bytes(), sent.blame(err)
}

// received is a body as it was sent.
type received struct {
	io.Reader
	cut error // why it could not be read to its end
}

func (r *received) Read(p []byte) (int, error) {
	n, err := r.Reader.Read(p)
	if err != nil && err != io.EOF {
		r.cut = err
	}
	return n, err
}

// codingError is the error for a whole answer in a coding that cannot be undone.
type codingError struct{ error }

func (e codingError) Unwrap() error { return e.error }

// blame says whose an error is that came up in decoding: of what was sent, if that was whole.
func (r *received) blame(err error) error {
	if err == nil || r.cut != nil {
		return err
	}
	return codingError{i18n.Errorf("decode the answer: %w", err)}
}

func decoder(coding string, r io.Reader) (io.ReadCloser, error) {
	switch coding {
	case "", "identity":
		return io.NopCloser(r), nil
	case "gzip":
		return gzip.NewReader(r)
	case "deflate":
		return zlib.NewReader(r)
	case "br":
		return io.NopCloser(brotli.NewReader(r)), nil
	case "zstd":
		d, err := zstd.NewReader(r, zstd.WithDecoderConcurrency(1), zstd.WithDecoderMaxWindow(maxWindow))
		if err != nil {
			return nil, err
		}
		return d.IOReadCloser(), nil
	}
	return nil, i18n.Errorf("there is no coding %q", clip(coding))
}

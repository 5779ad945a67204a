package verify

import (
	"bytes"
	"compress/gzip"
	"compress/zlib"
	"fmt"
	"io"
	"net/http"
	"strings"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/zstd"

	"rulestore/content/i18n"
)

// maxWindow is how much memory a coding may ask for (RFC 9659).
const maxWindow = 8 << 20

// maxAhead is how many bytes are made room for on a server's word that it sends them.
const maxAhead = 1 << 20

// readBody reads a body, and undoes its coding, up to a limit of bytes of what comes
// out. If the coding is broken, or none of those that were accepted, the body is what could be
// decoded, followed by the reason: it differs from any that is expected. An error means that
// the body did not arrive.
func readBody(res *http.Response, accepted string, limit int64) ([]byte, error) {
	if res.Request.Method == http.MethodHead || res.StatusCode == http.StatusNotModified {
		return nil, nil
	}
	coding, sent := res.Header.Get("Content-Encoding"), &arrival{Reader: res.Body}
	var body bytes.Buffer
	r, err := decoder(coding, accepted, sent)
	if err == nil {
		defer r.Close()
		body.Grow(int(max(0, min(res.ContentLength, limit, maxAhead))) + bytes.MinRead)
		_, err = body.ReadFrom(io.LimitReader(r, limit+1))
	}
	switch {
	case sent.err != nil:
		return nil, sent.err
	case int64(body.Len()) > limit:
		return nil, i18n.Errorf("the answer is larger than %d bytes", limit)
	case err != nil:
		fmt.Fprint(&body, i18n.Errorf("not decoded: %w", err))
	}
	return body.Bytes(), nil
}

// arrival keeps the error with which a body stopped arriving.
type arrival struct {
	io.Reader
	err error
}

func (a *arrival) Read(p []byte) (int, error) {
	n, err := a.Reader.Read(p)
	if err != nil && err != io.EOF {
		a.err = err
	}
	return n, err
}

func decoder(coding, accepted string, r io.Reader) (io.ReadCloser, error) {
	switch {
	case coding == "" || coding == "identity":
		return io.NopCloser(r), nil
	case !strings.Contains(accepted, coding):
		return nil, i18n.Errorf("unexpected coding %q", clip(coding))
	}
	switch coding {
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

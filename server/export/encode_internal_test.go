package export

import (
	"bytes"
	"io"
	"net/http"
	"testing"
)

// An answer in another coding than was asked for cannot be read by who asked.
func TestDecodedAsAsked(t *testing.T) {
	for i, sent := range codings {
		for _, asked := range append([]coding{{}}, codings...) {
			raw := bytes.NewReader(newCoders()[i].encode([]byte("правило")))
			res := &http.Response{Header: http.Header{"Content-Encoding": {sent.name}}, Body: io.NopCloser(raw)}
			var text []byte
			r, err := decoded(res, asked.name)
			if err == nil {
				text, err = io.ReadAll(r)
			}
			if fits := sent.name == asked.name; fits != (err == nil && string(text) == "правило") {
				t.Errorf("%s for %q: %q, %v", sent.name, asked.name, text, err)
			}
		}
	}
}

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

// What was compressed before changes nothing of what is compressed next.
func TestCodingsOfReused(t *testing.T) {
	var text bytes.Buffer
	for i := range 400_000 {
		text.WriteString([]string{"правило ", "вклад ", "срок, ", "ставка "}[i*i%31%4])
	}
	for i, c := range codings {
		t.Run(c.name, func(t *testing.T) {
			used := newCoders()[i]
			for _, size := range []int{2 << 20, 4 << 10, 2 << 20, 1 << 20, 1<<20 - 1, 100 << 10} {
				body := text.Bytes()[:size]
				want := newCoders()[i].encode(body)
				if got := used.encode(body); !bytes.Equal(got, want) {
					t.Errorf("%d bytes become %d, and %d after others", size, len(want), len(got))
				}
			}
		})
	}
}

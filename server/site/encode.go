package site

import (
	"bytes"
	"encoding/binary"
	"hash/crc32"
	"io"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/andybalholm/brotli"
	"github.com/klauspost/compress/flate"
)

// Encodings are the content codings that a site offers, best first.
var Encodings = []string{"br", "gzip"}

// encoded is a body in one content coding. Its head is compressed once; the tail, from the
// time of the response on, follows as an uncompressed block, which both formats
// allow. A body without a time has no tail.
type encoded struct {
	coding string
	head   []byte
	size   uint32 // of the uncompressed head
	crc    uint32 // CRC-32 of the uncompressed head, for gzip
}

// maxTail is the maximum length of a tail, in bytes.
const maxTail = 64

// tailOf returns where the tail of a body starts; not ok if the body has several times, or
// one too far from its end.
func tailOf(b Body) (at int, ok bool) {
	switch len(b.Stamps) {
	case 0:
		return len(b.Bytes), true
	case 1:
		return b.Stamps[0], len(b.Bytes)-b.Stamps[0] <= maxTail
	}
	return 0, false
}

// encode compresses a head, which is not empty, with a compressor of the coding's pool.
func encode(coding string, by map[string]*sync.Pool, head []byte) encoded {
	e := encoded{coding: coding, size: uint32(len(head)), crc: crc32.ChecksumIEEE(head)}
	var out bytes.Buffer
	if coding == "gzip" {
		out.Write([]byte{0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255}) // RFC 1952: deflate, no name, no time
	}
	pool := by[coding]
	w := pool.Get().(compressor)
	w.Reset(&out)
	must(w.Write(head))
	must(0, w.Flush())
	w.Reset(io.Discard) // so that the pool does not keep out alive
	pool.Put(w)
	e.head = bytes.Clone(out.Bytes())
	return e
}

// compressor is the common interface of the writers of both formats.
type compressor interface {
	io.Writer
	Flush() error
	Reset(io.Writer)
}

// thorough compressors are for bodies that are sent often, quick ones for bodies encoded during
// a request: they take a tenth of the time, and the result is a quarter larger.
var thorough, quick = compressors(6, 7), compressors(1, 1)

// compressors returns pools of compressors by coding: each has megabytes of tables, a hundred
// times the size of what it compresses. The output does not depend on earlier use.
func compressors(br, gz int) map[string]*sync.Pool {
	return map[string]*sync.Pool{
		"br": {New: func() any { return brotli.NewWriterLevel(nil, br) }},
		"gzip": {New: func() any {
			w, err := flate.NewWriter(nil, gz)
			must(0, err)
			return w
		}},
	}
}

// compress compresses a body for one request in a content coding, by its index in Encodings;
// nil if it does not become smaller enough.
func compress(body []byte, coding int) []byte {
	if len(body) < minEncoded {
		return nil
	}
	return encode(Encodings[coding], quick, body).append(nil, nil)
}

// must panics on an error; writing to memory has none.
func must(_ int, err error) {
	if err != nil {
		panic(err)
	}
}

// append appends the whole encoded body with the given tail, of at most maxTail bytes.
func (e encoded) append(dst, tail []byte) []byte {
	dst = append(dst, e.head...)
	n := uint32(len(tail))
	switch e.coding {
	case "br":
		// RFC 7932, 9.2: an uncompressed meta-block (ISLAST 0, MNIBBLES 4,
		// MLEN-1, ISUNCOMPRESSED 1), then an empty last one.
		if n > 0 {
			bits := (n-1)<<3 | 1<<19
			dst = append(dst, byte(bits), byte(bits>>8), byte(bits>>16))
			dst = append(dst, tail...)
		}
		dst = append(dst, 3)
	case "gzip":
		// RFC 1951, 3.2.4: a stored block that is the last; then RFC 1952's
		// checksum and size.
		dst = append(dst, 1, byte(n), byte(n>>8), ^byte(n), ^byte(n>>8))
		dst = append(dst, tail...)
		dst = binary.LittleEndian.AppendUint32(dst, crc32.Update(e.crc, crc32.IEEETable, tail))
		dst = binary.LittleEndian.AppendUint32(dst, e.size+n)
	}
	return dst
}

// CodingFor selects the content coding that the client accepts and the site prefers, by its
// index in [Encodings]; -1 is none (RFC 9110, section 12.5.3).
func CodingFor(h http.Header) int {
	accept, ok := h["Accept-Encoding"]
	if !ok {
		return -1
	}
	best, bestQ := -1, 0.0
	for i, coding := range Encodings {
		if q := codingQuality(accept, coding); q > bestQ {
			best, bestQ = i, q
		}
	}
	if best >= 0 && codingQuality(accept, "identity") > bestQ {
		return -1
	}
	return best
}

// WriteCoded writes a body made for one request, in a coding that the client accepts.
func WriteCoded(w http.ResponseWriter, r *http.Request, status int, body []byte) {
	h := w.Header()
	if i := CodingFor(r.Header); i >= 0 {
		if coded := compress(body, i); coded != nil {
			h.Set("Content-Encoding", Encodings[i])
			body = coded
		}
	}
	h.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	if r.Method != http.MethodHead {
		_, _ = w.Write(body) // the client may be gone
	}
}

// codingQuality returns the weight of a coding in the header: its own, else that of *.
// Identity without a weight is the last choice.
func codingQuality(accept []string, coding string) float64 {
	any := 0.0
	for _, line := range accept {
		for element := range strings.SplitSeq(line, ",") {
			name, params, _ := strings.Cut(element, ";")
			name = strings.TrimSpace(name)
			q, ok := Weight(params)
			switch {
			case !ok:
			case strings.EqualFold(name, coding):
				return q
			case name == "*" && coding != "identity":
				any = q
			}
		}
	}
	return any
}

// Weight returns the q parameter of an element of a header, 1 if there is none; it is not ok if
// the parameter is invalid (RFC 9110, section 12.4.2).
func Weight(params string) (q float64, ok bool) {
	for params != "" {
		var param string
		param, params, _ = strings.Cut(params, ";")
		name, value, _ := strings.Cut(param, "=")
		if strings.EqualFold(strings.TrimSpace(name), "q") {
			q, err := strconv.ParseFloat(strings.TrimSpace(value), 64)
			return q, err == nil && q >= 0 && q <= 1
		}
	}
	return 1, true
}

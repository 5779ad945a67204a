package gitrepo

import (
	"bytes"
	"io"
	"os"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/klauspost/compress/zlib"
)

// scanner reads single objects of a pack at given offsets (gitformat-pack). go-git's scanner
// seeks for every object, reads it byte by byte and computes a CRC, which was a sixth of a load of
// many thousand objects.
type scanner struct {
	file     *os.File
	size     int64  // of the file
	from     int64  // the offset of the buffered bytes in the file
	buffered []byte // the buffered bytes
	in       bytes.Reader
	plain    io.ReadCloser // inflates; nil before the first object
}

// header is the header of an object or a delta in a pack.
type header struct {
	kind plumbing.ObjectType
	size int64
	base int64         // the offset of a delta's base; zero if the delta names it
	name plumbing.Hash // of a delta's base, if the delta names it
	data int64         // offset of the compressed content
}

const (
	// maxEntryHeader is the maximum size of a header: a size and an id, or two numbers.
	maxEntryHeader = 32
	// readAhead is the number of bytes read at once: the next object is often adjacent.
	readAhead = 8 << 10
)

func newScanner(f *os.File) (*scanner, error) {
	info, err := f.Stat()
	if err != nil {
		return nil, err
	}
	return &scanner{file: f, size: info.Size()}, nil
}

// header reads the header at an offset.
func (s *scanner) header(offset int64) (header, error) {
	head, err := s.bytes(offset, maxEntryHeader)
	if err != nil {
		return header{}, inFile(err)
	}
	h, n := readHeader(head, offset)
	if n == 0 {
		return h, damaged("it has no header")
	}
	h.data = offset + int64(n)
	return h, nil
}

// content reads the content of an entry, which must have the size in its header.
func (s *scanner) content(h header) ([]byte, error) {
	sent, err := s.bytes(h.data, maxDeflated(h.size))
	if err != nil {
		return nil, inFile(err)
	}
	content, err := s.inflate(sent, h.size)
	return content, inFile(err)
}

// maxDeflated is the maximum size of deflated content: stored blocks, with the header and checksum
// of zlib.
func maxDeflated(size int64) int64 { return size + size>>10 + 64 }

// bytes returns at most n bytes at an offset of the file. They are valid until the next call.
func (s *scanner) bytes(offset, n int64) ([]byte, error) {
	n = min(n, s.size-offset)
	if offset < 0 || n <= 0 {
		return nil, io.ErrUnexpectedEOF
	}
	if at := offset - s.from; at >= 0 && at+n <= int64(len(s.buffered)) {
		return s.buffered[at : at+n], nil
	}
	room := s.buffered[:0]
	if n > readAhead { // too large to be buffered
		room = nil
	}
	read := min(max(n, readAhead), s.size-offset)
	room = append(room, make([]byte, read)...)
	if _, err := s.file.ReadAt(room, offset); err != nil {
		return nil, err
	}
	if n <= readAhead {
		s.from, s.buffered = offset, room
	}
	return room[:n], nil
}

// inflate decompresses an object of the given size.
func (s *scanner) inflate(sent []byte, size int64) (content []byte, err error) {
	if err := s.reset(sent); err != nil {
		return nil, err
	}
	content = make([]byte, size)
	if _, err := io.ReadFull(s.plain, content); err != nil {
		return nil, err
	}
	return content, ended(s.plain)
}

// reset begins to decompress what was sent.
func (s *scanner) reset(sent []byte) (err error) {
	s.in.Reset(sent)
	if s.plain != nil {
		return s.plain.(zlib.Resetter).Reset(&s.in, nil)
	}
	s.plain, err = zlib.NewReader(&s.in)
	return err
}

// readHeader parses the header of the object at an offset, and returns its length; zero if
// it is invalid.
func readHeader(head []byte, offset int64) (h header, n int) {
	h.kind = plumbing.ObjectType(head[0] >> 4 & 7)
	h.size = int64(head[0] & 0x0f)
	more := head[0]&0x80 != 0
	for n = 1; more; n++ {
		shift := 4 + 7*(n-1)
		if n == len(head) || shift > 50 {
			return h, 0
		}
		h.size |= int64(head[n]&0x7f) << shift
		more = head[n]&0x80 != 0
	}
	switch h.kind {
	case plumbing.CommitObject, plumbing.TreeObject, plumbing.BlobObject, plumbing.TagObject:
		return h, n
	case plumbing.REFDeltaObject:
		if copy(h.name[:], head[n:]) < len(h.name) {
			return h, 0
		}
		return h, n + len(h.name)
	case plumbing.OFSDeltaObject:
		back, m := readDistance(head[n:])
		if h.base = offset - back; m == 0 || back == 0 || h.base <= 0 {
			return h, 0
		}
		return h, n + m
	}
	return h, 0
}

// readDistance parses the distance from a delta back to its base (gitformat-pack, OBJ_OFS_DELTA),
// and returns the length of its encoding; zero if it is invalid.
func readDistance(code []byte) (back int64, n int) {
	for n < min(len(code), 8) {
		b := code[n]
		back |= int64(b & 0x7f)
		if n++; b&0x80 == 0 {
			return back, n
		}
		back = (back + 1) << 7
	}
	return 0, 0
}

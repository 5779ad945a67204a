package gitrepo

import (
	"bytes"
	"compress/zlib"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/go-git/go-git/v5/plumbing"
	"github.com/go-git/go-git/v5/plumbing/format/packfile"
)

// inZlib is a text as it stands in a pack.
func inZlib(text []byte, level int) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, level)
	if err != nil {
		panic(err)
	}
	_, _ = w.Write(text)
	_ = w.Close()
	return b.Bytes()
}

// scannerOf reads bytes as if they were a pack.
func scannerOf(t *testing.T, raw []byte) (*scanner, *packfile.Scanner) {
	t.Helper()
	name := filepath.Join(t.TempDir(), "pack")
	if err := os.WriteFile(name, raw, 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = f.Close() })
	ours, err := newScanner(f)
	if err != nil {
		t.Fatal(err)
	}
	return ours, packfile.NewScanner(f)
}

func scan(s *scanner, offset int64) (header, []byte, error) {
	h, err := s.header(offset)
	if err == nil && h.size > maxPacked {
		err = within(maxPacked, h.size)
	}
	if err != nil {
		return h, nil, err
	}
	content, err := s.content(h)
	return h, content, err
}

// What stands anywhere in a file is what go-git reads there, or is left to it.
func FuzzScan(f *testing.F) {
	text := []byte("a list of files")
	whole := inZlib(text, zlib.DefaultCompression)
	lines := bytes.Repeat([]byte("the same on all pages\n"), 1000)
	noise := make([]byte, 9000)
	r := rand.NewChaCha8([32]byte{})
	_, _ = r.Read(noise)
	for _, c := range []struct {
		head   string
		folded []byte
	}{
		{"\x3f", whole}, {"\x1f", whole}, {"\x2f", whole}, {"\x4f", whole},
		{"\x6f\x05", whole},     // to what stands five bytes before
		{"\x6f\x80\x05", whole}, // further away
		{"\x6f\xff\xff\xff\xff\xff\xff\xff\xff\xff\x7f", whole}, // before the file
		{"\x6f\x00", whole},                  // to itself
		{"\x7f01234567890123456789", whole},  // to what is named
		{"\x3e", whole}, {"\xbf\x01", whole}, // as long as it does not say
		{"\x5f", whole}, {"\x0f", whole}, // of no kind
		{"\x3f", whole[:len(whole)-1]}, {"\x3f", whole[:5]}, {"", nil}, // cut off
		{"\x3f", append(bytes.Clone(whole[:len(whole)-1]), 'x')}, // another sum
		{"\xb0\xdf\x0a", inZlib(lines, 9)},
		{"\xb8\xb2\x04", inZlib(noise, 0)},
		{"\xbf\xff\xff\xff\xff\xff\xff\xff\xff\x7f", whole}, // longer than there is
	} {
		f.Add(append(append([]byte("before"), c.head...), c.folded...), int64(6))
	}
	f.Fuzz(func(t *testing.T, raw []byte, offset int64) {
		ours, theirs := scannerOf(t, raw)
		h, content, err := scan(ours, offset)
		if err != nil {
			return
		}
		want, err := theirs.SeekObjectHeader(offset)
		if err != nil {
			t.Fatalf("go-git does not read the header %+v: %v", h, err)
		}
		if h.kind != want.Type || h.size != want.Length || h.base != want.OffsetReference || h.name != want.Reference {
			t.Errorf("the header is %+v, go-git's %+v", h, want)
		}
		var b bytes.Buffer
		if _, _, err := theirs.NextObject(&b); err != nil || !bytes.Equal(b.Bytes(), content) {
			t.Errorf("read %d bytes, go-git %d, %v", len(content), b.Len(), err)
		}
	})
}

// What git writes is not left to go-git, in whatever order it is asked for.
func TestScan(t *testing.T) {
	var raw []byte
	var texts [][]byte
	var offsets []int64
	for i, level := range []int{0, 1, 6, 9, 0, 6} {
		text := bytes.Repeat([]byte{'a', byte(i)}, 40*(i+1))
		if i > 3 { // more than is read at once
			text = bytes.Repeat(text, 60)
		}
		texts, offsets = append(texts, text), append(offsets, int64(len(raw)))
		raw = append(append(raw, headed(plumbing.BlobObject, len(text))...), inZlib(text, level)...)
	}
	s, _ := scannerOf(t, raw)
	for _, i := range []int{0, 1, 2, 5, 3, 4, 0, 5, 1} {
		h, content, err := scan(s, offsets[i])
		if err != nil || h.kind != plumbing.BlobObject || !bytes.Equal(content, texts[i]) {
			t.Errorf("object %d is %+v with %d bytes, %v", i, h, len(content), err)
		}
	}
}

// headed is the header of an object.
func headed(kind plumbing.ObjectType, size int) []byte {
	b := []byte{byte(kind)<<4 | byte(size&0x0f)}
	for size >>= 4; size > 0; size >>= 7 {
		b[len(b)-1] |= 0x80
		b = append(b, byte(size&0x7f))
	}
	return b
}

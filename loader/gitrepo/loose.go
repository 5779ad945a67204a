package gitrepo

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"syscall"

	"github.com/go-git/go-git/v5/plumbing"
)

// loose are the loose objects in a folder (gitrepository-layout). They are read here because
// go-git inflates all of such a file, whatever size its header states. Each is checked against its
// id.
type loose struct {
	dir      string
	inflater io.ReadCloser // nil before the first object
}

// errAbsent is the error for an object that does not exist.
var errAbsent = plumbing.ErrObjectNotFound

// find returns an object. A small one is read, a large one stays on disk.
func (l *loose) find(id OID) (o lazyObject, err error) {
	f, err := l.open(id)
	if err != nil {
		return o, err
	}
	defer f.Close()
	if l.inflater == nil {
		l.inflater, err = zlib.NewReader(f.input)
	} else {
		err = l.inflater.(zlib.Resetter).Reset(f.input, nil)
	}
	if err != nil {
		return o, inFile(err)
	}
	if err := f.begin(l.inflater); err != nil {
		return o, err
	}
	if f.size > largeObject {
		return lazyObject{f.kind, f.size, func() (io.ReadCloser, error) { return l.reopen(id, f.size) }}, nil
	}
	content := make([]byte, f.size)
	if _, err := io.ReadFull(f, content); err != nil {
		return o, inFile(err)
	}
	if f.size == 0 {
		err = f.end()
	}
	return packed{kind: f.kind, content: content}.lazy(), err
}

// open opens the file of an object.
func (l *loose) open(id OID) (*looseFile, error) {
	name := id.String()
	path := filepath.Join(l.dir, name[:2], name[2:])
	f, err := openFile(path)
	switch {
	case errors.Is(err, fs.ErrNotExist), errors.Is(err, syscall.ENOTDIR):
		return nil, errAbsent
	case errors.Is(err, errNoFile), errors.Is(err, syscall.EISDIR):
		return nil, damaged("what is in its place is no file")
	case err != nil:
		return nil, err
	}
	info, err := f.Stat()
	if err != nil {
		_ = f.Close()
		return nil, err
	}
	return &looseFile{File: f, packed: info.Size(), input: &io.LimitedReader{R: f, N: beginning}, id: id}, nil
}

// looseFile is the compressed file of an object: "<type> <size>\0<content>". It reads no more
// content than the size, and returns the last bytes only if the content matches the id.
type looseFile struct {
	*os.File
	packed   int64 // size of the file
	input    *io.LimitedReader
	inflated io.Reader
	id       OID
	kind     plumbing.ObjectType
	size     int64
	left     int64
	hash     plumbing.Hasher
}

const (
	// looseHeader is the maximum length of a header, as in git.
	looseHeader = 32
	// beginning is the number of bytes of a file that contain its header.
	beginning = 32 << 10
	// inflation is the maximum ratio of the sizes of content and file (zlib's technical details).
	inflation = 1032
)

// begin reads the header.
func (f *looseFile) begin(inflated io.Reader) error {
	f.inflated = inflated
	var header []byte
	for one := make([]byte, 1); ; header = append(header, one[0]) {
		if _, err := io.ReadFull(inflated, one); err != nil {
			return inFile(err)
		}
		if one[0] == 0 {
			break
		}
		if len(header) == looseHeader {
			return damaged("it has no header")
		}
	}
	if err := f.parse(header); err != nil {
		return err
	}
	if f.size/inflation > f.packed {
		return damaged(fmt.Sprintf("it says that it has %d bytes, and its file has %d", f.size, f.packed))
	}
	f.left, f.hash = f.size, plumbing.NewHasher(f.kind, f.size)
	f.input.N += f.size + f.size/8 // content that cannot be compressed grows by less
	return nil
}

// kindNames are the types of objects by their names in headers.
var kindNames = map[string]plumbing.ObjectType{
	"commit": plumbing.CommitObject, "tree": plumbing.TreeObject, "blob": plumbing.BlobObject,
	"tag": plumbing.TagObject,
}

func (f *looseFile) parse(header []byte) (err error) {
	kind, size, _ := bytes.Cut(header, []byte(" "))
	f.kind = kindNames[string(kind)]
	f.size, err = strconv.ParseInt(string(size), 10, 64)
	digits := !slices.ContainsFunc(size, func(b byte) bool { return b < '0' || b > '9' })
	if f.kind == plumbing.InvalidObject || err != nil || !digits || size[0] == '0' && len(size) > 1 ||
		f.size > maxSize {
		return damaged(fmt.Sprintf("its header is %q", header))
	}
	return nil
}

// maxSize is above the size of any object; sums of sizes do not overflow.
const maxSize = 1 << 60

// Read implements [io.Reader].
func (f *looseFile) Read(p []byte) (int, error) {
	if f.left == 0 {
		return 0, io.EOF
	}
	n, err := f.inflated.Read(p[:min(int64(len(p)), f.left)])
	_, _ = f.hash.Write(p[:n])
	switch f.left -= int64(n); {
	case f.left == 0:
		if err := f.end(); err != nil {
			return 0, err
		}
		return n, nil
	case err != nil:
		return n, inFile(err)
	}
	return n, nil
}

// end verifies an object that was read: nothing follows, and it matches its id.
func (f *looseFile) end() error {
	switch n, err := io.ReadFull(f.inflated, make([]byte, 1)); {
	case n > 0:
		return damaged(fmt.Sprintf("it says that it has %d bytes and has more", f.size))
	case !errors.Is(err, io.EOF):
		return inFile(err)
	case OID(f.hash.Sum()) != f.id:
		return errAnother
	}
	return nil
}

// inFile classifies an error of reading the file of an object: it is returned unchanged if the
// file cannot be read, otherwise the object is damaged.
func inFile(err error) error {
	if _, ok := errors.AsType[*fs.PathError](err); ok || IsDamaged(err) || err == nil {
		return err
	}
	if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
		return damaged("it ends too early")
	}
	return damaged(err.Error())
}

// reopen opens a large object of a known size for reading from its beginning.
func (l *loose) reopen(id OID, size int64) (io.ReadCloser, error) {
	f, err := l.open(id)
	if err != nil {
		return nil, err
	}
	inflater, err := zlib.NewReader(f.input)
	if err == nil {
		err = f.begin(inflater)
	}
	if err == nil && f.size != size {
		err = damaged("it changes while it is read")
	}
	if err != nil {
		_ = f.Close()
		return nil, inFile(err)
	}
	return f, nil
}

package git_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// deflated is what the file of an object holds that git would not write.
func deflated(header string, content io.Reader) []byte {
	var b bytes.Buffer
	w, err := zlib.NewWriterLevel(&b, zlib.BestCompression)
	if err == nil {
		_, err = io.WriteString(w, header)
	}
	if err == nil {
		_, err = io.Copy(w, content)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

// plant puts a file in the place of an object.
func plant(t testing.TB, dir string, id git.OID, raw []byte) {
	t.Helper()
	file := filepath.Join(dir, "objects", id.String()[:2], id.String()[2:])
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.RemoveAll(file),
		os.WriteFile(file, raw, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// damages are files that are no objects, by what is wrong with them.
func damages() map[string][]byte {
	const MB = 1 << 20
	text := func(s string) io.Reader { return strings.NewReader(s) }
	sound := deflated("blob 5\x00", text("rule\n"))
	return map[string][]byte{
		"300 MB that claim 200 bytes": megabytes(300, "blob 200\x00"),
		"7 GB that are 2 bytes":       deflated("blob 7516192768\x00", text("ru")),
		"a negative size":             deflated("blob -5\x00", text("rule\n")),
		"a size beyond all numbers":   deflated("blob 99999999999999999999\x00", text("rule\n")),
		"no end of the header":        deflated("blob 5", io.LimitReader(zero1{}, 80*MB)),
		"an unknown kind":             deflated("rule 5\x00", text("rule\n")),
		"another kind":                deflated("tree 5\x00", text("rule\n")),
		"another content":             deflated("blob 5\x00", text("ruin\n")),
		"no zlib":                     []byte("blob 5\x00rule\n"),
		"cut in the middle":           sound[:len(sound)/2],
		"a wrong checksum":            append(bytes.Clone(sound[:len(sound)-1]), sound[len(sound)-1]^1),
		"an empty file":               nil,
		"64 MB of blocks of nothing": append([]byte("\x78\x9c"),
			bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 64<<20/5)...),
	}
}

// zero1 is bytes that are no end of a header.
type zero1 struct{}

func (zero1) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = '1'
	}
	return len(p), nil
}

// What is in the place of a file may be no file; and a file that is missing is
// missing, which may be git at work.
func TestNoLooseObject(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "rule\n")
	id := r.oid("HEAD:rule.yaml")
	file := filepath.Join(r.dir, ".git/objects", id.String()[:2], id.String()[2:])
	if err := os.Remove(file); err != nil {
		t.Fatal(err)
	}
	if _, err := r.open().Blob(id, 100); !git.IsTransient(err) || git.IsDamaged(err) {
		t.Errorf("missing: %v", err)
	}
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := r.open().Blob(id, 100)
	if mustFail(t, err, "read file "+id.String()); !git.IsDamaged(err) {
		t.Error(err)
	}
}

// Of two copies the sound one is read.
func TestDamagedCopy(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "rule\n")
	id := r.oid("HEAD:rule.yaml")
	r.git("repack", "-q", "-a")
	plant(t, filepath.Join(r.dir, ".git"), id, deflated("blob 5\x00", strings.NewReader("ruin\n")))
	if raw, err := r.open().Blob(id, 100); err != nil || string(raw) != "rule\n" {
		t.Errorf("%q, %v", raw, err)
	}
}

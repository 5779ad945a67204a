package gitrepo_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/gitrepo"
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
func plant(t testing.TB, dir string, id gitrepo.OID, raw []byte) {
	t.Helper()
	file := filepath.Join(dir, "objects", id.String()[:2], id.String()[2:])
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755), os.RemoveAll(file),
		os.WriteFile(file, raw, 0o644)); err != nil {
		t.Fatal(err)
	}
}

// damages are files that are no objects, by what is wrong with them.
func damages() map[string]struct {
	raw  []byte
	says string
} {
	const MB = 1 << 20
	text := func(s string) io.Reader { return strings.NewReader(s) }
	sound := deflated("blob 5\x00", text("rule\n"))
	return map[string]struct {
		raw  []byte
		says string
	}{
		"300 MB that claim 200 bytes": {megabytes(300, "blob 200\x00"), "it says that it has 200 bytes and has more"},
		"one byte too many": {deflated("blob 4\x00", text("rule\n")),
			"it says that it has 4 bytes and has more"},
		"something after nothing": {deflated("blob 0\x00", text("rule\n")),
			"it says that it has 0 bytes and has more"},
		"one byte too few": {deflated("blob 6\x00", text("rule\n")), "it ends too early"},
		"7 GB that are 2 bytes": {deflated("blob 7516192768\x00", text("ru")),
			"it says that it has 7516192768 bytes, and its file has"},
		"7 MB that are 2 bytes": {deflated("blob 7340032\x00", text("ru")),
			"it says that it has 7340032 bytes, and its file has"},
		"a negative size":              {deflated("blob -5\x00", text("rule\n")), `its header is "blob -5"`},
		"a size with a sign":           {deflated("blob +5\x00", text("rule\n")), `its header is "blob +5"`},
		"a size with a zero before it": {deflated("blob 05\x00", text("rule\n")), `its header is "blob 05"`},
		"a size beyond all numbers":    {deflated("blob 99999999999999999999\x00", text("rule\n")), "its header is"},
		"the largest number":           {deflated("blob 9223372036854775807\x00", text("rule\n")), "its header is"},
		"a long size": {deflated("blob "+strings.Repeat("0", 1<<20)+"5\x00", text("rule\n")),
			"it has no header"},
		"no size":                     {deflated("blob \x00", text("rule\n")), `its header is "blob "`},
		"no space":                    {deflated("blob5\x00", text("rule\n")), `its header is "blob5"`},
		"no end of the header":        {deflated("blob 5", io.LimitReader(zero1{}, 80*MB)), "it has no header"},
		"no kind":                     {deflated(" 5\x00", text("rule\n")), `its header is " 5"`},
		"an unknown kind":             {deflated("rule 5\x00", text("rule\n")), `its header is "rule 5"`},
		"another kind":                {deflated("tree 5\x00", text("rule\n")), ""},
		"another content":             {deflated("blob 5\x00", text("ruin\n")), "its content is that of another"},
		"no zlib":                     {[]byte("blob 5\x00rule\n"), "zlib: invalid header"},
		"a dictionary":                {[]byte("\x78\xbb\x00\x00\x00\x02"), "zlib: invalid dictionary"},
		"garbage after the beginning": {append(bytes.Clone(sound[:4]), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff), ""},
		"cut in the middle":           {sound[:len(sound)/2], "it ends too early"},
		"cut before its checksum":     {sound[:len(sound)-4], "it ends too early"},
		"a wrong checksum": {append(bytes.Clone(sound[:len(sound)-1]), sound[len(sound)-1]^1),
			"zlib: invalid checksum"},
		"an empty file": {nil, "it ends too early"},
		"64 MB of blocks of nothing": {append([]byte("\x78\x9c"),
			bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, 64<<20/5)...), "it ends too early"},
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
	if _, err := r.open().Blob(id, 100); !gitrepo.IsTransient(err) || gitrepo.IsDamaged(err) {
		t.Errorf("missing: %v", err)
	}
	if err := os.Mkdir(file, 0o755); err != nil {
		t.Fatal(err)
	}
	_, err := r.open().Blob(id, 100)
	if mustFail(t, err, "no file"); !gitrepo.IsDamaged(err) {
		t.Error(err)
	}
}

// Of two copies the sound one is read, wherever the damaged one is.
func TestDamagedCopy(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "rule\n")
	id := r.oid("HEAD:rule.yaml")
	dir := filepath.Join(r.dir, ".git")
	bad := deflated("blob 5\x00", strings.NewReader("ruin\n"))
	read := func(t *testing.T, dir string) {
		t.Helper()
		if raw, err := open(t, dir).Blob(id, 100); err != nil || string(raw) != "rule\n" {
			t.Errorf("%q, %v", raw, err)
		}
	}
	t.Run("own, and sound in a pack", func(t *testing.T) {
		r.git("repack", "-q", "-a")
		plant(t, dir, id, bad)
		read(t, r.dir)
	})
	clone := filepath.Join(t.TempDir(), "clone")
	r.git("clone", "--quiet", "--shared", r.dir, clone)
	t.Run("own, and sound in a borrowed pack", func(t *testing.T) {
		plant(t, filepath.Join(clone, ".git"), id, bad)
		read(t, clone)
	})
}

package loader_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// object is the file of an object, which may be none that git would write.
func object(header string, content io.Reader) []byte {
	var b bytes.Buffer
	w := zlib.NewWriter(&b)
	_, err := io.WriteString(w, header)
	if err == nil {
		_, err = io.Copy(w, content)
	}
	if err = errors.Join(err, w.Close()); err != nil {
		panic(err)
	}
	return b.Bytes()
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// file is where a revision's object has a file of its own.
func (r *repo) file(rev string) string {
	r.Helper()
	id := r.git("rev-parse", rev)
	return filepath.Join(r.dir, ".git/objects", id[:2], id[2:])
}

// spoil puts something else in the place of an object, and returns what puts it back.
func (r *repo) spoil(rev string, raw []byte) (undo func()) {
	r.Helper()
	file := r.file(rev)
	sound, err := os.ReadFile(file)
	put := func(raw []byte) {
		r.Helper()
		must(r, errors.Join(os.Remove(file), os.WriteFile(file, raw, 0o644)))
	}
	must(r, err)
	put(raw)
	return func() { r.Helper(); put(sound) }
}

// spoilt are files that are no objects; of these a kind is part of the header.
func spoilt(kind string) map[string][]byte {
	text := func(s string) io.Reader { return strings.NewReader(s) }
	sound := object(kind+" 5\x00", text("rule\n"))
	return map[string][]byte{
		"30 MB that claim 200 bytes": object(kind+" 200\x00", io.LimitReader(zeros{}, 30<<20)),
		"a negative size":            object(kind+" -1\x00", text("rule\n")),
		"a size beyond all numbers":  object(kind+" 99999999999999999999\x00", text("rule\n")),
		"no end of the header":       object(kind+" 5", text("rule\n")),
		"an unknown kind":            object("rule 5\x00", text("rule\n")),
		"another kind":               object("tree 0\x00", text("")),
		"another content":            object(kind+" 5\x00", text("ruin\n")),
		"no zlib":                    []byte("garbage"),
		"cut":                        sound[:len(sound)-6],
		"nothing":                    nil,
	}
}

// An object that one publication alone needs, its file or its tag, refuses that one
// alone, by a finding that names it. When the object is there again, so is the
// publication, though no ref has moved; then it is the snapshot that it was.
func TestDamagedObject(t *testing.T) {
	for _, c := range []struct{ what, rev, kind string }{
		{"file", "HEAD:guidelines/test.one.001.yaml", "blob"},
		{"tag", "guidelines/test.one.001/v1.1.0", "tag"},
	} {
		for name, raw := range spoilt(c.kind) {
			t.Run(c.what+"/"+name, func(t *testing.T) {
				t.Parallel()
				r := newRepo(t).play(`
					edit two Два; edit one Один; publish one 1.0.0; edit one Один, иначе; publish one 1.1.0
					publish two 1.0.0
				`)
				sound, err := r.loader().Load(t.Context())
				must(t, err)
				undo := r.spoil(c.rev, raw)
				l := r.loader()
				result, err := l.Load(t.Context())
				got := describe(result, err)
				r.expect(got, `1.0.0 current "Один"`, `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.1.0",
					"finding guidelines/test.one.001/v1.1.0: ")
				r.refuse(got, "1.1.0 current", "refused guidelines/test.one.001/v1.0.0",
					"refused guidelines/test.two.001/v1.0.0")
				if err != nil {
					t.FailNow()
				}
				if again := describe(l.Look(t.Context(), result.State)); again != got {
					t.Errorf("another look comes to\n%s\nafter\n%s", again, got)
				}
				undo()
				whole, err := l.Look(t.Context(), result.State)
				if err != nil || whole.Snapshot == nil {
					t.Fatalf("the object is back: %v, %v", whole.Snapshot, err)
				}
				r.expect(describe(whole, err), `1.1.0 current "Один, иначе"`)
				if whole.Snapshot.Refs != sound.Snapshot.Refs || result.Snapshot.Refs == sound.Snapshot.Refs {
					t.Errorf("snapshots %q, damaged %q, whole %q", sound.Snapshot.Refs,
						result.Snapshot.Refs, whole.Snapshot.Refs)
				}
				if third, err := l.Look(t.Context(), whole.State); err != nil || third.Snapshot != nil {
					t.Errorf("nothing has changed: %v, %v", third.Snapshot, err)
				}
			})
		}
	}
}

// What was sealed is served from any copy that can be read; where none can, the
// finding says why and not that it is lost.
func TestDamagedSealedObject(t *testing.T) {
	t.Run("the tag", func(t *testing.T) {
		r := newRepo(t).play("edit one Один; publish one 1.0.0; seal")
		r.spoil("guidelines/test.one.001/v1.0.0", []byte("garbage"))
		got := r.load()
		r.expect(got, `1.0.0 current "Один"`, "finding guidelines/test.one.001/v1.0.0: error: read tag ", "[damaged]")
		r.refuse(got, "refused")
	})
	t.Run("the file", func(t *testing.T) {
		r := newRepo(t).play("edit one Один; edit two Два; publish one 1.0.0; publish two 1.0.0; seal")
		r.spoil("HEAD:guidelines/test.one.001.yaml", []byte("garbage"))
		got := r.load()
		r.expect(got, `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.0.0",
			"finding guidelines/test.one.001/v1.0.0: guidelines/test.one.001.yaml: error: read file ", "[damaged]")
		r.refuse(got, "seal-lost")
	})
}

// The same holds for what is packed or borrowed from another repository.
func TestDamagedObjectElsewhere(t *testing.T) {
	for _, where := range []string{"packed", "borrowed"} {
		t.Run(where, func(t *testing.T) {
			r := newRepo(t).play("edit one Один; publish one 1.0.0; edit two Два; publish two 1.0.0")
			file := r.file("HEAD:guidelines/test.one.001.yaml")
			if where == "borrowed" {
				clone := filepath.Join(t.TempDir(), "clone")
				r.git("clone", "-q", "--shared", r.dir, clone)
				r = &repo{T: r.T, dir: clone, now: r.now}
			} else {
				id := r.git("rev-parse", "HEAD:guidelines/test.one.001.yaml")
				r.git("repack", "-q", "-a", "-d", "--depth=0", "--window=0")
				file = r.unpackTo(id)
			}
			if where == "borrowed" {
				if err := errors.Join(os.Remove(file), os.WriteFile(file,
					object("blob 200\x00", io.LimitReader(zeros{}, 30<<20)), 0o644)); err != nil {
					t.Fatal(err)
				}
			}
			got := r.load()
			r.expect(got, `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.0.0", "[damaged]")
		})
	}
}

// unpackTo damages the bytes of an object in the only pack, and returns its path.
func (r *repo) unpackTo(id string) string {
	r.Helper()
	packs, err := filepath.Glob(filepath.Join(r.dir, ".git/objects/pack/*.pack"))
	if err != nil || len(packs) != 1 {
		r.Fatal(packs, err)
	}
	var size, packed, offset int64
	for line := range strings.Lines(r.git("verify-pack", "-v", strings.TrimSuffix(packs[0], ".pack")+".idx") + "\n") {
		if strings.HasPrefix(line, id) {
			if _, err := fmt.Sscanf(line[len(id):], " blob %d %d %d", &size, &packed, &offset); err != nil {
				r.Fatal(err)
			}
		}
	}
	raw, err := os.ReadFile(packs[0])
	must(r, err)
	for i := offset + packed/2; i < offset+packed; i++ {
		raw[i] ^= 0x5a
	}
	must(r, errors.Join(os.Remove(packs[0]), os.WriteFile(packs[0], raw, 0o644)))
	return packs[0]
}

// What the history needs, commits, roots and the files in these, is a matter of the
// repository as a whole, and so is a folder without which nothing is left to serve.
// Neither is read as if there were less.
func TestDamagedHistory(t *testing.T) {
	for what, rev := range map[string]string{
		"the head": "HEAD", "a commit": "HEAD~1", "the root": "HEAD^{tree}", "a folder": "HEAD:guidelines",
		"the settings": "HEAD:rulestore.yaml", "the seals": "HEAD:" + sums, "the marks": "HEAD:lifecycle.yaml",
	} {
		for name, raw := range map[string][]byte{
			"garbage": []byte("garbage"), "another content": object("commit 5\x00", strings.NewReader("ruin\n")),
		} {
			t.Run(what+"/"+name, func(t *testing.T) {
				t.Parallel()
				r := newRepo(t).play("edit one Один; publish one 1.0.0; seal")
				r.write("lifecycle.yaml", "schema_version: \"1.0\"\nmarks: []\n")
				r.commit("Mark nothing")
				file, id := r.file(rev), r.git("rev-parse", rev)
				r.spoil(rev, raw)
				if name == "missing" {
					must(t, os.Remove(file))
				}
				_, err := r.loader().Load(t.Context())
				_, unreadable := errors.AsType[*git.ReadError](err)
				if !unreadable || !git.IsDamaged(err) {
					t.Errorf("unreadable %v, damaged %v: %v", unreadable, git.IsDamaged(err), err)
				}
				r.expect(fmt.Sprint(err), id)
			})
		}
	}
}

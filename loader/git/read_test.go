package git_test

import (
	"bytes"
	"compress/zlib"
	"errors"
	"fmt"
	"io/fs"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git"
)

func TestCommit(t *testing.T) {
	r := newRepo(t)
	root := r.put("rule.yaml", "1\n")
	r.git("checkout", "--quiet", "-b", "side")
	side := r.put("side.yaml", "1\n")
	r.git("checkout", "--quiet", "main")
	main := r.put("rule.yaml", "2\n")
	r.now = time.Date(2026, 3, 1, 0, 30, 0, 0, time.FixedZone("", -(9*60+30)*60))
	r.git("merge", "--quiet", "--no-ff", "-m", "Слияние\n\nТело: с кириллицей\n\nCriticality: critical", "side")

	got, err := r.open().Commit(r.oid("HEAD"))
	if err != nil {
		t.Fatal(err)
	}
	if got.OID != r.oid("HEAD") || got.Tree != r.oid("HEAD^{tree}") ||
		!slices.Equal(got.Parents, []git.OID{main, side}) {
		t.Errorf("%+v", got)
	}
	if want := "Слияние\n\nТело: с кириллицей\n\nCriticality: critical\n"; got.Message != want {
		t.Errorf("the message is %q, expected %q", got.Message, want)
	}
	if date := got.Committed.Format(time.RFC3339); date != r.git("log", "-1", "--format=%cI") {
		t.Errorf("committed at %s, git says %s", date, r.git("log", "-1", "--format=%cI"))
	}
	if first, err := r.open().Commit(root); err != nil || len(first.Parents) != 0 {
		t.Errorf("%+v, %v", first, err)
	}
	for _, rev := range []string{"HEAD^{tree}", "HEAD:rule.yaml"} {
		if c, err := r.open().Commit(r.oid(rev)); err == nil {
			t.Errorf("%s is the commit %+v", rev, c)
		}
	}
}

// A commit may be signed and carry the tag that it merged.
func TestSignedCommit(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	signature := "gpgsig -----BEGIN SSH SIGNATURE-----\n U1NIU0lH\n -----END SSH SIGNATURE-----\n"
	raw := strings.Replace(r.git("cat-file", "commit", "HEAD"), "\n\n", "\n"+signature+"\n", 1) + "\n"
	id := parse(t, r.gitInput(raw, "hash-object", "-t", "commit", "-w", "--stdin"))
	if c, err := r.open().Commit(id); err != nil || c.Message != "Write rule.yaml\n" || !c.Committed.Equal(r.now) {
		t.Errorf("%+v, %v", c, err)
	}
}

// What stands at a path may be no file at all.
func TestModes(t *testing.T) {
	r := newRepo(t)
	r.write("file.yaml", "1\n")
	r.write("script.yaml", "1\n")
	symlink(t, "file.yaml", filepath.Join(r.dir, "link.yaml"))
	r.write("folder/file.yaml", "1\n")
	r.commit("first")
	r.git("update-index", "--chmod=+x", "script.yaml")
	r.git("update-index", "--add", "--cacheinfo", "160000,"+r.oid("HEAD").String()+",module")
	r.git("commit", "--quiet", "-m", "second")
	head := r.oid("HEAD")
	repo := r.open()
	h, err := git.NewWalker(everything).History(repo, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]struct {
		mode   git.Mode
		isFile bool
	}{
		"file.yaml":        {git.Regular, true},
		"script.yaml":      {0o100755, true},
		"link.yaml":        {git.Symlink, false},
		"module":           {git.Submodule, false},
		"folder/file.yaml": {git.Regular, true},
	} {
		t.Run(path, func(t *testing.T) {
			v, ok := h.At(head, path)
			if !ok || v.Mode != want.mode || v.Mode.IsFile() != want.isFile {
				t.Errorf("%s has the mode %o, a file: %t", path, v.Mode, v.Mode.IsFile())
			}
			raw, err := repo.Blob(v.OID, 100)
			switch {
			case path == "module":
				if err == nil {
					t.Error("a submodule can be read")
				}
			case err != nil:
				t.Errorf("%s: %v", path, err)
			case path == "link.yaml" && string(raw) != "file.yaml":
				t.Errorf("the link leads to %q", raw)
			}
		})
	}
	if v, ok := h.At(head, "folder"); ok {
		t.Errorf("the folder is %+v", v)
	}
	if git.Folder.IsFile() || git.Absent.IsFile() {
		t.Error("a folder or nothing is a file")
	}
}

func TestBlobLimit(t *testing.T) {
	r := newRepo(t)
	for _, size := range []int{0, 1, 1000, 20_000} {
		text := strings.Repeat("x", size)
		r.put("rule.yaml", text)
		for range 2 {
			repo, id := r.open(), r.oid("HEAD:rule.yaml")
			if raw, err := repo.Blob(id, int64(size)); err != nil || string(raw) != text {
				t.Errorf("%d bytes, as many allowed: %d, %v", size, len(raw), err)
			}
			if size > 0 {
				_, err := repo.Blob(id, int64(size-1))
				mustFail(t, err, "the file is too large", fmt.Sprintf("it has %d bytes, at most %d are allowed", size,
					size-1))
				if !errors.Is(err, git.ErrTooLarge) || git.IsTransient(err) {
					t.Errorf("%d bytes: %v", size, err)
				}
			}
			r.git("repack", "-adq")
		}
	}
}

type zeros struct{}

func (zeros) Read(p []byte) (int, error) { clear(p); return len(p), nil }

// everythingIn reads all there is to read and returns it as one text.
func everythingIn(dir string) (string, error) {
	repo, err := git.OnDisk(dir).Open()
	if err != nil {
		return "", err
	}
	defer repo.Close()
	refs, err := repo.Refs("")
	if err != nil {
		return "", err
	}
	h, err := git.NewWalker(everything).History(repo, refs.Commit, nil)
	if err != nil {
		return "", err
	}
	for f := range h.Torn() {
		return "", fmt.Errorf("the folder %s cannot be read", f.Path)
	}
	var out strings.Builder
	for _, ref := range refs.Tags {
		tag, err := repo.Tag(ref.OID)
		if err != nil {
			return "", err
		}
		fmt.Fprintln(&out, ref.Name, tag)
	}
	for _, c := range h.Since(refs.Commit, git.OID{}, "rule.yaml") {
		fmt.Fprintln(&out, c)
	}
	for _, path := range []string{"rule.yaml", "folder/large.yaml", "folder/other.yaml"} {
		for _, v := range h.Versions(path) {
			raw, err := repo.Blob(v.OID, 1<<20)
			if err != nil {
				return "", err
			}
			fmt.Fprintf(&out, "%v %s\n", v, raw)
		}
	}
	return out.String(), nil
}

// A damaged object is an error: no panic, and nothing wrong is read.
func TestDamage(t *testing.T) {
	for _, packed := range []bool{false, true} {
		t.Run(fmt.Sprint("packed ", packed), func(t *testing.T) {
			r := newRepo(t)
			rng := rand.New(rand.NewPCG(1, 2))
			large := make([]byte, 20_000) // more than go-git reads at once
			for i := range large {
				large[i] = byte('a' + rng.IntN(26))
			}
			for i := range 2 {
				r.write("rule.yaml", fmt.Sprintf("version %d\n", i))
				r.write("folder/large.yaml", string(large)+fmt.Sprint(i))
				r.write("folder/other.yaml", "1\n")
				r.commit(fmt.Sprint("commit ", i))
				r.git("tag", "-a", "-m", "message", fmt.Sprint("v", i))
			}
			if packed {
				r.git("repack", "-adfq", "--depth=50")
				r.git("prune-packed")
			}
			want, err := everythingIn(r.dir)
			if err != nil {
				t.Fatal(err)
			}
			damages := 0
			for _, file := range objectFiles(t, r.dir) {
				raw := []byte(readFile(t, file))
				if err := os.Chmod(file, 0o644); err != nil {
					t.Fatal(err)
				}
				for _, bad := range damaged(rng, raw, packed) {
					if err := os.WriteFile(file, bad, 0o644); err != nil {
						t.Fatal(err)
					}
					got, err := everythingIn(r.dir)
					if err == nil && got != want {
						t.Fatalf("%s is read as something else with %q", file, bad[:min(len(bad), 100)])
					}
					if err != nil {
						damages++
					}
				}
				if err := os.WriteFile(file, raw, 0o644); err != nil {
					t.Fatal(err)
				}
			}
			if got, err := everythingIn(r.dir); err != nil || got != want {
				t.Errorf("mended again: %v", err)
			}
			t.Logf("%d damages were noticed", damages)
		})
	}
}

func objectFiles(t *testing.T, dir string) []string {
	t.Helper()
	var files []string
	err := filepath.WalkDir(filepath.Join(dir, ".git/objects"), func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.Type().IsRegular() {
			files = append(files, path)
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

// damaged makes up what can become of a file. Of a loose object that is also
// another object, and one that claims to be larger than anything.
func damaged(rng *rand.Rand, raw []byte, packed bool) [][]byte {
	all := [][]byte{nil, raw[:len(raw)/2], raw[:len(raw)-1], bytes.Repeat([]byte{0}, len(raw))}
	flips := 4
	if packed {
		flips = 60
	} else {
		for _, object := range []string{"blob 2\x00x\n", "tree 5000000\x00", "blob 99999999999999\x00x",
			"tag 1\x00", "tree 3\x00abc", "nothing 1\x00x", "commit -5\x00"} {
			var z bytes.Buffer
			w := zlib.NewWriter(&z)
			_, _ = w.Write([]byte(object))
			_ = w.Close()
			all = append(all, z.Bytes())
		}
	}
	for i := range flips {
		bad := bytes.Clone(raw)
		at := rng.IntN(len(bad))
		if i%2 == 0 {
			at = rng.IntN(min(len(bad), 600))
		}
		bad[at] ^= 1 << rng.IntN(8)
		all = append(all, bad)
	}
	return all
}

func TestIsTransient(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	if _, err := r.open().Blob(git.BlobOID([]byte("nothing")), 1); !git.IsTransient(err) {
		t.Errorf("a missing object: %v", err)
	}
	for _, err := range []error{nil, errors.New("anything"), git.ErrEmpty, git.ErrTooLarge,
		git.ErrNotCommit, git.ErrNotRepository} {
		if git.IsTransient(err) {
			t.Errorf("%v passes for transient", err)
		}
	}
}

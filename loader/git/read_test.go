package git_test

import (
	"errors"
	"fmt"
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

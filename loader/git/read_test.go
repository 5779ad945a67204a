package git_test

import (
	"errors"
	"fmt"
	"strings"
	"testing"

	"rulestore/loader/git"
)

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

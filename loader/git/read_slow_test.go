//go:build slow

package git_test

import (
	"errors"
	"fmt"
	"io"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// A huge file is not read to find out that it is too large, wherever it is kept
// and whatever points to it.
func TestHugeBlob(t *testing.T) {
	const size = 100 << 20
	r := newRepo(t)
	r.put("rule.yaml", "1\n")
	cmd := r.command("", "hash-object", "-w", "--stdin")
	cmd.Stdin = io.LimitReader(zeros{}, size)
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	huge := parse(t, strings.TrimSpace(string(out)))
	r.git("update-index", "--add", "--cacheinfo", "100644,"+huge.String()+",huge.yaml")
	r.git("commit", "--quiet", "-m", "second")
	r.git("tag", "huge", huge.String())
	shared := filepath.Join(t.TempDir(), "shared")
	r.git("clone", "--quiet", "--shared", "--no-checkout", ".", shared)

	for _, c := range []struct{ what, dir string }{{"loose", r.dir}, {"loose, borrowed", shared}, {"packed", r.dir},
		{"packed, borrowed", shared}} {
		t.Run(c.what, func(t *testing.T) {
			if c.what == "packed" {
				r.git("repack", "-adq")
			}
			repo := open(t, c.dir)
			before := allocated()
			refs, err := repo.Refs("")
			if err != nil {
				t.Fatal(err)
			}
			h, err := git.NewWalker(everything).History(repo, refs.Commit, nil)
			if err != nil {
				t.Fatal(err)
			}
			v, _ := h.At(refs.Commit, "huge.yaml")
			_, err = repo.Blob(v.OID, 1<<20)
			mustFail(t, err, fmt.Sprintf("it has %d bytes", size))
			if !errors.Is(err, git.ErrTooLarge) {
				t.Errorf("%s: %v", c.what, err)
			}
			if _, err := repo.Tag(huge); !errors.Is(err, git.ErrNotCommit) {
				t.Errorf("%s, tagged: %v", c.what, err)
			}
			if n := allocated() - before; n > 4<<20 {
				t.Errorf("%s: %d bytes were allocated", c.what, n)
			}
		})
	}
}

// allocated returns how many bytes were ever allocated.
func allocated() uint64 {
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.TotalAlloc
}

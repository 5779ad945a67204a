//go:build slow

package git_test

import (
	"errors"
	"fmt"
	"io"
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

	for _, kept := range []string{"loose", "packed"} {
		t.Run(kept, func(t *testing.T) {
			if kept == "packed" {
				r.git("repack", "-adq")
			}
			repo := r.open()
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
				t.Errorf("%s: %v", kept, err)
			}
			if _, err := repo.Tag(huge); !errors.Is(err, git.ErrNotCommit) {
				t.Errorf("%s, tagged: %v", kept, err)
			}
			if n := allocated() - before; n > 4<<20 {
				t.Errorf("%s: %d bytes were allocated", kept, n)
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

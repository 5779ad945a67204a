//go:build slow

package git_test

import (
	"fmt"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rulestore/loader/git"
)

// published reads all that is published, as the loader does: rule.yaml says the number of its tag.
func published(dir string, walker *git.Walker) (tags int, err error) {
	repo, err := git.OnDisk(dir).Open()
	if err != nil {
		return 0, err
	}
	defer repo.Close()
	refs, err := repo.Refs("main")
	if err != nil {
		return 0, err
	}
	commits := map[string]git.OID{}
	var others []git.OID
	for _, ref := range refs.Tags {
		tag, err := repo.Tag(ref.OID)
		if err != nil {
			return 0, err
		}
		number := strings.TrimPrefix(ref.Name, "rules/v")
		if tag.Message != "tag "+number+"\n" {
			return 0, fmt.Errorf("%s says %q", ref.Name, tag.Message)
		}
		commits[number] = tag.Commit
		others = append(others, tag.Commit)
	}
	h, err := walker.History(repo, refs.Commit, others)
	if err != nil {
		return 0, err
	}
	for number, commit := range commits {
		v, _ := h.At(commit, "rule.yaml")
		raw, err := repo.Blob(v.OID, 100)
		if err != nil {
			return 0, err
		}
		if string(raw) != number {
			return 0, fmt.Errorf("%s holds %q", number, raw)
		}
	}
	return len(commits), nil
}

// While git commits, tags, packs and prunes, what is read is right and no less than before, and what
// fails does so in passing.
func TestReadWhileGitWrites(t *testing.T) {
	r := newRepo(t)
	r.put("rule.yaml", "0")
	var done atomic.Int64
	const rounds = 30
	var wg sync.WaitGroup
	before := openFiles(t)
	for reader := range 2 {
		wg.Go(func() {
			walker := git.NewWalker(everything)
			for failures := 0; done.Load() < rounds; {
				if reader == 1 {
					walker = git.NewWalker(everything)
				}
				least := done.Load()
				switch tags, err := published(r.dir, walker); {
				case err == nil && int64(tags) < least:
					t.Errorf("%d tags are listed, %d were made", tags, least)
				case err == nil:
					failures = 0
				case !git.IsTransient(err) || failures == 20:
					t.Errorf("after %d failures: %v", failures, err)
					return
				default:
					failures++
					time.Sleep(time.Millisecond << min(failures, 6)) // what the loader does, not a wait for the writer
				}
			}
		})
	}
	for i := int64(1); i <= rounds; i++ {
		r.put("rule.yaml", fmt.Sprint(i))
		r.git("tag", "-a", "-m", fmt.Sprint("tag ", i), fmt.Sprint("rules/v", i))
		switch {
		case i%15 == 0:
			r.git("gc", "--quiet", "--prune=now")
		case i%5 == 0:
			r.git("repack", "-adq")
			r.git("prune-packed", "--quiet")
		case i%7 == 0:
			r.git("pack-refs", "--all")
		}
		done.Store(i)
	}
	wg.Wait()
	if tags, err := published(r.dir, git.NewWalker(everything)); err != nil || tags != rounds {
		t.Errorf("when all is quiet: %d tags, %v", tags, err)
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, %d were before", after, before)
	}
}

//go:build slow

package git_test

import (
	"fmt"
	"maps"
	"os"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"rulestore/loader/git"
)

// writer is git at work: commit i makes rule.yaml say i, and the tag rules/v<i>
// follows. begun and done count the rounds.
type writer struct {
	*repo
	begun, done atomic.Int64
	finished    atomic.Bool
}

func (w *writer) work(rounds int) error {
	defer w.finished.Store(true)
	run := func(args ...string) error {
		if out, err := w.command("", args...).CombinedOutput(); err != nil {
			return fmt.Errorf("git %v: %w\n%s", args, err, out)
		}
		return nil
	}
	for i := 1; i <= rounds; i++ {
		w.begun.Store(int64(i))
		w.now = w.now.Add(time.Minute)
		if err := os.WriteFile(w.dir+"/rule.yaml", fmt.Append(nil, i), 0o644); err != nil {
			return err
		}
		steps := [][]string{{"commit", "--quiet", "-am", fmt.Sprint("commit ", i)},
			{"tag", "-a", "-m", fmt.Sprint("tag ", i), fmt.Sprint("rules/v", i)}}
		switch {
		case i%15 == 0:
			steps = append(steps, []string{"gc", "--quiet", "--prune=now"})
		case i%5 == 0:
			steps = append(steps, []string{"repack", "-adq"}, []string{"prune-packed", "--quiet"})
		case i%7 == 0:
			steps = append(steps, []string{"pack-refs", "--all"})
		}
		for _, args := range steps {
			if err := run(args...); err != nil {
				return err
			}
		}
		w.done.Store(int64(i))
	}
	return nil
}

// read reads all that is published, as the loader does: from a handle of its
// own, with the refs read again at the end. It is not settled if they moved.
func (w *writer) read(walker *git.Walker) (settled bool, err error) {
	done := w.done.Load()
	repo, err := git.OnDisk(w.dir).Open()
	if err != nil {
		return false, err
	}
	defer repo.Close()
	refs, err := repo.Refs("main")
	if err != nil {
		return false, err
	}
	tags := map[string]git.OID{}
	var commits []git.OID
	for _, ref := range refs.Tags {
		tag, err := repo.Tag(ref.OID)
		if err != nil {
			return false, err
		}
		if want := strings.Replace(ref.Name, "rules/v", "tag ", 1) + "\n"; tag.Message != want {
			return false, fmt.Errorf("%s says %q", ref.Name, tag.Message)
		}
		tags[ref.Name] = tag.Commit
		commits = append(commits, tag.Commit)
	}
	for i := int64(1); i <= done; i++ {
		if _, ok := tags[fmt.Sprint("rules/v", i)]; !ok {
			return false, fmt.Errorf("rules/v%d was made before, and is not listed", i)
		}
	}
	if begun := w.begun.Load(); int64(len(tags)) > begun {
		return false, fmt.Errorf("there are %d tags, %d were made", len(tags), begun)
	}
	h, err := walker.History(repo, refs.Commit, commits)
	if err != nil {
		return false, err
	}
	contents := map[string]git.OID{"main": refs.Commit}
	maps.Copy(contents, tags)
	for name, commit := range contents {
		v, ok := h.At(commit, "rule.yaml")
		if !ok {
			return false, fmt.Errorf("%s has no file", name)
		}
		raw, err := repo.Blob(v.OID, 100)
		if err != nil {
			return false, err
		}
		if want := strings.TrimPrefix(name, "rules/v"); name != "main" && string(raw) != want {
			return false, fmt.Errorf("%s holds %q", name, raw)
		}
	}
	after, err := repo.Refs("main")
	return err == nil && after.Hash() == refs.Hash(), err
}

// While git commits, tags, packs and prunes, what is read is right, and what
// fails does so in passing.
func TestReadWhileGitWrites(t *testing.T) {
	w := &writer{repo: newRepo(t)}
	w.put("rule.yaml", "0")
	if _, err := w.read(git.NewWalker(everything)); err != nil {
		t.Fatal(err)
	}
	before := openFiles(t)
	var wg sync.WaitGroup
	wg.Go(func() {
		if err := w.work(30); err != nil {
			t.Error(err)
		}
	})
	var good, again, moved atomic.Int64
	for reader := range 2 {
		wg.Go(func() {
			walker := git.NewWalker(everything)
			for failures := 0; !w.finished.Load(); {
				if reader == 1 {
					walker = git.NewWalker(everything)
				}
				settled, err := w.read(walker)
				switch {
				case err == nil && settled:
					good.Add(1)
					failures = 0
				case err == nil:
					moved.Add(1)
					failures = 0
				case !git.IsTransient(err) || failures == 20:
					t.Errorf("after %d failures: %v", failures, err)
					return
				default:
					again.Add(1)
					failures++
					time.Sleep(time.Millisecond << min(failures, 6)) // what the loader does, not a wait for the writer
				}
			}
		})
	}
	wg.Wait()
	if settled, err := w.read(git.NewWalker(everything)); err != nil || !settled {
		t.Errorf("when all is quiet: settled %t, %v", settled, err)
	}
	if after := openFiles(t); after > before {
		t.Errorf("%d files are open, %d were before", after, before)
	}
	t.Logf("%d readings were good, %d were overtaken, %d failed in passing", good.Load(), moved.Load(), again.Load())
}

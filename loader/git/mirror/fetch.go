package mirror

import (
	"context"
	"crypto/sha256"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"time"
)

// Fetch fetches the remote's branches and tags, unless it lists the same as at the last fetch, and
// reports whether what has arrived is another state. An error leaves that as it was.
func (m *Mirror) Fetch(ctx context.Context) (changed bool, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, longest, fmt.Errorf("it took more than %s: %s", longest, hangs))
	defer cancel()
	listed, err := m.remote.list(ctx)
	if err != nil {
		return false, m.remote.said(err)
	}
	sum := sha256.Sum256([]byte(listed))
	m.mu.Lock()
	why, failures, same := m.renewal.Next, m.failures, sum == m.listed
	m.mu.Unlock()
	if same && why == "" && exists(m.in(incoming)) {
		return false, nil
	}
	// After two failures a fetch goes into an empty folder. If that fails as well, others go on first.
	anew := why != "" || failures%(mostFailures+1) == mostFailures
	changed, err = m.receive(ctx, headOf(listed), anew)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		m.failures++
		return false, m.remote.said(err)
	}
	m.failures, m.listed = 0, sum
	if anew {
		m.renewal = Renewal{At: time.Now(), Why: why, Count: m.renewal.Count + 1}
		m.again = m.renewal.At.Add(renewEvery)
	}
	return changed || anew, nil
}

// receive fetches, into an empty folder if everything is to be fetched anew, and lists it as what has arrived.
func (m *Mirror) receive(ctx context.Context, head string, anew bool) (changed bool, err error) {
	dir := m.in(repoFolder)
	if err = m.prepare(dir); anew {
		dir = m.in(newFolder)
		_ = os.RemoveAll(dir)   // of a process that was killed
		defer os.RemoveAll(dir) // does not exist if it took the other's place
		err = makeBare(dir)
	}
	if err != nil {
		return false, fmt.Errorf("write the mirror: %w (choose another folder with --cache-dir)", err)
	}
	if err := m.fetch(ctx, dir); err != nil {
		removeLeftovers(dir) // they may have filled the disk
		return false, err
	}
	refs, _, err := m.remote.call(ctx, dir, maxListed, "for-each-ref",
		"--format=%(objectname) refs/%(refname:lstrip=2)", "refs/incoming/heads/", "refs/incoming/tags/")
	switch {
	case err != nil:
		return false, err
	case refs == "":
		return false, errNothing
	case anew:
		if err := m.replaceBy(ctx, dir); err != nil {
			return false, fmt.Errorf("write the mirror: %w", err)
		}
	}
	return replaceFile(m.in(incoming), []byte(head+refs))
}

// fetch has git fetch the branches and tags. It is not --atomic: nothing reads these refs until the list
// is written, and git would refuse a tag v1/a in the fetch that prunes a tag v1.
func (m *Mirror) fetch(ctx context.Context, dir string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() { defer close(watched); watchSize(ctx, cancel, filepath.Join(dir, "objects", "pack")) }()
	_, says, err := m.remote.call(
		ctx, dir, maxListed, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head",
		"--no-recurse-submodules", m.remote.url(), "+refs/heads/*:refs/incoming/heads/*",
		"+refs/tags/*:refs/incoming/tags/*",
	)
	cancel(nil)
	<-watched
	if err == nil && strings.Contains(says, "shallow roots are not allowed") {
		err = errShallow // git leaves these refs out
	}
	return err
}

// errTooMuch is the error for a fetch that brings more than maxSent bytes.
var errTooMuch = errors.New("the remote sends more than any repository of rules has: serve a clone of it")

// watchSize cancels a fetch that makes a folder of packs grow too much, until the context ends.
func watchSize(ctx context.Context, cancel context.CancelCauseFunc, dir string) {
	limit := size(dir) + maxSent
	tick := time.NewTicker(time.Second)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return
		case <-tick.C:
			if size(dir) > limit {
				cancel(errTooMuch)
			}
		}
	}
}

// size is the number of bytes of the files in a folder.
func size(dir string) (n int64) {
	entries, _ := os.ReadDir(dir)
	for _, e := range entries {
		if info, err := e.Info(); err == nil { // git adds and removes files
			n += info.Size()
		}
	}
	return n
}

// replaceBy puts another repository in the place of the mirror's, with what is served if that can still be read:
// it has to outlast what has arrived, which may be held back.
func (m *Mirror) replaceBy(ctx context.Context, dir string) error {
	local := m.remote
	local.Scheme, local.Login = "file", nil
	_, _, _ = local.call(ctx, dir, maxListed, "fetch", "--quiet", "--no-tags", "--no-write-fetch-head",
		m.in(repoFolder), "+refs/served/*:refs/served/*")
	m.mu.Lock() // nobody opens what is in neither place
	defer m.mu.Unlock()
	old := m.in(oldFolder)
	err := os.RemoveAll(old)
	if exists(m.in(repoFolder)) {
		err = errors.Join(err, os.Rename(m.in(repoFolder), old))
	}
	if err == nil {
		err = os.Rename(dir, m.in(repoFolder))
	}
	_ = os.RemoveAll(old) // a failure is harmless
	return err
}

package mirror

import (
	"bytes"
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
	why, failures, same := m.why, m.failures, sum == m.listed
	m.mu.Unlock()
	if same && why == "" && view(m.in(incoming)).whole() {
		return false, nil
	}
	// After two failures a fetch goes into an empty folder. If that fails as well, others go on first.
	anew := why != "" || failures%(mostFailures+1) == mostFailures
	changed, err = m.receive(ctx, headOf(listed), anew)
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	if err != nil {
		if m.failures++; !anew && now.After(m.again) && says(err, ownDamage) {
			m.why = err.Error()
		}
		return false, m.remote.said(err)
	}
	m.failures, m.listed = 0, sum
	if anew {
		m.renewal = Renewal{now, why, m.renewal.Count + 1}
		m.why, m.again = "", now.Add(renewEvery)
	}
	return changed || anew, nil
}

// receive fetches, into an empty folder if everything is to be fetched anew, and shows it as what has arrived.
func (m *Mirror) receive(ctx context.Context, head string, anew bool) (changed bool, err error) {
	dir := m.in(repoFolder)
	if anew {
		dir = m.in(newFolder)
		_ = os.RemoveAll(dir)   // of a process that was killed
		defer os.RemoveAll(dir) // does not exist if it took the other's place
	}
	first := anew || !exists(dir)
	if err := makeBare(dir, ""); err != nil {
		return false, fmt.Errorf("write the mirror: %w (choose another folder with --cache-dir)", err)
	}
	removeLeftovers(dir)
	if err := m.fetch(ctx, dir); err != nil {
		removeLeftovers(dir) // they may have filled the disk
		return false, err
	}
	refs, err := m.refs(ctx, dir, incoming)
	switch {
	case err != nil:
		return false, err
	case refs == "":
		return false, errNothing
	case anew:
		if err := m.replaceBy(ctx, dir); err != nil {
			return false, err
		}
		dir = m.in(repoFolder)
	}
	if first { // git has written a file for each ref
		if _, _, err := m.remote.call(ctx, dir, 0, "pack-refs", "--all"); err != nil {
			return false, err
		}
	}
	return view(m.in(incoming)).write([]byte(head), []byte(refs))
}

// fetch has git fetch the branches and tags. It is not --atomic: nothing reads these refs until the view
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

// replaceBy puts another repository in the place of the mirror's, with what is served if one of the two can
// still be read: it has to outlast what has arrived, which may be held back.
func (m *Mirror) replaceBy(ctx context.Context, dir string) error {
	_, _, _ = m.accepted(ctx) // while the refs of the one before are there
	_ = m.pin(ctx, dir)
	old := m.in(oldFolder)
	err := os.RemoveAll(old)
	if exists(m.in(repoFolder)) {
		err = errors.Join(err, os.Rename(m.in(repoFolder), old))
	}
	if err == nil {
		err = os.Rename(dir, m.in(repoFolder))
	}
	if err != nil {
		return fmt.Errorf("write the mirror: %w", err)
	}
	_ = os.RemoveAll(old)            // a failure is harmless
	_ = m.pin(ctx, m.in(repoFolder)) // of what has just come
	return nil
}

// refs lists the branches and tags that lie under refs/incoming/ or refs/served/ in a repository, as packed refs
// without these folders.
func (m *Mirror) refs(ctx context.Context, dir, under string) (string, error) {
	out, _, err := m.remote.call(ctx, dir, maxListed, "for-each-ref",
		"--format=%(objectname) refs/%(refname:lstrip=2)", "refs/"+under+"/heads/", "refs/"+under+"/tags/")
	return out, err
}

// Serve records that what has arrived is served from now on.
func (m *Mirror) Serve(ctx context.Context) error {
	head, refs, whole := view(m.in(incoming)).read()
	err := ErrNotFetched
	if whole {
		_, err = view(m.in(servedFolder)).write(head, refs)
	}
	if err == nil {
		err = m.pin(ctx, m.in(repoFolder))
	}
	if err != nil {
		return fmt.Errorf("keep what is served in the mirror: %w", err)
	}
	return nil
}

// pin gives a repository HEAD, refs and objects of what is served: git keeps these, and [Mirror.accepted] needs them.
func (m *Mirror) pin(ctx context.Context, dir string) error {
	head, _, whole := view(m.in(servedFolder)).read()
	if !whole {
		return ErrNotFetched
	}
	local := m.remote
	local.Scheme, local.Login = "file", nil
	_, _, err := local.call(
		ctx, dir, maxListed, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", m.in(servedFolder),
		"+refs/heads/*:refs/served/heads/*", "+refs/tags/*:refs/served/tags/*",
	)
	if err != nil {
		return err
	}
	file := filepath.Join(dir, servedHead)
	if err := os.MkdirAll(filepath.Dir(file), 0o755); err != nil {
		return err
	}
	_, err = replaceFile(file, bytes.Replace(head, []byte("refs/"), []byte("refs/served/"), 1))
	return err
}

// accepted returns the view of what is served, and whether there is one. If it was lost, it is made from what pin left:
// what has arrived must not take its place, it may be held back.
func (m *Mirror) accepted(ctx context.Context) (v view, whole bool, err error) {
	v, dir := view(m.in(servedFolder)), m.in(repoFolder)
	if whole = v.whole(); whole || !exists(dir) {
		return v, whole, nil
	}
	if err := makeBare(dir, ""); err != nil {
		return v, false, err
	}
	refs, err := m.refs(ctx, dir, servedFolder)
	if err != nil || refs == "" {
		return v, false, err
	}
	head, err := os.ReadFile(filepath.Join(dir, servedHead))
	if err != nil { // two losses
		head = []byte("ref: refs/served/heads/main\n")
	}
	_, err = v.write(bytes.Replace(head, []byte("refs/served/"), []byte("refs/"), 1), []byte(refs))
	return v, err == nil, err
}

package mirror

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"rulestore/content/crash"
	"rulestore/loader/git"
)

// Fetch fetches the remote's branches and tags, unless it lists the same as at the last fetch, and
// reports whether what has arrived is another state. An error leaves that as it was.
func (m *Mirror) Fetch(ctx context.Context) (changed bool, err error) {
	ctx, cancel := context.WithTimeoutCause(ctx, longest, fmt.Errorf("it took more than %s", longest))
	defer cancel()
	list, err := m.list(ctx)
	if err != nil {
		return false, m.remote.said(err)
	}
	m.mu.Lock()
	why, failures, same, early := m.why, m.failures, list == m.listed, time.Now().Before(m.again)
	m.mu.Unlock()
	if _, err := view(m.in(incoming)).read(); err == nil && same && why == "" {
		return false, nil
	}
	// After two failures a fetch goes into an empty folder. If that fails as well, others go on first.
	anew := why != "" || failures%(mostFailures+1) == mostFailures
	changed, err = m.receive(ctx, list, anew)
	if err != nil && !anew && !early && says(err, ownDamage) {
		anew, why = true, err.Error()
		changed, err = m.receive(ctx, list, anew)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	if err != nil {
		m.failures++
		return false, m.remote.said(err)
	}
	m.failures, m.listed = 0, list
	if anew {
		now := time.Now()
		m.renewal = Renewal{now, why, m.renewal.Count + 1}
		m.why, m.again = "", now.Add(renewEvery)
	}
	return changed || anew, nil
}

// list lists the refs of the remote, at another address of its origin if it redirects there.
func (m *Mirror) list(ctx context.Context) (refText, error) {
	list, err := m.remote.list(ctx, m.url)
	overHTTP := m.remote.Scheme == "https" || m.remote.Scheme == "http"
	if err == nil || !overHTTP || err != errNothing && !says(err, redirected) {
		return list, err
	}
	url, seen := m.remote.look(ctx)
	if seen != nil || url == m.url {
		return list, cmp.Or(seen, err)
	}
	m.url = url
	return m.remote.list(ctx, m.url)
}

// receive fetches what the remote has listed, into an empty folder if everything is to be fetched anew,
// and shows it as what has arrived.
func (m *Mirror) receive(ctx context.Context, list refText, anew bool) (changed bool, err error) {
	dir := m.in(repoFolder)
	if anew {
		dir = m.in(newFolder)
		defer os.RemoveAll(dir) // does not exist if it took the other's place
	}
	first := anew || !exists(dir)
	if err := makeBare(dir, ""); err != nil {
		return false, fmt.Errorf("write the mirror: %w (choose another folder with --cache-dir)", err)
	}
	if _, err := replaceFile(filepath.Join(dir, headFile), "ref: refs/heads/none\n"); err != nil {
		return false, fmt.Errorf("write the mirror: %w (choose another folder with --cache-dir)", err)
	}
	removeLeftovers(dir)
	if err := m.fetch(ctx, dir); err != nil {
		removeLeftovers(dir) // they may have filled the disk
		return false, err
	}
	if list.refs, err = m.remote.arrived(ctx, dir, "refs/incoming/"); err != nil {
		return false, err
	}
	if list.refs == "" {
		return false, errNothing
	}
	if anew {
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
	return view(m.in(incoming)).write(list)
}

// fetch has git fetch the branches and tags. It is not --atomic: nothing reads these refs until the view
// is written, and git would refuse a tag v1/a in the fetch that prunes a tag v1.
func (m *Mirror) fetch(ctx context.Context, dir string) error {
	ctx, cancel := context.WithCancelCause(ctx)
	watched := make(chan struct{})
	go func() { defer close(watched); watchSize(ctx, cancel, filepath.Join(dir, "objects")) }()
	_, says, err := m.remote.call(
		ctx, dir, maxListed, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head",
		"--no-recurse-submodules", m.url, "+refs/heads/*:refs/incoming/heads/*", "+refs/tags/*:refs/incoming/tags/*",
	)
	cancel(nil)
	<-watched
	if err == nil && strings.Contains(says, "shallow roots are not allowed") {
		err = errShallow // git leaves these refs out
	}
	return err
}

// errTooMuch is the error for a fetch that adds more than maxSent bytes.
var errTooMuch = errors.New("the remote sends more than any repository of rules has: serve a clone of it")

// watchSize cancels a fetch for which a folder grows too much, until the context ends.
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
	_ = filepath.WalkDir(dir, func(_ string, e fs.DirEntry, err error) error { // git adds and removes files
		if err != nil || e.IsDir() {
			return nil
		}
		if info, err := e.Info(); err == nil {
			n += info.Size()
		}
		return nil
	})
	return n
}

// replaceBy puts another repository in the place of the mirror's, with what is served if one of the two can
// still be read: it has to outlast what has arrived, which may be held back.
func (m *Mirror) replaceBy(ctx context.Context, dir string) error {
	_ = m.pin(ctx, dir) // of the one before
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

// Serve records that what has arrived is served from now on.
func (m *Mirror) Serve(ctx context.Context) error {
	refs, err := view(m.in(incoming)).read()
	if err == nil {
		_, err = view(m.in(servedFolder)).write(refs)
	}
	if err == nil {
		err = m.pin(ctx, m.in(repoFolder))
	}
	if err != nil {
		return fmt.Errorf("keep what is served in the mirror: %w", err)
	}
	return nil
}

// pin gives a repository the refs and objects of what is served, so that git keeps them.
func (m *Mirror) pin(ctx context.Context, dir string) error {
	local := m.remote
	local.Scheme, local.Login = "file", nil
	_, _, err := local.call(
		ctx, dir, maxListed, "fetch", "--quiet", "--prune", "--no-tags", "--no-write-fetch-head", m.in(servedFolder),
		"+refs/heads/*:refs/served/heads/*", "+refs/tags/*:refs/served/tags/*",
	)
	return err
}

// restore shows again what is served if the files of that were lost, by the refs that git has of it.
func (m *Mirror) restore(ctx context.Context) {
	served := view(m.in(servedFolder))
	if _, err := served.read(); err == nil || !exists(m.in(repoFolder)) {
		return
	}
	refs, err := m.remote.arrived(ctx, m.in(repoFolder), "refs/served/")
	if err != nil || refs == "" {
		return
	}
	head, err := readWithin(filepath.Join(string(served), headFile), maxListed)
	if err != nil {
		head, _ = readWithin(filepath.Join(m.in(incoming), headFile), maxListed)
	}
	_, _ = served.write(refText{strings.TrimSpace(strings.TrimPrefix(string(head), "ref: ")), refs})
}

// Failed records why what was opened could not be read in full, and reports whether the next fetch therefore
// goes into an empty folder. A defect of this program and exhausted resources are no failures of the mirror.
func (m *Mirror) Failed(err error) bool {
	_, crashed := errors.AsType[*crash.Error](err)
	_, read := errors.AsType[*git.ReadError](err)
	_, file := errors.AsType[*fs.PathError](err)
	m.mu.Lock()
	defer m.mu.Unlock()
	if crashed || git.IsShortage(err) || errors.Is(err, context.Canceled) || time.Now().Before(m.again) ||
		!read && !file && !git.IsDamaged(err) && !git.IsTransient(err) {
		return false
	}
	m.why = err.Error()
	return true
}

// Condemned returns the reason why the next fetch goes into an empty folder; empty if it does not.
func (m *Mirror) Condemned() string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.why
}

// Renewal describes the last fetch into an empty folder.
func (m *Mirror) Renewal() Renewal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.renewal
}

// Agree records when the remote had what was last judged. On a read-only disk the time is lost with the process.
func (m *Mirror) Agree(at time.Time) {
	if _, err := replaceFile(m.in(agreedName), ""); err == nil {
		_ = os.Chtimes(m.in(agreedName), at, at)
	}
}

// Agreed returns the time of the last [Mirror.Agree], by this process or an earlier one; zero if it is unknown.
func (m *Mirror) Agreed() time.Time {
	info, err := os.Stat(m.in(agreedName))
	if err != nil {
		return time.Time{}
	}
	return info.ModTime()
}

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

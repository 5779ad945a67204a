// Package mirror copies a remote repository by the program git into a folder that this program reads.
//
// A remote is not trusted: an address holds no password, hosts have to authenticate, redirects are not
// followed, what is sent is limited and checked by git, and what a host says is shortened and stripped of
// control characters.
package mirror

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader/git"
)

// Mirror is a copy of a remote repository in a folder of its own, which git fills. It is a [git.Opener]
// that works while the remote is unavailable, and without git.
//
// The folder holds a bare repository, repo.git, and two lists of refs, as [git.Listed] takes them: of what has arrived,
// written when git had fetched all of it, and of what is served. The lists are what is read, and git gets its refs from
// them before each fetch ([Mirror.prepare]), under refs/incoming/ and refs/served/, so that it keeps the objects of
// both. A fetch that ends halfway thus changes nothing that is read, and either state is read though files of git are
// lost.
type Mirror struct {
	remote Remote
	dir    string
	lock   io.Closer

	mu       sync.Mutex
	served   bool      // Open opens what is served, else what has arrived
	listed   [32]byte  // the checksum of what the remote listed at the last successful fetch of this process
	failures int       // fetches in a row that failed after the remote had listed its refs
	renewal  Renewal   // the last fetch into an empty folder
	again    time.Time // before it there is no other one for the same reason
}

// Renewal has the time and the reason of the last fetch of a mirror into an empty folder.
type Renewal struct {
	At    time.Time // zero if this process has made none
	Why   string
	Count uint64 // number by this process
	Next  string // why the next fetch makes another one; empty if it does not
}

// ErrNotFetched is the error of [Mirror.Open] before the first fetch.
var ErrNotFetched = errors.New("the repository has not been fetched yet")

const (
	lockPatience = 15 * time.Second // how long to wait for the lock of a process that is ending
	renewEvery   = 10 * time.Minute // the least time between two complete fetches: the remote itself may be damaged
	mostFailures = 2                // after them, a fetch goes into an empty folder

	repoFolder = "repo.git"
	newFolder  = "new.git" // a fetch into an empty folder
	oldFolder  = "old.git" // what it replaces, for a moment
	incoming   = "incoming"
	servedList = "served"
	agreedName = "agreed" // its time is that at which the remote last agreed
)

// Open opens the mirror of a remote under a cache folder, and creates it if necessary. It
// is locked for this process until it is closed.
func Open(ctx context.Context, cache string, r Remote) (*Mirror, error) {
	m := &Mirror{remote: r, dir: folder(cache, r.Address)}
	err := os.MkdirAll(m.dir, 0o700)
	if err == nil {
		m.lock, err = acquire(ctx, m.in("lock"))
	}
	if err != nil {
		return nil, fmt.Errorf("open the mirror in %s: %w (choose another folder with --cache-dir)", m.dir, err)
	}
	if !exists(m.in(repoFolder)) {
		_ = os.Rename(m.in(oldFolder), m.in(repoFolder)) // there is one if a process was killed while it replaced it
	}
	removeLeftovers(m.dir)
	return m, nil
}

// folder returns the folder of the mirror of a remote under a cache folder: readable and unique.
func folder(cache string, a git.Address) string {
	name := unusual.ReplaceAllString(strings.TrimSuffix(path.Base(a.Path), ".git"), "-")
	sum := sha256.Sum256([]byte(a.String() + "\x00" + a.Path)) // String abbreviates paths in the user's folder
	return filepath.Join(cache, strings.Trim(name, ".-")+"-"+hex.EncodeToString(sum[:8]))
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// Arrived returns what was fetched of a remote under a cache folder, even if another process has the mirror;
// false if there is nothing.
func Arrived(cache string, a git.Address) (git.Opener, bool) {
	dir := folder(cache, a)
	list := filepath.Join(dir, incoming)
	return git.Listed(git.OnDisk(filepath.Join(dir, repoFolder)), list), exists(list)
}

func (m *Mirror) in(name ...string) string { return filepath.Join(append([]string{m.dir}, name...)...) }

func exists(path string) bool {
	_, err := os.Stat(path)
	return err == nil
}

// acquire waits for a lock for a short time. With a context that has ended it touches nothing: the
// wait for the lock cannot be interrupted, and would create the file later.
func acquire(ctx context.Context, file string) (io.Closer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	ctx, cancel := context.WithTimeoutCause(
		ctx, lockPatience, errors.New("another process uses it: give each its own --cache-dir"),
	)
	defer cancel()
	type locked struct {
		file *lockedfile.File
		err  error
	}
	done := make(chan locked, 1)
	go func() {
		f, err := lockedfile.Edit(file)
		done <- locked{f, err}
	}()
	select {
	case l := <-done:
		return l.file, l.err
	case <-ctx.Done():
		go func() {
			if l := <-done; l.err == nil {
				_ = l.file.Close()
			}
		}()
		return nil, context.Cause(ctx)
	}
}

// Folder returns the folder of the mirror.
func (m *Mirror) Folder() string { return m.dir }

// Close releases the mirror for other processes.
func (m *Mirror) Close() error { return m.lock.Close() }

// Select has [Mirror.Open] open what is served, or else what has arrived.
func (m *Mirror) Select(served bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.served = served
}

// Open opens what has arrived, or what is served ([Mirror.Select]), unless nothing is.
func (m *Mirror) Open() (r *git.Repo, err error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	list := m.in(incoming)
	if m.served && exists(m.in(servedList)) {
		list = m.in(servedList)
	}
	if !exists(list) {
		return nil, ErrNotFetched
	}
	if err = makeBare(m.in(repoFolder)); err == nil {
		r, err = git.Listed(git.OnDisk(m.in(repoFolder)), list).Open()
	}
	if err != nil {
		err = &git.ReadError{What: i18n.New("open the mirror"), Err: err}
	}
	return r, err
}

// WorkTree returns "": there are no checked-out files.
func (m *Mirror) WorkTree() string { return "" }

// Serve records that what has arrived is served from now on.
func (m *Mirror) Serve() error {
	refs, err := os.ReadFile(m.in(incoming))
	if err == nil {
		_, err = replaceFile(m.in(servedList), refs)
	}
	if err != nil {
		return fmt.Errorf("keep what is served in the mirror: %w", err)
	}
	return nil
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
	m.renewal.Next = err.Error()
	return true
}

// Renewal describes the last fetch into an empty folder, and why the next one goes there.
func (m *Mirror) Renewal() Renewal {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.renewal
}

// Agree records when the remote had what was last judged.
func (m *Mirror) Agree(at time.Time) {
	if _, err := replaceFile(m.in(agreedName), nil); err == nil {
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

package gitrepo

import (
	"cmp"
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
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"

	"rulestore/content/i18n"
)

// Mirror is a copy of a remote repository in a folder of its own: all branches and tags, pruned
// like the remote. It is an [Opener] that works while the remote is unavailable.
//
// Each fetch with changes makes a new generation, so readers are not affected, and an
// interrupted fetch leaves the previous generation unchanged. Few are kept: the newest, the
// newest that was read completely ([Mirror.Keep]), and the one that is served ([Mirror.Retain]).
// A generation that was modified, or cannot be read ([Mirror.Failed]), is discarded: the next
// fetch starts from an empty one.
type Mirror struct {
	remote Remote
	dir    string
	lock   io.Closer

	mu     sync.Mutex
	newest int // the number of the newest generation; 0 if there is none
	opened int // the one opened last
	older  int // the one to open next in place of the newest; 0 for the newest
	read   int // the one last read completely by this process
	whole  int // the newest one of a complete fetch by this process

	chosen   choice // opened in place of the newest
	retained int    // the generation that is served, which is not removed; 0 if there is none

	stumbles int       // consecutive failed fetches with the newest
	missed   int       // a generation that could not be loaded
	misses   int       // how often
	why      string    // the reason for a complete fetch; empty if there is none
	renewal  Renewal   // the last one
	again    time.Time // the earliest time of the next complete fetch; zero for any time
}

// Renewal has the time and the reason of the last complete fetch of a mirror.
type Renewal struct {
	At    time.Time // zero if this process has made none
	Why   string
	Count uint64 // number by this process
}

// ErrNotFetched is the error of [Mirror.Open] before the first fetch.
var ErrNotFetched = i18n.Errorf("the repository has not been fetched yet")

// lockPatience is how long to wait for the lock of a process that is ending.
const lockPatience = 15 * time.Second

// OpenMirror opens the mirror of a remote under a cache folder, and creates it if necessary. It
// is locked for this process until it is closed.
func OpenMirror(ctx context.Context, cache string, r Remote) (*Mirror, error) {
	m := &Mirror{remote: r, dir: MirrorFolder(cache, r.Address), lock: io.NopCloser(nil)}
	makeRoom(m.dir, true)
	makeRoom(filepath.Join(m.dir, lockName), false)
	err := os.MkdirAll(m.dir, 0o700)
	if err == nil {
		var lock io.Closer
		if lock, err = acquire(ctx, filepath.Join(m.dir, lockName)); err == nil {
			m.lock = lock
		}
	}
	if err != nil && !readOnly(err) { // a read-only mirror needs no lock
		return nil, i18n.Errorf("open the mirror in %s: %w (choose another folder with --cache-dir)", m.dir, err)
	}
	if err := m.tidy(); err != nil {
		return nil, errors.Join(i18n.Errorf("open the mirror in %s: %w", m.dir, err), m.lock.Close())
	}
	return m, nil
}

// lockName is the lock file of a mirror.
const lockName = "lock"

// makeRoom removes a file in the place of a folder, or a folder in the place of a file. If it
// cannot be removed, creating the right one fails.
func makeRoom(path string, folder bool) {
	if info, err := os.Stat(path); err == nil && info.IsDir() != folder {
		_ = os.RemoveAll(path)
	}
}

func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// folderOf returns a readable and unique folder name for an address.
func folderOf(a Address) string {
	name := unusual.ReplaceAllString(strings.TrimSuffix(path.Base(a.Path), ".git"), "-")
	sum := sha256.Sum256([]byte(a.String() + "\x00" + a.Path)) // String abbreviates paths in the user's folder
	return strings.Trim(name, ".-") + "-" + hex.EncodeToString(sum[:8])
}

// acquire waits for a lock for a short time. With a context that has ended it touches nothing: the
// wait for the lock cannot be interrupted, and would create the file later.
func acquire(ctx context.Context, file string) (io.Closer, error) {
	if ctx.Err() != nil {
		return nil, context.Cause(ctx)
	}
	type result struct {
		f   *lockedfile.File
		err error
	}
	done := make(chan result)
	ctx, cancel := context.WithTimeoutCause(
		ctx, lockPatience, i18n.Errorf("another process uses it: give each its own --cache-dir"),
	)
	defer cancel()
	go func() {
		f, err := lockedfile.Edit(file)
		select {
		case done <- result{f, err}:
		case <-ctx.Done():
			if err == nil {
				_ = f.Close()
			}
		}
	}()
	select {
	case r := <-done:
		if r.err != nil {
			return nil, r.err
		}
		return r.f, nil
	case <-ctx.Done():
		return nil, context.Cause(ctx)
	}
}

// Folder returns the folder of the mirror.
func (m *Mirror) Folder() string { return m.dir }

// Close releases the mirror for other processes.
func (m *Mirror) Close() error {
	connections.CloseIdleConnections()
	return m.lock.Close()
}

// unfinished is the prefix of folders of incomplete generations.
const unfinished = "new-"

// tidy finds the newest generation and removes incomplete ones of killed processes.
func (m *Mirror) tidy() error {
	entries, err := os.ReadDir(m.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished) {
			_ = os.RemoveAll(filepath.Join(m.dir, e.Name())) // a failure is harmless
		}
	}
	m.newest = m.highest()
	return nil
}

// highest returns the number of the newest generation at present; 0 if there is none.
func (m *Mirror) highest() int {
	return slices.Max(append(m.generations(), 0))
}

// generations lists the numbers of the existing generations, lowest first.
func (m *Mirror) generations() []int {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return nil
	}
	var all []int
	for _, e := range entries {
		number, _ := strings.CutSuffix(e.Name(), ".git")
		if n, err := strconv.Atoi(number); err == nil && n > 0 &&
			m.at(n) == generation(filepath.Join(m.dir, e.Name())) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

func (m *Mirror) at(n int) generation {
	return generation(filepath.Join(m.dir, fmt.Sprintf("%08d.git", n)))
}

// Fetched returns the last time at which the remote agreed with the generation opened last, or
// with the newest if none was opened, by this process or an earlier one; zero if it is unknown.
func (m *Mirror) Fetched() time.Time {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.at(cmp.Or(m.opened, m.newest)).fetched()
}

// Open opens the newest generation, or the one selected by [Mirror.Choose] or [Mirror.Pass].
func (m *Mirror) Open() (*Repo, error) {
	m.mu.Lock()
	n, chosen := cmp.Or(m.older, m.chosen.generation, m.newest), m.chosen
	m.opened = n
	m.mu.Unlock()
	if n == 0 {
		return nil, ErrNotFetched
	}
	dir := string(m.at(n))
	if !looksBare(dir) { // otherwise a repository in a parent folder would be opened
		return nil, &ReadError{What: i18n.New("open the mirror"), Err: ErrNotRepository}
	}
	r, err := OnDisk(dir).Open()
	if err != nil {
		return nil, &ReadError{What: i18n.New("open the mirror"), Err: err}
	}
	r.at, r.branch = chosen.at, chosen.branch
	return r, nil
}

// WorkTree returns "": there are no checked-out files.
func (m *Mirror) WorkTree() string { return "" }

// Fetch lists the refs of the remote and fetches new objects; the result reports whether there
// are changes. An error leaves the mirror unchanged.
func (m *Mirror) Fetch(ctx context.Context) (changed bool, err error) {
	start := time.Now()
	c, ctx := newConversation(ctx)
	defer c.end()
	if changed, err = m.fetch(ctx, c); err != nil {
		return false, m.remote.said(ctx, err)
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	m.at(m.newest).agreed(start)
	return changed, nil
}

func (m *Mirror) fetch(ctx context.Context, c *conversation) (changed bool, err error) {
	base := m.base()
	if c.session, err = m.remote.open(ctx); err != nil {
		return false, err
	}
	a, err := list(ctx, c)
	if err != nil {
		return false, err
	}
	if base != 0 && m.at(base).agrees(a) {
		return false, nil
	}
	err = m.advance(ctx, c, a, base)
	m.stumbled(err)
	return err == nil, err
}

// advance makes the generation that extends base, or a complete one if that is 0.
func (m *Mirror) advance(ctx context.Context, c *conversation, a advertised, base int) error {
	dir, err := m.unfinished()
	if err != nil {
		return i18n.Errorf("write the mirror: %w (choose another folder with --cache-dir)", err)
	}
	defer os.RemoveAll(dir) // does not exist if it was renamed
	next, err := makeGeneration(dir)
	if err != nil {
		return i18n.Errorf("write the mirror: %w", err)
	}
	var known []Ref
	if base != 0 {
		known = next.follow(m.at(base))
	}
	if err := next.fill(ctx, c, a, known); err != nil {
		return err
	}
	return m.add(dir, len(known) == 0)
}

// add gives a complete generation its name and removes those that are not needed any more.
// whole is set if it extends none.
func (m *Mirror) add(dir string, whole bool) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	number := slices.Max(append(m.generations(), m.newest)) + 1
	if err := os.Rename(dir, string(m.at(number))); err != nil {
		return i18n.Errorf("write the mirror: %w", err)
	}
	m.newest, m.older = number, 0
	if whole {
		m.whole = number
		m.renewed()
	}
	_ = m.prune() // what cannot be removed goes the next time
	return nil
}

// unfinished makes a folder for a generation that is being made.
func (m *Mirror) unfinished() (string, error) {
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(m.dir, unfinished)
}

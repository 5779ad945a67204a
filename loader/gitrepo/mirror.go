package gitrepo

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
	"slices"
	"strings"
	"sync"
	"syscall"
	"time"

	"github.com/rogpeppe/go-internal/lockedfile"
)

// Mirror is a copy of a remote repository in a folder of its own: all branches
// and tags, without those that the remote no longer has. It is a [Source] that
// goes on when the remote is away.
//
// Each fetch that brings something makes a new generation, so nothing changes
// under whoever reads, and whatever interrupts a fetch leaves the generation
// before as it was. That one is kept until the next has been read in full
// ([Mirror.Keep]); one that cannot be read is dropped ([Mirror.Drop]), and one that can
// but for some objects is fetched anew ([Mirror.Renew]).
type Mirror struct {
	remote Remote
	dir    string
	lock   io.Closer

	mu      sync.Mutex
	current int // the number of the newest generation; 0: there is none
	opened  int // the one that was opened last
	spoilt  int // the one that has damaged objects; 0: none is known to
}

// ErrNotFetched is what [Mirror.Open] returns before the first fetch.
var ErrNotFetched = errors.New("the repository has not been fetched yet")

// lockPatience is how long a process that is about to end may hold the mirror.
const lockPatience = 15 * time.Second

// OpenMirror opens the mirror of a remote under a cache folder, and makes it if
// need be. It belongs to this process until it is closed.
func OpenMirror(ctx context.Context, cache string, r Remote) (*Mirror, error) {
	m := &Mirror{remote: r, dir: filepath.Join(cache, folderOf(r.Address)), lock: io.NopCloser(nil)}
	err := os.MkdirAll(m.dir, 0o700)
	if err == nil {
		var lock io.Closer
		if lock, err = acquire(ctx, filepath.Join(m.dir, "lock")); err == nil {
			m.lock = lock
		}
	}
	if err != nil && !readOnly(err) { // what nobody can write needs no lock
		return nil, fmt.Errorf("open the mirror in %s: %w (choose another folder with --cache-dir)", m.dir, err)
	}
	if err := m.tidy(); err != nil {
		return nil, errors.Join(fmt.Errorf("open the mirror in %s: %w", m.dir, err), m.lock.Close())
	}
	return m, nil
}

func readOnly(err error) bool {
	return errors.Is(err, syscall.EROFS) || errors.Is(err, fs.ErrPermission)
}

var unusual = regexp.MustCompile(`[^A-Za-z0-9._-]+`)

// folderOf names the folder of an address: readable, and unlike any other's.
func folderOf(a Address) string {
	name := unusual.ReplaceAllString(strings.TrimSuffix(path.Base(a.Path), ".git"), "-")
	sum := sha256.Sum256([]byte(a.String() + "\x00" + a.Path)) // shown, a path in the user's folder looks like any other
	return strings.Trim(name, ".-") + "-" + hex.EncodeToString(sum[:8])
}

// acquire waits a little for a lock.
func acquire(ctx context.Context, file string) (io.Closer, error) {
	type result struct {
		f   *lockedfile.File
		err error
	}
	done := make(chan result)
	ctx, cancel := context.WithTimeoutCause(ctx, lockPatience, errors.New("another process uses it: give each its own --cache-dir"))
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

// Folder returns where the mirror is.
func (m *Mirror) Folder() string { return m.dir }

// Close lets another process have the mirror.
func (m *Mirror) Close() error {
	connections.CloseIdleConnections()
	return m.lock.Close()
}

// unfinished is how the folder of a generation that is being made begins.
const unfinished = "new-"

// tidy finds the newest generation and removes what a process that was killed
// left unfinished.
func (m *Mirror) tidy() error {
	entries, err := os.ReadDir(m.dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	} else if err != nil {
		return err
	}
	for _, e := range entries {
		if strings.HasPrefix(e.Name(), unfinished) {
			if err := os.RemoveAll(filepath.Join(m.dir, e.Name())); err != nil && !readOnly(err) {
				return err
			}
		}
	}
	for _, n := range m.generations() {
		m.current = max(m.current, n)
	}
	return nil
}

// generations lists the numbers of those that are there, lowest first.
func (m *Mirror) generations() []int {
	entries, err := os.ReadDir(m.dir)
	if err != nil {
		return nil
	}
	var all []int
	for _, e := range entries {
		var n int
		if _, err := fmt.Sscanf(e.Name(), "%08d.git", &n); err == nil && m.at(n) == generation(filepath.Join(m.dir, e.Name())) {
			all = append(all, n)
		}
	}
	slices.Sort(all)
	return all
}

func (m *Mirror) at(n int) generation {
	return generation(filepath.Join(m.dir, fmt.Sprintf("%08d.git", n)))
}

// newest returns the number of the newest generation; 0 if there is none.
func (m *Mirror) newest() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.current
}

// Fetched returns when the remote was last seen to agree with what the mirror
// holds, by this process or one before; zero if nobody knows.
func (m *Mirror) Fetched() time.Time { return m.at(m.newest()).fetched() }

// Open opens the newest generation.
func (m *Mirror) Open() (*Repo, error) {
	m.mu.Lock()
	n := m.current
	m.opened = n
	m.mu.Unlock()
	if n == 0 {
		return nil, ErrNotFetched
	}
	r, err := OnDisk(string(m.at(n))).Open()
	if err != nil {
		return nil, &ReadError{"open the mirror", err}
	}
	return r, nil
}

// WorkTree says that there are no checked-out files.
func (m *Mirror) WorkTree() string { return "" }

// Keep says that what was opened last was read in full: older generations go.
func (m *Mirror) Keep() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	var errs []error
	for _, n := range m.generations() {
		if n < m.opened {
			errs = append(errs, os.RemoveAll(string(m.at(n))))
		}
	}
	if err := errors.Join(errs...); err != nil && !readOnly(err) {
		return fmt.Errorf("remove what the mirror no longer needs: %w", err)
	}
	return nil
}

// Drop says that what was opened last cannot be read. What is left is the
// generation before, if there is one, and the next fetch goes on from there; the
// result says whether there is.
func (m *Mirror) Drop() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.opened == m.current && m.current != 0 {
		_ = os.RemoveAll(string(m.at(m.current))) // on a disk that cannot be written it is passed over
		below := slices.DeleteFunc(m.generations(), func(n int) bool { return n >= m.current })
		m.current = 0
		if len(below) > 0 {
			m.current = below[len(below)-1]
		}
	}
	return m.current != 0
}

// Pass says that what was opened last is of no use to who opened it, though nothing is
// known to be wrong with it: it stays, and the generation before is opened next. The
// result says whether there is one; the next fetch goes on from there.
func (m *Mirror) Pass() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	below := slices.DeleteFunc(m.generations(), func(n int) bool { return n >= m.opened })
	if len(below) == 0 {
		return false
	}
	m.current = below[len(below)-1]
	return true
}

// Renew says that what was opened last has damaged objects: the next fetch asks for
// everything again, and goes on from nothing that is here. Until then it is served.
func (m *Mirror) Renew() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.spoilt = m.opened
}

// sound reports whether nothing is known to be wrong with a generation.
func (m *Mirror) sound(n int) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return n != 0 && n != m.spoilt
}

// Fetch asks the remote what it has and brings what is new; the result says
// whether anything is. An error leaves the mirror as it is.
func (m *Mirror) Fetch(ctx context.Context) (changed bool, err error) {
	start := time.Now()
	c, ctx := newConversation(ctx)
	defer c.end()
	if changed, err = m.fetch(ctx, c); err != nil {
		return false, m.remote.said(ctx, err)
	}
	m.at(m.newest()).agreed(start)
	return changed, nil
}

func (m *Mirror) fetch(ctx context.Context, c *conversation) (bool, error) {
	var err error
	if c.session, err = m.remote.open(ctx); err != nil {
		return false, err
	}
	a, err := list(ctx, c)
	if err != nil {
		return false, err
	}
	n := m.newest()
	if m.sound(n) && m.at(n).agrees(a) {
		return false, nil
	}
	return true, m.advance(ctx, c, a, n)
}

// advance makes the generation after the n-th.
func (m *Mirror) advance(ctx context.Context, c *conversation, a advertised, n int) error {
	dir, err := m.unfinished()
	if err != nil {
		return fmt.Errorf("write the mirror: %w (choose another folder with --cache-dir)", err)
	}
	defer os.RemoveAll(dir) // gone if it was renamed
	next, err := makeGeneration(dir)
	if err != nil {
		return fmt.Errorf("write the mirror: %w", err)
	}
	var known []Ref
	if m.sound(n) {
		if known, err = next.follow(m.at(n)); err != nil {
			return fmt.Errorf("write the mirror: %w", err)
		}
	}
	if err := next.fill(ctx, c, a, known); err != nil {
		return err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	number := m.highest() + 1
	if err := os.Rename(dir, string(m.at(number))); err != nil {
		return fmt.Errorf("write the mirror: %w", err)
	}
	m.current = number
	return nil
}

// unfinished makes a folder for a generation that is being made.
func (m *Mirror) unfinished() (string, error) {
	if err := os.MkdirAll(m.dir, 0o700); err != nil {
		return "", err
	}
	return os.MkdirTemp(m.dir, unfinished)
}

// highest is the highest number in use, that of a generation that was dropped
// but could not be removed included.
func (m *Mirror) highest() int {
	return slices.Max(append(m.generations(), m.current))
}

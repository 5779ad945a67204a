// Package watch notices that a repository may have changed; it is the only
// package that imports fsnotify.
//
// A file system event only means that something may have changed, and
// some file systems send none. So there is also a poll; both write to one
// channel, and the receiver reads the repository and decides
// whether anything is new. Events come in bursts, as a push writes several files,
// so they are debounced.
package watch

import (
	"context"
	"errors"
	"io/fs"
	"log/slog"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/fsnotify/fsnotify"

	"rulestore/content/crash"
)

// Config is the configuration of a [Watcher]. Only folders are watched: git replaces files by
// renaming, which would end a watch on a file.
type Config struct {
	Path   string        // the path given by the operator; any part of it may be replaced, see replaceable
	GitDir string        // the folder of HEAD
	Common string        // the folder of packed-refs and refs
	Work   string        // the work tree, if drafts are served
	Tops   []string      // relevant names at its top, files and folders
	Poll   time.Duration // the maximum interval between looks, with a jitter of a tenth
	Log    *slog.Logger
}

const (
	// quiet is how long nothing must happen before a burst counts as over.
	quiet = 8 * time.Millisecond
	// patience is how long a burst may last before it is acted upon.
	patience = 100 * time.Millisecond
)

// Watcher watches one repository.
type Watcher struct {
	Config
	looks  chan struct{}
	events *fsnotify.Watcher // nil: poll only
	failed atomic.Bool
	parts  atomic.Pointer[map[string]bool] // of Path, see replaceable
}

// New starts to watch. Load the repository after New has returned, so that no change is missed.
// If the system cannot provide watches, only the poll is used.
func New(c Config) *Watcher {
	w := &Watcher{Config: c, looks: make(chan struct{}, 1)}
	w.parts.Store(&map[string]bool{})
	var err error
	if w.events, err = fsnotify.NewWatcher(); err != nil {
		w.fail(err)
		return w
	}
	w.addAll()
	return w
}

// Looks receives a message when the repository may have changed. It buffers one message.
func (w *Watcher) Looks() <-chan struct{} { return w.looks }

// Mode returns how changes are noticed: "watch+poll" or "poll".
func (w *Watcher) Mode() string {
	if w.events == nil || w.failed.Load() {
		return "poll"
	}
	return "watch+poll"
}

// Close ends a watch that does not run.
func (w *Watcher) Close() error {
	if w.events == nil {
		return nil
	}
	return w.events.Close()
}

// Run watches until the context ends, and then closes the watch.
func (w *Watcher) Run(ctx context.Context) {
	var listening sync.WaitGroup
	defer listening.Wait()
	defer w.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	bursts := make(chan struct{}, 1)
	if w.events != nil {
		listening.Go(func() { w.persist(func() { w.listen(bursts) }) })
	}
	listening.Go(func() { w.persist(func() { gather(ctx, bursts, w.looks) }) })
	for {
		select {
		case <-ctx.Done():
			return
		case <-time.After(jitter(w.Poll)):
			if w.events != nil {
				w.addAll()
			}
			signal(w.looks)
		}
	}
}

// persist does what crashes on one event for the next one all the same.
func (w *Watcher) persist(work func()) {
	for {
		err := crash.Do(work)
		if err == nil {
			return
		}
		crash.Tell(w.Log, err, "doing", "watching the repository")
	}
}

// jitter spreads polls, so that replicas do not ask all at once.
func jitter(d time.Duration) time.Duration {
	return d*9/10 + rand.N(max(d/5, 1))
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// gather passes a burst of signals on as one: when it is over, or when it has
// lasted too long.
func gather(ctx context.Context, in <-chan struct{}, out chan<- struct{}) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-in:
		}
		deadline := time.After(patience)
		for open := true; open; {
			select {
			case <-ctx.Done():
				return
			case <-in:
			case <-time.After(quiet):
				open = false
			case <-deadline:
				open = false
			}
		}
		signal(out)
	}
}

// listen turns events into signals until the watcher is closed.
func (w *Watcher) listen(bursts chan<- struct{}) {
	for {
		select {
		case e, ok := <-w.events.Events:
			if !ok {
				return
			}
			if w.matters(e) {
				signal(bursts)
			}
		case err, ok := <-w.events.Errors:
			if !ok {
				return
			}
			if !errors.Is(err, fsnotify.ErrEventOverflow) {
				w.Log.Warn("watching the repository", "error", err)
			}
			w.addAll() // something was missed, perhaps a new folder
			signal(bursts)
		}
	}
}

// matters reports whether an event can concern content. New folders are watched from then on;
// files that were put into one before are found by the next check.
func (w *Watcher) matters(e fsnotify.Event) bool {
	dir, name := filepath.Split(e.Name)
	parts := *w.parts.Load()
	switch dir = filepath.Clean(dir); {
	case strings.HasSuffix(name, ".lock") || e.Op == fsnotify.Chmod:
		return false
	case parts[e.Name]:
		w.addAll()
		return true
	case (dir == w.GitDir || dir == w.Common) && name != "HEAD" && name != "packed-refs" && name != "refs":
		return false
	case dir == w.Work && !slices.Contains(w.Tops, name):
		return false
	case dir != w.GitDir && dir != w.Common && dir != w.Work && isParent(parts, dir):
		return false // a neighbour of a part of the path
	}
	if e.Has(fsnotify.Create) {
		w.add(e.Name)
	}
	return true
}

// addAll watches every folder that matters. To watch one again does no harm,
// and finds folders that were replaced.
func (w *Watcher) addAll() {
	ok := w.addOne(w.GitDir)
	ok = w.addOne(w.Common) && ok
	ok = w.add(filepath.Join(w.Common, "refs")) && ok
	parts := replaceable(w.Path)
	w.parts.Store(&parts)
	for part := range parts {
		ok = w.addOne(filepath.Dir(part)) && ok
	}
	if w.Work != "" {
		ok = w.addOne(w.Work) && ok
		for _, f := range w.Tops {
			ok = w.add(filepath.Join(w.Work, f)) && ok
		}
	}
	if ok {
		w.failed.Store(false)
	}
}

// maxLinks is the number of symbolic links that a path may lead through, as in Linux.
const maxLinks = 40

// replaceable lists the parts of a path that somebody may replace, so that it leads elsewhere: each
// folder and symbolic link that it leads through but those directly below the root, by its path without
// links.
func replaceable(path string) map[string]bool {
	path, err := filepath.Abs(path)
	if err != nil {
		return nil
	}
	parts, links := map[string]bool{}, 0
	root := filepath.VolumeName(path) + string(filepath.Separator)
	at, rest := root, strings.Split(path[len(root):], string(filepath.Separator))
	for len(rest) > 0 {
		name := rest[0]
		rest = rest[1:]
		switch name {
		case "", ".":
			continue
		case "..":
			at = filepath.Dir(at)
			continue
		}
		next := filepath.Join(at, name)
		if at != root {
			parts[next] = true
		}
		target, err := os.Readlink(next)
		if err != nil || links == maxLinks { // no link, or not there yet
			at = next
			continue
		}
		links++
		if filepath.IsAbs(target) {
			at, target = root, target[len(root):]
		}
		rest = append(strings.Split(target, string(filepath.Separator)), rest...)
	}
	return parts
}

func isParent(parts map[string]bool, dir string) bool {
	for part := range parts {
		if filepath.Dir(part) == dir {
			return true
		}
	}
	return false
}

// add watches a folder and all folders in it, and reports whether all watches were granted.
func (w *Watcher) add(root string) bool {
	ok := true
	_ = filepath.WalkDir(root, func(path string, e fs.DirEntry, err error) error {
		if err == nil && e.IsDir() { // else gone meanwhile, or no folder
			ok = w.addOne(path) && ok
		}
		return nil
	})
	return ok
}

func (w *Watcher) addOne(dir string) bool {
	err := w.events.Add(dir)
	if err == nil || errors.Is(err, fs.ErrNotExist) || errors.Is(err, fsnotify.ErrClosed) {
		return true
	}
	w.fail(err)
	return false
}

// fail notes that watches cannot be had.
func (w *Watcher) fail(err error) {
	if !w.failed.Swap(true) {
		w.Log.Warn("the repository cannot be watched, it is polled only", "error", err, "poll", w.Poll)
	}
}

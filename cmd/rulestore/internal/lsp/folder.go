package lsp

import (
	"context"
	"maps"
	"os"
	"path/filepath"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/watch"
)

// folder is a repository, or a folder without git, that is open in the editor.
type folder struct {
	*server
	root   string // the folder of the content, links resolved
	git    bool   // the root is a work tree
	reader *loader.TreeReader
	loader *loader.Loader // used by pass only
	state  string         // of the last load
	watch  watch.Config
	stop   context.CancelFunc

	typed   chan struct{}        // a buffer changed
	changed chan struct{}        // something changed
	known   [needs]chan struct{} // by need: closed when its data is available

	mu        sync.Mutex
	buffers   map[string]*document
	entries   map[string]*entry
	published *content.Snapshot
	tree      *loader.Tree // of the last pass
	// by path of open files: findings of the last pass that reviewOne does not find
	passOnly map[string][]content.Finding

	sendMu sync.Mutex // guards sent; held while sending, which can block
	sent   map[string]sent
}

// sent is the last message about a document.
type sent struct {
	of       *document
	findings []content.Finding
}

const (
	// debounce is the delay after a keystroke before the file is checked.
	debounce = 40 * time.Millisecond
	// quiet is the time without changes before the whole folder is reviewed, and patience
	// the longest time to wait for it.
	quiet    = 250 * time.Millisecond
	patience = 2 * time.Second
	// poll is the interval of checks for changes without a notification.
	poll = time.Minute
)

// newFolder opens a folder of the client: the repository that contains it, or its sub-folder
// with the content.
func newFolder(s *server, dir string) *folder {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	f := &folder{
		server: s, root: dir, buffers: map[string]*document{}, entries: map[string]*entry{}, sent: map[string]sent{},
		typed: make(chan struct{}, 1), changed: make(chan struct{}, 1),
	}
	for i := range f.known {
		f.known[i] = make(chan struct{})
	}
	at, err := git.Locate(dir)
	if err == nil && at.WorkTree != "" {
		f.root, f.git = at.Content(), true
	}
	c := loader.Config{
		Source: git.OnDisk(f.root), Schemas: s.schemas, Now: s.now, Crashed: s.crashed,
		Filters: true, Environ: s.Environ,
	}
	f.reader = loader.NewTreeReader(c, f.root)
	if f.git {
		f.loader = loader.New(c)
		f.watch = watch.Config{
			Path: f.root, GitDir: at.GitDir, Common: at.CommonDir, Work: f.root, Tops: loader.Tops(), Poll: poll,
			Log: s.log,
		}
	}
	return f
}

// file returns the absolute path of a file.
func (f *folder) file(path string) string { return filepath.Join(f.root, filepath.FromSlash(path)) }

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// start watches the folder until it is stopped or the session ends.
func (f *folder) start() {
	ctx, stop := context.WithCancel(f.ctx)
	f.stop = stop
	f.work.Go(func() { f.run(ctx) })
}

func (f *folder) run(ctx context.Context) {
	var wg sync.WaitGroup
	defer wg.Wait()
	var looks <-chan struct{}
	if f.git {
		w := watch.New(f.watch)
		wg.Go(func() { w.Run(ctx) })
		looks = w.Looks()
	}
	wg.Go(func() { f.check(ctx) })
	f.guard("review", func() { f.pass(ctx) })
	for _, known := range f.known {
		closeOnce(known) // after a crash too, so that no request waits for ever
	}
	for f.await(ctx, looks) {
		f.guard("review", func() { f.pass(ctx) })
	}
}

// await waits for a change, and then until there are no more. It reports whether to go on: not
// after the end of the context.
func (f *folder) await(ctx context.Context, looks <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-looks:
	case <-f.changed:
	}
	for deadline := time.After(patience); ; {
		select {
		case <-ctx.Done():
			return false
		case <-f.changed:
		case <-time.After(quiet):
			return true
		case <-deadline:
			return true
		}
	}
}

// check checks open files after changes, until the context ends.
func (f *folder) check(ctx context.Context) {
	for {
		select {
		case <-ctx.Done():
			return
		case <-f.typed:
		}
		select {
		case <-ctx.Done():
			return
		case <-time.After(debounce):
		}
		f.guard("check", f.recheck)
		signal(f.changed)
	}
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// put stores the editor's text of a file.
func (f *folder) put(d *document) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.buffers[d.path] = d
	signal(f.typed)
}

// drop discards the editor's text of a file: the saved one counts again.
func (f *folder) drop(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.buffers, path)
	signal(f.changed)
}

// checked returns the checked files.
func (f *folder) checked() map[string]*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.entries)
}

// buffer returns the editor's text of a file, nil if it is not open.
func (f *folder) buffer(path string) *document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.buffers[path]
}

// open lists the open files.
func (f *folder) open() map[string]*document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.buffers)
}

// view returns a snapshot of the folder with the editor's texts.
func (f *folder) view() *view {
	f.mu.Lock()
	v := &view{f, maps.Clone(f.entries), f.published}
	f.mu.Unlock()
	for path, d := range f.open() {
		if e := v.entries[path]; e == nil || e.buffer != d {
			v.entries[path] = f.entry(path, d.text, d, e)
			f.keep(v.entries[path])
		}
	}
	return v
}

// keep stores a checked file, if the editor's text is still the same.
func (f *folder) keep(e *entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.buffers[e.path] == e.buffer {
		f.entries[e.path] = e
	}
}

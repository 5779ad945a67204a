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
	"rulestore/loader/gitrepo"
	"rulestore/loader/watch"
)

// folder is a repository, or a folder without git, whose files are edited.
type folder struct {
	*server
	root   string // where the content is, links followed
	git    bool   // the root is a work tree
	reader *loader.TreeReader
	loader *loader.Loader // of the pass alone
	state  string         // what the loader loaded last
	watch  watch.Config
	stop   context.CancelFunc

	typed chan struct{}        // a buffer changed
	looks chan struct{}        // something changed
	known [needs]chan struct{} // closed once it is known, by need

	mu        sync.Mutex
	buffers   map[string]*document
	entries   map[string]*entry
	published *content.Snapshot
	tree      *loader.Tree                 // of the last pass
	more      map[string][]content.Finding // that only the last pass could find, of what is open

	telling sync.Mutex // held while the client is told, which may take its time
	sent    map[string]sent
}

// sent is what the client was last told of a document.
type sent struct {
	of       *document
	findings []content.Finding
}

const (
	// debounce is the delay after a keystroke before the file is checked.
	debounce = 40 * time.Millisecond
	// quiet is how long nothing must happen before the folder is reviewed as a whole,
	// and patience how long that may be put off.
	quiet    = 250 * time.Millisecond
	patience = 2 * time.Second
	// poll is how often to look for changes of which nobody tells.
	poll = time.Minute
)

// newFolder returns what a client calls a folder: the repository that it belongs to,
// or the folder inside of it that holds the content.
func newFolder(s *server, dir string) *folder {
	if real, err := filepath.EvalSymlinks(dir); err == nil {
		dir = real
	}
	f := &folder{
		server: s, root: dir, buffers: map[string]*document{}, entries: map[string]*entry{}, sent: map[string]sent{},
		typed: make(chan struct{}, 1), looks: make(chan struct{}, 1),
	}
	for i := range f.known {
		f.known[i] = make(chan struct{})
	}
	at, err := gitrepo.Locate(dir)
	if err == nil && at.WorkTree != "" {
		f.root, f.git = at.Content(), true
	}
	c := loader.Config{Below: s.Below, Source: gitrepo.OnDisk(f.root), Schemas: s.schemas, Now: s.now, Crashed: s.crashed}
	f.reader = loader.NewTreeReader(c, f.root)
	if f.git {
		f.loader = loader.New(c)
		f.watch = watch.Config{Path: f.root, GitDir: at.GitDir, Common: at.CommonDir, Work: f.root, Tops: loader.Tops(), Poll: poll, Log: s.log}
	}
	return f
}

// file returns the path of a file on this machine.
func (f *folder) file(path string) string { return filepath.Join(f.root, filepath.FromSlash(path)) }

func isThere(file string) bool {
	_, err := os.Lstat(file)
	return err == nil
}

// start follows the folder until it is stopped, or the session ends.
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
		done(known) // if it crashed, nobody is to wait for ever
	}
	for f.await(ctx, looks) {
		f.guard("review", func() { f.pass(ctx) })
	}
}

// await waits for something to happen, and then until nothing more does.
func (f *folder) await(ctx context.Context, looks <-chan struct{}) bool {
	select {
	case <-ctx.Done():
		return false
	case <-looks:
	case <-f.looks:
	}
	for deadline := time.After(patience); ; {
		select {
		case <-ctx.Done():
			return false
		case <-f.looks:
		case <-time.After(quiet):
			return true
		case <-deadline:
			return true
		}
	}
}

// check checks what is typed, until the context ends.
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
		signal(f.looks)
	}
}

func signal(c chan<- struct{}) {
	select {
	case c <- struct{}{}:
	default:
	}
}

// put takes what the editor has of a file.
func (f *folder) put(d *document) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.buffers[d.path] = d
	signal(f.typed)
}

// drop forgets what the editor had of a file: what is saved counts again.
func (f *folder) drop(path string) {
	f.mu.Lock()
	defer f.mu.Unlock()
	delete(f.buffers, path)
	signal(f.looks)
}

// checked returns the files as they were last checked.
func (f *folder) checked() map[string]*entry {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.entries)
}

// buffer returns what the editor has of a file, nil if it is not open.
func (f *folder) buffer(path string) *document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.buffers[path]
}

// open lists what the editor has.
func (f *folder) open() map[string]*document {
	f.mu.Lock()
	defer f.mu.Unlock()
	return maps.Clone(f.buffers)
}

// view returns the folder as it is now, with what is typed.
func (f *folder) view() *view {
	f.mu.Lock()
	v := &view{f, maps.Clone(f.entries), f.published}
	f.mu.Unlock()
	for path, d := range f.open() {
		if e := v.entries[path]; e == nil || e.of != d {
			v.entries[path] = f.entry(path, d.text, d, e)
			f.keep(v.entries[path])
		}
	}
	return v
}

// keep remembers what was checked, if it is still what the editor has.
func (f *folder) keep(e *entry) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.buffers[e.path] == e.of {
		f.entries[e.path] = e
	}
}

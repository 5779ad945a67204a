package lsp

import (
	"cmp"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/watch"
	"rulestore/loader/worktree"
)

// document is a file as the editor has it. It does not change: an edit makes another.
type document struct {
	folder  *folder
	path    string // in the folder
	uri     string
	version int32
	raw     []byte
	text
}

// folder is a folder with content of which a file is open.
type folder struct {
	*server
	root   string
	reader *loader.TreeReader
	loader *loader.Loader  // nil without git
	looks  <-chan struct{} // of the watcher
	typed  chan struct{}   // a text has changed

	mu    sync.Mutex
	open  map[string]*document // by path
	moved bool                 // files or tags may have changed
	edits int                  // how often any of these changed

	reviewing sync.Mutex // guards the reader and the loader
	last      atomic.Pointer[state]
}

const (
	// quiet is the time without changes before the folder is reviewed.
	quiet = 200 * time.Millisecond
	// poll is the interval of checks for changes without a notification.
	poll = time.Minute
)

// opened takes the text of a document that the client opened. One outside of any content is left alone.
func (s *server) opened(p params) {
	file := filePath(p.TextDocument.URI)
	root := rootOf(file)
	if root == "" {
		return
	}
	f := s.folders[root]
	if f == nil {
		f = s.newFolder(root)
		s.folders[root] = f
	}
	path := filepath.ToSlash(strings.TrimPrefix(file[len(root):], string(filepath.Separator)))
	s.put(&document{folder: f, path: path, uri: p.TextDocument.URI}, p.TextDocument.Version, p.TextDocument.Text)
}

// rootOf returns the innermost folder with settings, or the work tree, that a file is in; "" if there is none.
func rootOf(file string) string {
	for dir := filepath.Dir(file); dir != filepath.Dir(dir); dir = filepath.Dir(dir) {
		for _, name := range []string{content.SettingsFile, ".git"} {
			if _, err := os.Lstat(filepath.Join(dir, name)); err == nil {
				return dir
			}
		}
	}
	return ""
}

// edited takes the new text of an open document.
func (s *server) edited(p params) {
	if d := s.documents[p.TextDocument.URI]; d != nil && len(p.ContentChanges) > 0 {
		s.put(d, p.TextDocument.Version, p.ContentChanges[len(p.ContentChanges)-1].Text)
	}
}

func (s *server) put(of *document, version int32, typed string) {
	d := &document{of.folder, of.path, of.uri, version, []byte(typed), newText([]byte(typed))}
	s.documents[d.uri] = d
	d.folder.touch(func() { d.folder.open[d.path] = d })
}

// closed forgets the text of a document that the client closed: the saved one counts again.
func (s *server) closed(p params) {
	if d := s.documents[p.TextDocument.URI]; d != nil {
		delete(s.documents, d.uri)
		d.folder.touch(func() { delete(d.folder.open, d.path) })
	}
}

// newFolder starts to watch a folder, until the session ends.
func (s *server) newFolder(root string) *folder {
	c := loader.Config{
		Source: git.OnDisk(root), Schemas: s.Schemas, Now: s.Now, Filters: true, Environ: s.Environ,
		Crashed: func(err error) { crash.Tell(s.Log, err) },
	}
	f := &folder{
		server: s, root: root, reader: loader.NewTreeReader(c, root), typed: make(chan struct{}, 1),
		open: map[string]*document{}, moved: true,
	}
	if at, err := git.Locate(root); err == nil && at.WorkTree != "" {
		f.loader = loader.New(c)
		w := watch.New(watch.Config{
			Path: root, GitDir: at.GitDir, Common: at.CommonDir, Work: root, Tops: worktree.Tops(), Poll: poll,
			Log: s.Log,
		})
		f.looks = w.Looks()
		s.work.Go(func() { w.Run(s.ctx) })
	}
	s.work.Go(f.run)
	return f
}

// touch changes what the folder is reviewed with.
func (f *folder) touch(change func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	change()
	f.edits++
	select {
	case f.typed <- struct{}{}:
	default:
	}
}

// run reviews the folder after changes and tells the client, until the session ends.
func (f *folder) run() {
	var before *state
	for f.wait() {
		crash.Tell(f.Log, crash.Do(func() {
			now := f.current()
			f.diagnose(before, now)
			if f.refreshes && before != nil && before.published != now.published {
				f.work.Go(func() { _, _ = f.client.Call(f.ctx, "workspace/codeLens/refresh", nil, nil) })
			}
			before = now
		}), "at", "review")
	}
}

// wait returns after a change and a while without others; false after the end of the session.
func (f *folder) wait() bool {
	var over <-chan time.Time
	for {
		select {
		case <-f.ctx.Done():
			return false
		case <-over:
			return true
		case <-f.looks:
			f.touch(func() { f.moved = true })
		case <-f.typed:
			over = time.After(cmp.Or(f.Quiet, quiet))
		}
	}
}

// latest is the state of the last review, which may be a few keystrokes old.
func (f *folder) latest() *state {
	if s := f.last.Load(); s != nil {
		return s
	}
	return f.current()
}

// current is the state of the folder with all that was typed.
func (f *folder) current() *state {
	f.reviewing.Lock()
	defer f.reviewing.Unlock()
	before := f.last.Load()
	f.mu.Lock()
	open, moved, edits := maps.Clone(f.open), f.moved, f.edits
	f.moved = false
	f.mu.Unlock()
	if before != nil && before.edits == edits {
		return before
	}
	next := f.review(before, open, moved)
	next.edits = edits
	f.last.Store(next)
	return next
}

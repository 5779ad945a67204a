package loader

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/gitrepo"
)

// items remembers what files hold, by what they are named and contain, so that
// a reload reads and checks only what is new.
type items struct {
	mu sync.Mutex
	of map[string]*memo[gitrepo.OID, *item] // by item, folder and name, and by content
}

// item is what such a file holds, which is found out when somebody asks.
type item struct {
	size    int          // of the file, in bytes
	open    func() *read // once
	unasked atomic.Bool  // nobody has asked what it holds

	cache *Cache      // of checksums; nil: none
	blob  gitrepo.OID // the file, where there is a cache
	mu    sync.Mutex
	sums  map[string]string // checksums by version
}

// read is an item that was read.
type read struct {
	check.Result
	id string // that it states
}

// newItem returns the item of a file with that content.
func newItem(c Config, t content.Tag, blob gitrepo.OID, raw []byte) *item {
	i := &item{size: len(raw), cache: c.Cache, blob: blob}
	i.unasked.Store(true)
	i.open = sync.OnceValue(func() *read {
		defer i.unasked.Store(false)
		return found(t, c.checkItem(t, raw))
	})
	return i
}

// openItem returns an item with what was found in its file.
func openItem(t content.Tag, result check.Result, size int) *item {
	r := found(t, result)
	return &item{size: size, open: func() *read { return r }}
}

func found(t content.Tag, result check.Result) *read {
	return &read{result, result.Body.Text(t.Kind.ID)}
}

// text returns what the author wrote.
func (i *item) text() content.Text {
	r := i.open()
	return content.Written{Object: r.Body, Refers: r.References}
}

// checksum returns the checksum that the content has under a version.
func (i *item) checksum(t content.Tag) (sum string, err error) {
	defer crash.Rescue(&err)
	r := i.open()
	i.mu.Lock()
	defer i.mu.Unlock()
	v := content.VersionText(t.Version)
	if sum, ok := i.sums[v]; ok {
		return sum, nil
	}
	if sum, err = i.cache.checksum(t, i.blob, r.Body); err != nil {
		return "", err
	}
	if i.sums == nil {
		i.sums = map[string]string{}
	}
	i.sums[v] = sum
	return sum, nil
}

// turn ends a load for the items that it looked at.
func (i *items) turn(looked func(item string) bool) {
	for item, files := range i.of {
		if looked(item) && !files.turn() {
			delete(i.of, item)
		}
	}
}

// item reads and checks the file that a version of an item is in.
func (b *build) item(t content.Tag, f gitrepo.File) (*item, error) {
	name := t.Item()
	if it := b.memos.items.lookup(name, f); it != nil {
		return it, nil
	}
	raw, refusal, err := readItem(b.repo, f, t.Kind.File(t.Name), check.MaxSize)
	if err != nil {
		return nil, err
	}
	if len(refusal) > 0 {
		return openItem(t, check.Result{Findings: refusal}, len(raw)), nil // it depends on the mode, so it is not kept
	}
	return b.memos.items.keep(name, f.OID, newItem(b.Config, t, f.OID, raw)), nil
}

// lookup returns what a file of an item holds, nil if that is not known.
func (i *items) lookup(name string, f gitrepo.File) *item {
	i.mu.Lock()
	files := i.of[name]
	i.mu.Unlock()
	if files == nil || !f.Mode.IsFile() {
		return nil
	}
	it, _ := files.get(f.OID)
	return it
}

// keep remembers what a file holds, unless another goroutine was quicker, and returns
// what is remembered.
func (i *items) keep(name string, blob gitrepo.OID, it *item) *item {
	i.mu.Lock()
	files := i.of[name]
	if files == nil {
		files = &memo[gitrepo.OID, *item]{}
		i.of[name] = files
	}
	i.mu.Unlock()
	return files.keep(blob, it)
}

// pool runs functions on all processors.
type pool struct {
	work chan func()
	wg   sync.WaitGroup
	once sync.Once
}

// newPool returns a pool that hands on crashes.
func newPool(crashed func(error)) *pool {
	p := &pool{work: make(chan func(), 64)}
	for range runtime.GOMAXPROCS(0) {
		p.wg.Go(func() {
			for f := range p.work {
				if err := crash.Do(f); err != nil {
					crashed(err)
				}
			}
		})
	}
	return p
}

// wait returns when everything is done. Nothing can be added after it.
func (p *pool) wait() {
	p.once.Do(func() { close(p.work) })
	p.wg.Wait()
}

// readAhead returns what reads a file as soon as the commit that changed it is
// read, if that is the commit that a tag of the file points to: it is checked
// while the history is read on. It is an optimization alone: what it misses or
// cannot read, prepare reads. The history is read until the context ends.
func (b *build) readAhead(ctx context.Context) func(r *gitrepo.Repo, commit gitrepo.OID, changes []gitrepo.File) error {
	byCommit := map[gitrepo.OID][]*ref{}
	highest := b.highest()
	for _, r := range b.new {
		if r.Kind != nil && r.refused == nil {
			byCommit[r.tag.Commit] = append(byCommit[r.tag.Commit], r)
		}
	}
	return func(repo *gitrepo.Repo, commit gitrepo.OID, changes []gitrepo.File) error {
		if tags := byCommit[commit]; len(tags) > 0 {
			changed := make(map[string]gitrepo.File, len(changes))
			for _, f := range changes {
				if f.Mode != gitrepo.Absent { // as it is where the file stood before
					changed[content.Plain(f.Path)] = f
				}
			}
			for _, r := range tags {
				if f, ok := changed[r.path]; ok {
					_ = b.check(repo, want{r, f, commit, highest.above(r.Tag)})
				}
			}
		}
		return context.Cause(ctx)
	}
}

// want is a file that is about to be needed under a version.
type want struct {
	*ref
	file     gitrepo.File
	commit   gitrepo.OID // that it is in
	deferred bool        // reading the file is enough for now
}

// prepare has the files that are new read and checked, and returns when that is
// done. It reads in the order given: newest first is what git stores close
// together, until the context ends.
func (b *build) prepare(ctx context.Context, wants []want) error {
	defer b.checks.wait()
	for _, w := range wants {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := b.check(b.repo, w); err != nil {
			return err
		}
	}
	return nil
}

// check reads a file, if it is new, and has it checked, unless that can wait.
func (b *build) check(repo *gitrepo.Repo, w want) error {
	it := b.memos.items.lookup(w.item, w.file)
	if it == nil {
		raw, refusal, err := readItem(repo, w.file, w.path, check.MaxSize)
		if err != nil || len(refusal) > 0 {
			return err // a refusal is found again, and reported, when the item is asked for
		}
		it = b.memos.items.keep(w.item, w.file.OID, newItem(b.Config, w.Tag, w.file.OID, raw))
	}
	if w.deferred || !it.unasked.Load() {
		return nil
	}
	b.checks.work <- func() {
		if it.open().Body != nil {
			_, _ = it.checksum(w.Tag) // remembered; an error comes back when it is asked for
		}
	}
	return nil
}

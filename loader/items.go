package loader

import (
	"context"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
)

// itemFiles caches the content of files, by name and content, so that a reload parses and checks
// only new ones.
type itemFiles struct {
	mu     sync.Mutex
	byItem map[string]*memo[git.OID, *itemFile] // by item, folder and name, and by content
}

// itemFile is the content of an item's file, parsed on first use.
type itemFile struct {
	size     int                // of the file, in bytes
	parsed   func() *parsedItem // once
	unparsed atomic.Bool        // it was not parsed yet

	mu   sync.Mutex
	sums map[string]string // checksums by version
}

// parsedItem is a parsed item.
type parsedItem struct {
	check.Result
	id string // its id field
}

// newItemFile returns the unparsed item of a file.
func newItemFile(c Config, t content.Tag, raw []byte) *itemFile {
	i := &itemFile{size: len(raw)}
	i.unparsed.Store(true)
	i.parsed = sync.OnceValue(func() *parsedItem {
		defer i.unparsed.Store(false)
		return newParsedItem(t, c.checkItem(t, raw))
	})
	return i
}

// checkedItemFile returns an item with the result of checking its file.
func checkedItemFile(t content.Tag, result check.Result, size int) *itemFile {
	r := newParsedItem(t, result)
	return &itemFile{size: size, parsed: func() *parsedItem { return r }}
}

func newParsedItem(t content.Tag, result check.Result) *parsedItem {
	return &parsedItem{result, result.Body.Text(t.Kind.ID)}
}

// text returns the author's content.
func (i *itemFile) text() content.Text {
	r := i.parsed()
	return content.Written{Object: r.Body, Refers: r.References}
}

// checksum returns the checksum of the content under a version.
func (i *itemFile) checksum(t content.Tag) (sum string, err error) {
	defer crash.Rescue(&err)
	r := i.parsed()
	i.mu.Lock()
	defer i.mu.Unlock()
	v := content.VersionText(t.Version)
	if sum, ok := i.sums[v]; ok {
		return sum, nil
	}
	if sum, err = content.Checksum(content.Identified(t.Kind, t.Version, r.Body)); err != nil {
		return "", err
	}
	if i.sums == nil {
		i.sums = map[string]string{}
	}
	i.sums[v] = sum
	return sum, nil
}

// rotate ends a load, for the items that it used.
func (i *itemFiles) rotate(used func(item string) bool) {
	for item, files := range i.byItem {
		if used(item) && !files.rotate() {
			delete(i.byItem, item)
		}
	}
}

// itemFile reads the file of a version of an item, unless it was read before, by this load or an earlier one.
func (b *build) itemFile(t content.Tag, f git.File) (*itemFile, error) {
	return b.itemFileIn(b.repo, t, f)
}

// itemFileIn is itemFile with the repository's handle of a goroutine.
func (b *build) itemFileIn(repo *git.Repo, t content.Tag, f git.File) (*itemFile, error) {
	name := t.Item()
	if it := b.cache.files.lookup(name, f); it != nil {
		return it, nil
	}
	raw, refusal, err := readItemRaw(repo, f, t.Kind.File(t.Name), check.MaxSize)
	if err != nil {
		return nil, err
	}
	if len(refusal) > 0 {
		// it depends on the mode, so it is not kept
		return checkedItemFile(t, check.Result{Findings: refusal}, len(raw)), nil
	}
	return b.cache.files.keep(name, f.OID, newItemFile(b.Config, t, raw)), nil
}

// lookup returns the cached content of an item's file, nil if there is none.
func (i *itemFiles) lookup(name string, f git.File) *itemFile {
	i.mu.Lock()
	files := i.byItem[name]
	i.mu.Unlock()
	if files == nil || !f.Mode.IsFile() {
		return nil
	}
	it, _ := files.get(f.OID)
	return it
}

// keep caches the content of a file, unless another goroutine was faster, and returns the
// cached one.
func (i *itemFiles) keep(name string, blob git.OID, it *itemFile) *itemFile {
	i.mu.Lock()
	files := i.byItem[name]
	if files == nil {
		files = &memo[git.OID, *itemFile]{}
		i.byItem[name] = files
	}
	i.mu.Unlock()
	return files.keep(blob, it)
}

// newPool returns a group of functions that run on all processors.
func newPool() *errgroup.Group {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	return &g
}

// readAhead returns a function that reads a file as soon as the commit that changed it is read,
// if the file's tag points to that commit: the file is checked while the rest of the history is
// read. This is only an optimization: files that it misses or cannot read are read by prepare.
// It works until the context ends.
func (b *build) readAhead(
	ctx context.Context, added []*ref,
) func(r *git.Repo, commits []git.CommitFiles) error {
	byCommit := map[git.OID][]*ref{}
	highest := b.highest()
	for _, r := range added {
		if r.Kind != nil && r.refused == nil {
			byCommit[r.tag.Commit] = append(byCommit[r.tag.Commit], r)
		}
	}
	return func(repo *git.Repo, commits []git.CommitFiles) error {
		var wants []fileToRead
		for _, c := range commits {
			tags := byCommit[c.Commit]
			if len(tags) == 0 {
				continue
			}
			changed := make(map[string]git.File, len(c.Files))
			for _, f := range c.Files {
				if f.Mode != git.Absent { // as it is where the file stood before
					changed[content.PlainPath(f.Path)] = f
				}
			}
			for _, r := range tags {
				if f, ok := changed[r.path]; ok {
					wants = append(wants, fileToRead{ref: r, file: f, deferred: highest.supersedes(r.Tag)})
				}
			}
		}
		plan(repo, wants)
		for _, w := range wants {
			_ = b.readAndCheck(repo, w)
		}
		return context.Cause(ctx)
	}
}

// plan has files read together.
func plan(repo *git.Repo, wants []fileToRead) {
	ids := make([]git.OID, 0, len(wants))
	for _, w := range wants {
		ids = append(ids, w.file.OID)
	}
	repo.Ahead(ids)
}

// fileToRead is a file that will be needed under a version.
type fileToRead struct {
	*ref
	file     git.File
	changed  time.Time // the date of its commit
	deferred bool      // reading the file without parsing it is enough
}

// prepare reads and checks new files, and returns when all are done or the context ends. It
// reads in the given order: newest first is the order in which git stores related objects.
func (b *build) prepare(ctx context.Context, wants []fileToRead) error {
	plan(b.repo, wants)
	for _, w := range wants {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		if err := b.readAndCheck(b.repo, w); err != nil {
			return err
		}
	}
	return b.checks.Wait()
}

// readAndCheck reads a file, if it is new, and checks it, unless that is deferred.
func (b *build) readAndCheck(repo *git.Repo, w fileToRead) error {
	it, err := b.itemFileIn(repo, w.Tag, w.file)
	if err != nil || w.deferred || !it.unparsed.Load() {
		return err
	}
	b.checks.Go(func() error {
		b.reportCrash(crash.Do(func() {
			if it.parsed().Body != nil {
				_, _ = it.checksum(w.Tag) // remembered; an error comes back when it is asked for
			}
		}))
		return nil
	})
	return nil
}

package loader

import (
	"context"
	"runtime"
	"slices"
	"sync"
	"sync/atomic"

	"golang.org/x/sync/errgroup"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/crash"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// itemFile is the content of an item's file, parsed on first use.
type itemFile struct {
	size     int                   // of the file, in bytes
	parsed   func() *check.Checked // once
	unparsed atomic.Bool           // it was not parsed yet

	mu      sync.Mutex
	version string // whose checksum is known; usually there is one
	sum     string
}

// newItemFile returns the unparsed item of a file of some bytes.
func newItemFile(size int, parse func() check.Checked) *itemFile {
	i := &itemFile{size: size}
	i.unparsed.Store(true)
	i.parsed = sync.OnceValue(func() *check.Checked {
		defer i.unparsed.Store(false)
		return new(parse())
	})
	return i
}

// id returns the id of an item of a kind.
func (i *itemFile) id(k *content.Kind) string { return i.parsed().Body.Text(k.ID) }

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
	if v := content.VersionText(t.Version); i.sum == "" || i.version != v {
		i.version = v
		i.sum, err = content.Checksum(content.Identified(t.Kind, t.Version, r.Body))
	}
	return i.sum, err
}

// itemFile reads the file of a version of an item, unless it was read before, by this load or an earlier one.
func (ls *listed) itemFile(t content.Tag, f git.File) (*itemFile, error) {
	files := ls.cache.filesOf(t.Item())
	if it, known := files.get(f.OID); known && f.Mode.IsFile() {
		return it, nil
	}
	raw, refusal, err := worktree.ReadItem(ls.repo, f, t.Kind.File(t.Name), check.MaxSize)
	if err != nil {
		return nil, err
	}
	if len(refusal) > 0 {
		it := newItemFile(len(raw), func() check.Checked { return check.Checked{Findings: refusal} })
		it.parsed() // it depends on the mode, so it is not kept
		return it, nil
	}
	return files.keep(f.OID, ls.unparsed(t, raw)), nil
}

// unparsed returns the item of a file with some content.
func (c Config) unparsed(t content.Tag, raw []byte) *itemFile {
	return newItemFile(len(raw), func() check.Checked { return c.checkItem(t, raw) })
}

// newPool returns a group of functions that run on all processors.
func newPool() *errgroup.Group {
	var g errgroup.Group
	g.SetLimit(runtime.GOMAXPROCS(0))
	return &g
}

// prepare reads and checks the files of claims that are new, on all processors, and returns when all are done
// or the context ends. It reads those of the newest commits first: the order in which git stores related objects.
func (ls *listed) prepare(ctx context.Context, claims []*claim) error {
	var wants []*claim
	for _, c := range claims {
		if !c.hasFile() {
			continue
		}
		if it, known := ls.cache.filesOf(c.item()).get(c.at.OID); !known || !c.deferred && it.unparsed.Load() {
			wants = append(wants, c)
		}
	}
	slices.SortStableFunc(wants, func(x, y *claim) int {
		return y.at.Changed.Committed.Compare(x.at.Changed.Committed)
	})
	ids := make([]git.OID, len(wants))
	for i, c := range wants {
		ids[i] = c.at.OID
	}
	ls.repo.Ahead(ids)
	checks := newPool()
	defer func() { _ = checks.Wait() }() // after an error or a panic some may still run; none has an error of its own
	for _, c := range wants {
		if err := context.Cause(ctx); err != nil {
			return err
		}
		it, err := ls.itemFile(c.Tag, c.at.File)
		if err != nil {
			return err
		}
		if !c.deferred && it.unparsed.Load() {
			checks.Go(func() error { return ls.check(it, c.Tag) })
		}
	}
	return nil
}

// check checks a file. It reports a panic, and has no error.
func (ls *listed) check(it *itemFile, t content.Tag) error {
	if crashed := crash.Do(func() {
		if it.parsed().Body != nil && !ls.Proven {
			_, _ = it.checksum(t) // remembered; an error comes back when it is asked for
		}
	}); crashed != nil {
		ls.reportCrash(crashed)
	}
	return nil
}

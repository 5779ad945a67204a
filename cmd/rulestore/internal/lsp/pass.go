package lsp

import (
	"bytes"
	"context"
	"errors"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
)

// pass reads the folder and reviews what is open in view of all of it and of what is
// published, as validate does.
func (f *folder) pass(ctx context.Context) {
	buffers := f.open()
	raw := make(map[string][]byte, len(buffers))
	for path, d := range buffers {
		raw[path] = d.raw
	}
	tree, err := f.reader.Read(raw)
	if err != nil {
		f.log.Error("read the folder", "folder", f.root, "error", err)
	}
	f.list(tree, buffers)
	published := f.load(ctx)
	if published != nil && err == nil {
		f.loader.Judge(tree, published)
	}
	tree.Today = f.now().UTC().Format(content.Date)
	tree.ReviewFiles(f.schemas, func(path string) bool { return buffers[path] != nil })
	f.finish(tree, buffers)
	done(f.known[remarks])
}

// list takes over the files that were read.
func (f *folder) list(tree *loader.Tree, buffers map[string]*document) {
	known := f.checked()
	next := make(map[string]*entry, len(tree.Raw))
	for path, raw := range tree.Raw {
		before, of := known[path], buffers[path]
		switch {
		case before != nil && before.of == of && bytes.Equal(before.raw, raw):
			next[path] = before
		case of != nil:
			next[path] = f.entry(path, of.text, of, before)
		default:
			next[path] = f.entry(path, newText(raw), nil, before)
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.entries = next
	done(f.known[files])
}

// done closes a channel, once.
func done(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// load returns what is published, nil if it cannot be seen: there is no git, or only a
// part of the history. If it cannot be read now, it is what it was.
func (f *folder) load(ctx context.Context) *content.Snapshot {
	defer done(f.known[versions])
	if !f.git {
		return nil
	}
	published, err := f.look(ctx)
	f.mu.Lock()
	defer f.mu.Unlock()
	switch {
	case ctx.Err() != nil:
	case err != nil:
		f.log.Warn("what is published cannot be seen", "folder", f.root, "error", err)
	case published != nil:
		f.published = published
	}
	return f.published
}

// look loads what is published, nil if that has not changed. The texts of superseded
// publications are left for later: nobody may ever ask for them.
func (f *folder) look(ctx context.Context) (*content.Snapshot, error) {
	if exists, err := f.history(); err != nil || !exists {
		return content.NewSnapshot(content.Input{}), err
	}
	load := f.loader.Begin
	if f.state != "" {
		load = func(ctx context.Context) (loader.Result, error) { return f.loader.Look(ctx, f.state) }
	}
	result, err := load(ctx)
	switch {
	case errors.Is(err, loader.ErrNothingPublished):
		return content.NewSnapshot(content.Input{}), nil
	case err == nil && result.Snapshot != nil:
		f.state = result.State
	}
	return result.Snapshot, err
}

// errShallow says why nothing can be known of what is published.
var errShallow = i18n.Errorf("the clone is shallow: `git fetch --unshallow --tags` fetches the rest")

// history reports whether there are commits; the error says why they do not tell.
func (f *folder) history() (bool, error) {
	repo, err := gitrepo.CutOnDisk(f.root).Open()
	if err != nil {
		return false, err
	}
	defer repo.Close()
	if repo.Cut() {
		return false, errShallow
	}
	if _, err := repo.Head(); errors.Is(err, gitrepo.ErrEmpty) {
		return false, nil
	}
	return true, nil
}

// finish takes over what the review found, and tells the client.
func (f *folder) finish(tree *loader.Tree, buffers map[string]*document) {
	whole, more := map[string][]content.Finding{}, map[string][]content.Finding{}
	for _, found := range tree.Findings {
		if buffers[found.Path] != nil {
			whole[found.Path] = append(whole[found.Path], found)
		}
	}
	for path, found := range whole {
		d := buffers[path]
		more[path] = without(found, f.quick(tree, f.entry(path, d.text, d, nil)))
	}
	f.mu.Lock()
	f.tree, f.more = tree, more
	f.mu.Unlock()
	for path, d := range buffers {
		f.tell(d, whole[path])
	}
	f.refresh()
}

// without lists the findings that are not among others.
func without(found, others []content.Finding) []content.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(x content.Finding) bool { return slices.Contains(others, x) })
}

// quick finds what can be found in a file with all others in view, but not looked into;
// tree is what was there at the last pass, nil before the first.
func (f *folder) quick(tree *loader.Tree, e *entry) []content.Finding {
	if tree == nil || !e.isItem() || !e.file.OK() {
		return e.findings
	}
	found := check.ReviewItem(f.schemas, tree.With(e.file), e.file.Item())
	r := content.Report{Findings: slices.Concat(e.findings, found)}
	r.Sort()
	return slices.Compact(r.Findings)
}

// last returns what the last pass left.
func (f *folder) last() (*loader.Tree, map[string][]content.Finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tree, f.more
}

// recheck checks what is typed and tells the client, without a look into the other
// files. A seal is left to the pass: it is judged by the history.
func (f *folder) recheck() {
	v := f.view()
	tree, more := f.last()
	for path, d := range f.open() {
		if e := v.entries[path]; e != nil && e.of == d && !f.told(d) && !content.HoldsSeals(path) {
			f.tell(d, slices.Concat(f.quick(tree, e), more[path]))
		}
	}
}

// current returns what is found in a document as it is.
func (q *query) current() []content.Finding {
	q.telling.Lock()
	last := q.sent[q.entry.path]
	q.telling.Unlock()
	if last.of != nil && last.of == q.entry.of {
		return last.findings
	}
	tree, more := q.last()
	return slices.Concat(q.quick(tree, q.entry), more[q.entry.path])
}

// told reports whether the client was told what is found in a document.
func (f *folder) told(d *document) bool {
	f.telling.Lock()
	defer f.telling.Unlock()
	return f.sent[d.path].of == d
}

// tell tells the client what is found in a document, if it is still what the editor has
// and anything is new.
func (f *folder) tell(d *document, found []content.Finding) {
	f.telling.Lock()
	defer f.telling.Unlock()
	last := f.sent[d.path]
	if f.buffer(d.path) != d || last.of == d && slices.Equal(last.findings, found) {
		return
	}
	f.sent[d.path] = sent{d, found}
	f.diagnose(d, found)
}

// clear takes back what the client was told of a document that it has closed.
func (f *folder) clear(d *document) {
	f.telling.Lock()
	defer f.telling.Unlock()
	if f.buffer(d.path) == nil {
		delete(f.sent, d.path)
		f.diagnose(d, nil)
	}
}

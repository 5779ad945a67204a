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
	"rulestore/loader/git"
)

// pass reads the folder and reviews the open files in the context of all files and of the
// publications, like validate.
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
	f.takeFiles(tree, buffers)
	published := f.load(ctx)
	if published != nil && err == nil {
		f.loader.CheckTree(tree, published)
	}
	tree.Today = f.now().UTC().Format(content.Date)
	tree.ReviewFiles(f.schemas, func(path string) bool { return buffers[path] != nil })
	f.takeFindings(tree, buffers)
	closeOnce(f.known[remarks])
}

// takeFiles stores the files of a pass.
func (f *folder) takeFiles(tree *loader.Tree, buffers map[string]*document) {
	known := f.checked()
	next := make(map[string]*entry, len(tree.Raw))
	for path, raw := range tree.Raw {
		before, of := known[path], buffers[path]
		switch {
		case before != nil && before.buffer == of && bytes.Equal(before.raw, raw):
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
	closeOnce(f.known[files])
}

// closeOnce closes a channel if it is open.
func closeOnce(c chan struct{}) {
	select {
	case <-c:
	default:
		close(c)
	}
}

// load returns the publications, nil if they are unknown: there is no git, or the clone is
// shallow. If they cannot be read now, it returns the previous ones.
func (f *folder) load(ctx context.Context) *content.Snapshot {
	defer closeOnce(f.known[versions])
	if !f.git {
		return nil
	}
	published, err := f.loadChanges(ctx)
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

// loadChanges loads the publications, nil if they have not changed. The texts of superseded
// publications are loaded when they are needed.
func (f *folder) loadChanges(ctx context.Context) (*content.Snapshot, error) {
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

// errShallow is the reason why the publications are unknown.
var errShallow = i18n.Errorf("the clone is shallow: `git fetch --unshallow --tags` fetches the rest")

// history reports whether there are commits; the error says why the history cannot be used.
func (f *folder) history() (bool, error) {
	repo, err := git.CutOnDisk(f.root).Open()
	if err != nil {
		return false, err
	}
	defer repo.Close()
	if repo.Cut() {
		return false, errShallow
	}
	if _, err := repo.Head(); errors.Is(err, git.ErrEmpty) {
		return false, nil
	}
	return true, nil
}

// takeFindings stores the findings of a pass, and sends them to the client.
func (f *folder) takeFindings(tree *loader.Tree, buffers map[string]*document) {
	whole, more := map[string][]content.Finding{}, map[string][]content.Finding{}
	for _, found := range tree.Findings {
		if buffers[found.Path] != nil {
			whole[found.Path] = append(whole[found.Path], found)
		}
	}
	for path, found := range whole {
		d := buffers[path]
		more[path] = without(found, f.reviewOne(tree, f.entry(path, d.text, d, nil)))
	}
	f.mu.Lock()
	f.tree, f.passOnly = tree, more
	f.mu.Unlock()
	for path, d := range buffers {
		f.send(d, whole[path])
	}
	f.refresh()
}

// without lists the findings that are not among others.
func without(found, others []content.Finding) []content.Finding {
	return slices.DeleteFunc(slices.Clone(found), func(x content.Finding) bool { return slices.Contains(others, x) })
}

// reviewOne returns the findings in one file, using the other files but not their texts. The
// tree is that of the last pass, nil before the first.
func (f *folder) reviewOne(tree *loader.Tree, e *entry) []content.Finding {
	if tree == nil || !e.isItem() || !e.file.OK() {
		return e.findings
	}
	found := check.ReviewItem(f.schemas, tree.With(e.file), e.file.Item())
	r := content.Report{Findings: slices.Concat(e.findings, found)}
	r.Sort()
	return slices.Compact(r.Findings)
}

// lastPass returns the results of the last pass.
func (f *folder) lastPass() (*loader.Tree, map[string][]content.Finding) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.tree, f.passOnly
}

// recheck checks changed open files and sends the findings, without reading the texts of
// other files. Seals are left to pass, as they depend on the history.
func (f *folder) recheck() {
	v := f.view()
	tree, more := f.lastPass()
	for path, d := range f.open() {
		if e := v.entries[path]; e != nil && e.buffer == d && !f.isSent(d) && !content.HoldsSeals(path) {
			f.send(d, slices.Concat(f.reviewOne(tree, e), more[path]))
		}
	}
}

// current returns the findings in a document.
func (q *query) current() []content.Finding {
	q.sendMu.Lock()
	last := q.sent[q.entry.path]
	q.sendMu.Unlock()
	if last.of != nil && last.of == q.entry.buffer {
		return last.findings
	}
	tree, more := q.lastPass()
	return slices.Concat(q.reviewOne(tree, q.entry), more[q.entry.path])
}

// isSent reports whether the findings in a document have been sent.
func (f *folder) isSent(d *document) bool {
	f.sendMu.Lock()
	defer f.sendMu.Unlock()
	return f.sent[d.path].of == d
}

// send sends the findings in a document to the client, if they are new and the document is
// still the editor's.
func (f *folder) send(d *document, found []content.Finding) {
	f.sendMu.Lock()
	defer f.sendMu.Unlock()
	last := f.sent[d.path]
	if f.buffer(d.path) != d || last.of == d && slices.Equal(last.findings, found) {
		return
	}
	f.sent[d.path] = sent{d, found}
	f.diagnose(d, found)
}

// withdraw removes the findings of a closed document from the client.
func (f *folder) withdraw(d *document) {
	f.sendMu.Lock()
	defer f.sendMu.Unlock()
	if f.buffer(d.path) == nil {
		delete(f.sent, d.path)
		f.diagnose(d, nil)
	}
}

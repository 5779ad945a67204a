package export

import (
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"sync/atomic"
	"time"

	"golang.org/x/sync/errgroup"

	"rulestore/content/i18n"
	"rulestore/server/site"
)

// Current is the link to the tree that is served.
const Current = "current"

// A Result is the result of an export.
type Result struct {
	Files, Written, Removed int
}

// A Writer exports to a folder repeatedly. It must be used by one goroutine. Several writers,
// also of other processes, are serialized.
type Writer struct {
	dir  string
	tree *tree // that is served; nil if it was not read or written yet
}

// NewWriter returns a writer to a folder, which is created if necessary.
func NewWriter(dir string) (*Writer, error) {
	if err := os.MkdirAll(dir, 0o755); err != nil {
		return nil, err
	}
	entries, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, e := range entries {
		if !slices.Contains([]string{"a", "b", Current, lockName}, e.Name()) &&
			!strings.HasPrefix(e.Name(), temporary) {
			return nil, i18n.Errorf("%s holds what no export has, %s: name a folder of its own", dir, e.Name())
		}
	}
	return &Writer{dir: dir}, nil
}

const (
	temporary = ".new-"
	lockName  = ".lock"
)

// names of the trees.
var names = [2]string{"a", "b"}

// Write writes a tree of a site, makes it current, and deletes the one before, which may have what is
// redacted since. If the context ends, the current tree is unchanged.
func (w *Writer) Write(ctx context.Context, s *site.Site) (r Result, err error) {
	files, err := Files(s)
	if err != nil {
		return r, err
	}
	unlock, err := w.lock(ctx)
	if err != nil {
		return r, err
	}
	defer unlock()
	served, err := w.served()
	if err != nil {
		return r, err
	}
	next, old := names[0], names[1]
	if served == next {
		next, old = old, next
	}
	before, err := w.open(served)
	if err != nil {
		return r, err
	}
	t, err := w.newTree(next)
	if err != nil {
		return r, err
	}
	listed, err := t.fill(ctx, files, before)
	if err == nil {
		err = t.finish(s, listed)
	}
	if err == nil {
		err = w.switchTo(next)
	}
	if err != nil {
		return r, err
	}
	w.tree = t
	return countChanges(listed, before), os.RemoveAll(filepath.Join(w.dir, old))
}

// countChanges counts the changed and the removed files in comparison with the served tree.
func countChanges(listed []Listed, before *tree) Result {
	r := Result{Files: len(listed)}
	if before == nil {
		r.Written = r.Files
		return r
	}
	r.Removed = len(before.files)
	for _, f := range listed {
		old, ok := before.files[f.Name]
		if ok {
			r.Removed--
		}
		if old.SHA256 != f.SHA256 {
			r.Written++
		}
	}
	return r
}

// fill writes all files, and lists them. What another tree has is not written again.
func (t *tree) fill(ctx context.Context, files []File, before *tree) ([]Listed, error) {
	listed := make([]Listed, len(files))
	var changed []int
	for i, f := range files {
		if ctx.Err() != nil {
			return nil, context.Cause(ctx)
		}
		if before != nil && before.from[f.Name] == f.source() &&
			before.holds(before.files[f.Name], before.files[f.Name].at) {
			listed[i] = before.files[f.Name]
			if err := t.linkFrom(listed[i], before.path(f.Name)); err != nil {
				return nil, err
			}
			continue
		}
		changed = append(changed, i)
	}
	work, ctx := errgroup.WithContext(ctx)
	var taken atomic.Int64
	groups := groupBySource(files, changed)
	for range min(runtime.GOMAXPROCS(0), len(groups)) {
		work.Go(func() (err error) { // each for many files, to reuse its stack and its buffers
			b := newBuffers()
			for i := taken.Add(1) - 1; i < int64(len(groups)) && err == nil; i = taken.Add(1) - 1 {
				if ctx.Err() != nil {
					return context.Cause(ctx)
				}
				err = t.fillGroup(groups[i], files, listed, before, b)
			}
			return err
		})
	}
	if err := work.Wait(); err != nil {
		return nil, err
	}
	for i, f := range files {
		t.files[f.Name], t.from[f.Name] = listed[i], f.source()
	}
	return listed, nil
}

// groupBySource groups files, by their indexes, that have the same content and time: an item and its current
// version.
func groupBySource(files []File, indexes []int) (groups [][]int) {
	known := make(map[source]int, len(indexes))
	for _, i := range indexes {
		of := files[i].source()
		g, ok := known[of]
		if !ok {
			g = len(groups)
			known[of], groups = g, append(groups, nil)
		}
		groups[g] = append(groups[g], i)
	}
	return groups
}

// fillGroup creates files with the same source, whose content is rendered once and not kept.
func (t *tree) fillGroup(group []int, files []File, listed []Listed, before *tree, b *buffers) (err error) {
	var first *Listed
	content := files[group[0]].from.Once()
	for _, i := range group {
		f := filled{files[i], content}
		if listed[i], err = t.createFile(f, before, first, b); err != nil {
			return err
		}
		if listed[i], err = listed[i].with(f.headers()); err != nil {
			return err
		}
		first = &listed[group[0]]
	}
	return nil
}

// createFile creates one file: the other tree has it, the tree has the same under another name, or it is
// written.
func (t *tree) createFile(f filled, before *tree, same *Listed, b *buffers) (Listed, error) {
	tag := f.tag()
	if before != nil {
		l := before.files[f.Name]
		if l.at = f.modTime(l.SHA256); l.is(f, tag) && before.holds(l, l.at) {
			return l, t.linkFrom(l, before.path(l.Name))
		}
	}
	if same != nil {
		l := *same
		l.Name = f.Name
		return l, t.linkFrom(l, t.path(same.Name))
	}
	return t.write(f, tag, b)
}

// is reports whether a listed file is a file with a tag.
func (l Listed) is(f filled, tag string) bool { return l.Tag == tag && l.Type == f.Type }

// holds reports whether the tree has a listed file and its codings as they were written, as far as
// sizes and times tell: somebody may have changed one, or the machine stopped before it was on disk.
func (t *tree) holds(l Listed, at time.Time) bool {
	for i, ending := range suffixesOf(l) {
		info, err := os.Lstat(t.path(l.Name) + ending)
		if err != nil || !info.Mode().IsRegular() || !info.ModTime().Equal(at) ||
			i == 0 && info.Size() != int64(l.Size) || i > 0 && info.Size() == 0 {
			return false
		}
	}
	return true
}

func (t *tree) path(name string) string { return filepath.Join(t.dir, filepath.FromSlash(name)) }

// linkFrom makes a file and its codings hard links to those at a path.
func (t *tree) linkFrom(l Listed, from string) error {
	for _, ending := range suffixesOf(l) {
		path := t.path(l.Name) + ending
		if err := inFolder(path, func() error { return os.Link(from+ending, path) }); err != nil {
			return err
		}
	}
	return nil
}

// write writes a file and its codings.
func (t *tree) write(f filled, tag string, b *buffers) (Listed, error) {
	b.body = f.append(b.body[:0])
	body := b.body
	sum := sha256.Sum256(body)
	l := Listed{Name: f.Name, Type: f.Type, Size: len(body), SHA256: hex.EncodeToString(sum[:]), Tag: tag}
	l.at = f.modTime(l.SHA256)
	if err := create(t.path(f.Name), body, l.at); err != nil {
		return l, err
	}
	if !compressible(f.Type, len(body)) {
		return l, nil
	}
	for i, c := range codings {
		coded := b.coders[i].encode(body)
		if len(coded) >= len(body) {
			continue
		}
		if err := create(t.path(f.Name)+c.ending, coded, l.at); err != nil {
			return l, err
		}
		l.Codings = append(l.Codings, c.name)
	}
	return l, nil
}

// create writes a file with a modification time, so that all web servers derive the same
// validators.
func create(path string, content []byte, at time.Time) error {
	return inFolder(path, func() error {
		f, err := os.OpenFile(path, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o644)
		if err != nil {
			return err
		}
		_, err = f.Write(content)
		return errors.Join(err, f.Close(), os.Chtimes(path, at, at))
	})
}

// inFolder creates a file, and its folder if there is none.
func inFolder(path string, create func() error) error {
	err := create()
	if errors.Is(err, fs.ErrNotExist) {
		if err := os.MkdirAll(filepath.Dir(path), 0o755); err != nil {
			return err
		}
		err = create()
	}
	return err
}

// finish writes the inventory.
func (t *tree) finish(s *site.Site, listed []Listed) (err error) {
	name := filepath.Join(t.dir, Inventory)
	if err := writeInventory(name, contents(s), listed); err != nil {
		return err
	}
	t.as, err = os.Lstat(name)
	return err
}

// headers are the headers of the response that a web server does not set itself.
func (f filled) headers() map[string]string {
	all := headersByName(f.Headers)
	delete(all, "Content-Length")
	delete(all, "Vary")
	return all
}

// headersByName returns headers by name.
func headersByName(headers []site.Header) map[string]string {
	all := map[string]string{}
	for _, h := range headers {
		all[h.Name] = strings.Join(h.Values, ", ")
	}
	return all
}

// suffixesOf lists the suffixes of a file and its codings: "" for the file itself.
func suffixesOf(l Listed) []string {
	all := []string{""}
	for _, c := range codings {
		if slices.Contains(l.Codings, c.name) {
			all = append(all, c.ending)
		}
	}
	return all
}

// maxUncompressed is the maximum size of files that are not compressed.
const maxUncompressed = 1 << 10

func compressible(mediaType string, size int) bool {
	return size > maxUncompressed && mediaType != "application/octet-stream"
}

package loader

import (
	"errors"
	"maps"
	"slices"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/loader/git"
	"rulestore/loader/worktree"
)

// TreeReader reads one work tree repeatedly, with unsaved text of an editor. Unchanged files
// are not checked again. It must be used by one goroutine at a time.
type TreeReader struct {
	Config
	dir string
}

// NewTreeReader returns a reader of the work tree in a folder. Of the configuration it uses the
// schemas and Crashed.
func NewTreeReader(c Config, dir string) *TreeReader {
	c.Opened = &Opened{}
	return &TreeReader{c, dir}
}

// Read is [ReadCheckout] with buffers, by path, in place of the files; a buffer may be for a
// file that was never saved. Files that are not content are ignored. There is always a tree; if
// the folder cannot be read, the error is the reason, and the tree has only the buffers.
func (r *TreeReader) Read(buffers map[string][]byte) (*Tree, error) {
	w, err := r.files()
	w.Files = slices.DeleteFunc(w.Files, func(f worktree.File) bool { _, typed := buffers[f.Path]; return typed })
	for _, path := range slices.Sorted(maps.Keys(buffers)) {
		if worktree.Counts(path, git.Regular) {
			w.Files = append(w.Files, worktree.Typed(path, buffers[path]))
		}
	}
	t := r.tree(w)
	r.Opened.known.rotate()
	for _, crashed := range t.Crashes {
		r.reportCrash(crashed)
	}
	return t, err
}

// files reads the folder as its repository would store it, if that is readable.
func (r *TreeReader) files() (w *worktree.Content, err error) {
	repo, unread := (*git.Repo)(nil), error(nil)
	if r.Source != nil {
		repo, unread = r.Source.Open() // who looks for what is published says why
	}
	if repo == nil || unread != nil {
		w, err = worktree.ReadPlain(r.dir)
	} else {
		defer repo.Close()
		if w, err = r.workTree(repo, r.dir).Read(repo); err == nil {
			err = w.Read(repo)
		}
	}
	if err != nil {
		return &worktree.Content{}, err
	}
	return w, nil
}

// fileKey is the content of a file of an item.
type fileKey struct {
	kind *content.Kind
	name string
	blob git.OID
}

// Opened has the files of items that were checked, by content: a work tree has most of them as its commit does. It is
// safe for concurrent use.
type Opened struct{ known memo[fileKey, check.File] }

func keyOf(t content.Tag, raw []byte) fileKey { return fileKey{t.Kind, t.Name, git.BlobOID(raw)} }

// open is check.Open, of a file once.
func (c Config) open(t content.Tag, raw []byte) check.File {
	if c.Opened == nil {
		return check.Open(c.Schemas, t.Kind, t.Name, raw)
	}
	key := keyOf(t, raw)
	if f, ok := c.Opened.known.get(key); ok {
		return f
	}
	return c.Opened.known.keep(key, check.Open(c.Schemas, t.Kind, t.Name, raw))
}

// check is check.Item, of a file that may be opened too once.
func (c Config) check(t content.Tag, raw []byte) check.Checked {
	switch {
	case c.Proven:
		return check.Proven(c.Schemas, t.Kind, t.Name, raw)
	case c.Opened != nil:
		return c.open(t, raw).Checked
	}
	return check.Item(c.Schemas, t.Kind, t.Name, raw)
}

// Staged is a tree to be committed.
type Staged struct {
	*Tree
	Whole bool // the differences from the commit before may affect what is published

	differs map[string]bool          // files that differ from the commit before
	fresh   map[content.Finding]bool // that the commit before has not
}

// ReadStaged reads a tree that is to follow a commit; a zero id means no commit.
func ReadStaged(c Config, repo *git.Repo, before, tree git.OID) (*Staged, error) {
	if !before.IsZero() {
		commit, err := repo.Commit(before)
		if err != nil {
			return nil, err
		}
		before = commit.Tree
	}
	changes, err := repo.Changes(before, tree, worktree.Counts)
	if err != nil {
		return nil, err
	}
	if c.Opened == nil {
		c.Opened = &Opened{} // what both have is checked once
	}
	old, err := c.review(repo, before)
	if err != nil {
		return nil, err
	}
	s := &Staged{differs: map[string]bool{}, fresh: map[content.Finding]bool{}}
	if s.Tree, err = c.review(repo, tree); err != nil {
		return nil, err
	}
	for _, f := range s.Findings {
		s.fresh[f] = true
	}
	for _, f := range old.Findings {
		delete(s.fresh, f)
	}
	for _, f := range changes {
		s.differs[f.Path] = true
		if _, isItem := worktree.ItemAt(f.Path); !content.HoldsCases(f.Path) {
			s.Whole = s.Whole || !isItem || !s.placed[content.PlainPath(f.Path)]
		}
	}
	return s, nil
}

// review reads and reviews a tree of the repository. Items count as published if they have a tag or a seal:
// anything better requires reading the history.
func (c Config) review(repo *git.Repo, tree git.OID) (*Tree, error) {
	files, err := worktree.OfTree(repo, tree)
	t, err := c.readTree(repo, files, err)
	if err != nil {
		return nil, err
	}
	refs, err := repo.Refs("")
	if err != nil && !errors.Is(err, git.ErrEmpty) {
		return nil, err
	}
	published := map[string]bool{}
	for _, ref := range refs.Tags {
		published[itemName(ref.Name)] = true
	}
	for tag := range t.sealLines() {
		published[itemName(tag)] = true
	}
	t.Published = func(item string) bool { return published[item] }
	t.Today = c.Now().UTC().Format(content.Date)
	t.Review(nil)
	return t, nil
}

// Concerns reports whether a finding is about a file that differs, or is not one of the commit before.
func (s *Staged) Concerns(f content.Finding) bool { return s.differs[f.Path] || s.fresh[f] }

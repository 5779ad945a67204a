package git

import (
	"errors"
	"slices"
	"strings"

	"rulestore/content/i18n"
)

// Walker reads histories. Commits and their changes are immutable, so a later history of the same walker
// reads only new ones.
type Walker struct {
	// Name, if it is set, returns the name of the file at a path. If several paths have one
	// name, moving the file from one to another is not a change; if a file exists at several of
	// them at once, its mode is Several. It is a function of the path alone, and idempotent.
	Name func(path string) string

	keep   func(path string, m Mode) bool
	branch *History // the last one of a branch alone
	beside *History // the last one with other commits
}

// NewWalker returns a walker that follows the files that keep accepts.
func NewWalker(keep func(path string, m Mode) bool) *Walker { return &Walker{keep: keep} }

// History reads everything reachable from the commits. The first is the branch's head. The last history of a branch
// alone is extended, if all that is new follows it.
func (w *Walker) History(r *Repo, head OID, others []OID) (*History, error) {
	fresh, err := w.collect(r, append([]OID{head}, others...))
	if err != nil {
		return nil, err
	}
	h, last := w.branch, &w.branch
	if len(others) > 0 {
		last = &w.beside
	}
	if h == nil || len(others) > 0 || !h.continues(fresh.data, head) {
		h = newHistory(w.name)
	}
	if !h.add(fresh.data, fresh.tips) {
		*last = nil // it may be the one that is incomplete now
		return nil, tooLarge(head)
	}
	*last = h
	return h, nil
}

// name is Name, or the path itself if that is not set.
func (w *Walker) name(path string) string {
	if w.Name == nil {
		return path
	}
	return w.Name(path)
}

// cached returns the data of a commit that was read before, nil if there is none.
func (w *Walker) cached(id OID) *commitData {
	for _, h := range [...]*History{w.branch, w.beside} {
		if h == nil {
			continue
		}
		if n := h.index[id]; n != nil {
			return n.commitData
		}
	}
	return nil
}

// commitData is a commit with its changes.
type commitData struct {
	Commit
	changes []File // against the first parent
	work    int64  // cost of the message in bytes
	changed int64  // and of the changes
}

// maxHistory is the maximum cost of all commits of a history in bytes, of their texts and of the
// paths that they change, wanted or not: a million ordinary commits, or ten thousand that change
// 500 files each. A commit of a few bytes can change 200,000 paths, and the next one can revert
// that.
const maxHistory = 1 << 30

// newCommits are the commits that were not read before.
type newCommits struct {
	w     *Walker
	tips  []OID
	known map[OID]*commitData
	list  []*commitData // newest first
}

// data returns a commit that was read, now or before.
func (c *newCommits) data(id OID) *commitData {
	if f := c.known[id]; f != nil {
		return f
	}
	return c.w.cached(id)
}

// parent returns the tree of the first parent of a commit.
func (c *newCommits) parent(f *commitData) (tree OID) {
	if len(f.Parents) > 0 {
		tree = c.data(f.Parents[0]).Tree
	}
	return tree
}

// collect reads the reachable commits that were not read before, and what they changed.
func (w *Walker) collect(r *Repo, tips []OID) (*newCommits, error) {
	c := &newCommits{w: w, tips: tips, known: map[OID]*commitData{}}
	work := int64(0)
	for todo := slices.Clone(tips); len(todo) > 0; todo = todo[1:] {
		id := todo[0]
		if c.data(id) != nil { // with all that is reachable from it
			continue
		}
		if len(c.list) == fewCommits {
			r.readHistoryAhead(tips)
		}
		commit, err := r.Commit(id)
		if err != nil {
			return nil, err
		}
		f := &commitData{Commit: commit, work: int64(len(commit.Message)) + 500}
		if work += f.work; work > maxHistory {
			return nil, tooLarge(tips[0])
		}
		c.known[id], c.list = f, append(c.list, f)
		todo = append(todo, commit.Parents...)
	}
	return c, c.compare(r, newDiffTree(r, c))
}

// readHistoryAhead has commits read together: those that git finds, mostly newest first.
func (r *Repo) readHistoryAhead(tips []OID) {
	if _, ok := r.objects.(*catFile); !ok {
		return
	}
	var asked strings.Builder
	for _, id := range tips {
		asked.WriteString(id.String() + "\n")
	}
	out, _ := r.ask(asked.String(), "rev-list", "--stdin")
	var ids []OID
	for line := range strings.Lines(out) {
		if id, err := ParseOID(strings.TrimSuffix(line, "\n")); err == nil {
			ids = append(ids, id)
		}
	}
	r.Ahead(ids)
}

// compare computes what the commits changed against their first parents, by git if there is one.
func (c *newCommits) compare(r *Repo, git *diffTree) error {
	if git != nil {
		defer git.git.end()
	}
	work := int64(0)
	for _, f := range c.list {
		if git != nil && git.next(f) != nil {
			git.git.end()
			git = nil // the rest is compared here
		}
		if git == nil {
			d, err := r.compare(c.parent(f), f.Tree, c.w.keep)
			if errors.Is(err, errTooMany) {
				return tooLarge(f.OID)
			} else if err != nil {
				return err
			}
			f.changes, f.changed = d.changes, d.work
		}
		if work += f.work + f.changed; work > maxHistory {
			return tooLarge(c.tips[0])
		}
	}
	return nil
}

func tooLarge(tip OID) error {
	return i18n.Errorf(
		"the history of commit %s is too large: its commits and the paths that they change take more than %d bytes "+
			"to read; are there commits that add and remove a great many files? Serve a branch without them",
		tip.String()[:12], maxHistory,
	)
}

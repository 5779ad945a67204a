package git

import (
	"bufio"
	"cmp"
	"errors"
	"io"
	"path"
	"slices"
	"strconv"
	"strings"

	"rulestore/content/i18n"
)

// commitData is a commit, and what it changed against its first parent.
type commitData struct {
	Commit
	before  OID // the tree of that parent, zero if there is none
	changes []File
	work    int64 // the cost of reading it, see maxHistory
}

// maxHistory is the maximum cost of all commits of a history in bytes, of their texts and of the
// paths that they change, wanted or not: a million ordinary commits, or ten thousand that change
// 500 files each. A commit of a few bytes can change 200,000 paths, and the next one can revert
// that.
const maxHistory = 1 << 30

// fewCommits is the number of commits up to which it costs less to read them one by one, and to compare their trees
// here, than to start a git that does it.
var fewCommits = 100

// read reads the reachable commits that were not read before, and what they changed. It returns what is known of each.
func (w *Walker) read(r *Repo, tips []OID) (data func(OID) *commitData, err error) {
	fresh := map[OID]*commitData{}
	data = func(id OID) *commitData {
		if f := fresh[id]; f != nil {
			return f
		}
		return w.cached(id)
	}
	var list []*commitData // newest first
	work := int64(0)
	for todo := slices.Clone(tips); len(todo) > 0; todo = todo[1:] {
		if data(todo[0]) != nil { // with all that is reachable from it
			continue
		}
		if len(list) == fewCommits {
			r.readHistoryAhead(tips)
		}
		commit, err := r.Commit(todo[0])
		if err != nil {
			return nil, err
		}
		f := &commitData{Commit: commit, work: int64(len(commit.Message)) + 500}
		if work += f.work; work > maxHistory {
			return nil, tooLarge(tips[0])
		}
		fresh[f.OID], list = f, append(list, f)
		todo = append(todo, f.Parents...)
	}
	for _, f := range list {
		if len(f.Parents) > 0 {
			f.before = data(f.Parents[0]).Tree
		}
	}
	c := newComparer(r, list, w.keep)
	defer c.end()
	for _, f := range list {
		if err := c.compare(f); err != nil {
			return nil, err
		}
		if work += c.work; work > maxHistory {
			return nil, tooLarge(tips[0])
		}
	}
	return data, nil
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

func tooLarge(tip OID) error {
	return i18n.Because(i18n.New(
		"the history of commit %s is too large: its commits and the paths that they change take more than %d bytes "+
			"to read; are there commits that add and remove a great many files? Serve a branch without them",
		tip.String()[:12], maxHistory,
	), ErrTooLarge)
}

// comparer compares commits with their first parents: many by one git, which is faster than [Repo.compare]; few, and
// what that git does not tell, because objects are missing or damaged, or there are too many, here.
type comparer struct {
	differ
	git  *talk           // nil if there is none, or no more
	kept map[string]bool // folders, by their paths
}

// newComparer returns a comparer of commits in this order. git does not read the repository in the way that it may have
// to be read ([Checked]).
func newComparer(r *Repo, list []*commitData, keep func(string, Mode) bool) *comparer {
	c := &comparer{differ: differ{repo: r, keep: keep}, kept: map[string]bool{"": true}}
	if _, ok := r.objects.(*catFile); !ok || r.checked || len(list) <= fewCommits {
		return c
	}
	git, err := r.talkTo("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
	if err != nil {
		return c
	}
	c.git = git
	go func() { // until git has read all of it, or ends
		in := bufio.NewWriter(git.in)
		for _, f := range list {
			_, _ = in.WriteString(f.pair())
		}
		_, _ = in.WriteString(emptyTree + " " + emptyTree + "\n") // whatever git says before it is complete
		_ = in.Flush()
		_ = git.in.Close()
	}()
	return c
}

// end ends git, if it runs.
func (c *comparer) end() {
	if c.git != nil {
		c.git.end()
	}
	c.git = nil
}

// pair are the trees that are compared for a commit, as git reads and repeats them.
func (f *commitData) pair() string {
	before := emptyTree
	if !f.before.IsZero() {
		before = f.before.String()
	}
	return before + " " + f.Tree.String() + "\n"
}

// compare sets what the next commit changed.
func (c *comparer) compare(f *commitData) error {
	c.changes, c.work = nil, 0
	if c.git == nil || c.ask(f) != nil {
		c.end()
		d, err := c.repo.compare(f.before, f.Tree, c.keep)
		if errors.Is(err, errTooMany) {
			err = tooLarge(f.OID)
		}
		if err != nil {
			return err
		}
		c.changes, c.work = d.changes, d.work
	}
	f.changes, f.work = c.changes, f.work+c.work
	return nil
}

// ask reads what git says of a commit.
func (c *comparer) ask(f *commitData) error {
	c.git.wait()
	if head, err := c.git.out.ReadString('\n'); err != nil || head != f.pair() {
		return io.ErrUnexpectedEOF
	}
	for records := 0; ; records++ {
		next, err := c.git.out.Peek(1)
		if err == nil && next[0] != ':' {
			return nil
		}
		if err == nil {
			err = c.record()
		}
		if err != nil || records > maxCompared>>7 || c.work > maxCompared {
			return cmp.Or(err, errTooMany)
		}
	}
}

// record reads a difference, ":<old mode> <new mode> <old id> <new id> <letter>\0<path>\0".
func (c *comparer) record() error {
	facts, err := c.git.out.ReadSlice(0)
	words := strings.Fields(strings.Trim(string(facts), ":\x00"))
	if err != nil || len(words) != 5 {
		return io.ErrUnexpectedEOF
	}
	var sides [2]entry
	for i := range sides {
		mode, err := strconv.ParseUint(words[i], 8, 32)
		sides[i].mode = Mode(mode)
		if sides[i].oid, _ = ParseOID(words[2+i]); err != nil {
			return err
		}
	}
	name, err := c.git.out.ReadSlice(0) // a longer one than the buffer is an error
	if err != nil {
		return err
	}
	at := strings.TrimSuffix(string(name), "\x00")
	if dir, name := path.Split(at); isName(name) && len(at) <= maxPath && c.reads(strings.TrimSuffix(dir, "/")) {
		c.work += int64(len(at)) + 100
		c.list(at, sides[0], sides[1])
	}
	return nil
}

// reads reports whether a folder, and all that it is in, is wanted.
func (c *comparer) reads(dir string) bool {
	wanted, known := c.kept[dir]
	if !known {
		above, name := path.Split(dir)
		wanted = isName(name) && c.reads(strings.TrimSuffix(above, "/")) && c.keep(dir, Folder)
		c.kept[dir] = wanted
	}
	return wanted
}

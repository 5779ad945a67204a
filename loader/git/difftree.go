package git

import (
	"bufio"
	"cmp"
	"io"
	"path"
	"strconv"
	"strings"
)

// fewCommits is the number of commits up to which it costs less to read them one by one, and to compare their trees
// here, than to start a git that does it.
var fewCommits = 100

// diffTree compares many pairs of trees of commits by one git: what [Repo.compare] does, and faster.
type diffTree struct {
	differ
	of   *newCommits
	kept map[string]bool // folders, by their paths
	git  *talk
}

// newDiffTree compares commits with their first parents. It is nil if git does not read the repository, or not as it
// has to be read ([Checked]), and for few commits.
func newDiffTree(r *Repo, c *newCommits) *diffTree {
	if _, ok := r.objects.(*catFile); !ok || r.checked || len(c.list) <= fewCommits {
		return nil
	}
	git, err := r.talkTo("diff-tree", "--stdin", "-r", "-z", "--raw", "--no-renames", "--no-abbrev")
	if err != nil {
		return nil
	}
	go func() { // until git has read all of it, or ends
		in := bufio.NewWriter(git.in)
		for _, f := range c.list {
			_, _ = in.WriteString(c.pair(f))
		}
		_, _ = in.WriteString(emptyTree + " " + emptyTree + "\n") // whatever git says before it is complete
		_ = in.Flush()
		_ = git.in.Close()
	}()
	return &diffTree{differ: differ{repo: r, keep: c.w.keep}, of: c, kept: map[string]bool{"": true}, git: git}
}

// pair are the trees that are compared for a commit, as git reads and repeats them.
func (c *newCommits) pair(f *commitData) string {
	parent := emptyTree
	if tree := c.parent(f); !tree.IsZero() {
		parent = tree.String()
	}
	return parent + " " + f.Tree.String() + "\n"
}

// next sets the changes of the next commit. An error means that git does not tell them, because objects are missing or
// damaged, or there are too many: they have to be compared by [Repo.compare].
func (d *diffTree) next(f *commitData) error {
	d.git.wait()
	if head, err := d.git.out.ReadString('\n'); err != nil || head != d.of.pair(f) {
		return io.ErrUnexpectedEOF
	}
	d.changes, d.work = nil, 0
	for records := 0; ; records++ {
		next, err := d.git.out.Peek(1)
		if err == nil && next[0] != ':' {
			f.changes, f.changed = d.changes, d.work
			return nil
		}
		if err == nil {
			err = d.record()
		}
		if err != nil || records > maxCompared>>7 || d.work > maxCompared {
			return cmp.Or(err, errTooMany)
		}
	}
}

// record reads a difference, ":<old mode> <new mode> <old id> <new id> <letter>\0<path>\0".
func (d *diffTree) record() error {
	facts, err := d.git.out.ReadSlice(0)
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
	name, err := d.git.out.ReadSlice(0) // a longer one than a file system allows is an error
	if err != nil {
		return err
	}
	d.take(strings.TrimSuffix(string(name), "\x00"), sides[0], sides[1])
	return nil
}

// take adds a difference as the differ would.
func (d *diffTree) take(at string, old, new entry) {
	dir, name := path.Split(at)
	if isName(name) && len(at) <= maxPath && d.reads(strings.TrimSuffix(dir, "/")) {
		d.work += int64(len(at)) + 100
		d.list(at, old, new)
	}
}

// reads reports whether a folder, and all that it is in, is wanted.
func (d *diffTree) reads(dir string) bool {
	wanted, known := d.kept[dir]
	if !known {
		above, name := path.Split(dir)
		wanted = isName(name) && d.reads(strings.TrimSuffix(above, "/")) && d.keep(dir, Folder)
		d.kept[dir] = wanted
	}
	return wanted
}

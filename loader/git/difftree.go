package git

import (
	"bufio"
	"context"
	"path"
	"slices"
	"strconv"
	"strings"
	"time"
)

// diffTree compares many pairs of trees of commits by one git: what [Repo.compare] does, and faster. What git
// does not tell, because objects are missing or damaged, has to be compared by that.
type diffTree struct {
	differ
	kept  map[string]bool // folders, by their paths
	pairs [][2]OID        // that are not compared yet

	weight  int          // that no folder exceeds, in bytes, see [differ.weigh]
	read    []OID        // trees that were compared, see sound
	checked map[OID]bool // those that are sound

	git   *Process // nil if none runs
	ends  int      // times that it ended early
	out   *bufio.Reader
	timer *time.Timer // ends it
	head  string      // the pair that git has begun with
}

const (
	// maxEnds is how often git may end early: each time costs some milliseconds.
	maxEnds = 1000
	// emptyTree is the id of a tree without entries, which every git knows.
	emptyTree = "4b825dc642cb6eb9a060e54bf8d69288fbee4904"
	// endOfPairs follows the last pair: whatever git says before it is complete.
	endOfPairs = emptyTree + " " + emptyTree + "\n"
)

// newDiffTree compares commits with their first parents. It is nil if no git reads the repository.
func newDiffTree(r *Repo, c *newCommits) *diffTree {
	if _, ok := r.objects.(*catFile); !ok {
		return nil
	}
	d := &diffTree{
		differ: differ{repo: r, keep: c.w.keep}, kept: map[string]bool{"": true},
		checked: map[OID]bool{},
	}
	for _, f := range c.list {
		d.pairs = append(d.pairs, [2]OID{c.parent(f), f.Tree})
	}
	return d
}

// next returns the differences of the next commits, nil for those of which git did not tell.
func (d *diffTree) next(commits []*commitData) []*differ {
	if d == nil {
		return nil
	}
	told := make([]*differ, len(commits))
	for i := range told {
		pair := d.pairs[0]
		if d.git == nil && d.ends < maxEnds && !d.start() {
			d.ends = maxEnds
		}
		if d.pairs = d.pairs[1:]; d.git != nil && d.head == pairLine(pair) {
			told[i] = d.one(pair)
		}
	}
	if !d.sound() {
		return nil
	}
	return told
}

// one reads the differences of a pair of trees, nil if git ends.
func (d *diffTree) one(pair [2]OID) *differ {
	d.timer.Reset(patience)
	d.read = append(d.read, slices.DeleteFunc(pair[:], OID.IsZero)...)
	d.changes, d.work = nil, 0
	for {
		next, err := d.out.Peek(1)
		if err == nil && next[0] != ':' {
			if d.head, err = d.out.ReadString('\n'); err == nil {
				return &differ{changes: d.changes, work: d.work}
			}
		}
		if err != nil || !d.record() {
			d.close()
			d.ends++
			return nil
		}
	}
}

func pairLine(pair [2]OID) string {
	names := [2]string{emptyTree, emptyTree}
	for i, id := range pair {
		if !id.IsZero() {
			names[i] = id.String()
		}
	}
	return names[0] + " " + names[1] + "\n"
}

// start starts git for the pairs that are left.
func (d *diffTree) start() bool {
	args := []string{"diff-tree", "--stdin", "-r", "-t", "-z", "--raw", "--no-renames", "--no-abbrev"}
	if d.repo.folder != "" {
		args = append(args, "--", d.repo.folder)
	}
	git, err := Environ(nil).Start(context.Background(), Command{
		GitDir: d.repo.files.commonDir, Args: args,
		Env: append(slices.Clip(d.repo.env), "GIT_LITERAL_PATHSPECS=1", "GIT_ALLOC_LIMIT="+allocLimit),
	})
	if err != nil {
		return false
	}
	d.git, d.out, d.timer = git, bufio.NewReaderSize(git.Out, 64<<10), time.AfterFunc(patience, git.Kill)
	pairs := d.pairs
	go func() { // until git has read all of it, or ends
		in := bufio.NewWriter(git.In)
		for _, pair := range pairs {
			_, _ = in.WriteString(pairLine(pair))
		}
		_, _ = in.WriteString(endOfPairs)
		_ = in.Flush()
		_ = git.In.Close()
	}()
	if d.head, err = d.out.ReadString('\n'); err != nil {
		d.close()
	}
	return err == nil
}

// sound reports whether all trees that were compared since the last call are those that their ids say, where
// that has to be checked: git itself does not.
func (d *diffTree) sound() bool {
	trees := d.read
	if d.read = nil; !d.repo.checked {
		return true
	}
	trees = slices.DeleteFunc(trees, func(id OID) bool { return d.checked[id] })
	d.repo.objects.Ahead(trees)
	for _, id := range trees {
		if d.checked[id] {
			continue
		}
		if _, err := d.repo.read(aTree, id, maxTree); err != nil {
			return false
		}
		d.checked[id] = true
	}
	return true
}

// close ends git, if it runs.
func (d *diffTree) close() {
	if d != nil && d.git != nil {
		d.timer.Stop()
		d.git.End()
		d.git = nil
	}
}

// record reads a difference, ":<old mode> <new mode> <old id> <new id> <letter>\0<path>\0"; not ok if it is
// none.
func (d *diffTree) record() (ok bool) {
	facts, err := d.out.ReadSlice(0)
	if err != nil {
		return false
	}
	words := strings.Fields(strings.Trim(string(facts), ":\x00"))
	if len(words) != 5 {
		return false
	}
	var sides [2]entry
	for i := range sides {
		mode, err := strconv.ParseUint(words[i], 8, 32)
		if err != nil {
			return false
		}
		if sides[i].oid, err = ParseOID(words[2+i]); err != nil {
			return false
		}
		sides[i].mode = Mode(mode)
	}
	name, err := d.out.ReadSlice(0) // a longer one than a file system allows is an error
	if err != nil {
		return false
	}
	d.take(strings.TrimSuffix(string(name), "\x00"), sides[0], sides[1])
	return true
}

// take adds a difference as the differ would.
func (d *diffTree) take(at string, old, new entry) {
	at, inside := strings.CutPrefix(at, d.repo.prefix())
	if !inside {
		return
	}
	if top, _, nested := strings.Cut(at, "/"); nested && old.mode == Absent && d.reads(top) {
		const entry = 30 // the mode and the id
		d.weight += len(at) + entry
	}
	dir, name := path.Split(at)
	depth := strings.Count(at, "/") + 1
	if !isName(name) || depth > MaxDepth+1 || !d.reads(strings.TrimSuffix(dir, "/")) {
		return
	}
	d.work += int64(len(at)) + 100
	for _, side := range []*entry{&old, &new} {
		if side.mode == Folder {
			d.read = append(d.read, side.oid)
		}
		if side.mode == Folder && (depth <= MaxDepth || !d.keep(at, Folder)) {
			*side = entry{} // it is read, or not wanted
		}
	}
	d.list(at, old, new)
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

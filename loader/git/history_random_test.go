package git_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"rulestore/loader/git"
)

// The paths and contents of random histories are few, so that files often come
// back to what they were before: that is where git's simplification of history
// has choices to make.
var randomPaths = []string{"a.yaml", "b.yaml", "g/c.yaml", "g/d.yaml", "g/deep/e.yaml", "g.yaml"}

// invented is a commit of a random history: each path with its mode and content.
type invented struct {
	parents []int
	files   map[string]string
	date    int64
	zone    string
}

// invent makes up a history: branches, merges that take either side or neither,
// octopus merges, reverts, cherry-picks, deletions and files that come back,
// changes of mode and type, merges across each other, roots of their own.
func invent(rng *rand.Rand, size int, skewed bool) []invented {
	var all []invented
	date := int64(1_770_000_000)
	for i := range size {
		date += rng.Int64N(3) * 60
		c := invented{files: map[string]string{}, date: date,
			zone: []string{"+0300", "+0000", "-0730", "+0545"}[rng.IntN(4)]}
		if skewed {
			c.date += rng.Int64N(40_000) - 20_000
		}
		if i > 0 && rng.IntN(40) > 0 {
			c.parents = pickParents(rng, i)
			maps.Copy(c.files, all[c.parents[0]].files)
		}
		switch {
		case len(c.parents) > 1:
			merge(rng, &c, all)
		case len(c.parents) == 1 && rng.IntN(6) == 0: // bring a file back to what it was once
			p := randomPaths[rng.IntN(len(randomPaths))]
			set(c.files, p, all[rng.IntN(i)].files[p])
		case len(c.parents) == 1 && rng.IntN(6) == 0: // pick what another commit changed
			pick(&c, all, rng.IntN(i))
		default:
			for range rng.IntN(3) {
				edit(rng, c.files)
			}
		}
		all = append(all, c)
	}
	return all
}

// pickParents prefers new commits; how far back it looks makes the history
// narrow or wide.
func pickParents(rng *rand.Rand, n int) []int {
	recent := func() int { return n - 1 - rng.IntN(min(n, 8)) }
	parents := []int{recent()}
	if rng.IntN(3) == 0 {
		for range 1 + rng.IntN(3)*rng.IntN(2) {
			if p := recent(); !slices.Contains(parents, p) {
				parents = append(parents, p)
			}
		}
	}
	return parents
}

func merge(rng *rand.Rand, c *invented, all []invented) {
	whole := rng.IntN(len(c.parents) + 3) // from one parent as a whole, or file by file
	for _, path := range randomPaths {
		from := whole
		if whole >= len(c.parents) {
			from = rng.IntN(len(c.parents))
		}
		set(c.files, path, all[c.parents[from]].files[path])
	}
	if rng.IntN(3) == 0 { // a merge that adds something of its own
		edit(rng, c.files)
	}
}

func pick(c *invented, all []invented, from int) {
	if len(all[from].parents) == 0 {
		return
	}
	before := all[all[from].parents[0]].files
	for _, path := range randomPaths {
		if all[from].files[path] != before[path] {
			set(c.files, path, all[from].files[path])
		}
	}
}

func edit(rng *rand.Rand, files map[string]string) {
	state := ""
	if rng.IntN(5) > 0 {
		mode := []string{"100644", "100644", "100644", "100755", "120000", "160000"}[rng.IntN(6)]
		state = fmt.Sprintf("%s content %d", mode, rng.IntN(4))
	}
	set(files, randomPaths[rng.IntN(len(randomPaths))], state)
}

func set(files map[string]string, path, state string) {
	delete(files, path)
	if state != "" {
		files[path] = state
	}
}

// fastImport turns the history into objects, a branch for every commit, and
// returns the commits.
func fastImport(r *repo, all []invented) []git.OID {
	var in strings.Builder
	for i, c := range all {
		fmt.Fprintf(&in, "commit refs/heads/c%d\nmark :%d\ncommitter B <b@rulestore.example> %d %s\ndata 2\nc\n", i,
			i+1, c.date, c.zone)
		for j, p := range c.parents {
			fmt.Fprintf(&in, "%s :%d\n", []string{"from", "merge"}[min(j, 1)], p+1)
		}
		in.WriteString("deleteall\n")
		for path, state := range c.files {
			mode, content, _ := strings.Cut(state, " ")
			if mode == "160000" {
				fmt.Fprintf(&in, "M %s %s %s\n", mode, git.BlobOID([]byte("no blob: "+content)), path)
				continue
			}
			fmt.Fprintf(&in, "M %s inline %s\ndata %d\n%s\n", mode, path, len(content), content)
		}
		in.WriteByte('\n')
	}
	marks := filepath.Join(r.t.TempDir(), "marks")
	r.gitInput(in.String(), "fast-import", "--quiet", "--export-marks="+marks)
	raw, err := os.ReadFile(marks)
	if err != nil {
		r.t.Fatal(err)
	}
	ids := make([]git.OID, len(all))
	for _, line := range lines(string(raw)) {
		var mark int
		var hex string
		if _, err := fmt.Sscanf(line, ":%d %s", &mark, &hex); err != nil {
			r.t.Fatal(err)
		}
		ids[mark-1] = parse(r.t, hex)
	}
	return ids
}

// What a history says agrees with what git says, whatever the history.
func TestHistoryAgreesWithGit(t *testing.T) {
	for _, seed := range []uint64{0, 1, 2, 5} { // packed and loose, times in order and skewed
		t.Run(fmt.Sprint("seed ", seed), func(t *testing.T) {
			t.Parallel()
			rng := rand.New(rand.NewPCG(seed, 1))
			r := newRepo(t)
			skewed := seed%3 == 2
			ids := fastImport(r, invent(rng, 60, skewed))
			if seed%2 == 0 {
				r.git("repack", "-adfq", "--depth=50")
			}
			head := ids[len(ids)-1]
			h, err := git.NewWalker(everything).History(r.open(), head, ids)
			if err != nil {
				t.Fatal(err)
			}
			o := newOracle(r)
			checkCommits(t, h, o, head, ids)
			checkTrees(t, h, o, ids)
			for _, path := range randomPaths {
				checkPath(t, h, o, head, path)
			}
			for range 60 {
				checkChanged(t, h, o, ids[rng.IntN(len(ids))], randomPaths[rng.IntN(len(randomPaths))])
			}
			for i := range 60 {
				commit, lower := ids[rng.IntN(len(ids))], git.OID{}
				if i%4 > 0 {
					lower = ids[rng.IntN(len(ids))]
				}
				checkSince(t, h, o, commit, lower, randomPaths[rng.IntN(len(randomPaths))], skewed)
			}
			t.Logf("%d ranges compared with git log exactly, %d as a subset", o.exact, o.subsets)
		})
	}
}

// oracle asks git, each question once.
type oracle struct {
	*repo
	answers        map[string]string
	parents        map[string][]string
	exact, subsets int
}

func newOracle(r *repo) *oracle {
	o := &oracle{repo: r, answers: map[string]string{}, parents: map[string][]string{}}
	for _, line := range lines(o.git("rev-list", "--all", "--parents")) {
		all := strings.Fields(line)
		o.parents[all[0]] = all[1:]
	}
	return o
}

func (o *oracle) ask(args ...string) []string {
	o.t.Helper()
	question := strings.Join(args, " ")
	if _, ok := o.answers[question]; !ok {
		o.answers[question] = o.git(args...)
	}
	return lines(o.answers[question])
}

// last returns the commit that git log -1 names, "" for none.
func (o *oracle) last(commit, path string) string {
	o.t.Helper()
	return strings.Join(o.ask("log", "-1", "--format=%H", commit, "--", path), "")
}

// state returns the mode and the id of a file, "" if it is not there.
func (o *oracle) state(commit, path string) string {
	o.t.Helper()
	for _, line := range o.ask("ls-tree", "-r", commit) {
		about, name, _ := strings.Cut(line, "\t")
		if name == path {
			f := strings.Fields(about)
			return f[0] + " " + f[2]
		}
	}
	return ""
}

func checkCommits(t *testing.T, h *git.History, o *oracle, head git.OID, ids []git.OID) {
	t.Helper()
	merged := o.ask("rev-list", head.String())
	for i, id := range ids {
		if got, want := h.Contains(id), slices.Contains(merged, id.String()); got != want {
			t.Errorf("Contains(%s) = %t, git says %t", id, got, want)
		}
		if i%10 == 0 {
			isAncestor := o.command("", "merge-base", "--is-ancestor", id.String(), head.String()).Run() == nil
			if h.Contains(id) != isAncestor {
				t.Errorf("Contains(%s) = %t, git merge-base says %t", id, h.Contains(id), isAncestor)
			}
		}
		c, ok := h.Commit(id)
		if !ok || c.OID != id {
			t.Errorf("Commit(%s) = %s, %t", id, c.OID, ok)
		}
		var parents []string
		for _, p := range c.Parents {
			parents = append(parents, p.String())
		}
		if !slices.Equal(parents, o.parents[id.String()]) {
			t.Errorf("the parents of %s are %v, git says %v", id, parents, o.parents[id.String()])
		}
	}
}

// checkTrees compares every file of every commit.
func checkTrees(t *testing.T, h *git.History, o *oracle, ids []git.OID) {
	t.Helper()
	for _, id := range ids {
		var got []string
		for _, f := range pathsAt(h, id) {
			got = append(got, f.Path)
		}
		want := slices.Clone(o.ask("ls-tree", "-r", "--name-only", id.String()))
		slices.Sort(got)
		slices.Sort(want)
		if !slices.Equal(got, want) {
			t.Errorf("Paths(%s) = %v, git says %v", id, got, want)
		}
		for _, path := range randomPaths {
			got := ""
			if v, ok := h.At(id, path); ok {
				got = stateOf(v)
				if v.Path != path {
					t.Errorf("At(%s, %s) is about %q", id, path, v.Path)
				}
			}
			if want := o.state(id.String(), path); got != want {
				t.Errorf("At(%s, %s) = %q, git says %q", id, path, got, want)
			}
		}
	}
}

func stateOf(v git.Version) string {
	if v.Mode == git.Absent {
		return ""
	}
	return fmt.Sprintf("%06o %s", uint32(v.Mode), v.OID)
}

// checkChanged compares a file's last change, and when that was.
func checkChanged(t *testing.T, h *git.History, o *oracle, commit git.OID, path string) {
	t.Helper()
	v, ok := h.At(commit, path)
	if !ok {
		return
	}
	want := strings.Join(o.ask("log", "-1", "--format=%H %cI", commit.String(), "--", path), "")
	if got := v.Changed.OID.String() + " " + v.Changed.Committed.Format("2006-01-02T15:04:05-07:00"); got != want {
		t.Errorf("At(%s, %s) was changed by %s, git log -1 says %s", commit, path, got, want)
	}
}

// checkSince compares what changed a file between two commits. By definition it
// is what git log <commit> lists without what git rev-list <lower> does. That is
// git log <lower>..<commit> too, but for one case: a merge that took the file
// from a commit below lower. There git log also lists the merge, and the work
// that it threw away, or does not, depending on the commits' dates.
func checkSince(t *testing.T, h *git.History, o *oracle, commit, lower git.OID, path string, skewed bool) {
	t.Helper()
	got := ids(h.Since(commit, lower, path))
	var reached []string
	revs := commit.String()
	if !lower.IsZero() {
		reached = o.ask("rev-list", lower.String())
		revs = lower.String() + ".." + revs
	}
	var want []string
	for _, c := range o.ask("log", "--format=%H", commit.String(), "--", path) {
		if !slices.Contains(reached, c) {
			want = append(want, c)
		}
	}
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Since(%s, %s, %s) = %v, git says %v", commit, lower, path, got, want)
	}
	if skewed {
		return // with dates that lie, git log with a range may go astray
	}
	ranged := o.ask("log", "--format=%H", revs, "--", path)
	slices.Sort(ranged)
	if mergesBelow := slices.ContainsFunc(o.ask("rev-list", "--merges", revs), func(m string) bool {
		return slices.ContainsFunc(o.parents[m], func(p string) bool {
			return p != lower.String() && slices.Contains(reached, p) && o.state(p, path) == o.state(m, path)
		})
	}); !mergesBelow {
		o.exact++
		if !slices.Equal(got, ranged) {
			t.Errorf("Since(%s, %s, %s) = %v, git log of the range says %v", commit, lower, path, got, ranged)
		}
		return
	}
	o.subsets++
	for _, c := range got {
		if !slices.Contains(ranged, c) {
			t.Errorf("Since(%s, %s, %s) has %s, git log of the range has not", commit, lower, path, c)
		}
	}
}

// ids returns the commits' ids, sorted.
func ids(commits []git.Commit) []string {
	var all []string
	for _, c := range commits {
		all = append(all, c.OID.String())
	}
	slices.Sort(all)
	return all
}

// checkPath compares what a file was on the branch, and what it ever was.
func checkPath(t *testing.T, h *git.History, o *oracle, head git.OID, path string) {
	t.Helper()
	var got, want []string
	for _, v := range h.Mainline(path) {
		got = append(got, stateOf(v)+" "+changed(v))
		if v.Path != path {
			t.Errorf("Mainline(%s) is about %q", path, v.Path)
		}
	}
	for _, c := range o.ask("log", "--first-parent", "--reverse", "--format=%H", head.String(), "--", path) {
		want = append(want, o.state(c, path)+" "+o.last(c, path))
	}
	if !slices.Equal(got, want) {
		t.Errorf("Mainline(%s) =\n%s\ngit log --first-parent says\n%s", path, strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}

	got, want = nil, nil
	var before time.Time
	for i, v := range h.Versions(path) {
		if i > 0 && v.Changed.Committed.After(before) {
			t.Errorf("Versions(%s) are not sorted by date", path)
		}
		before = v.Changed.Committed
		got = append(got, changed(v)+" "+stateOf(v))
	}
	for _, c := range o.ask("log", "--full-history", "--format=%H", head.String(), "--", path) {
		state := o.state(c, path)
		taken := slices.ContainsFunc(o.parents[c], func(p string) bool { return o.state(p, path) == state })
		if state != "" && !taken { // full history also lists merges that took one side
			want = append(want, c+" "+state)
		}
	}
	slices.Sort(got)
	slices.Sort(want)
	if !slices.Equal(got, want) {
		t.Errorf("Versions(%s) =\n%s\ngit log --full-history says\n%s", path, strings.Join(got, "\n"),
			strings.Join(want, "\n"))
	}
}

// changed returns the id of the commit that made the state, "" for none.
func changed(v git.Version) string {
	if v.Changed.OID.IsZero() {
		return ""
	}
	return v.Changed.OID.String()
}

package git_test

import (
	"fmt"
	"maps"
	"math/rand/v2"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rulestore/loader/git"
)

// story is a history that a reader can follow:
//
//	first ── second ── third ───── revert ── merge ── delete ── again ── mode
//	  │                                       │
//	  └── pick (of second) ── fix ────────────┘
//
// second and third change rule.yaml, revert takes third back, pick brings second
// to the branch "stable" and fix goes on from there; the merge takes what stable
// has. other.yaml is changed by third alone.
func story(t *testing.T) (*repo, map[string]git.OID) {
	r := newRepo(t)
	at := map[string]git.OID{}
	r.write("rule.yaml", "1\n")
	r.write("other.yaml", "1\n")
	at["first"] = r.commit("first")
	r.write("rule.yaml", "2\n")
	at["second"] = r.commit("second")
	r.write("rule.yaml", "3\n")
	r.write("other.yaml", "2\n")
	at["third"] = r.commit("third")
	r.git("revert", "--no-commit", "HEAD")
	r.git("checkout", "HEAD", "other.yaml")
	at["revert"] = r.commit("revert")

	r.git("checkout", "--quiet", "-b", "stable", at["first"].String())
	r.git("cherry-pick", at["second"].String())
	at["pick"] = r.oid("HEAD")
	r.write("rule.yaml", "2, fixed\n")
	at["fix"] = r.commit("fix")

	r.git("checkout", "--quiet", "main")
	r.git("merge", "--quiet", "--no-ff", "-X", "theirs", "-m", "merge", "stable")
	at["merge"] = r.oid("HEAD")
	r.git("rm", "--quiet", "rule.yaml")
	at["delete"] = r.commit("delete")
	r.write("rule.yaml", "2, fixed\n")
	at["again"] = r.commit("again")
	r.git("update-index", "--chmod=+x", "rule.yaml")
	r.git("commit", "--quiet", "-m", "mode")
	at["mode"] = r.oid("HEAD")
	return r, at
}

// TestStory is the worked example; TestHistoryAgreesWithGit is the proof.
func TestStory(t *testing.T) {
	r, at := story(t)
	h, err := git.NewWalker(everything).History(r.open(), at["mode"], nil)
	if err != nil {
		t.Fatal(err)
	}
	names := map[git.OID]string{}
	for name, id := range at {
		names[id] = name
	}

	for _, c := range []struct{ commit, rule, other string }{
		{"first", "first", "first"},
		{"second", "second", "first"},
		{"third", "third", "third"},
		{"revert", "revert", "third"}, // the content of second, by another commit
		{"pick", "pick", "first"},     // the same content again
		{"fix", "fix", "first"},
		{"merge", "fix", "third"}, // each file from the side that changed it
		{"delete", "", "third"},
		{"again", "again", "third"},
		{"mode", "mode", "third"},
	} {
		t.Run(c.commit, func(t *testing.T) {
			for path, want := range map[string]string{"rule.yaml": c.rule, "other.yaml": c.other} {
				v, ok := h.At(at[c.commit], path)
				if ok != (want != "") || ok && names[v.Changed.OID] != want {
					t.Errorf("%s in %s was changed by %q, expected %q", path, c.commit, names[v.Changed.OID], want)
				}
				if !ok {
					continue
				}
				if logged := r.git("log", "-1", "--format=%H", at[c.commit].String(), "--",
					path); logged != v.Changed.OID.String() {
					t.Errorf("%s in %s: git log -1 says %s", path, c.commit, logged)
				}
				if v.OID != r.oid(at[c.commit].String()+":"+path) {
					t.Errorf("%s in %s is %s", path, c.commit, v.OID)
				}
			}
		})
	}

	for i, c := range []struct{ commit, lower, want string }{
		{"third", "", "first second third"},
		{"third", "first", "second third"},
		{"revert", "second", "third revert"},
		{"merge", "", "first pick fix"}, // what was thrown away is not listed
		{"merge", "revert", "pick fix"}, // beside lower
		{"mode", "merge", "delete again mode"},
		{"fix", "second", "pick fix"}, // lower is not below
		{"second", "mode", ""},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			var got []string
			for _, commit := range h.Since(at[c.commit], at[c.lower], "rule.yaml") {
				got = append(got, names[commit.OID])
			}
			if strings.Join(got, " ") != c.want {
				t.Errorf("from %q to %s the file was changed by %v, expected %s", c.lower, c.commit, got, c.want)
			}
		})
	}

	var mainline, versions []string
	for _, v := range h.Mainline("rule.yaml") {
		mainline = append(mainline, names[v.Changed.OID])
	}
	if want := "first second third revert fix delete again mode"; strings.Join(mainline, " ") != want {
		t.Errorf("the branch had %v, expected %s", mainline, want)
	}
	for _, v := range h.Versions("rule.yaml") {
		versions = append(versions, names[v.Changed.OID])
	}
	slices.Sort(versions)
	if want := "again first fix mode pick revert second third"; strings.Join(versions, " ") != want {
		t.Errorf("there were the versions %v, expected %s", versions, want)
	}
}

// A merge may throw a file away by taking the side that never had it. Nobody
// has deleted the file then, says git log, and so does Since.
func TestMergeWithoutTheFile(t *testing.T) {
	r := newRepo(t)
	root := r.put("other.yaml", "1\n")
	r.put("rule.yaml", "1\n")
	r.git("checkout", "--quiet", "-b", "side", root.String())
	r.put("other.yaml", "2\n")
	r.git("checkout", "--quiet", "main")
	r.git("merge", "--quiet", "--no-commit", "side")
	r.git("rm", "--quiet", "--force", "rule.yaml")
	merge := r.commit("merge without the rule")
	again := r.put("rule.yaml", "2\n")

	h, err := git.NewWalker(everything).History(r.open(), again, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, want := ids(h.Since(again, git.OID{}, "rule.yaml")),
		[]string{again.String()}; !slices.Equal(got, want) {
		t.Errorf("changed by %v, expected %v", got, want)
	}
	states := h.Mainline("rule.yaml")
	if len(states) != 3 || states[1].Mode != git.Absent || !states[1].Changed.OID.IsZero() {
		t.Errorf("the states are %+v", states)
	}
	if _, ok := h.At(merge, "rule.yaml"); ok {
		t.Error("the file is in the merge")
	}
}

// Of several parents that have the file as the merge has it, the first counts.
func TestOctopus(t *testing.T) {
	r := newRepo(t)
	root := r.put("rule.yaml", "1\n")
	sides := []string{"one", "two", "three"}
	for i, text := range []string{"2\n", "3\n", "3\n"} {
		r.git("checkout", "--quiet", "-b", sides[i], root.String())
		r.put("rule.yaml", text)
	}
	merge := parse(t, r.git("commit-tree", "three^{tree}", "-m", "octopus", "-p", "one", "-p", "two", "-p", "three"))
	h, err := git.NewWalker(everything).History(r.open(), merge, nil)
	if err != nil {
		t.Fatal(err)
	}
	v, ok := h.At(merge, "rule.yaml")
	if logged := r.git("log", "-1", "--format=%H", merge.String(), "--", "rule.yaml"); !ok ||
		v.Changed.OID.String() != logged || v.Changed.OID != r.oid("two") {
		t.Errorf("changed by %s, git says %s", v.Changed.OID, logged)
	}
}

// A file may give way to a folder of the same name, and a folder to a file.
func TestFileBecomesFolder(t *testing.T) {
	r := newRepo(t)
	var commits []git.OID
	commits = append(commits, r.put("g", "a file\n"))
	r.put("g.yaml", "sorts between g and g/\n")
	r.git("rm", "--quiet", "g")
	commits = append(commits, r.put("g/c.yaml", "1\n"))
	r.git("rm", "--quiet", "-r", "g")
	commits = append(commits, r.put("g", "a file again\n"))
	h, err := git.NewWalker(everything).History(r.open(), commits[2], nil)
	if err != nil {
		t.Fatal(err)
	}
	for i, want := range []string{"g", "g.yaml g/c.yaml", "g g.yaml"} {
		var got []string
		for _, f := range h.Paths(commits[i]) {
			got = append(got, f.Path)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != want {
			t.Errorf("commit %d has %v, expected %s", i, got, want)
		}
	}
	if v, ok := h.At(commits[2], "g"); !ok || v.Changed.OID != commits[2] {
		t.Errorf("g was changed by %s", v.Changed.OID)
	}
	if _, ok := h.At(commits[1], "g"); ok {
		t.Error("the folder passes for a file")
	}
}

// What keep does not approve of is never read: the objects may even be missing.
func TestKeep(t *testing.T) {
	r := newRepo(t)
	r.write("docs/big.md", "text\n")
	r.write("guidelines/a.yaml", "1\n")
	r.write("guidelines/deep/b.yaml", "1\n")
	head := r.commit("first")
	docs := r.git("rev-parse", "HEAD:docs")
	if err := os.Remove(filepath.Join(r.dir, ".git/objects", docs[:2], docs[2:])); err != nil {
		t.Fatal(err)
	}
	asked := map[string]bool{}
	h, err := git.NewWalker(func(path string, m git.Mode) bool {
		asked[path] = true
		return strings.HasPrefix(path, "guidelines") && path != "guidelines/deep"
	}).History(r.open(), head, nil)
	if err != nil {
		t.Fatal(err)
	}
	if files := h.Paths(head); len(files) != 1 || files[0].Path != "guidelines/a.yaml" {
		t.Errorf("the files are %v", files)
	}
	if !asked["docs"] || asked["docs/big.md"] || asked["guidelines/deep/b.yaml"] {
		t.Errorf("asked about %v", asked)
	}
}

func TestHowDeepFoldersAreRead(t *testing.T) {
	r := newRepo(t)
	r.write("1/2/3/4/5/6/deep.yaml", "1\n")
	r.write("1/2/3/4/5/6/7/too-deep.yaml", "1\n")
	head := r.commit("first")
	h, err := git.NewWalker(everything).History(r.open(), head, nil)
	if err != nil {
		t.Fatal(err)
	}
	paths := map[string]git.Mode{}
	for _, f := range h.Paths(head) {
		paths[f.Path] = f.Mode
	}
	if want := map[string]git.Mode{"1/2/3/4/5/6/deep.yaml": git.Regular,
		"1/2/3/4/5/6/7": git.Folder}; !maps.Equal(paths, want) {
		t.Errorf("the files are %v", paths)
	}
}

func TestUnknownCommit(t *testing.T) {
	r := newRepo(t)
	head := r.put("rule.yaml", "1\n")
	w := git.NewWalker(everything)
	repo := r.open()
	h, err := w.History(repo, head, nil)
	if err != nil {
		t.Fatal(err)
	}
	unknown := git.BlobOID([]byte("no commit"))
	if _, ok := h.At(unknown, "rule.yaml"); ok || h.Contains(unknown) || h.Paths(unknown) != nil ||
		len(h.Since(unknown, head, "rule.yaml")) > 0 {
		t.Error("something is known of an unknown commit")
	}
	if _, ok := h.Commit(unknown); ok {
		t.Error("an unknown commit is known")
	}
	if got := h.Since(head, unknown, "rule.yaml"); len(got) != 1 {
		t.Errorf("an unknown lower commit excludes something: %v", got)
	}
	if _, err := w.History(repo, unknown, nil); !git.IsTransient(err) {
		t.Errorf("an unknown head: %v", err)
	}
	again, err := w.History(repo, head, nil)
	if err != nil {
		t.Fatal("the walker is of no use after an error:", err)
	}
	sameAnswers(t, again, h, []git.OID{head}, []string{"rule.yaml"})
}

// A walker that remembers gives the same answers as one that does not: after new
// commits, a force-push, the deletion of a branch, and back again.
func TestIncremental(t *testing.T) {
	r := newRepo(t)
	paths := []string{"a.yaml", "b.yaml"}
	w := git.NewWalker(everything)
	var all []git.OID
	check := func(what string, others ...git.OID) {
		t.Helper()
		head := r.oid("main")
		got, err := w.History(r.open(), head, others)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		want, err := git.NewWalker(everything).History(r.open(), head, others)
		if err != nil {
			t.Fatalf("%s: %v", what, err)
		}
		sameAnswers(t, got, want, all, paths)
	}
	put := func(path, text string) git.OID {
		all = append(all, r.put(path, text))
		return all[len(all)-1]
	}

	root := put("a.yaml", "1\n")
	check("at first")
	put("b.yaml", "1\n")
	r.git("checkout", "--quiet", "-b", "side", root.String())
	side := put("a.yaml", "2\n")
	r.git("checkout", "--quiet", "main")
	check("new commits", side)
	r.git("merge", "--quiet", "--no-ff", "-m", "merge", "side")
	all = append(all, r.oid("HEAD"))
	put("a.yaml", "1\n")
	check("a merge", side)
	before := r.oid("main")
	r.git("reset", "--quiet", "--hard", "HEAD~2")
	put("a.yaml", "3\n")
	check("a force-push")
	check("a force-push, with what was there before", before)
	r.git("branch", "--quiet", "-D", "side")
	r.git("reflog", "expire", "--expire=now", "--all")
	r.git("gc", "--quiet", "--prune=now")
	check("a deleted branch")
	r.git("checkout", "--quiet", "--orphan", "fresh")
	put("b.yaml", "2\n")
	r.git("branch", "--quiet", "--force", "main", "fresh")
	check("a history of its own")
}

// A history that grows at its end, a few commits at a time, with merges and setbacks
// between, gives the answers of one that is made anew.
func TestGrowing(t *testing.T) {
	rng := rand.New(rand.NewPCG(3, 3))
	r := newRepo(t)
	invented := invent(rng, 80, false)
	all := fastImport(r, invented)
	repo := r.open()
	w := git.NewWalker(everything)
	grown := 0
	var last *git.History
	for at := 0; at < len(all); at += 1 + rng.IntN(3) {
		var line []int // from the root on, by first parents
		for i := at; ; i = invented[i].parents[0] {
			line = append(line, i)
			if len(invented[i].parents) == 0 {
				break
			}
		}
		slices.Reverse(line)
		for i := 0; i < len(line); i += 1 + rng.IntN(3) {
			head := all[line[i]]
			got, err := w.History(repo, head, nil)
			if err != nil {
				t.Fatal(err)
			}
			if got == last {
				grown++
			}
			last = got
			if rng.IntN(10) > 0 {
				continue
			}
			want, err := git.NewWalker(everything).History(repo, head, nil)
			if err != nil {
				t.Fatal(err)
			}
			sameAnswers(t, got, want, all, randomPaths)
			if t.Failed() {
				t.Fatalf("at %d of %d", line[i], at)
			}
		}
	}
	if grown < 50 {
		t.Errorf("it grew %d times", grown)
	}
}

// What cannot be read adds nothing to a history, and does no harm to it.
func TestGrowingFails(t *testing.T) {
	r := newRepo(t)
	var all []git.OID
	for i := range 10 {
		all = append(all, r.put("rule.yaml", fmt.Sprint(i)))
	}
	repo := r.open()
	w := git.NewWalker(everything)
	check := func(head git.OID) {
		t.Helper()
		got, err := w.History(repo, head, nil)
		if err != nil {
			t.Fatal(err)
		}
		want, err := git.NewWalker(everything).History(repo, head, nil)
		if err != nil {
			t.Fatal(err)
		}
		sameAnswers(t, got, want, all, []string{"rule.yaml"})
	}
	check(all[2])
	id := all[5].String()
	object := filepath.Join(r.dir, ".git", "objects", id[:2], id[2:])
	if err := os.Rename(object, object+".away"); err != nil {
		t.Fatal(err)
	}
	if _, err := w.History(r.open(), all[8], nil); err == nil {
		t.Fatal("a commit that is missing was read")
	}
	if err := os.Rename(object+".away", object); err != nil {
		t.Fatal(err)
	}
	check(all[2])
	check(all[4])
	check(all[9])
}

// What was read once is not read again.
func TestWalkerRemembers(t *testing.T) {
	r := newRepo(t)
	asked := 0
	w := git.NewWalker(func(string, git.Mode) bool { asked++; return true })
	for i, want := range []int{1, 0, 1} {
		if i != 1 {
			r.put("rule.yaml", fmt.Sprint(i))
		}
		asked = 0
		if _, err := w.History(r.open(), r.oid("HEAD"), nil); err != nil {
			t.Fatal(err)
		}
		if asked != want {
			t.Errorf("pass %d asked about %d files, expected %d", i, asked, want)
		}
	}
}

// The same over random histories, jumping about in them.
func TestIncrementalAtRandom(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 7))
	r := newRepo(t)
	all := fastImport(r, invent(rng, 80, false))
	repo := r.open()
	w := git.NewWalker(everything)
	for step := range 25 {
		head := all[rng.IntN(len(all))]
		var others []git.OID
		for range rng.IntN(3) {
			others = append(others, all[rng.IntN(len(all))])
		}
		got, err := w.History(repo, head, others)
		if err != nil {
			t.Fatal(err)
		}
		want, err := git.NewWalker(everything).History(repo, head, others)
		if err != nil {
			t.Fatal(err)
		}
		sameAnswers(t, got, want, all, randomPaths)
		if t.Failed() {
			t.Fatalf("in step %d", step)
		}
	}
}

// sameAnswers asks both histories everything.
func sameAnswers(t *testing.T, got, want *git.History, commits []git.OID, paths []string) {
	t.Helper()
	same := func(what string, a, b any) {
		t.Helper()
		if !reflect.DeepEqual(a, b) {
			t.Errorf("%s: %v, expected %v", what, a, b)
		}
	}
	sorted := func(files []git.File) []git.File {
		slices.SortFunc(files, func(a, b git.File) int { return strings.Compare(a.Path, b.Path) })
		return files
	}
	for i, id := range commits {
		a, okA := got.Commit(id)
		b, okB := want.Commit(id)
		same("commit "+id.String(), fmt.Sprint(okA, a), fmt.Sprint(okB, b))
		same("contains "+id.String(), got.Contains(id), want.Contains(id))
		same("paths of "+id.String(), sorted(got.Paths(id)), sorted(want.Paths(id)))
		lower := commits[(i*7)%len(commits)]
		for _, path := range paths {
			a, okA := got.At(id, path)
			b, okB := want.At(id, path)
			same(path+" at "+id.String(), fmt.Sprint(okA, a), fmt.Sprint(okB, b))
			same(path+" since "+lower.String(), fmt.Sprint(got.Since(id, lower, path)),
				fmt.Sprint(want.Since(id, lower, path)))
		}
	}
	for _, path := range paths {
		same("mainline of "+path, fmt.Sprint(got.Mainline(path)), fmt.Sprint(want.Mainline(path)))
		same("versions of "+path, fmt.Sprint(got.Versions(path)), fmt.Sprint(want.Versions(path)))
	}
}

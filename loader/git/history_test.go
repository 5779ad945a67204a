package git_test

import (
	"fmt"
	"math/rand/v2"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rulestore/loader/git"
)

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
	if _, ok := h.At(unknown, "rule.yaml"); ok || h.Contains(unknown) || pathsAt(h, unknown) != nil ||
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

// A history that grows at its end, a few commits at a time, with merges and setbacks between, and jumps to other
// commits, gives the answers of one that is made anew.
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
			head, others := all[line[i]], []git.OID(nil)
			if rng.IntN(20) == 0 {
				others = []git.OID{all[rng.IntN(len(all))], all[rng.IntN(len(all))]}
			}
			got, err := w.History(repo, head, others)
			if err != nil {
				t.Fatal(err)
			}
			if got == last {
				grown++
			}
			if last = got; others == nil && rng.IntN(10) > 0 {
				continue
			}
			want, err := git.NewWalker(everything).History(repo, head, others)
			if err != nil {
				t.Fatal(err)
			}
			if sameAnswers(t, got, want, all, randomPaths); t.Failed() {
				t.Fatalf("at %d of %d", line[i], at)
			}
		}
	}
	if grown < 50 {
		t.Errorf("it grew %d times", grown)
	}
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
		same("paths of "+id.String(), sorted(pathsAt(got, id)), sorted(pathsAt(want, id)))
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

// pathsAt lists the files at a commit.
func pathsAt(h *git.History, commit git.OID) []git.File {
	return slices.Concat(slices.Collect(h.Paths(commit))...)
}

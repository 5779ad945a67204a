package author

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// Where something is published, prepared and tagged, and where it is not.
func TestBranches(t *testing.T) {
	t.Parallel()
	const changed = "a plan"
	other := "!branch change is not the served one, main: merge it first, or write the seals for its pull request with " +
		"--prepare (--ref names another served branch); if the branch was renamed there: `git remote set-head origin -a`"
	for _, c := range []struct {
		name, git string // commands of git after a commit
		o         Options
		want      string // what stands in the way
		next      string // what stands in the way of the next publication; "" is not asked for
	}{
		{"the served one", "", Options{}, changed, ""},
		{"another", "switch -q -c change", Options{}, other, other[1:]},
		{"another, to tag", "switch -q -c change", Options{Mode: Tag}, other, other[1:]},
		{"another that is served", "switch -q -c change", Options{Ref: "change"}, changed, ""},
		{
			"another than is named", "switch -q -c change", Options{Ref: "main"},
			"!branch change is not the served one, main: merge it first, or write the seals for its pull request with " +
				"--prepare (--ref names another served branch)",
			"branch main is not checked out: `git switch main` first",
		},
		{"another, to prepare", "switch -q -c change", Options{Mode: Prepare}, changed, ""},
		{
			"none", "switch -q --detach", Options{},
			"!no branch is checked out (detached HEAD): `git switch BRANCH` first, and finish a rebase if one is under way",
			"no branch is checked out (detached HEAD): `git switch BRANCH` first, and finish a rebase if one is under way",
		},
		{
			"the served one, to prepare", "", Options{Mode: Prepare},
			"!main is the served branch, there is nothing to prepare: publish without --prepare, or `git switch -c " +
				"<branch>` for a pull request",
			"",
		},
		{
			"a release to prepare", "switch -q -c change", Options{Mode: Prepare, Release: version("1.0.0")},
			"!a release is a tag, which belongs to the merged commit: give --release with --tag, after the merge", "",
		},
		{
			"what the remote calls its own", "switch -q -c trunk\n push -q origin trunk\n remote set-head origin trunk",
			Options{}, changed, "",
		},
		{
			"what the remote calls its own by now, to push",
			"branch -m trunk\n push -q origin trunk\n -C ../origin symbolic-ref HEAD refs/heads/trunk",
			Options{Push: true}, changed, "",
		},
		{
			"what the remote calls its own no more, to push",
			"push -q origin HEAD~1:refs/heads/trunk\n -C ../origin symbolic-ref HEAD refs/heads/trunk", Options{Push: true},
			"!branch main is not the served one, trunk: merge it first, or write the seals for its pull request with " +
				"--prepare (--ref names another served branch)", "",
		},
		{"the only one", "remote remove origin\n branch -m main trunk", Options{}, changed, ""},
		{"main, without a remote", "remote remove origin\n switch -q -c " +
			"change", Options{}, strings.Split(other, ";")[0], strings.Split(other, ";")[0][1:]},
		{"a remote of another name", "remote rename origin there", Options{Push: true}, changed, ""},
		{"the branch's own " +
			"remote", "remote add a ../nowhere\n remote add b ../origin\n config branch.main.remote b",
			Options{Push: true}, changed, ""},
		{"origin among others", "remote add a ../nowhere\n config --unset " +
			"branch.main.remote", Options{Push: true}, changed, ""},
		{"a branch of this repository", "config branch.main.remote .", Options{Push: true}, changed, ""},
		{
			"none of many", "remote rename origin a\n remote add b ../nowhere\n config --unset " +
				"branch.main.remote", Options{Push: true},
			"!there is no remote repository to push to: `git remote add origin URL`", "",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := bare(t)
			w.sh("commit -q --allow-empty -m Первый\n" + c.git)
			repo, err := w.Source().Open()
			if err != nil {
				t.Fatal(err)
			}
			defer repo.Close()
			for next, want := range map[bool]string{false: c.want, true: c.next} {
				if next && want == "" {
					continue
				}
				f, o := &facts{}, c.o
				if next {
					o.Mode, o.Push = show, false
				}
				err := errors.Join(w.readBranch(t.Context(), repo, f, o), w.readRemote(t.Context(), repo, f, o))
				if err == nil && len(f.obstacles) > 0 {
					err = f.obstacles[0]
				}
				if got := fmt.Sprint(err); got != strings.TrimPrefix(want, "!") && (err != nil || want != changed) {
					t.Errorf("next is %v: in the way stands %s\nand not %s", next, got, want)
				}
			}
		})
	}
}

// Broken tags of others, and a symbolic branch, do not keep an author from publishing.
func TestRefsOfOthers(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.sh("symbolic-ref refs/heads/master refs/heads/main\n symbolic-ref HEAD refs/heads/master")
	w.put(".git/refs/tags/empty", "")
	w.put(".git/refs/tags/pushed-elsewhere/v1", strings.Repeat("a", 40)+"\n") // an object that is not there
	w.put(".git/refs/heads/somebody", "garbage\n")
	w.title(one, "Иначе")
	if got := w.publish(Options{}); got != one+"/v1.0.1 after 1.0.0: wording: title changed\n" {
		t.Error(got)
	}
	if s := w.published(); s.Item(content.Scenarios, "one").Current.Version.String() != "1.0.1" {
		t.Error("it is not served")
	}
}

// The next publication is as if everything were committed and mended, with what stands in its way.
func TestNext(t *testing.T) {
	t.Parallel()
	w := copied(t)
	twoTitles(w)
	w.put("scenarios/new.yaml", newScenario)
	w.edit("registries/taxonomy.yaml", `^title`, "titel")
	w.environ = append(os.Environ(), "GIT_COMMITTER_NAME= ", "GIT_COMMITTER_EMAIL= ")
	w.sh("tag scenarios/two/v1.0.1 HEAD^{tree}")
	next := func(ref string) string {
		t.Helper()
		p, err := w.Next(t.Context(), Options{Schemas: schemas.Embedded(), Ref: ref})
		if err != nil {
			t.Fatal(err)
		}
		return said(p)
	}
	const want = "scenarios/new/v1.0.0: the first publication\n" + one + "/v1.0.1 after 1.0.0: wording: title " +
		"changed\n" + two +
		"/v1.0.1 after 1.0.0: wording: title changed\nleft out "
	if got := next(""); !strings.HasPrefix(got, want) || strings.Contains(got, "first: not everything") ||
		!strings.Contains(got, "\nleft out registries/taxonomy: registries/taxonomy has mistakes, ") ||
		!strings.HasSuffix(got, "\nfirst: scenarios/two/v1.0.1 exists already, in this repository: choose another version, "+
			"`rulestore publish scenarios/two@1.0.2`\n") {
		t.Error(got)
	}
	w.sh("branch before HEAD~2\n tag -d scenarios/two/v1.0.1")
	if got := next("before"); strings.Contains(got, "wording") || !strings.Contains(got,
		"first: branch before is not checked out: `git switch before` first\n") {
		t.Error(got)
	}
	p, err := w.Next(t.Context(), Options{Schemas: schemas.Embedded(), Ref: "before"})
	if err != nil || p.Served(one+"/v1.0.0") {
		t.Errorf("%v", err)
	}
	w.sh("switch -q -f -c change\n commit -q --allow-empty -m Change")
	p, err = w.Next(t.Context(), Options{Schemas: schemas.Embedded()})
	if err != nil || !p.Served(one+"/v1.0.0") || p.Served(one+"/v1.0.1") {
		t.Errorf("%v", err)
	}
}

// What an interrupted publication has written is written anew by the same command, and by no other.
func TestResume(t *testing.T) {
	t.Parallel()
	w := copied(t)
	twoTitles(w)
	p, err := w.plan(Options{})
	if err != nil {
		t.Fatal(err)
	}
	if err := w.Apply(t.Context(), p.Steps[:2]); err != nil {
		t.Fatal(err)
	}
	w.plans(Options{Items: []string{two}}, "!\tsealed/scenarios/one.sum")
	w.plans(Options{Mode: Tag}, "!not everything is committed: commit these first, or put them aside with")
	w.environ = append(os.Environ(), "GIT_COMMITTER_DATE=2026-03-05T12:00:00+03:00")
	if got := w.publish(Options{}); got != said(p) {
		t.Errorf("%s\nand was\n%s", got, said(p))
	}
	w.clean()
	w.put("sealed/scenarios/one.sum", "garbage\n")
	w.plans(Options{}, "!\tsealed/scenarios/one.sum")
}

// What git would commit, and with which index; what it leaves out.
func TestStaged(t *testing.T) {
	t.Parallel()
	w := copied(t)
	head := w.ask("rev-parse", "HEAD^{tree}")
	w.edit(one+".yaml", `^title: .*`, "title: Иначе")
	staged := func(index string) string {
		t.Helper()
		tree, err := w.Tree().Staged(index)
		if err != nil {
			t.Fatal(err)
		}
		return tree.String()
	}
	if got := staged(""); got != head {
		t.Errorf("before anything is staged: %s", got)
	}
	before := filepath.Join(w.Dir, ".git", "before")
	raw, err := os.ReadFile(filepath.Join(w.Dir, ".git", "index"))
	if err = errors.Join(err, os.WriteFile(before, raw, 0o644)); err != nil {
		t.Fatal(err)
	}
	w.sh("add .")
	after := staged("")
	for index, want := range map[string]string{
		before: head, filepath.Join(w.origin, "index"): after, "/nowhere/index": after,
	} {
		if got := staged(index); got != want || after == head {
			t.Errorf("%s: %s, expected %s", index, got, want)
		}
	}
	w.put(".git/info/exclude", "*.key\n")
	for path, want := range map[string]bool{"a.key": true, "a.yaml": false} {
		if got, err := w.Tree().Ignores(path); got != want || err != nil {
			t.Errorf("%s: %v, %v", path, got, err)
		}
	}
	bare, err := Look(w.origin, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := bare.Tree().Ignores("a.yaml"); !got || err != nil {
		t.Errorf("in a bare repository: %v, %v", got, err)
	}
	if _, err := Open(w.origin, nil, false); err == nil || !strings.Contains(err.Error(), "is a bare repository, "+
		"without files to work on") {
		t.Error(err)
	}
	if _, err := Open(t.TempDir(), nil, false); !errors.Is(err, git.ErrNotRepository) {
		t.Error(err)
	}
}

// Content of which a sparse checkout has a part is published as from a whole one.
func TestSparseCheckout(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.title(one, "Первый")
	w.sh("sparse-checkout set --no-cone --no-sparse-index /rulestore.yaml /scenarios/")
	if _, err := os.Stat(filepath.Join(w.Dir, "sealed")); err == nil {
		t.Fatal("the seals are checked out")
	}
	if got := w.publish(Options{}); got != one+"/v1.0.1 after 1.0.0: wording: title changed\n" {
		t.Error(got)
	}
	if got := w.ask("show", "--format=", "--numstat", "HEAD"); got != "1\t0\tsealed/scenarios/one.sum" {
		t.Errorf("the commit has %s", got)
	}
	if got := w.ask("ls-files", "-t", "sealed"); strings.Count(got, "H ") != 1 {
		t.Errorf("checked out are\n%s", got)
	}
	if text, err := w.read(t.Context(), "sealed/scenarios/two.sum"); err != nil ||
		!strings.HasPrefix(text, "scenarios/two/v1.0.0 ") {
		t.Errorf("%q, %v", text, err)
	}
	if text, err := w.read(t.Context(), "sealed/scenarios/three.sum"); err != nil || text != "" {
		t.Errorf("%q, %v", text, err)
	}
	log := map[string]string{"log/entries/000": "x\n"}
	if err := w.CommitLog(t.Context(), content.Settings{DefaultLanguage: "en"}, log, Signing(1)); err != nil {
		t.Fatal(err)
	}
	if got := w.ask("log", "-1", "--format=%s", "--name-only"); got != "Sign the log of 1 leaves\n\nlog/entries/000" {
		t.Errorf("the commit is %q", got)
	}
	if paths, err := w.Paths(content.Scenarios, "one"); err != nil || len(paths) != 1 || paths[0] != one+".yaml" {
		t.Error(paths, err)
	}
}

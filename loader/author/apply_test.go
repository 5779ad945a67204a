package author

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"rulestore/content/change"
)

// A publication is a commit of seals and annotated tags on it; pushed, it is the same there.
func TestPublish(t *testing.T) {
	t.Parallel()
	w := copied(t)
	twoTitles(w)
	w.put("scenarios/new.yaml", newScenario)
	w.commit("Новый")
	if got, want := w.publish(Options{Items: []string{"new"}}), "scenarios/new/v1.0.0: the first "+
		"publication\n"; got != want {
		t.Error(got)
	}
	if got := w.ask("log", "-1", "--format=%B", "--name-only"); got != "Публикация: scenarios/new "+
		"1.0.0\n\n\nsealed/scenarios/new.sum" {
		t.Errorf("the commit is %q", got)
	}
	w.publish(Options{Push: true, Release: version("1.0.0")})
	const message = "Публикация, версий: 2\n\n- scenarios/one/v1.0.1\n- scenarios/two/v1.0.1\n\n\n" +
		"sealed/scenarios/one.sum\nsealed/scenarios/two.sum"
	if got := w.ask("log", "-1", "--format=%B", "--name-only"); got != message {
		t.Errorf("the commit is %q", got)
	}
	if got := w.ask("tag", "--points-at", "HEAD", "--format=%(objecttype) %(refname:strip=2) %(contents:subject)"); got !=
		"tag scenarios/one/v1.0.1 Первый\ntag scenarios/two/v1.0.1 Второй\ntag v1.0.0 Выпуск 1.0.0" {
		t.Errorf("the tags are\n%s", got)
	}
	if got := w.ask("cat-file", "tag", "v1.0.0"); !strings.HasSuffix(got, "\n- Новый: Новый\n- Первый: Первая "+
		"публикация\n- Второй: Первая публикация\n"+
		"- Первый: Первый\n- Второй: Второй") {
		t.Errorf("the release says\n%s", got)
	}
	if got := w.ask("show", "HEAD:sealed/scenarios/one.sum"); !strings.Contains(got, "\nscenarios/one/v1.0.1 sha256:") ||
		!strings.HasSuffix(got, " 2026-03-01T12:00:00+03:00") {
		t.Errorf("sealed is\n%s", got)
	}
	w.clean()
	w.asElsewhere()
	for _, o := range []Options{{}, {Push: true}, {Release: version("1.0.0")}, {Mode: Tag}} {
		w.plans(o, "")
	}
	w.plans(Options{Release: version("0.9.0")}, "!the release v0.9.0 is not higher than v1.0.0, which exists")
	w.plans(Options{Release: version("1.1.0")}, "!there is nothing to release: nothing was published since the last "+
		"release")
}

// clean makes sure that the work tree and the index are those of the head.
func (w *work) clean() {
	w.Helper()
	if got := w.ask("status", "--porcelain"); got != "" {
		w.Errorf("not clean:\n%s", got)
	}
}

// refs are the branches and tags of a repository.
func (w *work) refs(dir string) string {
	w.Helper()
	out, err := gitIn(dir, "for-each-ref", "refs/heads/main", "refs/tags")
	if err != nil {
		w.Fatal(err)
	}
	return out
}

// asElsewhere makes sure that origin has what is here.
func (w *work) asElsewhere() {
	w.Helper()
	if here, there := w.refs(w.Dir), w.refs(w.origin); here != there {
		w.Errorf("here is\n%s\nand there\n%s", here, there)
	}
}

// hook writes a hook of a repository.
func (w *work) hook(dir, name, script string) {
	w.Helper()
	file := filepath.Join(dir, "hooks", name)
	if err := errors.Join(os.MkdirAll(filepath.Dir(file), 0o755),
		os.WriteFile(file, []byte("#!/bin/sh\n"+script+"\n"), 0o755)); err != nil {
		w.Fatal(err)
	}
}

// written are the steps of two publications and a release.
var written = []Step{
	{Do: write, Name: "sealed/scenarios/one.sum", Text: "scenarios/one/v1.0.0 sha256:1\n"},
	{Do: write, Name: "sealed/scenarios/two.sum", Text: "scenarios/two/v1.0.1 sha256:2\n",
		Was: "scenarios/two/v1.0.0 sha256:0\n"},
	{Do: write, Name: "sealed/scenarios/old.sum", Was: "scenarios/old/v1.0.0 sha256:3\n"},
	{Do: commit, Text: "Публикация, версий: 2\n"},
	{Do: tag, Name: "scenarios/one/v1.0.0", Text: "Один"},
	{Do: tag, Name: "scenarios/two/v1.0.1", Text: "Два"},
	{Do: tag, Name: "v1.0.0", Text: "Выпуск"},
	{Do: push, Name: "origin", Text: "HEAD:refs/heads/main\nrefs/tags/scenarios/one/v1.0.0\n" +
		"refs/tags/scenarios/two/v1.0.1\nrefs/tags/v1.0.0"},
}

// bare is an author's clone of a repository without content, but for what the steps take away.
func bare(t *testing.T) *work {
	t.Helper()
	dir := t.TempDir()
	w := &work{T: t, origin: filepath.Join(dir, "origin"), Repository: &Repository{Dir: filepath.Join(dir, "author")}}
	if err := os.Mkdir(w.Dir, 0o755); err != nil {
		t.Fatal(err)
	}
	w.sh("init -q --bare --template= -b main ../origin\n init -q --template= -b main\n remote add origin ../origin")
	for _, s := range written[:3] {
		if s.Was != "" {
			w.put(s.Name, s.Was)
		}
	}
	w.commit("Начало")
	w.sh("push -q -u origin main\n remote set-head origin main")
	w.open(w.Dir)
	return w
}

// What cannot be finished is undone, but for a push of which nobody knows whether it arrived; and then,
// or when the reason is gone, the same command comes to what it would have come to.
func TestApplyFails(t *testing.T) {
	t.Parallel()
	const undone = "\nwhat was done before is undone: nothing was published"
	for _, c := range []struct {
		name, says string
		spoil      func(w *work)
		mend       func(w *work)
		kept       bool
	}{
		{
			name: "a hook says no", says: "git commit: not on Fridays",
			spoil: func(w *work) { w.hook(w.Dir+"/.git", "pre-commit", "echo not on Fridays >&2; exit 1") },
			mend:  func(w *work) { w.hook(w.Dir+"/.git", "pre-commit", "") },
		},
		{
			name: "a filter changes the seals",
			says: "sealed/scenarios/one.sum was committed with other content than was written: a commit hook or a filter " +
				"changes " +
				"it, take the file out of that" + undone,
			spoil: func(w *work) {
				w.ask("config", "filter.other.clean", "sed s/sha256/sha512/")
				w.put(".git/info/attributes", "one.sum filter=other\n")
			},
			mend: func(w *work) { w.put(".git/info/attributes", "") },
		},
		{
			name: "no key to sign tags with", says: undone,
			spoil: func(w *work) {
				w.sh("config tag.gpgSign true\n config gpg.format ssh\n config user.signingKey nowhere")
			},
			mend: func(w *work) { w.sh("config tag.gpgSign false") },
		},
		{
			name: "a lock", says: "one that was killed left the file: delete it and run the command again",
			spoil: func(w *work) { w.put(".git/index.lock", "") },
			mend:  func(w *work) { _ = os.Remove(w.Dir + "/.git/index.lock") },
		},
		{
			name: "a tag that cannot be made", says: "git tag: ",
			spoil: func(w *work) { w.put(".git/refs/tags/v1.0.0.lock", "") },
			mend:  func(w *work) { _ = os.Remove(w.Dir + "/.git/refs/tags/v1.0.0.lock") },
		},
		{
			name: "a refusal", says: "refs/tags/v1.0.0:refs/tags/v1.0.0\t[remote rejected] (hook declined)",
			spoil: func(w *work) { w.hook(w.origin, "update", `[ "$1" != refs/tags/v1.0.0 ]`) },
			mend:  func(w *work) { w.hook(w.origin, "update", "") },
		},
		{
			name: "a hook that sends " +
				"nothing", says: "before anything was sent, by the pre-push hook:\n\terror: a space" + undone,
			spoil: func(w *work) { w.hook(w.Dir+"/.git", "pre-push", "echo error: a space >&2; exit 1") },
			mend:  func(w *work) { w.hook(w.Dir+"/.git", "pre-push", "") },
		},
		{
			name: "a hook that does not say why", says: "by the pre-push hook, which does not say why" + undone,
			spoil: func(w *work) { w.hook(w.Dir+"/.git", "pre-push", "exit 1") },
			mend:  func(w *work) { w.hook(w.Dir+"/.git", "pre-push", "") },
		},
		{
			name: "a push that broke off", kept: true,
			says:  "it may have arrived or not: what was made here is kept, and the same command again goes on",
			spoil: func(w *work) { w.sh("remote set-url --push origin ../nowhere") },
			mend:  func(w *work) { w.sh("remote set-url --push origin ../origin") },
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := bare(t)
			before, there := w.refs(w.Dir), w.refs(w.origin)
			c.spoil(w)
			if err := w.Apply(t.Context(), written); err == nil || !strings.Contains(err.Error(), c.says) {
				t.Errorf("%v\nlacks %s", err, c.says)
			}
			if after := w.refs(w.Dir); (after != before) != c.kept || w.refs(w.origin) != there {
				t.Errorf("there is\n%s\nthere was\n%s", after, before)
			}
			c.mend(w)
			w.clean()
			again := written
			if c.kept {
				again = written[len(written)-1:]
			}
			if err := w.Apply(t.Context(), again); err != nil {
				t.Fatal(err)
			}
			w.clean()
			w.asElsewhere()
		})
	}
}

// dying is a git that dies with its author before the nth command that changes something: from then on
// it does nothing any more.
const dying = `#!/bin/sh
[ -e "$DIR/dead" ] && exit 128
case "$5" in add|commit|tag|push) ;; *) exec git "$@" ;; esac
echo >>"$DIR/count"
n=$(wc -l <"$DIR/count")
[ $n = $NTH ] && touch "$DIR/dead" && exit 128
exec git "$@"
`

// Whenever an author is stopped, the same command again comes to what it would have come to at once.
func TestPublishKilled(t *testing.T) {
	t.Parallel()
	for _, n := range []int{1, 2, 3, 5, 6} { // add, commit, the first and the last of three tags, push
		t.Run(fmt.Sprint(n), func(t *testing.T) {
			t.Parallel()
			w, dir := copied(t), t.TempDir()
			twoTitles(w)
			o := Options{Push: true, Release: version("1.0.0")}
			p, err := w.plan(o)
			if err != nil {
				t.Fatal(err)
			}
			w.program = filepath.Join(dir, "dying")
			if err := os.WriteFile(w.program, []byte(dying), 0o755); err != nil {
				t.Fatal(err)
			}
			w.environ = append(os.Environ(), "DIR="+dir, fmt.Sprintf("NTH=%d", n))
			if err := w.Apply(t.Context(), p.Steps); err == nil {
				t.Fatal("it went on")
			}
			w.open(w.Dir)
			w.publish(o)
			w.clean()
			w.asElsewhere()
			if got := w.ask("log", "-2", "--format=%s"); got != "Публикация, версий: 2\nВторой" {
				t.Errorf("the last commits are\n%s", got)
			}
			if got := w.ask("tag", "--points-at", "HEAD"); got != "scenarios/one/v1.0.1\nscenarios/two/v1.0.1\nv1.0.0" {
				t.Errorf("the tags are\n%s", got)
			}
		})
	}
}

// lingering is a hook that says once that it runs, and goes on for longer than anybody waits. git has done
// its work by then, or most of it.
const lingering = `[ "$1" = prepared ] && exit
[ -n "$REF" ] && { grep -q "$REF" || exit 0; }
mkdir "$READY.once" 2>/dev/null || exit 0
echo >"$READY"
exec sleep 60 >/dev/null 2>&1`

// Told to stop while a hook runs after git made the commit or a tag, everything is undone.
func TestStoppedInAHook(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ hook, ref string }{
		{"post-commit", ""}, {"reference-transaction", " refs/heads/main$"},
		{"reference-transaction", " refs/tags/scenarios/two/"},
	} {
		t.Run(c.hook+c.ref, func(t *testing.T) {
			t.Parallel()
			w := bare(t)
			before := w.refs(w.Dir)
			ready := filepath.Join(t.TempDir(), "ready")
			if err := exec.Command("mkfifo", ready).Run(); err != nil {
				t.Skip("mkfifo is missing:", err)
			}
			w.hook(w.Dir+"/.git", c.hook, lingering)
			w.environ = append(os.Environ(), "READY="+ready, "REF="+c.ref)
			ctx, stop := context.WithCancel(t.Context())
			go func() {
				defer stop()
				_, _ = os.ReadFile(ready)
			}()
			if err := w.Apply(ctx, written); err == nil ||
				!strings.Contains(err.Error(), "what was done before is undone") {
				t.Error(err)
			}
			if after := w.refs(w.Dir); after != before {
				t.Errorf("there is\n%s\nthere was\n%s", after, before)
			}
			w.clean()
			if err := w.Apply(t.Context(), written); err != nil {
				t.Error(err)
			}
			w.asElsewhere()
		})
	}
}

// The settings of signatures are asked for once, however many tags there are, and not for none.
func TestManyTags(t *testing.T) {
	t.Parallel()
	w := bare(t)
	git, err := exec.LookPath("git")
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	runs := filepath.Join(dir, "runs")
	w.program = filepath.Join(dir, "git")
	script := fmt.Sprintf("#!/bin/sh\necho \"$5\" >>%s\nexec %s \"$@\"\n", runs, git)
	if err := os.WriteFile(w.program, []byte(script), 0o755); err != nil {
		t.Fatal(err)
	}
	var steps []Step
	for i := range 20 {
		steps = append(steps, Step{Do: tag, Name: fmt.Sprintf("v1.0.%d", i), Text: "Made"})
	}
	if err := w.Apply(t.Context(), steps); err != nil {
		t.Fatal(err)
	}
	text, err := os.ReadFile(runs)
	c, n := strings.Count(string(text), "config\n"), strings.Count(string(text), "tag\n")
	if err != nil || c > 2 || n != 20 {
		t.Errorf("git was asked for settings %d times, %d tags were made, %v", c, n, err)
	}
	if err := errors.Join(os.Remove(runs), w.Apply(t.Context(), nil)); err != nil {
		t.Fatal(err)
	}
	if text, err := os.ReadFile(runs); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("git was run for no tag: %s, %v", text, err)
	}
}

// What is pushed fits what is there.
func TestPush(t *testing.T) {
	t.Parallel()
	other := func(w *work, script string) { // what somebody else does there
		if _, err := gitIn(filepath.Dir(w.origin), "clone", "-q", "origin", "other"); err != nil {
			w.Fatal(err)
		}
		for line := range strings.SplitSeq(script, "\n") {
			if _, err := gitIn(filepath.Dir(w.origin)+"/other", strings.Fields(line)...); err != nil {
				w.Fatal(err)
			}
		}
	}
	for _, c := range []struct {
		name string
		do   func(w *work)
		o    Options
		want string
	}{
		{name: "nothing", do: func(*work) {}},
		{
			name: "what was made before", do: func(w *work) {
				w.title(one, "Первый")
				w.publish(Options{})
			},
			want: "push scenarios/one/v1.0.1\n",
		},
		{
			name: "one that is not there", do: func(w *work) { w.sh("remote set-url origin ../nowhere") },
			want: "!origin cannot be reached, and nothing was changed; publish without --push, or again when it can " +
				"be:\n\tgit ls-remote: ",
		},
		{
			name: "somebody was faster", do: func(w *work) { other(w, "commit -q --allow-empty -m Other\n push -q") },
			want: "!origin has commits on main that you do not have: `git pull --rebase`, then publish again",
		},
		{
			name: "a tag that a rebase left behind", do: func(w *work) {
				w.title(one, "Первый")
				w.publish(Options{})
				w.sh("branch published\n reset -q --hard HEAD~2")
				w.title(two, "Второй")
				w.sh("push -q\n cherry-pick published~1 published")
			},
			want: "scenarios/one/v1.0.1 after 1.0.0: sealed, and not tagged yet\nscenarios/two/v1.0.1 after 1.0.0: " +
				"wording: title changed\n",
		},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			w := copied(t)
			c.do(w)
			c.o.Push = true
			w.plans(c.o, c.want)
			if strings.HasPrefix(c.want, "!") || strings.HasPrefix(c.want, "warning") {
				return
			}
			w.publish(c.o)
			w.clean()
			w.asElsewhere()
		})
	}
}

// Undo leaves a branch that has moved on.
func TestUndoOfWhatMovedOn(t *testing.T) {
	t.Parallel()
	w := bare(t)
	w.hook(w.Dir+"/.git", "pre-push", "git commit -q --allow-empty -m Moved; exit 1")
	if err := w.Apply(t.Context(), written); err == nil || !strings.Contains(err.Error(), "could not be undone: the "+
		"branch has moved on from ") {
		t.Error(err)
	}
	if got := w.ask("log", "-2", "--format=%s"); got != "Moved\nПубликация, версий: 2" {
		t.Errorf("the last commits are\n%s", got)
	}
	w.clean()
}

// The seals of a request are its own until it is merged, in whatever way; then what they seal is tagged
// on the commit that brought them.
func TestRequests(t *testing.T) {
	t.Parallel()
	for way, c := range map[string]struct{ merge, tagged string }{
		"squash":       {"merge -q --squash change\n commit -q -m Squashed", "Squashed"},
		"rebase":       {"merge -q --ff-only change", "Публикация: scenarios/one 1.0.1"},
		"merge commit": {"merge -q --no-ff -m Merged change", "Merged"},
	} {
		t.Run(way, func(t *testing.T) {
			t.Parallel()
			w := copied(t)
			w.sh("switch -q -c change")
			w.title(one, "Первый")
			w.title(one, "Первое")
			o := Options{Mode: Prepare, Push: true}
			if got := w.publish(o); got != one+"/v1.0.1 after 1.0.0: wording: title changed\n" {
				t.Error(got)
			}
			if got := w.ask("tag", "-l", one+"/*"); got != one+"/v1.0.0" {
				t.Errorf("tagged is %s", got)
			}
			w.plans(o, "")
			w.sh("switch -q main\n " + c.merge + "\n commit -q --allow-empty -m Later")
			w.plans(Options{Mode: Tag, Push: true}, "!commit HASH is not part of main on origin yet: merge it there, "+
				"`git pull`, then tag")
			w.sh("push -q")
			const tagged = one + "/v1.0.1 after 1.0.0: sealed, and not tagged yet\n"
			o = Options{Mode: Tag, Push: true, Release: version("1.0.0")}
			if got := w.publish(o); got != tagged+"v1.0.0: a release of the product\n" {
				t.Error(got)
			}
			if got := w.ask("log", "-1", "--format=%s", one+"/v1.0.1"); got != c.tagged {
				t.Errorf("tagged is %s", got)
			}
			w.asElsewhere()
			w.plans(Options{Mode: Tag, Push: true}, "")
		})
	}
}

// What is prepared, and then changed or taken back, is prepared anew.
func TestPreparedAgain(t *testing.T) {
	t.Parallel()
	w := copied(t)
	o := Options{Mode: Prepare}
	w.sh("switch -q -c change")
	w.title(one, "Раз")
	w.publish(Options{Mode: Prepare, Bump: change.Minor})
	w.title(one, "Два")
	const warning = "warning: scenarios/one/v1.1.0 is sealed otherwise in your commit HASH: merge the request as one " +
		"commit or " +
		"with a merge commit; to merge it by rebasing, take that commit out first: git rebase --onto HASH~1 HASH\n"
	if got := w.publish(o); got != one+"/v1.1.0 after 1.0.0: wording: title changed\n"+warning {
		t.Error(got)
	}
	if got := w.ask("grep", "-c", one+"/v1.1.0", "HEAD", "--", "sealed"); got != "HEAD:sealed/scenarios/one.sum:1" {
		t.Errorf("sealed are %s", got)
	}
	w.title(one, "Один")
	if got := w.publish(o); got != "withdrawn scenarios/one/v1.1.0\n"+warning+warning && got != "withdrawn "+
		"scenarios/one/v1.1.0\n"+warning {
		t.Error(got)
	}
	if got := w.ask("log", "-1", "--format=%s"); got != "Отозваны печати: 1" {
		t.Errorf("the commit is %q", got)
	}
	if got := w.ask("diff", "--stat", "main", "--", "sealed"); got != "" {
		t.Errorf("left is %s", got)
	}
}

// withRequest is a copy whose branch late is prepared for a request.
func withRequest(t *testing.T) *work {
	t.Helper()
	w := copied(t)
	w.sh("switch -q -c late")
	w.edit(one+".yaml", `^description: .*`, "description: Второе описание.")
	w.commit("Второй запрос")
	w.publish(Options{Mode: Prepare})
	w.sh("switch -q main")
	return w
}

// Of two requests for one item the second has to take the first one in.
func TestTwoRequests(t *testing.T) {
	t.Parallel()
	w := withRequest(t)
	w.title(one, "Первый запрос")
	w.publish(Options{Push: true})
	w.sh("switch -q late")
	const meanwhile = "!scenarios/one/v1.0.1 was published by somebody else meanwhile, and this branch does not have " +
		"it: bring " +
		"the branch up to date with `git merge "
	w.plans(Options{Mode: Prepare}, meanwhile+"main`, and prepare again; after it comes v1.0.2 at least")
	w.sh("tag main HEAD~1\n branch -f main late~1")
	w.plans(Options{Mode: Prepare}, meanwhile+"origin/main`")
	w.sh("branch -f main origin/main")
	w.plans(Options{Mode: Prepare}, meanwhile+"heads/main`")
	w.sh("tag -d main\n merge -q -X theirs main")
	w.plans(Options{Mode: Prepare}, one+"/v1.0.2 after 1.0.1: wording: description changed\n")
	w.publish(Options{Mode: Prepare})
	w.sh("switch -q main\n merge -q --squash late\n commit -q -m Late")
	if got := w.publish(Options{Mode: Tag}); got != one+"/v1.0.2 after 1.0.1: sealed, and not tagged yet\n" {
		t.Error(got)
	}
}

// Who publishes while somebody else does waits, and finds nothing to publish.
func TestPublishAtOnce(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.title(one, "Первый")
	errs := make(chan error)
	const all = 4
	for range all {
		go func() {
			release, err := w.Lock(t.Context())
			if err != nil {
				errs <- err
				return
			}
			defer release()
			p, err := w.plan(Options{})
			if err == nil {
				err = w.Apply(t.Context(), p.Steps)
			}
			errs <- err
		}()
	}
	for range all {
		if err := <-errs; err != nil {
			t.Error(err)
		}
	}
	w.clean()
	w.plans(Options{}, "")
	release, err := w.Lock(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	ended, stop := context.WithCancel(t.Context())
	stop()
	if _, err := w.Lock(ended); !errors.Is(err, context.Canceled) {
		t.Errorf("while it is held: %v", err)
	}
	release()
	again, err := w.Lock(t.Context()) // who gave up does not keep it
	if err != nil {
		t.Fatal(err)
	}
	again()
}

// Two requests for one item that were merged all the same dispute a number. That stops nobody, and the item goes on
// with the next one.
func TestDisputedNumber(t *testing.T) {
	t.Parallel()
	w := withRequest(t)
	w.sh("switch -q -c early")
	w.title(one, "Первый запрос")
	w.publish(Options{Mode: Prepare})
	w.sh("switch -q main\n merge -q --no-ff early\n merge -q -X theirs late\n push -q origin main")
	w.title(two, "Второй")
	w.plans(Options{Items: []string{two}}, two+"/v1.0.1 after 1.0.0: wording: title changed\n")
	both := one + "/v1.0.2 after 1.0.0: wording: title changed\n" +
		two + "/v1.0.1 after 1.0.0: wording: title changed\n"
	w.plans(Options{}, both)
	w.publish(Options{Push: true})
	w.plans(Options{}, "")

	// What is wrong with the seals of one item keeps nobody from publishing another.
	w.edit("sealed/"+one+".sum", `\z`, "scenarios/one/v1.0.3\n")
	w.commit("Печати")
	w.title(two, "Третий")
	w.plans(Options{}, two+"/v1.0.2 after 1.0.1: wording: title changed\nleft out "+one+": "+one+" has mistakes in "+
		"its seals: sealed/scenarios/one.sum:4:1: error: expected three fields with one space between them, "+
		"<tag> <checksum> <published_at>, found 1 [seal] (restore the line with git; what it was before "+
		"stays in force)\n")
}

// What the remote repository has counts before what this clone last heard of it: the same item was published there
// meanwhile, in another clone.
func TestRemoteBeforeStaleRefs(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.sh("switch -q -c late")
	w.edit(one+".yaml", `^description: .*`, "description: Второе описание.")
	w.commit("Второй запрос")
	late, dir := w.Repository, filepath.Join(filepath.Dir(w.origin), "other")
	w.sh("clone -q " + w.origin + " " + dir)
	w.open(dir)
	w.title(one, "Первый запрос")
	w.publish(Options{Push: true})
	tip := w.ask("rev-parse", "HEAD")[:12]

	w.Repository = late
	before := w.ask("for-each-ref")
	_, err := w.plan(Options{Mode: Prepare, Push: true})
	if err == nil || !strings.HasPrefix(err.Error(), "scenarios/one/v1.0.1 was published by somebody else meanwhile, ") ||
		!strings.Contains(err.Error(), "`git merge "+tip+"`") {
		t.Errorf("prepared from stale refs: %v", err)
	}
	if after := w.ask("for-each-ref"); after != before {
		t.Errorf("a plan changed refs:\n%s\nwere\n%s", after, before)
	}
	w.sh("merge -q -X theirs " + tip)
	w.plans(Options{Mode: Prepare, Push: true}, one+"/v1.0.2 after 1.0.1: wording: description changed\n")
}

// A seal that is not for what was merged is not tagged, and a lost one is passed over.
func TestSealsThatMissed(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.sh("switch -q -c drift")
	w.title(one, "До проверки")
	w.publish(Options{Mode: Prepare})
	w.title(one, "После проверки")
	w.sh("switch -q main\n merge -q --no-ff -m Merged drift")
	p, err := w.plan(Options{Mode: Tag})
	if err != nil || !strings.HasPrefix(said(p), "warning: not tagged: "+one+"/v1.0.1: ") || !p.Empty() {
		t.Fatal(err)
	}
	w.plans(Options{}, one+"/v1.0.2 after 1.0.1: wording: title changed\n")

	w.sh("reset -q --hard HEAD~1\n merge -q --squash drift\n commit -q -m Squashed\n branch -q -D drift")
	w.plans(Options{}, one+"/v1.0.2 after 1.0.0: wording: title changed\n")
	w.plans(Options{Ask: asking(one, "1.0.1")}, "!version 1.0.1 is sealed and its content is lost: the number is spent")
}

// Where the messages of commits cannot be read, a tag is for its author to make.
func TestMessagesOfNobody(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.sh("switch -q -c change")
	w.title(one, "Первый")
	w.publish(Options{Mode: Prepare})
	w.put(".git/message", "\xcf\xf0\n")
	w.sh("switch -q main\n merge -q --squash change\n config i18n.commitEncoding klingon\n commit -q -F .git/message")
	w.plans(Options{Mode: Tag}, "!the messages of the commits that scenarios/one/v1.0.1 publishes are not UTF-8: tag it "+
		"yourself, `git tag -a -m MESSAGE scenarios/one/v1.0.1 HASH`")
}

package loader_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"
	"time"

	"rulestore/content"
)

// sealAs adds the seal of what a file says, as it is committed, under a version.
func (r *repo) sealAs(id, version, short string) {
	r.Helper()
	text := guideline(id, short)
	r.write(content.Guidelines.File(id), text)
	r.addSeal(sealOf(r.T, "guidelines/"+id+"/v"+version, text))
}

// addSeal adds a line to the seals of its item, and commits it.
func (r *repo) addSeal(line string) {
	r.Helper()
	r.addLine(line)
	r.commit("Seal")
}

// mergeOf moves the branch to a merge with a tree and parents of anybody's choice, and
// the seals of these commits, each line once.
func (r *repo) mergeOf(tree string, lines []string, parents ...string) {
	r.Helper()
	r.git("checkout", "-q", "--detach", tree)
	files := map[string]string{}
	for _, rev := range lines {
		for path := range strings.Lines(r.git("ls-tree", "-r", "--name-only", rev, content.SealsFolder)) {
			path = strings.TrimSpace(path)
			for line := range strings.Lines(r.git("show", rev+":"+path) + "\n") {
				if !strings.Contains(files[path], line) {
					files[path] += line
				}
			}
		}
	}
	for path, text := range files {
		r.write(path, text)
	}
	r.git("add", "-A")
	args := []string{"commit-tree", "-m", "Merge", r.git("write-tree")}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	commit := r.git(args...)
	r.git("checkout", "-q", "-f", "-B", "main", commit)
}

const evil = "= Переведите деньги"

// after plays a script while a loader goes on, which has to come to the same as a new one.
func (r *repo) after(script string) string {
	r.Helper()
	l := r.loader()
	describe(l.Load(r.Context()))
	r.play(script)
	got := r.load()
	if again := describe(l.Load(r.Context())); again != got {
		r.Errorf("a loader that goes on comes to\n%s\na new one to\n%s", again, got)
	}
	return got
}

// rivals makes a repository in which the branch rival seals other content than main does.
const rivals = `
	edit two Два; publish two 1.0.0; branch start; seal one 1.0.0 Один; branch sealed
	checkout -b rival start; seal one 1.0.0 $evil; checkout main
`

// foxtrots are what somebody can do with a branch that has a sealed publication, and a
// branch rival that began before and seals other content under the same tag.
var foxtrots = map[string]string{
	"both lines":                            "join rival rival,main rival,main",
	"both lines, the right way round":       "join rival rival,main main,rival",
	"one line":                              "join rival rival rival,main",
	"one line, the right way round":         "join rival rival main,rival",
	"an octopus":                            "join rival rival,main rival,start,main",
	"a line that comes with the merge":      "join rival rival start,rival,main",
	"the first line anew on the other side": "checkout rival; reseal main; join rival rival,main rival,main",
	"twice":                                 "join rival rival,main rival,main; join rival rival,main rival,main",
}

// Without a tag and a log nothing says which of seals side by side counts, in whatever order they
// were merged: none is in force, and a finding says what to do.
func TestSealsSideBySide(t *testing.T) {
	for name, push := range foxtrots {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t).play(rivals)
			r.expect(r.after(push), `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.0.0",
				"none of which came first", "`git tag -a guidelines/test.one.001/v1.0.0 COMMIT`")
		})
	}
}

// What was sealed and tagged stays what it is, whichever way a merge settles that a branch
// beside it sealed the same version.
func TestFoxtrotOverATag(t *testing.T) {
	pushes := maps.Clone(foxtrots)
	pushes["the first line alone"] = "join main main main,rival"
	pushes["the first line alone, pulled"] = "join main main rival,main"
	for name, push := range pushes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t).play(rivals + "; tag -a -m One guidelines/test.one.001/v1.0.0 sealed")
			got := r.after(push)
			r.expect(got, `1.0.0 current "Один" sealed`)
			r.refuse(got, evil[3:], "refused")
		})
	}
}

// What was sealed first stays in force, whatever the order of parents.
func TestWhatWasSealedFirst(t *testing.T) {
	for name, c := range map[string]struct {
		script string
		wants  []string
	}{
		"a second line by somebody who could see the first": {`
			seal one 1.0.0 Один; checkout -b rival; seal one 1.0.0 $evil; checkout main; edit two Два
			join rival rival PARENTS
		`, []string{`1.0.0 current "Один" sealed`, "[seal-twice]"}},
		"a second line beside a third, with a tag of its content": {`
			edit two Два; publish two 1.0.0; branch start; seal one 1.0.0 Один; seal one 1.0.0 $evil; publish one 1.0.0
			checkout -b rival start; seal one 1.0.0 Рядом; join main main,rival PARENTS
		`, []string{`1.0.0 current "Два"`}},
		"a merge that loses it, with a tag of other content": {`
			edit two Два; publish two 1.0.0; branch start; seal one 1.0.0 Один; branch was; checkout start
			edit one $evil
			publish one 1.0.0; merge -s ours --no-ff was; checkout -B main HEAD
		`, []string{`1.0.0 current "Один" sealed`, sums + ": error: the file is missing; its seals stay in force",
			"[seal-disagrees]"}},
		"the same content twice: the later date": {`
			edit one Один; branch rival; seal one 1.1.0 Один; checkout rival; keep main; redate 1926-03-01T09:00:00Z
			join rival rival,main PARENTS
		`, []string{`1.1.0 current "Один" sealed published 20`}},
	} {
		for _, parents := range []string{"rival,main", "main,rival"} {
			t.Run(name+" "+parents, func(t *testing.T) {
				t.Parallel()
				r := newRepo(t)
				got := r.after(strings.ReplaceAll(c.script, "PARENTS", parents))
				r.expect(got, c.wants...)
				r.refuse(got, evil[3:])
			})
		}
	}
}

// When a seal came cannot be dated back by a merge of the branch into another one.
func TestFoxtrotDatesNothingBack(t *testing.T) {
	dated(t, "unknown-field", "2026-04-01")
	day := func(month, day int) time.Time {
		return time.Date(2026, time.Month(month), day, 10, 0, 0, 0, time.UTC)
	}
	text := guideline(one, "= Один, второй") + "surprise: было можно\n"
	r := newRepo(t).play("edit one Один; publish one 1.0.0; branch rival")
	r.now = day(5, 1)
	r.edit(two, "= Два")
	r.now = day(3, 2)
	r.git("checkout", "-q", "rival")
	r.write(content.Guidelines.File(one), text)
	r.addSeal(sealOf(t, oneTag, text))
	r.expect(describe(r.loader().Load(t.Context())), "1.1.0 current")
	r.play("merge --no-ff main; checkout -B main HEAD")
	r.expect(r.load(), "refused "+oneTag, "[seal-unfit]")
}

// signedRivals is a repository where signers sealed different content under one tag
// side by side: on main, where it is served, and on the branch rival.
func signedRivals(t *testing.T) *signedRepo {
	t.Helper()
	r := newSignedRepo(t, "").play(`
		branch start; as anna; seal one 1.0.0 Один; checkout -b rival start; seal one 1.0.0 $evil; as nobody
		checkout main
	`)
	return r
}

// serves reports what is served under the first version of the first item: the title has to have a word; "" expects
// that nothing is.
func (r *signedRepo) serves(word string) {
	r.Helper()
	title := ""
	if e := r.entry("guidelines/" + one + "/v1.0.0"); e != nil {
		title = e.Body().Text("title")
	}
	if !strings.Contains(title, word) || word == "" && title != "" {
		r.Errorf("%q is served, expected %q\n%s", title, word, r.load())
	}
}

// With trusted signers no stranger makes what one of them sealed, and nobody merged,
// take the place of what is served.
func TestSignedFoxtrot(t *testing.T) {
	pushes := maps.Clone(foxtrots)
	pushes["over a merge that lost a line"] = `
		join rival rival rival,main; edit three Три; branch lost; join rival rival rival,lost
	`
	pushes["over a commit that takes the line out"] = "empty; commit Lose the seals; join rival rival rival,main"
	for name, push := range pushes {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := signedRivals(t)
			r.serves("Один")
			r.play(push)
			r.serves("")
			r.expect(r.load(), "none of which came first", "`git tag -s guidelines/test.one.001/v1.0.0 COMMIT`")
		})
	}
}

// Between seals that stand side by side a signed tag decides, and no commit: the branch of
// one that a signer made, and nobody merged, can be pushed by anybody.
func TestSignedTagDecides(t *testing.T) {
	const both = "join main main,rival main,rival; "
	for name, do := range map[string]string{
		"merged":                          both,
		"a signed commit keeps the one":   both + "as anna; keep main~1; commit Decide",
		"a signed commit keeps the other": both + "as anna; keep rival; commit Decide",
		"a signed merge, beside the branch": `
			checkout rival; as anna; merge --no-ff -m Merge -s ours main; as nobody; over main main,rival
			checkout -B main HEAD
		`,
		"another signed merge, beside the branch": `
			checkout rival; as anna; merge --no-ff -m Merge -X ours main; as nobody; over main main,rival
			checkout -B main HEAD
		`,
		"a signed merge, merged with what it merged": `
			as anna; merge --no-ff -s ours -m Merge rival; as nobody; over main rival,main
		`,
		"a stranger's tag": both + "tag -a -m Mine guidelines/test.one.001/v1.0.0 rival",
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := signedRivals(t)
			tagged := r.git("rev-parse", "main")
			r.play(do)
			r.serves("")
			r.play("update-ref -d refs/tags/" + tagOne + "; checkout --detach " + tagged)
			r.play("sign one 1.0.0 anna; checkout main")
			r.serves("Один")
		})
	}
}

// A second seal of the same content, with another date and from beside, neither puts off
// nor dates back what is tagged.
func TestSameContentSealedBeside(t *testing.T) {
	for _, date := range []string{"2020-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2999-01-01T00:00:00Z"} {
		for _, parents := range []string{"main,rival", "rival,main"} {
			t.Run(date+" "+parents, func(t *testing.T) {
				t.Parallel()
				r := newRepo(t).play(`
					edit two Два; branch start; seal one 1.0.0 Один; publish one 1.0.0; branch sealed
				`)
				before := contentOf(r.load())
				r.play("checkout -b rival start; keep sealed; redate " + date)
				r.play("join main " + parents + " " + parents)
				if after := contentOf(r.load()); after != before {
					t.Errorf("it was\n%s\nand is\n%s", before, after)
				}
			})
		}
	}
}

// What signers redacted stays so, whatever a stranger merges that a signer made beside
// the branch and another passed over.
func TestFoxtrotOverARedaction(t *testing.T) {
	for _, parents := range []string{"main,side", "side,main"} {
		t.Run(parents, func(t *testing.T) {
			t.Parallel()
			r := newSignedRepo(t, "").play(`
				mark anna; checkout -b side; as anna; edit three Три; checkout main; mark anna two redacted; as anna
				branch redacted; checkout side; merge --no-ff -s ours -m Merge redacted; checkout main
				merge --no-ff -s ours -m Merge side; as nobody
			`)
			before, _ := r.states()
			r.expect(before, two+" redacted")
			r.play("over main " + parents)
			if after, _ := r.states(); after != before {
				t.Errorf("%s became %s", before, after)
			}
		})
	}
}

// Whoever puts the seals back in their place vouches for none that a stranger hid.
func TestSignedReturnOfSeals(t *testing.T) {
	evilTag := "guidelines/" + one + "/v1.0.0"
	for name, c := range map[string]struct {
		hide, back func(r *signedRepo, with string)
	}{
		"renamed": {
			func(r *signedRepo, with string) {
				r.play("mv $sums old.sum; commit Tidy up")
				r.write("old.sum", with)
				r.commit("Go on")
			},
			func(r *signedRepo, _ string) {
				r.play("mv old.sum $sums; commit Put back")
			},
		},
		"behind a link": {
			func(r *signedRepo, with string) {
				r.write("old.sum", with)
				r.git("rm", "-q", "-f", sums)
				r.link(sums, "../../old.sum")
				r.commit("Link")
			},
			func(r *signedRepo, with string) {
				r.git("rm", "-q", "-f", sums)
				r.write(sums, with)
				r.commit("The file itself")
			},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := newSignedRepo(t, "").play("as anna; seal one 0.9.0 Раньше; as nobody")
			text := guideline(one, evil)
			r.write(content.Guidelines.File(one), text)
			with := r.git("show", "HEAD:"+sums) + "\n" + sealOf(r.T, evilTag, text)
			c.hide(r, with)
			r.as(r.anna)
			c.back(r, with)
			if r.entry(evilTag) != nil || r.entry("guidelines/"+one+"/v0.9.0") == nil {
				t.Error(r.load())
			}
		})
	}
}

// A seal counts that a signer adds to a state of the file that does not count for a line
// that a stranger spoilt, once that line is gone.
func TestSealOnASpoiltFile(t *testing.T) {
	r := newSignedRepo(t, "").play("as anna; seal three 1.0.0 Три; as nobody")
	r.addSeal("garbage\n")
	r.play("as anna; seal one 1.0.0 Один; as nobody")
	r.write(sums, strings.ReplaceAll(r.git("show", "HEAD:"+sums)+"\n", "garbage\n", ""))
	r.commit("Mend")
	r.serves("Один")
}

// What is said of a publication that a signed seal keeps does not depend on tags that
// nobody signed, wherever they point.
func TestUnsignedTagBesideASignedSeal(t *testing.T) {
	tag := "guidelines/" + one + "/v1.1.0"
	r := newSignedRepo(t, "").play("as anna; edit one Один; sign one 1.0.0 anna")
	early := r.git("rev-parse", "HEAD")
	r.play("edit one Один, второй; edit one Один, третий; seal one 1.1.0 Один, второй")
	said := func() string {
		e := r.entry(tag)
		if e == nil {
			t.Fatal(r.load())
		}
		return fmt.Sprint(e.ChangeNote, e.UpdatedAt, e.PublishedAt, e.Commit, e.SignedBy)
	}
	want := said()
	r.play("as nobody; edit one Мэллори; edit one Один, второй")
	for i, commit := range append(strings.Fields(r.git("rev-list", "HEAD", "--", content.Guidelines.File(one))),
		early) {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			r := r.in(t)
			r.git("tag", "-f", "-a", tag, commit, "-m", "Mallory was here")
			if got := said(); got != want {
				t.Errorf("%s, without the tag %s", got, want)
			}
			disagrees := !strings.Contains(r.git("show", commit+":"+content.Guidelines.File(one)), "Один, второй")
			if got := r.load(); strings.Contains(got, "[seal-disagrees]") != disagrees {
				t.Errorf("the tag disagrees: %t\n%s", disagrees, got)
			}
		})
	}
	t.Run("the version before", func(t *testing.T) {
		r := r.in(t)
		r.git("tag", "-d", tag)
		r.sealAs(one, "1.0.1", "= Другой")
		r.git("tag", "guidelines/"+one+"/v1.0.1", early)
		if got := said(); got != want {
			t.Errorf("%s, without another version %s", got, want)
		}
	})
}

// A line that a merge lost counts, also for a loader that goes on, until another one stands beside it: then the
// tag decides, however often the lines are merged, lost and written again.
func TestLostSealStaysInForce(t *testing.T) {
	r := newRepo(t).play(`
		edit two Два; publish two 1.0.0; checkout -b left main; seal one 1.0.0 left
		checkout -b right main; seal one 1.0.0 right; checkout main; edit two Два, ещё раз
	`)
	r.expect(r.after("merge -s ours left"), `1.0.0 current "left" sealed`, "its seals stay in force")
	r.expect(r.after("merge right"), "refused guidelines/test.one.001/v1.0.0", "[seal-twice]")
	r.expect(r.after("reseal left"), "refused guidelines/test.one.001/v1.0.0", "[seal-twice]")
	r.expect(r.after("tag -a -m Decide guidelines/test.one.001/v1.0.0 right"), `1.0.0 current "right" sealed`,
		"the tag has two seals: this one is from commit "+r.git("rev-parse", "--short=12", "left"))
}

package loader_test

import (
	"fmt"
	"slices"
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

// foxtrot is a push to a branch.
type foxtrot struct {
	name string
	push func(r *repo)
}

// foxtrots are what somebody can do with a branch that has a sealed publication, and a
// branch rival that began before and seals other content under the same tag.
var foxtrots = []foxtrot{
	{"both lines", func(r *repo) { r.mergeOf("rival", []string{"rival", "main"}, "rival", "main") }},
	{"both lines, the right way round", func(r *repo) {
		r.mergeOf("rival", []string{"rival", "main"}, "main", "rival")
	}},
	{"one line", func(r *repo) { r.mergeOf("rival", []string{"rival"}, "rival", "main") }},
	{"one line, the right way round", func(r *repo) { r.mergeOf("rival", []string{"rival"}, "main", "rival") }},
	{"an octopus", func(r *repo) {
		r.mergeOf("rival", []string{"rival", "main"}, "rival", "start", "main")
	}},
	{"a line that comes with the merge", func(r *repo) {
		r.mergeOf("rival", []string{"rival"}, "start", "rival", "main")
	}},
	{"the first line anew on the other side", func(r *repo) {
		line := r.git("show", "main:"+sums)
		r.git("checkout", "-q", "rival")
		r.addSeal(line + "\n")
		r.mergeOf("rival", []string{"rival", "main"}, "rival", "main")
	}},
	{"twice", func(r *repo) {
		r.mergeOf("rival", []string{"rival", "main"}, "rival", "main")
		r.mergeOf("rival", []string{"rival", "main"}, "rival", "main")
	}},
}

// rivals makes a repository in which the branch rival seals other content than main does.
func rivals(t *testing.T) *repo {
	t.Helper()
	r := newRepo(t)
	r.play(`
		edit two Два; publish two 1.0.0; branch start; seal one 1.0.0 Один; checkout -b rival start
		seal one 1.0.0 $evil; checkout main
	`)
	return r
}

// Without a tag and a log nothing says which of seals side by side counts, in whatever order they
// were merged: none is in force, and a finding says what to do.
func TestSealsSideBySide(t *testing.T) {
	for _, c := range foxtrots {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := rivals(t)
			l := r.loader()
			r.expect(describe(l.Load(t.Context())), `1.0.0 current "Один" sealed`)
			c.push(r)
			got := r.load()
			r.expect(got, `1.0.0 current "Два"`, "refused guidelines/test.one.001/v1.0.0",
				"none of which came first", "`git tag -a guidelines/test.one.001/v1.0.0 COMMIT`")
			if again := describe(l.Load(t.Context())); contentOf(again) != contentOf(got) {
				t.Errorf("a loader that goes on comes to\n%s\na new one to\n%s", again, got)
			}
		})
	}
}

// What was sealed and tagged stays what it is, whichever way a merge settles that a branch
// beside it sealed the same version.
func TestFoxtrotOverATag(t *testing.T) {
	keep := foxtrot{"the first line alone", func(r *repo) { r.mergeOf("main", []string{"main"}, "main", "rival") }}
	pulled := foxtrot{"the first line alone, pulled", func(r *repo) {
		r.mergeOf("main", []string{"main"}, "rival", "main")
	}}
	for _, c := range append(slices.Clone(foxtrots), keep, pulled) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := newRepo(t)
			r.play(`
				edit two Два; branch start; seal one 1.0.0 Один; publish one 1.0.0; checkout -b rival start
				seal one 1.0.0 $evil; checkout main
			`)
			l := r.loader()
			r.expect(describe(l.Load(t.Context())), `1.0.0 current "Один" sealed`)
			c.push(r)
			got := r.load()
			r.expect(got, `1.0.0 current "Один" sealed`)
			r.refuse(got, evil[3:], "refused")
			if again := describe(l.Load(t.Context())); contentOf(again) != contentOf(got) {
				t.Errorf("a loader that goes on comes to\n%s\na new one to\n%s", again, got)
			}
		})
	}
}

// Where the second line was written by somebody who could see the first, it stays the
// second, whatever the order of parents.
func TestFoxtrotOverASecondLine(t *testing.T) {
	for _, parents := range [][]string{{"rival", "main"}, {"main", "rival"}} {
		t.Run(fmt.Sprint(parents), func(t *testing.T) {
			r := newRepo(t)
			r.play("seal one 1.0.0 Один; checkout -b rival; seal one 1.0.0 $evil; checkout main; edit two Два")
			r.mergeOf("rival", []string{"rival"}, parents...)
			got := r.load()
			r.expect(got, `1.0.0 current "Один" sealed`, "[seal-twice]")
			r.refuse(got, evil[3:])
		})
	}
}

// A line that was written after another is not first beside a third one either, whatever the order of
// parents, and a tag of its content does not make it so.
func TestSecondLineBesideAThird(t *testing.T) {
	for _, parents := range [][]string{{"rival", "main"}, {"main", "rival"}} {
		t.Run(fmt.Sprint(parents), func(t *testing.T) {
			r := newRepo(t)
			r.play(`
				edit two Два; publish two 1.0.0; branch start; seal one 1.0.0 Один; seal one 1.0.0 $evil
				publish one 1.0.0; checkout -b rival start; seal one 1.0.0 Рядом
			`)
			r.mergeOf("main", []string{"main", "rival"}, parents...)
			got := r.load()
			r.expect(got, `1.0.0 current "Два"`)
			r.refuse(got, evil[3:])
		})
	}
}

// A merge that loses a seal serves nothing else under its tag, not even what the tag
// says by now.
func TestFoxtrotThatLosesASeal(t *testing.T) {
	r := newRepo(t)
	r.play(`
		edit two Два; publish two 1.0.0; branch start; seal one 1.0.0 Один; branch was; checkout start
		edit one $evil; publish one 1.0.0; merge -s ours --no-ff was; checkout -B main HEAD
	`)
	got := r.load()
	r.expect(got, `1.0.0 current "Один" sealed`, sums+": error: the file is missing; its seals stay in force",
		"[seal-disagrees]")
	r.refuse(got, evil[3:])
}

// In a change that is not merged yet, a line may be written anew.
func TestSealWrittenAnewInAChange(t *testing.T) {
	r := newRepo(t)
	r.play(`
		edit two Два; publish two 1.0.0; checkout -b change; seal one 1.0.0 Черновик; empty; seal one 1.0.0 Один
		checkout main; edit two Два, ещё раз; merge --no-ff change
	`)
	got := r.load()
	r.expect(got, `1.0.0 current "Один" sealed`)
	r.refuse(got, "seal-twice", "seal-changed")
}

// Lines that seal the same content do not compete: it is served, with the later date.
func TestSameContentSealedTwice(t *testing.T) {
	for _, parents := range [][]string{{"rival", "main"}, {"main", "rival"}} {
		t.Run(fmt.Sprint(parents), func(t *testing.T) {
			r := newRepo(t)
			r.play("edit one Один; branch rival")
			line := sealOf(t, oneTag, guideline(one, "= Один"))
			r.addSeal(line)
			r.git("checkout", "-q", "rival")
			r.addSeal(strings.Replace(line, " 20", " 19", 1))
			r.mergeOf("rival", []string{"rival", "main"}, parents...)
			r.expect(r.load(), `1.1.0 current "Один" sealed published 20`)
		})
	}
}

// When a seal came cannot be dated back by a merge of the branch into another one.
func TestFoxtrotDatesNothingBack(t *testing.T) {
	dated(t, "unknown-field", "2026-04-01")
	day := func(month, day int) time.Time {
		return time.Date(2026, time.Month(month), day, 10, 0, 0, 0, time.UTC)
	}
	text := guideline(one, "= Один, второй") + "surprise: было можно\n"
	r := newRepo(t)
	r.play("edit one Один; publish one 1.0.0; branch rival")
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
	r := newSignedRepo(t, "")
	r.base()
	r.play(`
		branch start; as anna; seal one 1.0.0 Один; checkout -b rival start; seal one 1.0.0 $evil; as nobody
		checkout main
	`)
	return r
}

// body is what is served under the first version, "" if nothing is.
func (r *signedRepo) body() string {
	e := r.entry("guidelines/" + one + "/v1.0.0")
	if e == nil {
		return ""
	}
	return string(e.Body().AppendJSON(nil))
}

// With trusted signers no stranger makes what one of them sealed, and nobody merged,
// take the place of what is served.
func TestSignedFoxtrot(t *testing.T) {
	for _, c := range slices.Concat(foxtrots, foxtrotsOfSigned) {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			r := signedRivals(t)
			if !strings.Contains(r.body(), "Один") {
				t.Fatal("the sealed content is not served")
			}
			c.push(r.repo)
			if body := r.body(); body != "" {
				t.Errorf("%s\n%s", body, r.load())
			}
			r.expect(r.load(), "none of which came first", "`git tag -s guidelines/test.one.001/v1.0.0 COMMIT`")
		})
	}
}

// More that a stranger can do, where the lines are signed.
var foxtrotsOfSigned = []foxtrot{
	{"over a merge that lost a line", func(r *repo) {
		r.mergeOf("rival", []string{"rival"}, "rival", "main")
		r.play("edit three Три; branch lost")
		r.mergeOf("rival", []string{"rival"}, "rival", "lost")
	}},
	{"over a commit that takes the line out", func(r *repo) {
		r.play("empty; commit Lose the seals")
		r.mergeOf("rival", []string{"rival"}, "rival", "main")
	}},
}

// Between seals that stand side by side a signed tag decides, and no commit: the branch of
// one that a signer made, and nobody merged, can be pushed by anybody.
func TestSignedTagDecides(t *testing.T) {
	both := func(r *signedRepo) { r.mergeOf("main", []string{"main", "rival"}, "main", "rival") }
	keep := func(rev string) func(r *signedRepo) {
		return func(r *signedRepo) {
			both(r)
			r.as(r.anna)
			r.write(sums, r.git("show", rev+":"+sums)+"\n")
			r.commit("Decide")
		}
	}
	onRival := func(merge ...string) func(r *signedRepo) {
		return func(r *signedRepo) {
			r.play("checkout rival; as anna")
			r.git(append([]string{"merge", "-q", "--no-ff", "-m", "Merge"}, merge...)...)
			r.as("")
			r.merge("main", "main", "rival")
			r.git("checkout", "-q", "-B", "main", "HEAD")
		}
	}
	for name, do := range map[string]func(r *signedRepo){
		"merged":                                  both,
		"a signed commit keeps the one":           keep("main~1"),
		"a signed commit keeps the other":         keep("rival"),
		"a signed merge, beside the branch":       onRival("-s", "ours", "main"),
		"another signed merge, beside the branch": onRival("-X", "ours", "main"),
		"a signed merge, merged with what it merged": func(r *signedRepo) {
			r.play("as anna; merge --no-ff -s ours -m Merge rival; as nobody")
			r.merge("main", "rival", "main")
		},
	} {
		for _, tagged := range []bool{false, true} {
			t.Run(fmt.Sprintf("%s, tagged %v", name, tagged), func(t *testing.T) {
				t.Parallel()
				r, want := signedRivals(t), ""
				if tagged {
					r.signedTag(one, "1.0.0", r.anna)
					want = "Один"
				}
				do(r)
				if body := r.body(); (body == "") != (want == "") || !strings.Contains(body, want) {
					t.Errorf("%q is served, expected %q\n%s", body, want, r.load())
				}
			})
		}
	}
	t.Run("a stranger's tag", func(t *testing.T) {
		r := signedRivals(t)
		both(r)
		r.git("tag", "-a", "-m", "Mine", "guidelines/"+one+"/v1.0.0", "rival")
		if body := r.body(); body != "" {
			t.Errorf("%s\n%s", body, r.load())
		}
	})
	t.Run("what a signed merge passed over", func(t *testing.T) {
		r := signedRivals(t)
		r.play("as anna; merge --no-ff -s ours -m Merge rival")
		if body := r.body(); body != "" {
			t.Errorf("%s\n%s", body, r.load())
		}
		r.signedTag(one, "1.0.0", r.anna)
		if body := r.body(); !strings.Contains(body, "Один") {
			t.Errorf("%s\n%s", body, r.load())
		}
	})
}

// A second seal of the same content, with another date and from beside, neither puts off
// nor dates back what is tagged.
func TestSameContentSealedBeside(t *testing.T) {
	for _, date := range []string{"2020-01-01T00:00:00Z", "2026-02-01T00:00:00Z", "2999-01-01T00:00:00Z"} {
		for _, parents := range [][]string{{"main", "rival"}, {"rival", "main"}} {
			t.Run(date+" "+parents[0], func(t *testing.T) {
				t.Parallel()
				r := newRepo(t)
				r.play("edit two Два; branch start; seal one 1.0.0 Один; publish one 1.0.0")
				before := contentOf(r.load())
				line := strings.Fields(r.git("show", "main:"+sums))
				r.git("checkout", "-q", "-b", "rival", "start")
				r.addSeal(line[0] + " " + line[1] + " " + date + "\n")
				r.mergeOf("main", parents, parents...)
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
	for _, parents := range [][]string{{"main", "side"}, {"side", "main"}} {
		t.Run(parents[0], func(t *testing.T) {
			t.Parallel()
			r := newSignedRepo(t, "")
			r.base()
			r.mark(r.anna)
			r.play("checkout -b side; as anna; edit three Три; checkout main")
			r.mark(r.anna, two+" redacted")
			r.play(`
				as anna; branch redacted; checkout side; merge --no-ff -s ours -m Merge redacted; checkout main
				merge --no-ff -s ours -m Merge side; as nobody
			`)
			before, _ := r.states()
			if !strings.Contains(before, two+" redacted") {
				t.Fatal(before)
			}
			r.merge("main", parents...)
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
			r := newSignedRepo(t, "")
			r.base()
			r.play("as anna; seal one 0.9.0 Раньше; as nobody")
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
	r := newSignedRepo(t, "")
	r.base()
	r.play("as anna; seal three 1.0.0 Три; as nobody")
	r.addSeal("garbage\n")
	r.play("as anna; seal one 1.0.0 Один; as nobody")
	r.write(sums, strings.ReplaceAll(r.git("show", "HEAD:"+sums)+"\n", "garbage\n", ""))
	r.commit("Mend")
	if body := r.body(); !strings.Contains(body, "Один") {
		t.Errorf("%s\n%s", body, r.load())
	}
}

// What is said of a publication that a signed seal keeps does not depend on tags that
// nobody signed, wherever they point.
func TestUnsignedTagBesideASignedSeal(t *testing.T) {
	tag := "guidelines/" + one + "/v1.1.0"
	r := newSignedRepo(t, "")
	r.base()
	r.play("as anna; edit one Один; sign one 1.0.0 anna")
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
	r := newRepo(t)
	r.play("edit two Два; publish two 1.0.0")
	for _, branch := range []string{"left", "right"} {
		r.git("checkout", "-q", "-b", branch, "main")
		r.sealAs(one, "1.0.0", "= "+branch)
	}
	r.play("checkout main; edit two Два, ещё раз")
	l := r.loader()
	same := func(wants ...string) {
		t.Helper()
		got := r.load()
		r.expect(got, wants...)
		if again := describe(l.Load(t.Context())); contentOf(again) != contentOf(got) {
			t.Errorf("a loader that goes on comes to\n%s\na new one to\n%s", again, got)
		}
	}
	r.git("merge", "-q", "-s", "ours", "left")
	same(`1.0.0 current "left" sealed`, "its seals stay in force")
	r.git("merge", "-q", "right")
	same("refused guidelines/test.one.001/v1.0.0", "[seal-twice]")
	r.addSeal(r.git("show", "left:"+sums) + "\n")
	same("refused guidelines/test.one.001/v1.0.0", "[seal-twice]")
	r.git("tag", "-a", "-m", "Decide", "guidelines/"+one+"/v1.0.0", "right")
	same(`1.0.0 current "right" sealed`, "the tag has two seals: this one is from commit "+
		r.git("rev-parse", "--short=12", "left"))
}

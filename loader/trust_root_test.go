package loader_test

import (
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// lifecycle is lifecycle.yaml with marks of one version each, given as its status.
func lifecycle(marks ...string) string {
	if len(marks) == 0 {
		return "schema_version: \"1.0\"\nmarks: []\n"
	}
	text := "schema_version: \"1.0\"\nmarks:\n"
	for _, m := range marks {
		item, status, _ := strings.Cut(m, " ")
		text += fmt.Sprintf("  - item: guidelines/%s\n    version: 1.0.0\n    status: %s\n    reason: Так решено\n"+
			"    since: 2026-03-01\n", item, status)
	}
	return text
}

// marked is a repository with a signed first state in which nothing is marked, and a
// branch side that begins there.
func marked(t *testing.T) *signedRepo {
	t.Helper()
	r := newSignedRepo(t, "").play("edit one Один; sign one 1.0.0 anna; as anna")
	r.write(content.SettingsFile, settings+"# signed\n")
	r.write(content.LifecycleFile, lifecycle())
	r.play("commit Nothing is marked; branch side")
	return r
}

// mark writes the marks and commits them as somebody.
func (r *repo) mark(key string, marks ...string) string {
	r.Helper()
	r.as(key)
	r.write(content.LifecycleFile, lifecycle(marks...))
	r.commit("Mark " + strings.Join(marks, ", "))
	r.as("")
	return r.git("rev-parse", "HEAD")
}

// merge makes an unsigned commit of a tree with parents of anybody's choice, and moves
// the branch to it.
func (r *repo) merge(tree string, parents ...string) {
	r.Helper()
	args := []string{"commit-tree", "-m", "Merge", tree + "^{tree}"}
	for _, p := range parents {
		args = append(args, "-p", p)
	}
	r.git("reset", "-q", "--hard", r.git(args...))
}

// states says what became of both items, and which commits vouch for the marks.
func (r *signedRepo) states() (states string, from []string) {
	r.Helper()
	result := r.loaded()
	for _, it := range result.Snapshot.Items {
		for _, e := range it.Entries {
			states += fmt.Sprintf("%s %s, ", e.Name, e.Status)
		}
	}
	for _, v := range result.Snapshot.SignedFiles {
		if v.File == content.LifecycleFile {
			from = append(from, v.Commit)
		}
	}
	slices.Sort(from)
	return strings.TrimSuffix(states, ", "), from
}

const neither, first, both = one + " current, " + two + " current", one + " redacted, " + two + " current",
	one + " redacted, " + two + " redacted"

// What a signed commit marks, only a signed commit changes, whatever is pushed on top. The marks in force are from
// the commits at the tags from…, by default from the first state.
func TestMarksOfSigners(t *testing.T) {
	for name, c := range map[string]struct {
		push  string
		want  string
		waits bool // what is at the head
	}{
		"signed":                 {"mark anna one redacted; tag from", first, false},
		"nobody's mark":          {"mark nobody one redacted", neither, true},
		"a stranger's mark":      {"mark mallory one redacted", neither, true},
		"taken away by nobody":   {"mark anna one redacted; tag from; mark nobody", first, true},
		"taken away by a signer": {"mark anna one redacted; mark anna; tag from", neither, false},
		"the file taken away": {
			"mark anna one redacted; tag from; as anna; rm $marks; commit Take the file away", first, false,
		},
		"brought back by nobody, as it was": {
			"mark anna one redacted; tag from; mark nobody; mark nobody one redacted", first, false,
		},
		"an old version, by a merge of what is merged": {
			"mark anna one redacted; tag from; over side from,side", first, true,
		},
		"an old version, by a merge with its parents the other way round": {
			"mark anna one redacted; tag from; over side side,from; as anna; edit two Два, ещё раз", first, true,
		},
		"a signed change beside, merged by nobody": {`
			checkout side; mark anna one redacted; tag from; checkout main; edit two Два, ещё раз
			merge --no-ff -m Merge side
		`, first, false},
		"a change by nobody beside, merged by a signer": {`
			checkout side; mark nobody one redacted; checkout main; edit two Два, ещё раз; as anna
			merge --no-ff -m Merge side
		`, neither, true},
		"a signed change that a signed merge left out": {`
			checkout side; mark anna one redacted; tag from; checkout main; edit two Два, ещё раз; as anna
			merge --no-ff -s ours -m Merge side
		`, first, true},
		"a signed change that nobody's merge left out": {`
			checkout side; mark anna one redacted; tag from; checkout main; edit two Два, ещё раз
			merge --no-ff -s ours -m Merge side
		`, first, true},
		"side by side, merged by nobody": {`
			mark anna one redacted; tag from; checkout side; mark anna two redacted; tag from2; checkout main
			over side main,side
		`, both, true},
		"side by side, merged by nobody the other way round": {`
			mark anna one redacted; tag from; checkout side; comment; as anna; commit On the side; tag from2
			checkout main; over side side,main
		`, first, true},
		"side by side, merged by a signer": {`
			mark anna one redacted; checkout side; mark anna two redacted; checkout main; as anna
			merge --no-commit --no-ff -s ours side; mark anna one redacted, two redacted; tag from
		`, both, false},
		"taken away by nobody, below a signer's change": {
			"mark anna one redacted; mark nobody; mark anna two redacted; tag from", both, true,
		},
		"added by nobody, below a signer's change": {
			"mark nobody two redacted; mark anna two redacted, one redacted; tag from", first, true,
		},
		"changed by nobody, below a signer's change": {`
			mark anna one redacted; mark nobody one review_required
			mark anna one review_required, two redacted; tag from
		`, both, true},
		"the file taken away by nobody, below a signer's": {
			"mark anna one redacted; rm $marks; commit Take it away; mark anna two redacted; tag from", both, true,
		},
		"put back by nobody, and taken away by a signer": {`
			mark anna one redacted; mark nobody; mark anna one review_required
			mark nobody one review_required, one redacted; mark anna; tag from
		`, neither, false},
		"taken away by nobody beside, below a signer's change, merged by nobody": {`
			mark anna one redacted; checkout -B side; mark nobody; mark anna two redacted; tag from; checkout main
			edit three Три; merge --no-ff -m Merge side
		`, both, true},
		"taken away by nobody beside, below a signer's change, merged the other way round": {`
			mark anna one redacted; checkout -B side; mark nobody; mark anna two redacted; tag from; checkout main
			edit three Три; checkout side; as anna; merge --no-ff -m Merge main; branch -f main side; checkout main
		`, both, true},
		"taken away by nobody's merge beside, merged by a signer": {`
			mark anna one redacted; tag from; checkout -B beside; over side main,side; edit three Три
			checkout main; as anna; merge --no-ff -m Merge beside
		`, first, true},
		"taken away by nobody beside, squashed by a signer": {`
			mark anna one redacted; checkout -B side; mark nobody; checkout main; merge --squash side
			mark anna; tag from
		`, neither, false},
		"taken away by nobody's revert, below a signer's change": {
			"mark anna one redacted; revert --no-edit HEAD; mark anna two redacted; tag from", both, true,
		},
		"taken away by a signer's revert": {
			"mark anna one redacted; as anna; revert --no-edit HEAD; tag from", neither, false,
		},
		"taken away by nobody, rebased by a signer": {
			"mark anna one redacted; mark nobody; as anna; rebase --no-ff HEAD~1; tag from", neither, false,
		},
		"a signed version that is not valid": {
			"mark anna one redacted; tag from; as anna; spoil; commit Break the file", first, false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			r := marked(t)
			start := r.git("rev-parse", "HEAD")
			r.play(c.push)
			want := strings.Fields(r.git("for-each-ref", "--format=%(objectname)", "refs/tags/from*"))
			if len(want) == 0 {
				want = []string{start}
			}
			slices.Sort(want)
			states, from := r.states()
			if states != c.want {
				t.Errorf("%s, expected %s\n%s", states, c.want, r.load())
			}
			if !slices.Equal(from, want) {
				t.Errorf("the marks are from %s, expected %s", from, want)
			}
			if waits := strings.Contains(r.load(), content.LifecycleFile+": warning"); waits != c.waits {
				t.Errorf("something waits for a signature: %t\n%s", waits, r.load())
			}
		})
	}
}

// What a finding advises about a mark that nobody signed the end or the beginning of ends or begins it.
func TestMarksByAdvice(t *testing.T) {
	r := marked(t)
	was := r.mark(r.anna, one+" redacted")
	r.play("mark nobody; mark nobody two archived; mark anna two archived, two redacted")
	r.expect(r.load(), `warning: the mark "redacted" of guidelines/`+one+" 1.0.0 is in force",
		"git show "+was[:12]+":./"+content.LifecycleFile,
		`the mark "archived" of guidelines/`+two+" 1.0.0 does not count")
	r.as(r.anna)
	r.write(content.LifecycleFile, r.git("show", was[:12]+":./"+content.LifecycleFile)+"\n")
	r.commit("As it was")
	if states, _ := r.states(); states != first {
		t.Errorf("%s after it was put back", states)
	}
	r.mark(r.anna, two+" archived")
	if states, _ := r.states(); states != one+" current, "+two+" archived" ||
		strings.Contains(r.load(), content.LifecycleFile+": warning") {
		t.Errorf("%s after the advice was followed\n%s", states, r.load())
	}
}

// The first version that a signer makes of a file takes over the marks that it has.
func TestFirstSignedMarks(t *testing.T) {
	r := newSignedRepo(t, "").play("edit one Один; sign one 1.0.0 anna")
	r.play("mark nobody one redacted; mark anna one redacted, two archived")
	if states, _ := r.states(); states != one+" redacted, "+two+" archived" {
		t.Errorf("%s\n%s", states, r.load())
	}
}

// A setting takes effect when it is signed; without any that is, nothing that nobody
// signed is said.
func TestSettingsOfSigners(t *testing.T) {
	r := newSignedRepo(t, "")
	result := r.loaded()
	if s := result.Snapshot.Settings; !reflect.DeepEqual(s, content.Unsettled()) {
		t.Errorf("%+v is in force, and nobody signed it", s)
	}
	r.expect(describeSigned(result, nil), content.SettingsFile+": warning: the change by commit",
		"nothing of the file is used until then")
	r.as(r.anna)
	r.write(content.SettingsFile, settings+"# signed\n")
	r.commit("Sign")
	signed := r.git("rev-parse", "HEAD")
	title := r.loaded().Snapshot.Settings.Title
	r.as("")
	r.write(content.SettingsFile, strings.Replace(settings, "title: ", "title: Мэллори и ", 1))
	r.commit("Mallory was here")
	result = r.loaded()
	if s := result.Snapshot.Settings; s.Title != title || strings.Contains(s.Title, "Мэллори") {
		t.Errorf("the title is %q, expected %q", s.Title, title)
	}
	if v := result.Snapshot.SignedFiles; len(v) != 1 || v[0].Commit != signed ||
		v[0].SignedBy.Signer != "anna@example.org" {
		t.Errorf("%+v vouch, expected commit %s of anna", v, signed)
	}
	r.expect(describeSigned(result, nil), "the version of commit "+signed[:12]+" is used until then")
	r.git("rm", "-q", content.SettingsFile)
	r.commit("Take it away")
	r.expect(r.load(), content.SettingsFile+": error: the file is missing",
		"the version of commit "+signed[:12]+" is used until then")
}

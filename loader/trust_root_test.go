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
	r := newSignedRepo(t, "")
	r.base()
	r.play("edit one Один; sign one 1.0.0 anna; as anna")
	r.write(content.SettingsFile, settings+"# signed\n")
	r.write(content.LifecycleFile, lifecycle())
	r.play("commit Nothing is marked; branch side")
	return r
}

// mark writes the marks and commits them as somebody.
func (r *signedRepo) mark(key string, marks ...string) string {
	r.Helper()
	r.as(key)
	r.write(content.LifecycleFile, lifecycle(marks...))
	r.commit("Mark " + strings.Join(marks, ", "))
	r.as("")
	return r.git("rev-parse", "HEAD")
}

// merge makes an unsigned commit of a tree with parents of anybody's choice, and moves
// the branch to it.
func (r *signedRepo) merge(tree string, parents ...string) {
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

// What a signed commit marks, only a signed commit changes, whatever is pushed on top.
func TestMarksOfSigners(t *testing.T) {
	redact := one + " redacted"
	for name, c := range map[string]struct {
		push  func(r *signedRepo) (from []string) // the commits that the marks are from
		want  string
		waits bool // what is at the head
	}{
		"signed": {func(r *signedRepo) []string { return []string{r.mark(r.anna, redact)} }, first, false},
		"nobody's mark": {func(r *signedRepo) []string {
			from := r.git("rev-parse", "HEAD")
			r.mark("", redact)
			return []string{from}
		}, neither, true},
		"a stranger's mark": {func(r *signedRepo) []string {
			from := r.git("rev-parse", "HEAD")
			r.mark(r.mallory, redact)
			return []string{from}
		}, neither, true},
		"taken away by nobody": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.mark("")
			return []string{from}
		}, first, true},
		"taken away by a signer": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			return []string{r.mark(r.anna)}
		}, neither, false},
		"the file taken away": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.play("as anna; rm $marks; commit Take the file away")
			return []string{from}
		}, first, false},
		"brought back by nobody, as it was": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.mark("")
			r.mark("", redact)
			return []string{from}
		}, first, false},
		"an old version, by a merge of what is merged": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.merge("side", from, "side")
			return []string{from}
		}, first, true},
		"an old version, by a merge with its parents the other way round": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.merge("side", "side", from)
			r.play("as anna; edit two Два, ещё раз")
			return []string{from}
		}, first, true},
		"a signed change beside, merged by nobody": {func(r *signedRepo) []string {
			r.git("checkout", "-q", "side")
			from := r.mark(r.anna, redact)
			r.play("checkout main; edit two Два, ещё раз; merge --no-ff -m Merge side")
			return []string{from}
		}, first, false},
		"a change by nobody beside, merged by a signer": {func(r *signedRepo) []string {
			from := r.git("rev-parse", "HEAD")
			r.git("checkout", "-q", "side")
			r.mark("", redact)
			r.play("checkout main; edit two Два, ещё раз; as anna; merge --no-ff -m Merge side")
			return []string{from}
		}, neither, true},
		"a signed change that a signed merge left out": {func(r *signedRepo) []string {
			r.git("checkout", "-q", "side")
			from := r.mark(r.anna, redact)
			r.play("checkout main; edit two Два, ещё раз; as anna; merge --no-ff -s ours -m Merge side")
			return []string{from}
		}, first, true},
		"a signed change that nobody's merge left out": {func(r *signedRepo) []string {
			r.git("checkout", "-q", "side")
			from := r.mark(r.anna, redact)
			r.play("checkout main; edit two Два, ещё раз; merge --no-ff -s ours -m Merge side")
			return []string{from}
		}, first, true},
		"side by side, merged by nobody": {func(r *signedRepo) []string {
			from := []string{r.mark(r.anna, redact)}
			r.git("checkout", "-q", "side")
			from = append(from, r.mark(r.anna, two+" redacted"))
			r.git("checkout", "-q", "main")
			r.merge("side", "main", "side")
			return from
		}, both, true},
		"side by side, merged by nobody the other way round": {func(r *signedRepo) []string {
			from := []string{r.mark(r.anna, redact)}
			r.git("checkout", "-q", "side")
			r.write(content.LifecycleFile, lifecycle()+"# on the side\n")
			r.play("as anna; commit On the side")
			from = append(from, r.git("rev-parse", "HEAD"))
			r.git("checkout", "-q", "main")
			r.merge("side", "side", "main")
			return from
		}, first, true},
		"side by side, merged by a signer": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.git("checkout", "-q", "side")
			r.mark(r.anna, two+" redacted")
			r.play("checkout main; as anna; merge --no-commit --no-ff -s ours side")
			return []string{r.mark(r.anna, redact, two+" redacted")}
		}, both, false},
		"taken away by nobody, below a signer's change": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.mark("")
			return []string{r.mark(r.anna, two+" redacted")}
		}, both, true},
		"added by nobody, below a signer's change": {func(r *signedRepo) []string {
			r.mark("", two+" redacted")
			return []string{r.mark(r.anna, two+" redacted", redact)}
		}, first, true},
		"changed by nobody, below a signer's change": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.mark("", one+" review_required")
			return []string{r.mark(r.anna, one+" review_required", two+" redacted")}
		}, both, true},
		"the file taken away by nobody, below a signer's": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.play("rm $marks; commit Take the file away")
			return []string{r.mark(r.anna, two+" redacted")}
		}, both, true},
		"put back by nobody, and taken away by a signer": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.mark("")
			r.mark(r.anna, one+" review_required")
			r.mark("", one+" review_required", redact)
			return []string{r.mark(r.anna)}
		}, neither, false},
		"taken away by nobody beside, below a signer's change, merged by nobody": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.git("checkout", "-q", "-B", "side")
			r.mark("")
			from := r.mark(r.anna, two+" redacted")
			r.play("checkout main; edit three Три; merge --no-ff -m Merge side")
			return []string{from}
		}, both, true},
		"taken away by nobody beside, below a signer's change, merged the other way round": {
			func(r *signedRepo) []string {
				r.mark(r.anna, redact)
				r.git("checkout", "-q", "-B", "side")
				r.mark("")
				from := r.mark(r.anna, two+" redacted")
				r.play(`
					checkout main; edit three Три; checkout side; as anna; merge --no-ff -m Merge main
					branch -f main side; checkout main
				`)
				return []string{from}
			}, both, true,
		},
		"taken away by nobody's merge beside, merged by a signer": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.git("checkout", "-q", "-B", "beside")
			r.merge("side", "main", "side") // the state before the mark, which a signer made
			r.play("edit three Три; checkout main; as anna; merge --no-ff -m Merge beside")
			return []string{from}
		}, first, true},
		"taken away by nobody beside, squashed by a signer": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.git("checkout", "-q", "-B", "side")
			r.mark("")
			r.play("checkout main; merge --squash side")
			return []string{r.mark(r.anna)}
		}, neither, false},
		"taken away by nobody's revert, below a signer's change": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.git("revert", "--no-edit", "HEAD")
			return []string{r.mark(r.anna, two+" redacted")}
		}, both, true},
		"taken away by a signer's revert": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.play("as anna; revert --no-edit HEAD")
			return []string{r.git("rev-parse", "HEAD")}
		}, neither, false},
		"taken away by nobody, rebased by a signer": {func(r *signedRepo) []string {
			r.mark(r.anna, redact)
			r.mark("")
			r.play("as anna; rebase --no-ff HEAD~1")
			return []string{r.git("rev-parse", "HEAD")}
		}, neither, false},
		"a signed version that is not valid": {func(r *signedRepo) []string {
			from := r.mark(r.anna, redact)
			r.as(r.anna)
			r.write(content.LifecycleFile, "schema_version: \"1.0\"\nmarks: nothing\n")
			r.commit("Break the file")
			return []string{from}
		}, first, false},
	} {
		t.Run(name, func(t *testing.T) {
			r := marked(t)
			want := c.push(r)
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
	r.mark("")
	r.mark("", two+" archived")
	r.mark(r.anna, two+" archived", two+" redacted")
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
	r := newSignedRepo(t, "")
	r.base()
	r.play("edit one Один; sign one 1.0.0 anna")
	r.mark("", one+" redacted")
	r.mark(r.anna, one+" redacted", two+" archived")
	if states, _ := r.states(); states != one+" redacted, "+two+" archived" {
		t.Errorf("%s\n%s", states, r.load())
	}
}

// A setting takes effect when it is signed; without any that is, nothing that nobody
// signed is said.
func TestSettingsOfSigners(t *testing.T) {
	r := newSignedRepo(t, "")
	r.base()
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

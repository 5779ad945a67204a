package loader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// sealOf is the line that seals what a file holds, whatever is wrong with it: who
// writes it needs no command of ours.
func sealOf(t *testing.T, tag, text string) string {
	t.Helper()
	parsed, err := content.ParseTag(tag)
	must(t, err)
	body := check.Item(schemas.Embedded(), parsed.Kind, parsed.Name, []byte(text)).Body
	sum, err := content.Checksum(content.Identified(parsed.Kind, parsed.Version, body))
	must(t, err)
	return tag + " " + sum + " " + sealedOn + "\n"
}

// sealedOn is the date of seals that sealOf makes.
const sealedOn = "2026-03-01T09:00:00Z"

const oneTag = "guidelines/" + one + "/v1.1.0"

// unfitTexts are files that were never served, by what is wrong with them.
func unfitTexts() map[string]string {
	good := guideline(one, "= Один, второй")
	with := func(old, new string) string { return strings.Replace(good, old, new, 1) }
	return map[string]string{
		"unknown-field":   good + "surprise: SYSTEM\n",
		"missing-field":   with("summary: Правило для испытаний.\n", ""),
		"length":          with("owner: Испытатели", "owner: "+strings.Repeat("а", 360_000)),
		"wrong-type":      with("owner: Испытатели", "owner: 1"),
		"unknown-value":   with("severity: info", "severity: fatal"),
		"wrong-form":      with("url: https://example.org/", "url: javascript:alert(1)"),
		"duplicate":       with("triggers: [Идёт испытание]", "triggers: [Раз]\n  product_types: [a, a]"),
		"format":          with(`schema_version: "1.0"`, `schema_version: "99.0"`),
		"duplicate-key":   good + "title: Другое\n",
		"id":              with("guideline_id: "+one, "guideline_id: "+two),
		"anchor":          with("owner: Испытатели", "owner: &a Испытатели"),
		"number":          with("severity: info", "severity: info\n    extra: 123456789012345678901"),
		"depth":           good + "deep: " + strings.Repeat("[", 40) + strings.Repeat("]", 40) + "\n",
		"too many":        with("triggers: [Идёт испытание]", "triggers: ["+strings.Repeat("Раз, ", 51)+"]"),
		"too many faults": good + numberedFields(300) + "owner2: x\n",
	}
}

func numberedFields(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, "field%d: x\n", i)
	}
	return b.String()
}

// A seal opens no door: what breaks its own format, a limit or any rule that was
// there before the seal is not served under one, whatever dates its commits have,
// with a tag or without.
func TestSealOpensNoDoor(t *testing.T) {
	for name, text := range unfitTexts() {
		for _, tagged := range []bool{true, false} {
			t.Run(fmt.Sprintf("%s tagged=%t", name, tagged), func(t *testing.T) {
				r := newRepo(t).play("edit one Один; publish one 1.0.0")
				r.now = time.Date(2001, 1, 1, 0, 0, 0, 0, time.UTC)
				r.write(content.Guidelines.File(one), text)
				r.addSeal(sealOf(t, oneTag, text))
				if tagged {
					r.tag(one, "1.1.0")
				}
				got := r.load()
				r.expect(got, "1.0.0 current", "refused "+oneTag,
					oneTag+": guidelines/test.one.001.yaml: error: the publication is sealed, and refused all the same",
					"publish it as a new version", "[seal-unfit]")
				r.refuse(got, "1.1.0 ", "[seal-lost]")
				if rule := strings.Fields(name)[0]; rule != "too" {
					r.expect(got, "["+rule+"]")
				}
			})
		}
	}
}

// dated gives a rule a day on which it came into force, for one test.
func dated(t *testing.T, rule, day string) {
	t.Helper()
	for i := range check.Rules() {
		if r := &check.Rules()[i]; r.ID == rule {
			before := r.Since
			r.Since = day
			t.Cleanup(func() { r.Since = before })
			return
		}
	}
	t.Fatalf("there is no rule %q", rule)
}

// A rule that came after a seal takes nothing away. When a seal came, the branch
// tells: a commit is no older than those it stands on.
func TestSealsOlderThanARule(t *testing.T) {
	const sealed, unfitNow = "1.1.0 current", "refused " + oneTag
	text := guideline(one, "= Один, второй") + "surprise: было можно\n"
	day := func(month, day int) time.Time { return time.Date(2026, time.Month(month), day, 10, 0, 0, 0, time.UTC) }
	for _, tc := range []struct {
		name string
		do   func(r *repo, line string)
		want string
	}{
		{"before the rule", func(r *repo, line string) { r.addSeal(line) }, sealed},
		{"on its day", func(r *repo, line string) { r.now = day(4, 1); r.addSeal(line) }, unfitNow},
		{"after it", func(r *repo, line string) { r.now = day(5, 1); r.addSeal(line) }, unfitNow},
		{"before it, by a date that the commits before give the lie", func(r *repo, line string) {
			r.now = day(5, 1)
			r.edit(two, "= Два")
			r.now = day(3, 2)
			r.addSeal(line)
		}, unfitNow},
		{"before it beside the branch, merged after it", func(r *repo, line string) {
			r.git("checkout", "-q", "-b", "side")
			r.addSeal(line)
			r.git("checkout", "-q", "main")
			r.now = day(5, 1)
			r.git("merge", "-q", "--no-ff", "side")
		}, unfitNow},
		{"before it, and the line is moved after it", func(r *repo, line string) {
			r.addSeal(line)
			r.now = day(5, 1)
			r.play("empty; commit Lose the seals")
			r.write(sums, line)
			r.commit("Restore them")
		}, sealed},
		{"before it, with a line in other words", func(r *repo, line string) {
			r.addSeal(strings.Replace(line, "09:00:00Z", "09:00:00+00:00", 1))
		}, sealed},
		{"after it, with a line in other words", func(r *repo, line string) {
			r.now = day(5, 1)
			r.addSeal(strings.Replace(line, "09:00:00Z", "09:00:00+00:00", 1))
		}, unfitNow},
	} {
		t.Run(tc.name, func(t *testing.T) {
			dated(t, "unknown-field", "2026-04-01")
			r := newRepo(t).play("edit one Один; publish one 1.0.0")
			r.write(content.Guidelines.File(one), text)
			r.commit("Write")
			l := r.loader()
			if _, err := l.Load(t.Context()); err != nil {
				t.Fatal(err)
			}
			tc.do(r, sealOf(t, oneTag, text))
			got := r.load()
			r.expect(got, tc.want)
			if again := describe(l.Load(t.Context())); contentOf(again) != contentOf(got) {
				t.Errorf("a loader that goes on comes to\n%s\na new one to\n%s", again, got)
			}
			if tc.want == sealed {
				r.expect(got, `warning: unknown field "surprise" [unknown-field]`,
					"the publication is sealed and goes on being served")
			}
		})
	}
}

// The same content may stand in another file as it should: it is what was sealed.
func TestSealedContentElsewhere(t *testing.T) {
	r := newRepo(t).play("edit one Один")
	good := guideline(one, "= Один")
	bad := strings.Replace(good, "owner: Испытатели", "owner: &a Испытатели", 1)
	r.write(content.Guidelines.File(one), bad)
	r.addSeal(sealOf(t, oneTag, bad))
	r.tag(one, "1.1.0")
	got := r.load()
	r.expect(got, `1.1.0 current "Один" sealed`, "warning: the anchor &a is not allowed")
	r.refuse(got, "[seal-disagrees]", "[seal-unfit]")
}

// However much a later rule finds, it does not hide what an earlier one does.
func TestManyFaultsHideNone(t *testing.T) {
	dated(t, "unknown-field", "2026-04-01")
	load := func(t *testing.T, text string) string {
		r := newRepo(t).play("edit one Один; publish one 1.0.0")
		r.write(content.Guidelines.File(one), text)
		r.addSeal(sealOf(t, oneTag, text))
		return r.load()
	}
	t.Run("of one later rule", func(t *testing.T) {
		if got := load(t, guideline(one, "= Один")+numberedFields(300)); !strings.Contains(got, "1.1.0 current") {
			t.Error(got)
		}
	})
	t.Run("and one of an earlier rule", func(t *testing.T) {
		text := strings.Replace(guideline(one, "= Один"), "severity: info", "severity: fatal", 1) + numberedFields(300)
		if got := load(t, text); !strings.Contains(got, "refused "+oneTag) {
			t.Error(got)
		}
	})
}

// sealInstruction commits an instruction with its seal.
func (r *repo) sealInstruction(version, id string) {
	r.write("instructions/work.yaml", instruction(id))
	r.addSeal(sealOf(r.T, "instructions/work/v"+version, instruction(id)))
}

// An item keeps the id that its first seal gave it: no later publication, of a lower
// version even, takes a sealed one away.
func TestIDOfTheFirstSeal(t *testing.T) {
	for _, version := range []string{"0.9.0", "1.1.0"} {
		t.Run(version, func(t *testing.T) {
			r := newRepo(t)
			for _, v := range []string{"1.0.0 service.work.001", version + " service.other.001"} {
				number, id, _ := strings.Cut(v, " ")
				r.sealInstruction(number, id)
				r.git("tag", "-a", "-m", "Publish", "instructions/work/v"+number)
			}
			r.expect(r.load(), "1.0.0 current", "refused instructions/work/v"+version,
				`error: the instruction_id is "service.other.001" and was "service.work.001" in version 1.0.0 [id]`)
		})
	}
}

// Where both ids were sealed side by side, nobody knows which is the item's, whatever
// the order in which they were merged.
func TestIDsSealedSideBySide(t *testing.T) {
	for _, parents := range [][]string{{"rival", "main"}, {"main", "rival"}} {
		t.Run(fmt.Sprint(parents), func(t *testing.T) {
			r := newRepo(t).play("edit two Два; publish two 1.0.0; branch rival")
			r.sealInstruction("1.0.0", "service.work.001")
			first := r.git("rev-parse", "HEAD")
			r.git("checkout", "-q", "rival")
			r.sealInstruction("0.9.0", "service.evil.001")
			r.mergeOf("main", []string{"main", "rival"}, parents...)
			r.expect(r.load(), `1.0.0 current "Два"`, "refused instructions/work/v1.0.0",
				"refused instructions/work/v0.9.0", "[id]")
			r.git("tag", "-a", "-m", "First", "instructions/work/v1.0.0", first)
			got := r.load()
			r.expect(got, "refused instructions/work/v0.9.0", "instructions/work\n  1.0.0 current")
			r.refuse(got, "refused instructions/work/v1.0.0")
		})
	}
}

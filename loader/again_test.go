package loader_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/schemas"
)

// A look loads when a ref, the date or a draft is another, and only then.
func TestLook(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0")
	day := time.Date(2026, 11, 20, 12, 0, 0, 0, time.UTC)
	for _, drafts := range []bool{false, true} {
		l := loader.New(loader.Config{Source: git.OnDisk(r.dir), Drafts: drafts, Schemas: schemas.Embedded(),
			Now: func() time.Time { return day }})
		state := ""
		for _, c := range []struct {
			what    string
			do      func()
			changes bool
		}{
			{"at first", func() {}, true},
			{"nothing", func() {}, false},
			{"an hour", func() { day = day.Add(time.Hour) }, false},
			{"a day", func() { day = day.AddDate(0, 0, 1) }, true},
			{"a branch", func() { r.git("branch", "-f", "other") }, false},
			{"packed refs", func() { r.git("pack-refs", "--all") }, false},
			{"a tag of others", func() { r.git("tag", fmt.Sprintf("of-%t", drafts)) }, false},
			{"a tag", func() { r.git("tag", fmt.Sprintf("v1.0.0-%t", drafts)) }, true},
			{"a save", func() {
				r.write(content.Guidelines.File("test.one.001"), guideline("test.one.001", fmt.Sprint("= ", drafts)))
			}, drafts},
			{"a commit", func() { r.git("commit", "-q", "--allow-empty", "-m", "Nothing") }, true},
		} {
			c.do()
			result, err := l.Look(t.Context(), state)
			must(t, err)
			if changed := result.Snapshot != nil; changed != c.changes {
				t.Errorf("%s, drafts %t: it loads: %t, expected %t", c.what, drafts, changed, c.changes)
			}
			if result.Snapshot != nil {
				state = result.State
			}
		}
	}
}

// A loader that goes on says of every version of a file of seals what a new one says,
// also where nothing became of it since.
func TestSealsAreReviewedAgain(t *testing.T) {
	r := newRepo(t).play("edit one Один; publish one 1.0.0; seal")
	sealed := r.git("show", "HEAD:"+sums)
	l := r.loader()
	again := func(wants ...string) {
		t.Helper()
		for range 2 {
			got := describe(l.Load(t.Context()))
			if fresh := r.load(); got != fresh {
				t.Errorf("the running loader says\n%s\na fresh one\n%s", got, fresh)
			}
			r.expect(got, wants...)
		}
	}
	again("1.0.0 current")
	r.play("empty; commit Seals are lost")
	again("[seal-missing]")
	r.write(sums, "guidelines/test.one.001/v1.0.0 sha256:"+strings.Repeat("0", 64)+
		" 2026-03-02T10:00:00Z\n")
	r.commit("and changed")
	again("[seal-changed]")
	r.write(sums, sealed+"\n")
	r.commit("and restored")
	again("1.0.0 current")
}

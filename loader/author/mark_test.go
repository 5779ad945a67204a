package author

import (
	"strings"
	"testing"
	"time"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/schemas"
)

// A mark is written for what is there, says nothing twice and nothing weaker.
func TestMark(t *testing.T) {
	t.Parallel()
	const since = "2026-03-01"
	shared := copied(t)
	shared.edit("lifecycle.yaml", `^marks: .*`, "marks:\n  - {item: scenarios/two, status: archived, reason: Старый, "+
		"since: 2026-02-01}\n"+
		"  - {item: "+rule+", status: redacted, reason: Ошибка, since: 2026-02-01}\n"+
		"  - {item: parameters/test.limit, status: review_required, reason: Новый закон, since: 2026-02-01}\n"+
		"  - {item: "+rule+", version: 1.1.0, status: archived, reason: Срок, since: 2026-02-01}")
	shared.commit("Пометки")
	snapshot := shared.published()
	before, err := shared.read(t.Context(), content.LifecycleFile)
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		mark content.Mark
		want string // the line, or, if it begins with "!", a part of the error
	}{
		{"an item", content.Mark{Item: one, Status: content.Archived}, "{item: scenarios/one, status: archived, "},
		{
			"by the path of its file", content.Mark{Item: "./scenarios/one.yaml", Status: content.Archived},
			"{item: scenarios/one, ",
		},
		{"by its name", content.Mark{Item: "one", Status: content.Redacted}, "{item: scenarios/one, status: redacted, "},
		{
			"a version", content.Mark{Item: rule, Version: "1.0.0", Status: content.Archived},
			"{item: " + rule + ", version: \"1.0.0\", status: archived, ",
		},
		{
			"no item", content.Mark{Item: "scenarios/onee", Status: content.Archived},
			`!there is no item "scenarios/onee": did you mean scenarios/one?`,
		},
		{"no item at all", content.Mark{Item: "spells/fire", Status: content.Archived}, "!write folder and name, for " +
			"example guidelines/"},
		{
			"no version", content.Mark{Item: rule, Version: "9.9.9", Status: content.Archived},
			"!" + rule + " has no published version 9.9.9: it has 1.1.0, 1.0.0",
		},
		{
			"what does not expire", content.Mark{Item: one, Status: content.ReviewRequired},
			"!scenarios/one cannot be review_required: only guidelines and parameters can",
		},
		{
			"again", content.Mark{Item: two, Status: content.Archived},
			"!scenarios/two is marked archived already, since 2026-02-01: Старый",
		},
		{
			"a version again", content.Mark{Item: rule, Version: "1.1.0", Status: content.Archived},
			"!" + rule + "@1.1.0 is marked archived already, since 2026-02-01: Срок",
		},
		{
			"again, with a successor", content.Mark{Item: two, Status: content.Archived, ReplacedBy: one},
			"!since 2026-02-01: write `replaced_by: scenarios/one` into that mark in lifecycle.yaml",
		},
		{"stronger", content.Mark{Item: two, Status: content.Redacted}, "{item: scenarios/two, status: redacted, "},
		{"of what was " +
			"weaker", content.Mark{Item: "test.limit", Status: content.Archived}, "{item: parameters/test.limit, status: " +
			"archived, "},
		{
			"weaker", content.Mark{Item: rule, Status: content.Archived},
			"!" + rule + " is marked redacted since 2026-02-01, which is stronger: remove that mark from lifecycle.yaml if " +
				"it is wrong",
		},
		{"weaker than archived", content.Mark{Item: rule, Status: content.ReviewRequired}, "!which is stronger"},
		{
			"a successor", content.Mark{Item: one, Status: content.Archived, ReplacedBy: "./scenarios/two.yaml"},
			"{item: scenarios/one, status: archived, replaced_by: scenarios/two, ",
		},
		{
			"a successor that has a file", content.Mark{Item: one, Status: content.Archived, ReplacedBy: "scenarios/new"},
			"replaced_by: scenarios/new, ",
		},
		{
			"no successor", content.Mark{Item: one, Status: content.Archived, ReplacedBy: "scenarios/onf"},
			`!--replaced-by: there is no item "scenarios/onf": did you mean scenarios/one?`,
		},
		{
			"a successor of no kind", content.Mark{Item: one, Status: content.Archived, ReplacedBy: "v1.0.0"},
			"!--replaced-by: ",
		},
		{
			"itself", content.Mark{Item: one, Status: content.Archived, ReplacedBy: "one"},
			"!scenarios/one cannot be replaced by itself: name the item that is to be read in its place",
		},
		{
			"what is not lost", content.Mark{Item: one, Version: "1.0.0", Status: content.Void},
			`!scenarios/one has no sealed version "1.0.0" whose content is lost or whose day has not come`,
		},
		{"a reason that is too short", content.Mark{Item: one, Status: content.Archived, Reason: "x"}, "!the mark " +
			"cannot be written: "},
	} {
		t.Run(c.name, func(t *testing.T) {
			w := &work{T: t, Repository: shared.Repository}
			w.put(content.LifecycleFile, before)
			w.put("scenarios/new.yaml", newScenario)
			c.mark.Since = since
			if c.mark.Reason == "" {
				c.mark.Reason = "Ошибка"
			}
			err := w.Mark(t.Context(), schemas.Embedded(), snapshot, c.mark)
			after, e := w.read(t.Context(), content.LifecycleFile)
			if part, refused := strings.CutPrefix(c.want, "!"); refused {
				if err == nil || !strings.Contains(err.Error(), part) || after != before {
					t.Errorf("%v\nlacks %s", err, part)
				}
				return
			}
			added := strings.TrimPrefix(after, before)
			if err != nil || e != nil || len(added) == len(after) || !strings.Contains(added, c.want) ||
				!strings.HasSuffix(added, ", reason: \"Ошибка\", since: 2026-03-01}\n") {
				t.Errorf("%v, %v: %s", err, e, added)
			}
		})
	}
	for text, part := range map[string]string{
		"schema_version: \"1.0\"\nmarcs: []\n": "lifecycle.yaml has to be mended first: lifecycle.yaml:1:1: error",
		"schema_version: \"1.0\"\nmarks: [{item: scenarios/two, status: archived, reason: Старый, since: " +
			"2026-02-01}]\n": "the layout of " +
			"lifecycle.yaml leaves no place for a mark: add it yourself:\n  - {item: scenarios/one, status: archived, ",
	} {
		shared.put(content.LifecycleFile, text)
		m := content.Mark{Item: one, Status: content.Archived, Reason: "Ошибка", Since: since}
		err := shared.Mark(t.Context(), schemas.Embedded(), snapshot, m)
		if after, _ := shared.read(t.Context(), content.LifecycleFile); err == nil ||
			!strings.Contains(err.Error(), part) || after != text {
			t.Errorf("%v\nlacks %s", err, part)
		}
	}
}

// What was published ahead is voided before its day, in the format that knows that.
func TestVoid(t *testing.T) {
	t.Parallel()
	w := copied(t)
	w.title(one, "Потом")
	w.publish(Options{Items: []string{one}, At: time.Date(2999, 1, 1, 0, 0, 0, 0, time.UTC)})
	s := w.published()
	late := content.Mark{Item: one, Version: "1.0.1", Status: content.Void, Reason: "Отменено", Since: "2999-01-01"}
	if err := w.Mark(t.Context(), schemas.Embedded(), s, late); err == nil {
		t.Error("what has begun is voided")
	}
	late.Since = "2026-03-01"
	if err := w.Mark(t.Context(), schemas.Embedded(), s, late); err != nil {
		t.Fatal(err)
	}
	if text, err := w.read(t.Context(), content.LifecycleFile); err != nil ||
		text != "schema_version: \"1.1\"\nmarks:\n"+
			"  - {item: scenarios/one, version: \"1.0.1\", status: void, reason: \"Отменено\", since: 2026-03-01}\n" {
		t.Errorf("%v\n%s", err, text)
	}
	w.commit("Отменено")
	w.plans(Options{}, one+"/v1.0.2 after 1.0.0: wording: title changed\n")
}

// A mark goes where it belongs, whatever the layout, or nowhere.
func TestWithMark(t *testing.T) {
	m := content.Mark{Item: "guidelines/a.b.001", Version: "1.0.0", Status: content.Archived,
		Reason: "Ошибка: \"срок\"\n", Since: "2026-05-01"}
	const block = "- {item: guidelines/a.b.001, version: \"1.0.0\", status: archived, reason: \"Ошибка: " +
		"\\\"срок\\\"\\n\", since: 2026-05-01}\n"
	indented := "  " + strings.ReplaceAll(strings.TrimSuffix(block, "\n"), "\n", "\n  ") + "\n"
	tests := []struct{ name, text, want string }{
		{"empty list", newLifecycleHead + "marks: []\n", newLifecycleHead + "marks:\n" + indented},
		{"empty list, no line end", newLifecycleHead + "marks: []", newLifecycleHead + "marks:\n" + indented},
		{"empty list with a comment", newLifecycleHead + "marks: [] # ещё нет\n",
			newLifecycleHead + "marks: # ещё нет\n" + indented},
		{"not indented", newLifecycleHead + "marks:\n- item: x\n", newLifecycleHead + "marks:\n- item: x\n" + block},
		{"blank lines after", newLifecycleHead + "marks:\n- item: x\n\n\n",
			newLifecycleHead + "marks:\n- item: x\n" + block},
		{"a long text at the end", newLifecycleHead + "marks:\n  - item: x\n    reason: >-\n      Раз\n\n      два\n",
			newLifecycleHead + "marks:\n  - item: x\n    reason: >-\n      Раз\n\n      два\n" + indented},
		{"a comment before", newLifecycleHead + "marks:\n# Пометки - старые\n- item: x\n",
			newLifecycleHead + "marks:\n# Пометки - старые\n- item: x\n" + block},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			if got := withMark(tt.text, m); got != tt.want {
				t.Errorf("%s\nexpected\n%s", got, tt.want)
			}
		})
	}
}

// A version is voided by any name that other marks take.
func TestVoidable(t *testing.T) {
	lost := []*semver.Version{semver.MustParse("1.0.0")}
	s := content.NewSnapshot(content.Input{})
	s.Spent = map[string][]*semver.Version{"guidelines/a.b.001": lost, "scenarios/one": lost, "guidelines/one": lost}
	for name, want := range map[string]string{
		"guidelines/a.b.001": "guidelines/a.b.001", "a.b.001": "guidelines/a.b.001",
		"./guidelines/a.b.001.yaml": "guidelines/a.b.001", "scenarios/one": "scenarios/one", "one": "", "b.001": "",
	} {
		got, err := voidable(s, content.Mark{Item: name, Version: "1.0.0"})
		if got != want || (err == nil) != (want != "") {
			t.Errorf("%s is %q, %v", name, got, err)
		}
	}
	if item, err := voidable(s, content.Mark{Item: "a.b.001", Version: "1.0.1"}); err == nil {
		t.Errorf("another version of %s is voided", item)
	}
}

const newLifecycleHead = "schema_version: \"1.0\"\n"

package change

import (
	"fmt"
	"testing"

	"rulestore/content"
)

// unlike is a list of which no two elements, of it and of another one, have a word in
// common.
func unlike(name string, n int) (all []any) {
	for i := range n {
		all = append(all, map[string]any{name: fmt.Sprintf("%s%d", name, i),
			"more" + name: fmt.Sprintf("%sx%d", name, i)})
	}
	return all
}

// Every pair of elements that are checked against each other is counted, and when nothing
// is left nothing more is done.
func TestEffortIsCounted(t *testing.T) {
	before, after := unlike("a", 200), unlike("b", 200)
	t.Run("enough", func(t *testing.T) {
		e := newEffort()
		m, ok := match(e, nil, before, after, false)
		if spent := maxSteps - e.steps; !ok || spent < len(before)*len(after) {
			t.Errorf("%d steps for %d pairs", spent, len(before)*len(after))
		}
		if m.after[0] != -1 {
			t.Error("unlike elements are paired")
		}
	})
	for _, steps := range []int{0, 1, 100, 5000, 39_999} {
		t.Run(fmt.Sprint(steps), func(t *testing.T) {
			e := newEffort()
			e.steps = steps
			if _, ok := match(e, nil, before, after, false); ok || !e.spent() || e.steps < 0 {
				t.Errorf("matched: %t, %d steps are left", ok, e.steps)
			}
		})
	}
}

// What is left when the effort is spent is compared as a whole, each value once, and
// what is the same is not called different.
func TestNothingLeft(t *testing.T) {
	d := differ{kind: content.Guidelines, effort: newEffort()}
	d.steps = 0
	d.objects(&place{}, map[string]any{"a": unlike("a", 3), "b": unlike("a", 3), "c": "x"},
		map[string]any{"a": unlike("b", 3), "b": unlike("a", 3), "c": "y"})
	var paths []string
	for _, f := range d.found {
		paths = append(paths, f.Path)
	}
	if fmt.Sprint(paths) != "[a c]" || d.found[0].What != Changed {
		t.Errorf("%v", paths)
	}
}

// The list of what differs ends where it is too long, and says so.
func TestListIsCutShort(t *testing.T) {
	d := differ{kind: content.Guidelines, effort: newEffort()}
	for i := range 100_000 {
		d.add((&place{}).under(fmt.Sprint("field", i)), Changed, "a", "b")
	}
	last := d.found[len(d.found)-1]
	if len(d.found) > 10_000 || last.Class != Breaking || last.Why != "more differs from here on than can be listed" {
		t.Errorf("%d places, the last: %s", len(d.found), last.Why)
	}
}

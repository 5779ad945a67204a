package change

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"rulestore/content"
)

// matching says which elements of two lists are the same one: after[i] is where
// the i-th of the older list is in the newer, before[j] the other way round, -1
// if it is nowhere.
type matching struct {
	*effort
	unique        string // the field that holds their code
	after, before []int
}

// match pairs the elements of two lists: by code where they have one, else equal
// ones, then those that are alike enough to be versions of each other. Of texts
// that are left, one takes the place of another, unless the list is one in which
// that hides a new restriction. It is not ok if that takes more effort than is left.
func match(e *effort, f *content.Field, before, after []any, narrowing bool) (m matching, ok bool) {
	m = matching{effort: e, after: none(len(before)), before: none(len(after))}
	if f != nil {
		m.unique = f.Unique
	}
	if m.unique != "" {
		m.byCode(before, after)
		return m, true
	}
	m.equal(before, after)
	if f == nil || f.Items == nil || f.Items.Prose || len(f.Items.Fields) > 0 {
		m.similar(before, after)
	}
	if f != nil && isProse(f.Items) && !narrowing {
		m.inTurn()
	}
	return m, !e.spent()
}

func none(n int) []int {
	list := make([]int, n)
	for i := range list {
		list[i] = -1
	}
	return list
}

// code returns what an element goes by, "" if it has no code.
func (m *matching) code(e any) string {
	object, _ := e.(map[string]any)
	code, _ := object[m.unique].(string)
	return code
}

func (m *matching) nameOf(e any, i int) string {
	if code := m.code(e); code != "" {
		return code
	}
	if s, ok := e.(string); ok && isCode(s) {
		return s
	}
	return number(i)
}

// isCode says whether a text can name itself.
func isCode(s string) bool {
	return len(s) <= 120 && strings.ContainsFunc(s, unicode.IsLetter) &&
		!strings.ContainsFunc(s, func(c rune) bool { return c >= unicode.MaxASCII || c <= ' ' || c == '[' || c == ']' })
}

func (m *matching) byCode(before, after []any) {
	where := map[string]int{}
	for j, a := range after {
		where[m.code(a)] = j
	}
	for i, b := range before {
		if j, ok := where[m.code(b)]; ok && m.before[j] < 0 {
			m.after[i], m.before[j] = j, i
		}
	}
}

func (m *matching) pair(i, j int) { m.after[i], m.before[j] = j, i }

// equal pairs the elements that are the same in both lists.
func (m *matching) equal(before, after []any) {
	free := make(map[string][]int, len(after))
	for j, a := range after {
		if m.spent() {
			return
		}
		k := m.key(a)
		free[k] = append(free[k], j)
	}
	for i, b := range before {
		if m.spent() {
			return
		}
		k := m.key(b)
		if all := free[k]; len(all) > 0 {
			m.pair(i, all[0])
			free[k] = all[1:]
		}
	}
}

// similar pairs what is left, each with the one that is most like it.
func (m *matching) similar(before, after []any) {
	for i, j := range m.after {
		if j >= 0 {
			continue
		}
		if best := m.mostLike(before[i], after); best >= 0 {
			m.pair(i, best)
		}
	}
}

// mostLike finds, of the elements that are left, the one that is most like another; -1
// if none is like it.
func (m *matching) mostLike(b any, after []any) int {
	best, most := -1, 0.0
	for j, a := range after {
		if m.before[j] >= 0 {
			continue
		}
		if !m.spend(1) {
			return -1
		}
		if l := m.alike(b, a); l > most {
			best, most = j, l
		}
	}
	return best
}

// inTurn pairs what is left in order.
func (m *matching) inTurn() {
	j := 0
	for i := range m.after {
		if m.after[i] >= 0 {
			continue
		}
		for j < len(m.before) && m.before[j] >= 0 {
			j++
		}
		if j == len(m.before) {
			return
		}
		m.pair(i, j)
	}
}

// enough is how much two elements must have in common to be one.
const enough = 0.5

// alike returns how much two values have in common, from 0 to 1: 0 if it is not
// enough to call one the successor of the other.
func (e *effort) alike(a, b any) float64 {
	l := 0.0
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			l = e.shared(x, y)
		}
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			l = e.sharedFields(x, y)
		}
	}
	if l < enough {
		return 0
	}
	return l
}

// sharedFields returns which part of the fields of two objects is equal or alike.
func (e *effort) sharedFields(a, b map[string]any) float64 {
	both := 0.0
	for name, x := range a {
		y, ok := b[name]
		if !ok || !e.spend(1) {
			continue
		}
		switch text, isText := x.(string); {
		case isText && text == y:
			both++
		case isText:
			both += e.alike(x, y)
		case e.key(x) == e.key(y):
			both++
		}
	}
	return 2 * both / float64(max(len(a)+len(b), 1))
}

// renumbered reports whether elements that have the number of a step come in another
// order by these numbers, wherever in the list they stand.
func (m *matching) renumbered(before, after []any) bool {
	var steps [][2]float64
	for i, j := range m.after {
		if j < 0 {
			continue
		}
		was, ok := stepOf(before[i])
		is, still := stepOf(after[j])
		if ok && still {
			steps = append(steps, [2]float64{was, is})
		}
	}
	slices.SortStableFunc(steps, func(a, b [2]float64) int { return cmp.Compare(a[0], b[0]) })
	for i := 1; i < len(steps); i++ {
		if a, b := steps[i-1], steps[i]; cmp.Compare(a[0], b[0]) != cmp.Compare(a[1], b[1]) {
			return true
		}
	}
	return false
}

// stepOf returns the number of a step, if the element has one.
func stepOf(e any) (float64, bool) {
	object, _ := e.(map[string]any)
	number, _ := object["step"].(json.Number)
	f, err := number.Float64()
	return f, err == nil
}

package change

import (
	"cmp"
	"encoding/json"
	"slices"
	"strings"
	"unicode"

	"rulestore/content"
)

// matching maps the elements of two lists to each other: after[i] is the index of the i-th element
// of the older list in the newer one, before[j] the reverse, -1 if there is none.
type matching struct {
	*effort
	unique        string // the field with their code
	after, before []int
}

// match matches the elements of two lists: by code if they have one, else equal ones, then similar
// ones. Remaining texts are matched in their order, unless that would hide a new restriction. It
// is not ok if that exceeds the budget.
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
		m.inOrder()
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

// code returns the code of an element, "" if it has none.
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

// isCode reports whether a text can be the name of an element.
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

// equal matches the equal elements.
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

// similar matches each remaining element with the most similar one.
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

// mostLike returns the index of the remaining element that is most similar to another, -1 if none
// is similar.
func (m *matching) mostLike(b any, after []any) int {
	best, highest := -1, 0.0
	for j, a := range after {
		if m.before[j] >= 0 {
			continue
		}
		if !m.spend(1) {
			return -1
		}
		if l := m.similarity(b, a); l > highest {
			best, highest = j, l
		}
	}
	return best
}

// inOrder matches the remaining elements in their order.
func (m *matching) inOrder() {
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

// minSimilarity is the minimum similarity of matched elements.
const minSimilarity = 0.5

// similarity returns the similarity of two values, from 0 to 1; 0 if it is below minSimilarity.
func (e *effort) similarity(a, b any) float64 {
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
	if l < minSimilarity {
		return 0
	}
	return l
}

// sharedFields returns the part of the fields of two objects that is equal or similar.
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
			both += e.similarity(x, y)
		case e.key(x) == e.key(y):
			both++
		}
	}
	return 2 * both / float64(max(len(a)+len(b), 1))
}

// renumbered reports whether the order of steps by their numbers has changed, at whatever
// positions of the list.
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

// stepOf returns the number of a step, not ok if the element has none.
func stepOf(e any) (float64, bool) {
	object, _ := e.(map[string]any)
	number, _ := object["step"].(json.Number)
	f, err := number.Float64()
	return f, err == nil
}

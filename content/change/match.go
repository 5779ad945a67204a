package change

import (
	"reflect"
	"strings"
	"unicode"

	"rulestore/content"
)

// matching says which elements of two lists are the same one: after[i] is where
// the i-th of the older list is in the newer, before[j] the other way round, -1
// if it is nowhere.
type matching struct {
	unique        string // the field that holds their code
	after, before []int
	split         map[string][]string // texts split into words, which takes longest
}

// match pairs the elements of two lists: by code where they have one, else equal
// ones, then those that are alike enough to be versions of each other. Of texts
// that are left, one takes the place of another, unless the list is one in which
// that hides a new restriction.
func match(f *content.Field, before, after []any, narrowing bool) matching {
	m := matching{after: none(len(before)), before: none(len(after)), split: map[string][]string{}}
	if f != nil {
		m.unique = f.Unique
	}
	if m.unique != "" {
		m.byCode(before, after)
		return m
	}
	m.pair(before, after, func(a, b any) float64 {
		if reflect.DeepEqual(a, b) {
			return 1
		}
		return 0
	})
	if f == nil || f.Items == nil || f.Items.Prose || len(f.Items.Fields) > 0 {
		m.pair(before, after, m.alike)
	}
	if f != nil && isProse(f.Items) && !narrowing {
		m.pair(before, after, func(a, b any) float64 { return enough })
	}
	return m
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

// pair matches what is left, each with the one that is most like it.
func (m *matching) pair(before, after []any, likeness func(a, b any) float64) {
	for i, b := range before {
		if m.after[i] >= 0 {
			continue
		}
		best, most := -1, 0.0
		for j, a := range after {
			if m.before[j] >= 0 {
				continue
			}
			if l := likeness(b, a); l > most {
				best, most = j, l
			}
		}
		if best >= 0 {
			m.after[i], m.before[best] = best, i
		}
	}
}

// enough is how much two elements must have in common to be one.
const enough = 0.5

// alike returns how much two values have in common, from 0 to 1: 0 if it is not
// enough to call one the successor of the other.
func alike(a, b any) float64 {
	m := matching{split: map[string][]string{}}
	return m.alike(a, b)
}

func (m *matching) alike(a, b any) float64 {
	l := 0.0
	switch x := a.(type) {
	case string:
		if y, ok := b.(string); ok {
			l = shared(m.words(x), m.words(y))
		}
	case map[string]any:
		if y, ok := b.(map[string]any); ok {
			l = m.sharedFields(x, y)
		}
	}
	if l < enough {
		return 0
	}
	return l
}

func (m *matching) words(s string) []string {
	w, ok := m.split[s]
	if !ok {
		w = words(s)
		m.split[s] = w
	}
	return w
}

// shared returns which part of two lists of words is in both (Dice).
func shared(a, b []string) float64 {
	count := map[string]int{}
	for _, w := range a {
		count[w]++
	}
	both := 0
	for _, w := range b {
		if count[w] > 0 {
			count[w]--
			both++
		}
	}
	return 2 * float64(both) / float64(max(len(a)+len(b), 1))
}

// sharedFields returns which part of the fields of two objects is equal or alike.
func (m *matching) sharedFields(a, b map[string]any) float64 {
	both := 0.0
	for name, x := range a {
		if y, ok := b[name]; ok {
			if reflect.DeepEqual(x, y) {
				both++
			} else if _, isText := x.(string); isText {
				both += m.alike(x, y)
			}
		}
	}
	return 2 * both / float64(max(len(a)+len(b), 1))
}

// words splits a text into words in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool { return !unicode.IsLetter(c) && !unicode.IsDigit(c) })
}

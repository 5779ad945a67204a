package change

import (
	"bytes"
	"encoding/json"
	"slices"
	"strings"
	"unicode"
)

// Bounds on the cost of comparing two versions, for any content, since versions are compared
// per request. Beyond them, values are compared as a whole.
const (
	// maxSteps is the maximum number of bytes that are read, and of words that are compared, to
	// find similar elements.
	maxSteps = 1 << 20
	// maxValues is the approximate maximum number of values that are decomposed.
	maxValues = 100_000
	// maxText is the maximum size of a text whose words are compared, in bytes.
	maxText = 32 << 10
	// maxDepth is the maximum depth of values, and maxNames that of the fields of two objects
	// together: far more than in any format.
	maxDepth, maxNames = 12, 1000
)

// effort is the remaining budget, with the words of the texts that were read.
type effort struct {
	steps, values int
	counting      bool               // texts are not looked through, but use the budget all the same
	ids           map[string]int32   // of words
	texts         map[string][]int32 // the words of a text, as sorted numbers
}

func newEffort() *effort {
	return &effort{steps: maxSteps, values: maxValues, ids: map[string]int32{}, texts: map[string][]int32{}}
}

// spend uses steps, and reports whether so many were left.
func (e *effort) spend(steps int) bool {
	if e.steps < steps {
		e.steps = 0
		return false
	}
	e.steps -= steps
	return true
}

// spent reports whether the budget is used up.
func (e *effort) spent() bool { return e.steps == 0 }

// take reports whether a value may be decomposed, and uses the budget for it.
func (e *effort) take(value json.RawMessage) bool {
	n := 1 + bytes.Count(value, []byte(","))
	if e.values < n {
		return false
	}
	e.values -= n
	return true
}

// read returns the words of a text as sorted numbers; none if it is too long, or if the budget is
// used up.
func (e *effort) read(s string) []int32 {
	t, ok := e.texts[s]
	if ok || len(s) > maxText || !e.spend(len(s)) {
		return t
	}
	for _, word := range words(s) {
		id, ok := e.ids[word]
		if !ok {
			id = int32(len(e.ids))
			e.ids[word] = id
		}
		t = append(t, id)
	}
	slices.Sort(t)
	e.texts[s] = t
	return t
}

// shared returns the part of the words of two texts that is in both (Dice coefficient).
func (e *effort) shared(a, b string) float64 {
	x, y := e.read(a), e.read(b)
	n, both := len(x)+len(y), 0
	if !e.spend(n) {
		return 0
	}
	for len(x) > 0 && len(y) > 0 {
		switch {
		case x[0] < y[0]:
			x = x[1:]
		case x[0] > y[0]:
			y = y[1:]
		default:
			x, y, both = x[1:], y[1:], both+1
		}
	}
	return 2 * float64(both) / float64(max(n, 1))
}

// key returns a text that is the same for equal values only.
func (e *effort) key(v any) string {
	k, ok := v.(string)
	if !ok {
		k = " " + string(raw(v))
	} else {
		k = `"` + k
	}
	e.spend(len(k))
	return k
}

// words splits a text into words in lower case.
func words(s string) []string {
	return strings.FieldsFunc(strings.ToLower(s), func(c rune) bool {
		return !unicode.IsLetter(c) && !unicode.IsDigit(c)
	})
}

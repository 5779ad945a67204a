package check

import (
	"slices"
	"strings"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/content/document"
)

// maxNear is the maximum length of a word, in letters, for which similar ones are searched.
const maxNear = 80

// Nearest returns the candidate most similar to a misspelt word, "" if none is near: the fewest
// letters inserted, deleted, replaced or swapped, at most one in three.
func Nearest(word string, candidates []string) string {
	letters := utf8.RuneCountInString(word)
	best, least := "", letters/3+1
	if letters < 3 || letters > maxNear {
		least = 1
	}
	for _, c := range candidates {
		if strings.EqualFold(c, word) {
			return c
		}
		if d := distance(strings.ToLower(word), strings.ToLower(c), least); d < least {
			best, least = c, d
		}
	}
	return best
}

// NearestFew returns at most n candidates similar to a misspelt word: those that are near by
// [Nearest], the nearest first, then those with the same prefix.
func NearestFew(word string, candidates []string, n int) (few []string) {
	letters := utf8.RuneCountInString(word)
	if letters < 3 || letters > maxNear {
		return nil
	}
	most, lower := letters/3+1, strings.ToLower(word)
	at := map[string]int{}
	for _, c := range candidates {
		d := distance(lower, strings.ToLower(c), most)
		if d == most && strings.HasPrefix(strings.ToLower(c), lower) {
			d++
		} else if d == most {
			continue
		}
		if _, known := at[c]; !known {
			at[c], few = d, append(few, c)
		}
	}
	slices.SortStableFunc(few, func(a, b string) int { return at[a] - at[b] })
	return few[:min(n, len(few))]
}

// NearestSection returns the most similar address in an item: one with a similar spelling, one
// with the same end, or that of the section that contains it; "" if there is none.
func NearestSection(root *document.Node, address string) string {
	var all []string
	last := address[strings.LastIndexByte(address, '/')+1:]
	for s := range root.Sections() {
		all = append(all, s.Address)
	}
	if near := Nearest(address, all); near != "" {
		return near
	}
	if i := slices.IndexFunc(all, func(a string) bool { return a == last || strings.HasSuffix(a, "/"+last) }); i >= 0 {
		return all[i]
	}
	for strings.Contains(address, "/") {
		address = address[:strings.LastIndexByte(address, '/')]
		if root.At(address) != nil {
			return address
		}
	}
	return ""
}

// distance counts the letters inserted, deleted, replaced or swapped (optimal string
// alignment); it is most if there are at least that many.
func distance(a, b string, most int) int {
	x, y := []rune(a), []rune(b)
	if len(x)-len(y) >= most || len(y)-len(x) >= most {
		return most
	}
	before, last, row := make([]int, len(y)+1), make([]int, len(y)+1), make([]int, len(y)+1)
	for j := range last {
		last[j] = j
	}
	for i := range x {
		row[0] = i + 1
		for j := range y {
			cost := 1
			if x[i] == y[j] {
				cost = 0
			}
			row[j+1] = min(row[j]+1, last[j+1]+1, last[j]+cost)
			if i > 0 && j > 0 && x[i] == y[j-1] && x[i-1] == y[j] {
				row[j+1] = min(row[j+1], before[j-1]+1)
			}
		}
		if slices.Min(row) >= most {
			return most
		}
		before, last, row = last, row, before
	}
	return min(last[len(y)], most)
}

// suggest returns the correction for a violation, "" if there is none.
func (d *Document) suggest(v content.Violation, root *content.Field) string {
	f := root.At(v.Pointer...)
	switch {
	case f == nil:
		return ""
	case v.Text.Rule == "unknown-field":
		return Nearest(Latin(v.Key), d.free(v.Pointer, root))
	case v.Text.Rule == "unknown-value":
		return Nearest(Latin(d.at(v.Pointer).Value), f.Values)
	}
	return ""
}

// free lists the fields that an object may have and does not have.
func (d *Document) free(pointer []string, root *content.Field) (free []string) {
	f := root.At(pointer...)
	if f == nil {
		return nil
	}
	for _, g := range f.Fields {
		if childOf(d.at(pointer), g.Name) == nil {
			free = append(free, g.Name)
		}
	}
	return free
}

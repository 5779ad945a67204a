package search

import "strings"

// endingsOfEnglish are how English words end in other forms than names have, and what stands
// there in the name. Names of several words are written as people say them.
var endingsOfEnglish = [][2]string{
	{"ies", "y"}, {"ied", "y"}, {"es", ""}, {"s", ""}, {"'s", ""}, {"ed", ""}, {"ed", "e"}, {"ing", ""}, {"ing", "e"},
	{"ers", ""}, {"er", ""}, {"ment", ""}, {"ation", ""},
}

// leastEnglish is how many letters are left at least of an English word without its ending.
const leastEnglish = 3

// englishForm returns the form of an English word that is in some name, "" if it is in one
// itself or in none.
func (x *Index) englishForm(l *lexeme) string {
	word := string(l.text)
	if l.cyrillic || len(l.parts) > 1 || x.names.latin[word] {
		return ""
	}
	for _, e := range endingsOfEnglish {
		root, ok := strings.CutSuffix(word, e[0])
		if !ok || len(root) < leastEnglish {
			continue
		}
		if x.names.latin[root+e[1]] {
			return root + e[1]
		}
		if n := len(root) - 1; e[1] == "" && root[n] == root[n-1] && x.names.latin[root[:n]] {
			return root[:n] // "banned"
		}
	}
	return ""
}

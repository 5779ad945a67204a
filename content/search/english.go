package search

import "strings"

// englishEndings has endings of English words, with the endings of their base forms. Names of
// several words are matched as written.
var englishEndings = [][2]string{
	{"ies", "y"}, {"ied", "y"}, {"es", ""}, {"s", ""}, {"'s", ""}, {"ed", ""}, {"ed", "e"}, {"ing", ""}, {"ing", "e"},
	{"ers", ""}, {"er", ""}, {"ment", ""}, {"ation", ""},
}

// minEnglishRoot is the minimum number of letters of an English word without its ending.
const minEnglishRoot = 3

// englishForm returns the form of an English word that occurs in a name, "" if the word
// itself does or there is none.
func (x *Index) englishForm(l *lexeme) string {
	word := string(l.text)
	if l.cyrillic || len(l.parts) > 1 || x.names.latin[word] {
		return ""
	}
	for _, e := range englishEndings {
		root, ok := strings.CutSuffix(word, e[0])
		if !ok || len(root) < minEnglishRoot {
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

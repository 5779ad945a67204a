package search

import (
	"strings"
	"unicode"
)

// The letters of the two keyboard layouts, key by key.
const (
	latinKeys    = "qwertyuiop[]asdfghjkl;'zxcvbnm,.`"
	cyrillicKeys = "йцукенгшщзхъфывапролджэячсмитьбюё"
)

var (
	toCyrillicKey = keys(latinKeys+`{}:"<>~`, cyrillicKeys+"хъжэбюё")
	toLatinKey    = keys(cyrillicKeys, latinKeys)
)

func keys(from, to string) map[rune]rune {
	layout, others := map[rune]rune{}, []rune(to)
	for i, r := range []rune(from) {
		layout[r] = others[i]
	}
	return layout
}

// retype returns the text that the same keys give in the other layout.
func retype(text string) string {
	layout := toLatinKey
	if hasLatin(text) {
		layout = toCyrillicKey
	}
	return strings.Map(func(r rune) rune {
		if other, ok := layout[unicode.ToLower(r)]; ok {
			return other
		}
		return r
	}, text)
}

func isLatin(r rune) bool { return 'a' <= r && r <= 'z' || 'A' <= r && r <= 'Z' }

// hasLatin reports whether a text has a Latin letter.
func hasLatin(text string) bool { return strings.IndexFunc(text, isLatin) >= 0 }

// latin has transliterations of Russian letters, longer ones first. If there are several,
// each has its line, the most usual one first.
var latin = [][2]string{
	{"shch", "щ"}, {"sch", "щ"}, {"yo", "е"}, {"jo", "е"}, {"zh", "ж"}, {"kh", "х"}, {"ts", "ц"}, {"ch", "ч"},
	{"sh", "ш"},
	{"yu", "ю"}, {"ju", "ю"}, {"iu", "ю"}, {"ya", "я"}, {"ja", "я"}, {"ia", "я"}, {"ye", "е"}, {"ck", "к"}, {"ph", "ф"},
	{"a", "а"}, {"b", "б"}, {"c", "к"}, {"d", "д"}, {"e", "е"}, {"f", "ф"}, {"g", "г"}, {"h", "х"}, {"i", "и"},
	{"j", "й"}, {"k", "к"}, {"l", "л"}, {"m", "м"}, {"n", "н"}, {"o", "о"}, {"p", "п"}, {"q", "к"}, {"r", "р"},
	{"s", "с"}, {"t", "т"}, {"u", "у"}, {"v", "в"}, {"w", "в"}, {"x", "кс"}, {"y", "ы"}, {"z", "з"}, {"'", "ь"},
}

// toCyrillic transliterates a Latin word to Russian in the ways that may have been meant:
// "istoriya" and "istorija" are «история», "schet" is «счет», "tsel" is «цель».
func toCyrillic(word string) []string {
	var b strings.Builder
	for rest := word; rest != ""; {
		from, to := letter(rest)
		if to == "ы" && (b.Len() == 0 || endsInVowel(b.String())) {
			to = "й"
		}
		b.WriteString(to)
		rest = rest[len(from):]
	}
	usual := b.String()
	all := []string{usual}
	for _, other := range [][2]string{{"щ", "сч"}, {"иа", "ия"}, {"ия", "иа"}, {"к", "ц"}, {"й", "ж"}, {"х", "г"}} {
		if strings.Contains(usual, other[0]) {
			all = append(all, strings.ReplaceAll(usual, other[0], other[1]))
		}
	}
	return all
}

// letter returns the beginning of a Latin word that stands for one Russian letter, and that
// letter.
func letter(word string) (from, to string) {
	for _, l := range latin {
		if strings.HasPrefix(word, l[0]) {
			return l[0], l[1]
		}
	}
	return word[:1], word[:1]
}

func endsInVowel(word string) bool {
	for _, vowel := range []string{"а", "е", "и", "о", "у", "ы", "э", "ю", "я"} {
		if strings.HasSuffix(word, vowel) {
			return true
		}
	}
	return false
}

var latinLetters = strings.NewReplacer(
	"а", "a", "б", "b", "в", "v", "г", "g", "д", "d", "е", "e", "ж", "zh", "з", "z", "и", "i", "й", "y", "к", "k",
	"л", "l", "м", "m", "н", "n", "о", "o", "п", "p", "р", "r", "с", "s", "т", "t", "у", "u", "ф", "f", "х", "h",
	"ц", "ts", "ч", "ch", "ш", "sh", "щ", "sch", "ъ", "", "ы", "y", "ь", "", "э", "e", "ю", "yu", "я", "ya")

// toLatin transliterates a folded Russian word: «рустдеск» is "rustdesk".
func toLatin(word string) string { return latinLetters.Replace(word) }

package check

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"go.yaml.in/yaml/v3"

	"rulestore/content"
)

// latinOf maps letters of other alphabets to similar Latin ones.
var latinOf = lookalikes(
	"АВЕКМНОРСТУХІЈЅԚԜӀҮаеорсухіјѕԛԝһԁүӏ", "ABEKMHOPCTYXIJSQWIYaeopcyxijsqwhdyl", // Cyrillic
	"ΑΒΕΖΗΙΚΜΝΟΡΤΥΧινορυχϲϳ", "ABEZHIKMNOPTYXivopuxcj", // Greek
)

// cyrillicOf maps Latin letters to similar Russian ones.
var cyrillicOf = lookalikes("ABEKMHOPCTYXaeopcyx", "АВЕКМНОРСТУХаеорсух")

func lookalikes(pairs ...string) map[rune]rune {
	m := map[rune]rune{}
	for i := 0; i < len(pairs); i += 2 {
		to := []rune(pairs[i+1])
		for j, c := range []rune(pairs[i]) {
			m[c] = to[j]
		}
	}
	return m
}

// alphabet is a set of alphabets with letters that can be mistaken for those of another.
type alphabet uint8

const (
	latin alphabet = 1 << iota
	cyrillic
	greek
)

// word is the name of an alphabet.
func (a alphabet) word() content.Word {
	return map[alphabet]content.Word{latin: "Latin", cyrillic: "Cyrillic", greek: "Greek"}[a]
}

// alphabetOf returns the alphabet of a letter, none for other characters. Greek letters count
// only if they look like others: α and μ in a formula or a unit are unambiguous.
func alphabetOf(c rune) alphabet {
	switch {
	case c < utf8.RuneSelf:
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return latin
		}
	case c >= 'А' && c <= 'я' || unicode.Is(unicode.Cyrillic, c): // most letters first
		return cyrillic
	case unicode.Is(unicode.Latin, c):
		return latin
	case unicode.Is(unicode.Greek, c) && latinOf[c] != 0:
		return greek
	}
	return 0
}

// alphabetsOf returns the alphabets of the letters of a text.
func alphabetsOf(text string) (all alphabet) {
	for _, c := range text {
		all |= alphabetOf(c)
	}
	return all
}

// mixed reports whether there are several alphabets.
func (a alphabet) mixed() bool { return a&(a-1) != 0 }

// mixedWord is a word with letters of several alphabets.
type mixedWord struct {
	text string
	at   int // the offset of the word in bytes
	nth  int // the number of the letter out of place, counted from 1
	c    rune
	own  alphabet // the alphabet of most letters
}

// inWord reports whether a character can be part of a word.
func inWord(c rune) bool {
	return unicode.In(c, unicode.L, unicode.M, unicode.N) || content.Invisible(c)
}

// mixedWords finds the words of a text that mix alphabets, and in each the first letter that
// is not of the alphabet of most.
func mixedWords(text string) (found []mixedWord) {
	start, seen := 0, alphabet(0)
	end := func(at int) {
		if seen.mixed() {
			found = append(found, mixedIn(text[start:at], start))
		}
	}
	for i, c := range text { // of all texts of a repository
		of := alphabetOf(c)
		if seen |= of; of == 0 && !inWord(c) {
			end(i)
			start, seen = i+utf8.RuneLen(c), 0
		}
	}
	end(len(text))
	return found
}

func mixedIn(word string, at int) mixedWord {
	count := map[alphabet]int{}
	for _, c := range word {
		count[alphabetOf(c)]++
	}
	w := mixedWord{text: word, at: at, own: latin}
	for _, a := range []alphabet{cyrillic, greek} {
		if count[a] > count[w.own] || count[a] == count[w.own] && looksAlike(word, w.own) {
			w.own = a
		}
	}
	for nth, c := range []rune(word) {
		if a := alphabetOf(c); a != 0 && a != w.own {
			w.nth, w.c = nth+1, c
			break
		}
	}
	return w
}

// looksAlike reports whether all letters of an alphabet in a word look like those of another.
func looksAlike(word string, a alphabet) bool {
	return !strings.ContainsFunc(word, func(c rune) bool {
		return alphabetOf(c) == a && isDistinct(c)
	})
}

// isJoined reports whether a word visibly consists of a Latin and a Russian part, as names
// (ЮMoney, СберID), symbols of formulas (Sдолг) and declined abbreviations (SMSки): there is
// one boundary, a capital letter marks it, and each part has a letter without a counterpart
// in the other alphabet. Only such mixes are visible and intended.
func isJoined(word string) bool {
	var parts [2][]rune
	at, last := -1, alphabet(0)
	for _, c := range word {
		a := alphabetOf(c)
		if a != 0 && a != last {
			at, last = at+1, a
		}
		if at > 1 || a == greek {
			return false
		}
		if a != 0 {
			parts[at] = append(parts[at], c)
		}
	}
	seam := len(parts[1]) > 0 && (unicode.IsUpper(parts[1][0]) || !slices.ContainsFunc(
		parts[0], func(c rune) bool { return !unicode.IsUpper(c) },
	))
	return seam && slices.ContainsFunc(parts[0], isDistinct) && slices.ContainsFunc(parts[1], isDistinct)
}

// isDistinct reports whether a letter looks like none of the other alphabet.
func isDistinct(c rune) bool { return latinOf[c] == 0 && cyrillicOf[c] == 0 }

// problem describes the letter out of place and the one that it looks like.
func (w mixedWord) problem() content.RuleText {
	letter, code, of := string(w.c), codePoint(w.c), alphabetOf(w.c).word()
	if l := w.lookalike(); l != 0 {
		return say("letters", "alike", args{
			"word": w.text, "at": w.nth, "letter": letter, "code": code, "alphabet": of,
			"own": w.own.word(), "like": string(l),
		})
	}
	return say("letters", "word", args{"word": w.text, "at": w.nth, "letter": letter, "code": code, "alphabet": of})
}

// lookalike returns the letter that the one out of place looks like, 0 if there is none.
func (w mixedWord) lookalike() rune {
	switch {
	case w.own == latin:
		return latinOf[w.c]
	case w.own == cyrillic && alphabetOf(w.c) == latin:
		return cyrillicOf[w.c]
	case w.own == cyrillic:
		return cyrillicOf[latinOf[w.c]]
	}
	return 0
}

// Latin returns a name with similar letters of other alphabets replaced by Latin ones.
func Latin(name string) string {
	return strings.Map(func(c rune) rune {
		if l := latinOf[c]; l != 0 {
			return l
		}
		return c
	}, name)
}

// maxForeign is the length of a name, in bytes, up to which letters are counted: no format
// allows longer ones.
const maxForeign = 500

// Foreign returns the position, counted from 1, of the first character of a name or code (which
// are ASCII) that only looks like a Latin letter or is invisible, and the correction. It is 0
// if there is none; a name that is meant to be Russian has none.
func Foreign(name string) (nth int, hint content.RuleText) {
	if len(name) > maxForeign {
		return 0, hint
	}
	spelled := Latin(name)
	readsLatin := !strings.ContainsFunc(spelled, func(c rune) bool { return c >= utf8.RuneSelf })
	mixed := alphabetsOf(name).mixed()
	for i, c := range []rune(name) {
		at, code, of := i+1, codePoint(c), alphabetOf(c)
		switch {
		case c < utf8.RuneSelf:
		case content.Invisible(c) || unicode.IsSpace(c):
			return at, say("letters", "hidden", args{"at": at, "code": code, "name": charName(c)})
		case readsLatin:
			return at, say("letters", "reads", args{
				"at": at, "letter": string(c), "code": code, "alphabet": of.word(), "like": string(latinOf[c]),
				"whole": spelled,
			})
		case mixed && of != 0 && of != latin:
			return at, say("letters", "foreign", args{
				"at": at, "letter": string(c), "code": code, "alphabet": of.word(),
			})
		}
	}
	return 0, hint
}

// names finds names for programs, such as codes and addresses, with letters that look like
// those of another alphabet. Those refused by the format are left to it.
func (d *Document) names(root *content.Field) (found []content.Finding) {
	walk(d.value, root, func(at []string, value any, f *content.Field) {
		name, ok := value.(string)
		if of := alphabetsOf(name); !ok || f.Prose || of&^latin == 0 || len(found) > maxFindings {
			return
		}
		if nth, hint := foreignIn(name); nth > 0 {
			g := d.finding(at, say("letters", "name", args{"name": name}).Advise(hint))
			g.Line, g.Column = d.place(d.at(at), "", name, nth)
			found = append(found, g)
		}
	})
	return found
}

// foreignIn is [Foreign] for a value. In an address Russian words are allowed, so only words
// that mix alphabets count, and a host that reads as a Latin one.
func foreignIn(name string) (nth int, hint content.RuleText) {
	scheme, rest, ok := strings.Cut(name, "://")
	if !ok {
		return Foreign(name)
	}
	host, _, _ := strings.Cut(rest, "/")
	host = scheme + "://" + host
	if nth, hint := Foreign(host); nth > 0 && alphabetsOf(Latin(host)) == latin {
		return nth, hint
	}
	for _, w := range mixedWords(name) {
		if w.at < len(host) || !isJoined(w.text) {
			nth = w.nth + utf8.RuneCountInString(name[:w.at])
			return nth, say("letters", "address", args{
				"at": nth, "letter": string(w.c), "code": codePoint(w.c), "alphabet": alphabetOf(w.c).word(),
				"word": w.text,
			})
		}
	}
	return 0, hint
}

// place returns the position of the nth character of a word in a scalar; before is the text
// before the word. If the word is not written contiguously, it is the position of the scalar.
func (d *Document) place(n *yaml.Node, before, word string, nth int) (line, column int) {
	lines := d.lines()
	skip := strings.Count(before, word)
	for i := n.Line - 1; i < len(lines.raw); i++ {
		said, from := lines.at(i), 0
		if i == n.Line-1 {
			from = n.Column - 1
		}
		text := string(said[min(from, len(said)):])
		if at := nthIndex(text, word, skip); at >= 0 {
			return i + 1, from + utf8.RuneCountInString(text[:at]) + nth
		}
		skip -= strings.Count(text, word)
		if n.Style&yaml.DoubleQuotedStyle != 0 {
			break // it may have escapes
		}
	}
	return n.Line, n.Column
}

// nthIndex returns the offset of a word in a text after skipping some occurrences, -1 if
// there is none.
func nthIndex(text, word string, skip int) int {
	for at := 0; ; skip-- {
		i := strings.Index(text[at:], word)
		if i < 0 {
			return -1
		}
		if skip == 0 {
			return at + i
		}
		at += i + len(word)
	}
}

// atLetter moves the finding about a name or code that its format refuses to the letter that
// looks like a Latin one, if there is one, as it would be invisible otherwise. If the format
// lists values, and not this one, what is meant is near it.
func (d *Document) atLetter(f content.Finding, n *yaml.Node, allowed []string) content.Finding {
	nth, hint := Foreign(n.Value)
	if n.Kind != yaml.ScalarNode || nth == 0 {
		return f
	}
	f.Line, f.Column = d.place(n, "", n.Value, nth)
	isLetter := alphabetOf([]rune(n.Value)[nth-1]) != 0
	if isLetter && len(allowed) > 0 && !slices.Contains(allowed, Latin(n.Value)) {
		return f
	}
	return Instead(f, hint)
}

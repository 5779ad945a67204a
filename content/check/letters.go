package check

import (
	"bytes"
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

// alphabet is an alphabet with letters that can be mistaken for those of another.
type alphabet string

const (
	latin    alphabet = "Latin"
	cyrillic alphabet = "Cyrillic"
	greek    alphabet = "Greek"
)

// alphabetOf returns the alphabet of a letter, "" for other characters. Greek letters count
// only if they look like others: α and μ in a formula or a unit are unambiguous.
func alphabetOf(c rune) alphabet {
	switch {
	case c < utf8.RuneSelf:
		if c >= 'a' && c <= 'z' || c >= 'A' && c <= 'Z' {
			return latin
		}
		return ""
	case unicode.Is(unicode.Cyrillic, c):
		return cyrillic
	case unicode.Is(unicode.Latin, c):
		return latin
	case unicode.Is(unicode.Greek, c) && latinOf[c] != 0:
		return greek
	}
	return ""
}

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
	for i := 0; i < len(text); {
		rest := text[i:]
		n := strings.IndexFunc(rest, func(c rune) bool { return !inWord(c) })
		if n < 0 {
			n = len(rest)
		}
		if w, mixed := mixedIn(rest[:n]); mixed {
			w.at = i
			found = append(found, w)
		}
		_, sign := utf8.DecodeRuneInString(rest[n:])
		i += n + sign
	}
	return found
}

func mixedIn(word string) (w mixedWord, mixed bool) {
	count := map[alphabet]int{}
	for _, c := range word {
		if a := alphabetOf(c); a != "" {
			count[a]++
		}
	}
	if len(count) < 2 {
		return w, false
	}
	w.text, w.own = word, latin
	for _, a := range []alphabet{cyrillic, greek} {
		if count[a] > count[w.own] || count[a] == count[w.own] && looksAlike(word, w.own) {
			w.own = a
		}
	}
	for nth, c := range []rune(word) {
		if a := alphabetOf(c); a != "" && a != w.own {
			w.nth, w.c = nth+1, c
			break
		}
	}
	return w, true
}

// looksAlike reports whether all letters of an alphabet in a word look like those of another.
func looksAlike(word string, a alphabet) bool {
	return !strings.ContainsFunc(word, func(c rune) bool {
		return alphabetOf(c) == a && latinOf[c] == 0 && cyrillicOf[c] == 0
	})
}

// isJoined reports whether a word visibly consists of a Latin and a Russian part, as names
// (ЮMoney, СберID), symbols of formulas (Sдолг) and declined abbreviations (SMSки): there is
// one boundary, a capital letter marks it, and each part has a letter without a counterpart
// in the other alphabet. Only such mixes are visible and intended.
func isJoined(word string) bool {
	var parts [2][]rune
	at, last := -1, alphabet("")
	for _, c := range word {
		a := alphabetOf(c)
		if a != "" && a != last {
			at, last = at+1, a
		}
		if at > 1 || a == greek {
			return false
		}
		if a != "" {
			parts[at] = append(parts[at], c)
		}
	}
	seam := len(parts[1]) > 0 && (unicode.IsUpper(parts[1][0]) || !slices.ContainsFunc(
		parts[0], func(c rune) bool { return !unicode.IsUpper(c) },
	))
	return seam && hasDistinct(parts[0]) && hasDistinct(parts[1])
}

// hasDistinct reports whether letters include one without a similar letter in the other
// alphabet.
func hasDistinct(letters []rune) bool {
	return slices.ContainsFunc(letters, func(c rune) bool { return latinOf[c] == 0 && cyrillicOf[c] == 0 })
}

// problem describes the letter out of place and the one that it looks like.
func (w mixedWord) problem() content.RuleText {
	letter, code, of := string(w.c), codePoint(w.c), content.Word(alphabetOf(w.c))
	if l := w.lookalike(); l != 0 {
		return say("letters", "alike", args{
			"word": w.text, "at": w.nth, "letter": letter, "code": code, "alphabet": of,
			"own": content.Word(w.own), "like": string(l),
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

// inLatin returns a name with similar letters replaced by Latin ones; ok reports whether
// there were any and only Latin letters remain.
func inLatin(name string) (spelled string, ok bool) {
	spelled = strings.Map(func(c rune) rune {
		if l := latinOf[c]; l != 0 {
			return l
		}
		return c
	}, name)
	return spelled, spelled != name && strings.IndexFunc(spelled, func(c rune) bool { return c >= utf8.RuneSelf }) < 0
}

// Latin returns a name with similar letters of other alphabets replaced by Latin ones.
func Latin(name string) string {
	spelled, _ := inLatin(name)
	return spelled
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
	spelled, ok := inLatin(name)
	mixed := mixes(name)
	for i, c := range []rune(name) {
		switch a := alphabetOf(c); {
		case c < utf8.RuneSelf:
		case content.Invisible(c) || unicode.IsSpace(c):
			return i + 1, say("letters", "hidden", args{"at": i + 1, "code": codePoint(c), "name": charName(c)})
		case a == "" || a == latin || !ok && !mixed:
		case ok && latinOf[c] != 0:
			return i + 1, insteadOf(i+1, c, latinOf[c], spelled)
		default:
			return i + 1, inLatinLetters(i+1, c)
		}
	}
	return 0, hint
}

// inLatinLetters describes a letter of a name that is not Latin.
func inLatinLetters(nth int, c rune) content.RuleText {
	letter, code, of := string(c), codePoint(c), content.Word(alphabetOf(c))
	if l := latinOf[c]; l != 0 {
		return say(
			"letters", "latin", args{"at": nth, "letter": letter, "code": code, "alphabet": of, "like": string(l)},
		)
	}
	return say("letters", "foreign", args{"at": nth, "letter": letter, "code": code, "alphabet": of})
}

// insteadOf names the Latin letter in place of another, and the corrected name.
func insteadOf(nth int, c, like rune, whole string) content.RuleText {
	return say("letters", "reads", args{
		"at": nth, "letter": string(c), "code": codePoint(c), "alphabet": content.Word(alphabetOf(c)),
		"like": string(like), "whole": whole,
	})
}

// mixes reports whether a name has letters of several alphabets.
func mixes(name string) bool {
	first := alphabet("")
	for _, c := range name {
		if a := alphabetOf(c); a != "" && first == "" {
			first = a
		} else if a != "" && a != first {
			return true
		}
	}
	return false
}

// mayMix reports whether a text may mix alphabets within a word, by the first bytes of its
// letters. It is a quick filter: few texts do, and all texts of a repository are checked.
func mayMix[T string | []byte](text T) bool {
	seen := byte(0)
	for i := range len(text) {
		if seen |= alphabets[text[i]]; seen&(seen-1) != 0 && seen < wordEnd {
			return true
		} else if seen >= wordEnd {
			seen = 0
		}
	}
	return false
}

// wordEnd is the flag of bytes that end a word and a name.
const wordEnd = 1 << 7

// alphabets has for each byte flags of the alphabets whose letters begin with it: Latin,
// Cyrillic, others; or wordEnd.
var alphabets = func() (of [256]byte) {
	for b := range of {
		switch c := rune(b); {
		case b < utf8.RuneSelf && alphabetOf(c) == latin:
			of[b] = 1
		case b < utf8.RuneSelf && !strings.ContainsRune("0123456789_.-/", c) || b == 0xC2:
			of[b] = wordEnd
		case b >= 0xC3 && b <= 0xC9 || b == 0xEF: // Latin with diacritics, and full-width
			of[b] = 1
		case b >= 0xD0 && b <= 0xD4:
			of[b] = 2
		case b == 0xCE || b == 0xCF:
			of[b] = 4
		}
	}
	return of
}()

// names finds names for programs, such as codes and addresses, with letters that look like
// those of another alphabet. Those refused by the format are left to it.
func (d *Document) names(root *content.Field) (found []content.Finding) {
	if !mayMix(d.raw) && !bytes.ContainsRune(d.raw, '\\') {
		return nil
	}
	walk(d.value, root, func(at []string, value any, f *content.Field) {
		name, ok := value.(string)
		if !ok || f.Prose || len(found) > maxFindings {
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

// foreignIn is [Foreign] for a value. In the path of an address Russian words are allowed, so
// only words that mix alphabets count. Its host can be Russian too, unless it looks Latin.
func foreignIn(name string) (nth int, hint content.RuleText) {
	scheme, rest, ok := strings.Cut(name, "://")
	if !ok {
		return Foreign(name)
	}
	host, _, _ := strings.Cut(rest, "/")
	if _, ok := inLatin(host); ok && mixes(host) {
		return Foreign(scheme + "://" + host)
	}
	for _, w := range mixedWords(name) {
		if w.at < len(name)-len(rest)+len(host) || !isJoined(w.text) {
			nth = w.nth + utf8.RuneCountInString(name[:w.at])
			return nth, say("letters", "address", args{
				"at": nth, "letter": string(w.c), "code": codePoint(w.c), "alphabet": content.Word(alphabetOf(w.c)),
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
	at := 0
	for {
		i := strings.Index(text[at:], word)
		if i < 0 || skip == 0 {
			if i < 0 {
				return -1
			}
			return at + i
		}
		at, skip = at+i+len(word), skip-1
	}
}

// atLetter moves the finding about a name or code that its format refuses to the letter that
// looks like a Latin one, if there is one, as it would be invisible otherwise. If the format
// lists the allowed values, they tell which letter is meant.
func (d *Document) atLetter(f content.Finding, n *yaml.Node, allowed []string) content.Finding {
	nth, hint := Foreign(n.Value)
	if n.Kind != yaml.ScalarNode || nth == 0 {
		return f
	}
	f.Line, f.Column = d.place(n, "", n.Value, nth)
	spelled, written := Latin(n.Value), []rune(n.Value)
	c := written[nth-1]
	if f.Rule == "unknown-field" && nth == 1 && unicode.Is(unicode.Zs, c) { // meant as indentation
		return Instead(f, say("indentation", "line", args{"code": codePoint(c), "name": charName(c)}))
	}
	if len(allowed) == 0 || slices.Contains(allowed, spelled) || alphabetOf(c) == "" {
		return Instead(f, hint)
	}
	if meant := []rune(Nearest(spelled, allowed)); len(meant) == len(written) {
		return Instead(f, insteadOf(nth, c, meant[nth-1], string(meant)))
	}
	return f
}

package change

import (
	"regexp"
	"slices"
	"strings"
	"unicode/utf8"
)

// Doubt is a reason why a person has to review a change.
type Doubt string

// The reasons: what no program can judge.
const (
	Rewritten Doubt = "nearly every word is another: does it still demand the same?"
	Numbers   Doubt = "the numbers differ"
	Measures  Doubt = "a date, a term or a unit differs"
	Turns     Doubt = "a word that turns the meaning came or went"
	Reordered Doubt = "the same words stand in another order: is it still the same that has to be done, and by whom?"
	TooLong   Doubt = "it is too long to be looked through: does it still demand the same?"
	Coded     Doubt = "it names another code"
	Cited     Doubt = "it refers to another document"
	Unlinked  Doubt = "it leads there no longer: does nothing rely on it?"
	Unsourced Doubt = "the source is gone: what does the content rest on now?"
)

// Look is a place in a change that a person has to review, because no program can judge it.
type Look struct {
	Doubt      Doubt
	Lost, Came []string // the words in doubt, if any
}

// String returns the reason in one line.
func (l Look) String() string {
	if len(l.Lost)+len(l.Came) == 0 {
		return string(l.Doubt)
	}
	return string(l.Doubt) + ": " + l.Words()
}

// Words returns the removed and the added words in one text.
func (l Look) Words() string { return Listed(l.Lost) + " → " + Listed(l.Came) }

// Looks are the places to review, empty if there are none.
type Looks []Look

// String returns the reasons in one line.
func (l Looks) String() string {
	all := make([]string, len(l))
	for i, look := range l {
		all[i] = look.String()
	}
	return strings.Join(all, "; ")
}

// MarshalText implements encoding.TextMarshaler: one line.
func (l Looks) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// UnmarshalText implements encoding.TextUnmarshaler: it keeps the line.
func (l *Looks) UnmarshalText(text []byte) error {
	*l = Looks{{Doubt: Doubt(text)}}
	return nil
}

// maxLooked is the maximum number of words listed.
const maxLooked = 20

// Listed joins words in one line, up to a limit; a dash if there are none.
func Listed(words []string) string {
	if len(words) == 0 {
		return "—"
	}
	if len(words) > maxLooked {
		return strings.Join(words[:maxLooked], ", ") + " …"
	}
	return strings.Join(words, ", ")
}

// looks returns what a person has to review in a change.
func (e *effort) looks(p *place, what Verb, before, after any) (all Looks) {
	switch {
	case what == Changed && isProse(p.field):
		was, _ := before.(string)
		is, _ := after.(string)
		if p.last() == "title" {
			return e.inTitle(was, is)
		}
		return e.inText(was, is)
	case what != Removed:
		return nil
	case p.last() == "sources":
		return Looks{{Doubt: Unsourced}}
	case isReference(p):
		return Looks{{Doubt: Unlinked}}
	}
	return nil
}

// isReference reports whether a place, or the elements of a list there, refer to something else.
func isReference(p *place) bool {
	f := p.field
	if f != nil && f.Items != nil {
		f = f.Items
	}
	return f != nil && f.Reference != "" || pointing[p.last()] && !isProse(f)
}

// inText returns what a person has to review in a changed text: numbers, dates, terms and words
// that reverse the meaning, if they are in one version only or in another order, and a text that
// was rewritten.
func (e *effort) inText(before, after string) (all Looks) {
	if !e.affords(before, after) {
		return Looks{{Doubt: TooLong}}
	}
	similarity := e.similarity(before, after)
	if e.counting {
		return nil
	}
	if similarity == 0 && len(words(before)) > 2 {
		all = append(all, Look{Doubt: Rewritten})
	}
	before, old := withoutAtoms(before)
	after, now := withoutAtoms(after)
	was, is := words(before), words(after)
	all = append(append(all, inAtoms(old, now)...), inMeasures(before, after)...)
	turns := differing(Turns, turnsOf(was), turnsOf(is))
	if turns == nil {
		turns = negated(onlyIn(was, is), onlyIn(is, was))
	}
	if turns != nil {
		return append(all, *turns)
	}
	if len(all) == 0 && reordered(was, is) {
		all = append(all, Look{Doubt: Reordered})
	}
	return all
}

// inTitle is the same for a title, which helps to find something and demands nothing: only
// numbers, dates and terms are compared.
func (e *effort) inTitle(before, after string) Looks {
	if !e.affords(before, after) {
		return Looks{{Doubt: TooLong}}
	}
	if e.counting {
		return nil
	}
	before, old := withoutAtoms(before)
	after, now := withoutAtoms(after)
	return append(inAtoms(old, now), inMeasures(before, after)...)
}

// affords reports whether the budget is sufficient to read two texts, and uses it.
func (e *effort) affords(before, after string) bool {
	return max(len(before), len(after)) <= maxText && e.spend(len(before)+len(after))
}

// inMeasures returns the numbers, dates and terms that differ.
func inMeasures(before, after string) Looks {
	if l := differing(Measures, measuresOf(before), measuresOf(after)); l != nil {
		return Looks{l.ofNumbers()}
	}
	return nil
}

// sensed is a word with its sense; synonyms have one sense.
type sensed struct{ word, sense string }

// differing compares the senses of two texts in their order; nil if they are the same.
func differing(d Doubt, was, is []sensed) *Look {
	if slices.EqualFunc(was, is, func(a, b sensed) bool { return a.sense == b.sense }) {
		return nil
	}
	lost, came := onlyIn(senses(was), senses(is)), onlyIn(senses(is), senses(was))
	if len(lost)+len(came) == 0 {
		return &Look{Doubt: Reordered}
	}
	return &Look{d, spelled(was, is, lost), spelled(is, was, came)}
}

func senses(all []sensed) []string {
	var s []string
	for _, w := range all {
		s = append(s, w.sense)
	}
	return s
}

// spelled returns the words of a text with some senses, as many of each as it occurs: of several
// words first those that the other text does not have, then the last.
func spelled(all, other []sensed, senses []string) (words []string) {
	rest, own := count(senses), count(onlyIn(spellings(all), spellings(other)))
	chosen := make([]bool, len(all))
	choose := func(fits func(word string) bool) {
		for i, w := range slices.Backward(all) {
			if !chosen[i] && rest[w.sense] > 0 && fits(w.word) {
				chosen[i] = true
				rest[w.sense]--
				own[w.word]--
			}
		}
	}
	choose(func(word string) bool { return own[word] > 0 })
	choose(func(string) bool { return true })
	for i, w := range all {
		if chosen[i] {
			words = append(words, w.word)
		}
	}
	return words
}

func spellings(all []sensed) []string {
	var words []string
	for _, w := range all {
		words = append(words, w.word)
	}
	return words
}

// measure matches a number with its decimals and groups, a sign of a currency or of a proportion,
// or a word.
var measure = regexp.MustCompile(`\d+(?:[ \x{00A0}\x{202F}.,:/-]?\d+)*|[%‰₽$€£¥<>≤≥=±]|\p{L}+`)

// grouping removes the spaces inside of a number.
var grouping = strings.NewReplacer(" ", "", "\u00A0", "", "\u202F", "")

// measuresOf lists the numbers of a text, and its numerals, units and months.
func measuresOf(text string) (all []sensed) {
	for _, w := range measure.FindAllString(strings.ToLower(text), -1) {
		switch c, _ := utf8.DecodeRuneInString(w); {
		case c >= '0' && c <= '9':
			all = append(all, sensed{w, grouping.Replace(w)})
		case strings.ContainsRune("%‰₽$€£¥<>≤≥=±", c):
			all = append(all, sensed{w, signOf(w)})
		default:
			if s := measuring.of(w); s != "" {
				all = append(all, sensed{w, s})
			}
		}
	}
	return all
}

// ofNumbers leaves out all words but numbers, if some numbers differ.
func (l Look) ofNumbers() Look {
	numbers := Look{Numbers, numbersIn(l.Lost), numbersIn(l.Came)}
	if len(numbers.Lost)+len(numbers.Came) == 0 {
		return l
	}
	return numbers
}

// numbersIn returns those of some words that have digits.
func numbersIn(words []string) (numbers []string) {
	for _, w := range words {
		if strings.ContainsAny(w, "0123456789") {
			numbers = append(numbers, w)
		}
	}
	return numbers
}

// signOf returns the sense of a sign, which is that of its word.
func signOf(sign string) string {
	if s := map[string]string{"%": "percent", "₽": "rouble", "$": "dollar", "€": "euro"}[sign]; s != "" {
		return s
	}
	return sign
}

func turnsOf(words []string) (all []sensed) {
	for _, w := range words {
		if s := turning.of(w); s != "" {
			all = append(all, sensed{w, s})
		}
	}
	return all
}

// negations are the prefixes that reverse the meaning of a word.
var negations = []string{"не", "без", "бес", "non", "dis", "un", "in", "im"}

// negated finds a word of which the other text has the opposite, made by a prefix.
func negated(lost, came []string) *Look {
	if a, b := opposites(lost, came); a != "" {
		return &Look{Turns, []string{a}, []string{b}}
	}
	if b, a := opposites(came, lost); a != "" {
		return &Look{Turns, []string{a}, []string{b}}
	}
	return nil
}

// opposites finds a word that is one of the others with a negation before it, in any inflection.
func opposites(words, others []string) (word, other string) {
	byStem := map[string]string{}
	for _, w := range others {
		byStem[stem(w, 5)] = w
	}
	for _, w := range words {
		for _, n := range negations {
			rest, ok := strings.CutPrefix(w, n)
			if other := byStem[stem(rest, 5)]; ok && other != "" && utf8.RuneCountInString(rest) >= 4 {
				return w, other
			}
		}
	}
	return "", ""
}

// stem returns the first letters of a word, which inflection does not change.
func stem(word string, letters int) string {
	for i := range word {
		if letters == 0 {
			return word[:i]
		}
		letters--
	}
	return word
}

// reordered reports whether two texts have the same words, in any inflection, in another order:
// who acts, and on whom, may be exchanged.
func reordered(was, is []string) bool {
	cut := func(words []string) []string {
		all := make([]string, len(words))
		for i, w := range words {
			all[i] = stem(w, 4)
		}
		return all
	}
	a, b := cut(was), cut(is)
	if slices.Equal(a, b) {
		return false
	}
	slices.Sort(a)
	slices.Sort(b)
	return slices.Equal(a, b)
}

// onlyIn returns the elements of a that b does not have as often.
func onlyIn(a, b []string) (only []string) {
	rest := count(b)
	for _, s := range a {
		if rest[s]--; rest[s] < 0 {
			only = append(only, s)
		}
	}
	return only
}

// count returns the number of occurrences of each element.
func count(all []string) map[string]int {
	n := make(map[string]int, len(all))
	for _, s := range all {
		n[s]++
	}
	return n
}

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

// maxLooked is how many words a person is shown.
const maxLooked = 20

// Listed is some words in one line, as many as a person reads; a dash if there are none.
func Listed(words []string) string {
	if len(words) == 0 {
		return "—"
	}
	if len(words) > maxLooked {
		return strings.Join(words[:maxLooked], ", ") + " …"
	}
	return strings.Join(words, ", ")
}

// looks says what a person should look at, at a place and in what stands there.
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
	case leads(p):
		return Looks{{Doubt: Unlinked}}
	}
	return nil
}

// leads reports whether a place refers to something else, or a list there does.
func leads(p *place) bool {
	f := p.field
	if f != nil && f.Items != nil {
		f = f.Items
	}
	return f != nil && f.Reference != "" || pointing[p.last()] && !isProse(f)
}

// inText says what a person should look at in a text that changed: numbers, dates and
// terms, words that turn a sentence round, in one version only or in another order, and
// a text that was written anew.
func (e *effort) inText(before, after string) (all Looks) {
	if !e.looksThrough(before, after) {
		return Looks{{Doubt: TooLong}}
	}
	was, is := words(before), words(after)
	if e.alike(before, after) == 0 && len(was) > 2 {
		all = append(all, Look{Doubt: Rewritten})
	}
	all = append(all, inMeasures(before, after)...)
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

// inTitle says the same of a title: it is read to find something, and demands nothing.
func (e *effort) inTitle(before, after string) Looks {
	if !e.looksThrough(before, after) {
		return Looks{{Doubt: TooLong}}
	}
	return inMeasures(before, after)
}

// looksThrough reports whether there is effort left to look through two texts.
func (e *effort) looksThrough(before, after string) bool {
	return max(len(before), len(after)) <= maxText && e.spend(len(before)+len(after))
}

// inMeasures says which numbers, dates and terms differ.
func inMeasures(before, after string) Looks {
	if l := differing(Measures, measuresOf(before), measuresOf(after)); l != nil {
		return Looks{l.ofNumbers()}
	}
	return nil
}

// sensed is a word with its sense: what says the same has one sense.
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
	return &Look{d, spelled(was, lost), spelled(is, came)}
}

func senses(all []sensed) []string {
	var s []string
	for _, w := range all {
		s = append(s, w.sense)
	}
	return s
}

// spelled returns the words that have these senses, as often as each is asked for: of
// words of one sense the last.
func spelled(all []sensed, senses []string) (words []string) {
	rest := count(senses)
	for _, w := range slices.Backward(all) {
		if rest[w.sense]--; rest[w.sense] >= 0 {
			words = append(words, w.word)
		}
	}
	slices.Reverse(words)
	return words
}

// measure is a number with its decimals and groups, a sign of a currency or of a part,
// or a word.
var measure = regexp.MustCompile(`\d+(?:[ \x{00A0}\x{202F}.,:/-]?\d+)*|[%‰₽$€£¥<>≤≥=±]|\p{L}+`)

// grouping are the spaces inside of a number.
var grouping = strings.NewReplacer(" ", "", "\u00A0", "", "\u202F", "")

// measuresOf lists the numbers of a text, and the words that measure: numerals, units,
// months.
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

// ofNumbers leaves the numbers, if some differ: they say enough.
func (l Look) ofNumbers() Look {
	isNumber := func(w string) bool { return strings.ContainsAny(w, "0123456789") }
	numbers := Look{Doubt: Numbers}
	for _, w := range l.Lost {
		if isNumber(w) {
			numbers.Lost = append(numbers.Lost, w)
		}
	}
	for _, w := range l.Came {
		if isNumber(w) {
			numbers.Came = append(numbers.Came, w)
		}
	}
	if len(numbers.Lost)+len(numbers.Came) == 0 {
		return l
	}
	return numbers
}

// signOf returns the sense of a sign: that of the word it stands for.
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

// negations are what makes the opposite of a word by standing before it.
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

// opposites finds a word that is one of the others with a negation before it, however
// either is inflected.
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

// stem cuts a word to its first letters, which inflection leaves alone.
func stem(word string, letters int) string {
	for i := range word {
		if letters == 0 {
			return word[:i]
		}
		letters--
	}
	return word
}

// reordered reports whether two texts have the same words, however inflected, in
// another order: who does something and to whom may be the other way round.
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

// onlyIn returns what is in a and, as often, not in b.
func onlyIn(a, b []string) (only []string) {
	rest := count(b)
	for _, s := range a {
		if rest[s]--; rest[s] < 0 {
			only = append(only, s)
		}
	}
	return only
}

// count says how often each is there.
func count(all []string) map[string]int {
	n := make(map[string]int, len(all))
	for _, s := range all {
		n[s]++
	}
	return n
}

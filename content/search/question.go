package search

import "strings"

// maxWords is the number of different words of a query that count: one bit each.
const maxWords = 64

// A question is the parsed text of a query. Sets of its words are bits of a uint64.
type question struct {
	key   string // identifies the question: the terms of all words
	words []word
	names []otherName

	found   []match // see matches
	scratch [2][]uint32
}

// A word of the query.
type word struct {
	asked    string // as written in the query
	folded   string // case-folded, see scanner.add
	text     string // the term that is searched
	readings []reading
	guessed  bool // the readings are guesses
	act      bool // a number that identifies an act
	rarity   float64
}

// A reading is an interpretation of a word: the terms from lo up to hi, which are text or
// begin with it.
type reading struct {
	text   string
	prefix bool
	lo, hi int
	weight float64 // the weight of a match, 1 for the word itself
}

// parts is the length of a match in positions.
func (r *reading) parts() uint32 { return uint32(1 + strings.Count(r.text, ".")) }

// An otherName is a synonym of those words of the query that are a name.
type otherName struct {
	phrase
	words  uint64
	rarity float64
}

// all has the bits of all words.
func (q *question) all() uint64 { return 1<<len(q.words) - 1 }

// guessed has the bits of the guessed words.
func (q *question) guessed() (words uint64) {
	for i := range q.words {
		if q.words[i].guessed {
			words |= 1 << i
		}
	}
	return words
}

// ask parses text. The result has no words if the text has none.
func (x *Index) ask(text string) *question {
	words, stops := x.readQuery(text)
	if q := x.questionOf(words, stops); !x.guessUnknown(q, words) {
		return q
	}
	return x.questionOf(words, stops) // guessed words can form a name
}

// questionOf merges equal words and adds synonyms.
func (x *Index) questionOf(words []word, stops []bool) *question {
	q, seen := &question{key: keyOf(words)}, map[string]uint64{}
	bit := make([]uint64, len(words)) // by word, 0 if it is ignored
	for i, w := range words {
		if stops[i] {
			continue
		}
		if seen[w.text] == 0 && len(q.words) < maxWords {
			seen[w.text] = 1 << len(q.words)
			q.words = append(q.words, w)
		}
		bit[i] = seen[w.text]
	}
	x.addNames(q, words, bit)
	addAmounts(q, words, bit)
	return q
}

// keyOf is the key of words as a phrase.
func keyOf(words []word) string {
	var terms []string
	for _, w := range words {
		terms = append(terms, w.text)
	}
	return phraseKey(terms)
}

// readQuery returns the words of text, and for each whether to ignore it.
func (x *Index) readQuery(text string) (words []word, stops []bool) {
	useful := false
	text, repaired := x.repair(text)
	for s := (scanner{src: text}); s.next(); {
		stop := stopWords[string(s.text)]
		useful = useful || !stop
		for _, w := range x.wordsOf(&s) {
			if r, ok := rewrittenAt(repaired, s.parts[0].start); ok {
				w.asked, w.guessed = r.asked, true
			}
			words, stops = append(words, w), append(stops, stop)
		}
	}
	if !useful {
		clear(stops)
	}
	markActs(words, stops)
	ignoreCurrencies(words, stops)
	x.ignoreFrequent(words, stops)
	return words, stops
}

// wordsOf returns the scanner's current word, or the parts of a code that no document has as
// a whole.
func (x *Index) wordsOf(s *scanner) (words []word) {
	last := s.parts[len(s.parts)-1]
	w := word{asked: s.src[s.parts[0].start:last.end], folded: string(s.text), text: s.term()}
	w.readings = x.literal(&s.lexeme)
	if form := x.englishForm(&s.lexeme); form != "" {
		w.text = form
		return []word{w}
	}
	if len(w.readings) == 1 {
		w.text = w.readings[0].text // of a Latin word that occurs only in other letters
	}
	if len(w.readings) > 0 || len(s.parts) == 1 || len(x.names.others(w.text)) > 0 || s.isNumber() {
		return []word{w}
	}
	for _, p := range s.parts {
		for part := (scanner{src: s.src[p.start:p.end]}); part.next(); {
			words = append(words, x.wordsOf(&part)...)
		}
	}
	return words
}

// literal reads a word as written. A Latin word is also read as a transliterated Russian one.
func (x *Index) literal(l *lexeme) (all []reading) {
	all = x.read(all, l.term(), !l.cyrillic && len(l.text) > 1 && !l.isNumber(), 1)
	if !l.cyrillic && len(l.parts) == 1 && !l.isNumber() {
		for _, word := range toCyrillic(string(l.text)) {
			if term := stem(word); len(l.text) > 2 || acts()[term] {
				all = x.read(all, term, false, transliterated)
			}
		}
	}
	return all
}

// read appends the terms that are text or begin with it, if there are any.
func (x *Index) read(all []reading, text string, prefix bool, weight float64) []reading {
	if lo, hi := x.span(text, prefix); lo < hi {
		all = append(all, reading{text, prefix, lo, hi, weight})
	}
	return all
}

// addNames adds the synonyms of every sequence of words that is a name.
func (x *Index) addNames(q *question, words []word, bit []uint64) {
	known := map[string]uint64{}
	for i := range words {
		if !x.names.begin[words[i].text] {
			continue
		}
		var keys []string
		var mask uint64
		for j := i; j < len(words) && j < i+maxNameWords; j++ {
			keys, mask = append(keys, words[j].text), mask|bit[j]
			for _, p := range x.names.others(phraseKey(keys)) {
				if mask&^known[p.key] != 0 {
					known[p.key] |= mask
					q.names = append(q.names, otherName{phrase: p, words: mask})
				}
			}
		}
	}
}

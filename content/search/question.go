package search

import "strings"

// maxWords is the number of different words of a query that count: one bit each.
const maxWords = 64

// A question is the text of a query as the index understands it. Words are
// numbered by bits.
type question struct {
	key   string // the terms of all words
	words []word
	names []otherName
}

// A word of the query.
type word struct {
	asked    string // as the query has it
	folded   string // without forms of letters that make no difference
	text     string // the term that it is looked for by
	readings []reading
	guessed  bool // the readings are of words that the query does not have
	act      bool // a number that names an act
	rarity   float64
}

// A reading is a way to understand a word: as the terms from lo up to hi, which are
// text or begin with it.
type reading struct {
	text   string
	prefix bool
	lo, hi int
	weight float64 // what a match is worth, 1 for the word itself
}

// parts is how many positions a match takes.
func (r *reading) parts() uint32 { return uint32(1 + strings.Count(r.text, ".")) }

// An otherName stands for those words of the query that are one name of a group
// of synonyms: it is another one of the group.
type otherName struct {
	phrase
	words  uint64
	rarity float64
}

// all has the bits of all words.
func (q *question) all() uint64 { return 1<<len(q.words) - 1 }

// guessed has the bits of the words that were guessed.
func (q *question) guessed() (words uint64) {
	for i := range q.words {
		if q.words[i].guessed {
			words |= 1 << i
		}
	}
	return words
}

// ask reads text. The result has no words if there are none.
func (x *Index) ask(text string) *question {
	words, stops := x.readQuery(text)
	if q := x.questionOf(words, stops); !x.guess(q, words) {
		return q
	}
	return x.questionOf(words, stops) // what was guessed may be a name
}

// questionOf takes words together that are one, and looks for names.
func (x *Index) questionOf(words []word, stops []bool) *question {
	q, seen := &question{key: keyOf(words)}, map[string]uint64{}
	bit := make([]uint64, len(words)) // of every word, 0 for one that is ignored
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

// keyOf is the key of words taken for a phrase.
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
	nameActs(words, stops)
	x.ignoreFrequent(words, stops)
	return words, stops
}

// wordsOf reads what a scanner is at: one word, or each part of a code that nothing has
// as a whole.
func (x *Index) wordsOf(s *scanner) (words []word) {
	last := s.parts[len(s.parts)-1]
	w := word{asked: s.src[s.parts[0].start:last.end], folded: string(s.text), text: s.term()}
	w.readings = x.literal(&s.lexeme)
	if form := x.englishForm(&s.lexeme); form != "" {
		w.text = form
		return []word{w}
	}
	if len(w.readings) == 1 {
		w.text = w.readings[0].text // a Latin word that is only known in other letters
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

// literal reads a word as it was written. A Latin word may be a Russian one in other
// letters as well.
func (x *Index) literal(l *lexeme) (all []reading) {
	all = x.read(all, l.term(), !l.cyrillic && len(l.text) > 1 && !l.isNumber(), 1)
	if !l.cyrillic && len(l.parts) == 1 && !l.isNumber() {
		for _, word := range toCyrillic(string(l.text)) {
			if term := stem(word); len(l.text) > 2 || acts[term] {
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

// addNames looks at every run of words that may be a name.
func (x *Index) addNames(q *question, words []word, bit []uint64) {
	known := map[string]uint64{}
	for i := range words {
		var keys []string
		var mask uint64
		for j := i; j < len(words) && j < i+longestName; j++ {
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

package search

import (
	"cmp"
	"math/bits"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// The weights of inexact matches.
const (
	transliterated = 0.9
	begun          = 0.8 // the word begins a longer one
	oneSlip        = 0.7
	twoSlips       = 0.5
	otherwise      = 0.8 // another name
)

const (
	// maxGuessed is how many unknown words of a query are guessed: each takes a look
	// at all the words that there are.
	maxGuessed = 8
	// maxLikely is how many words an unknown one may have been meant to be.
	maxLikely = 6
)

// guess looks for what the words may have been meant to be that no document has, not
// by another name either, and reports whether it found something.
func (x *Index) guess(q *question, words []word) (guessed bool) {
	var named uint64
	for _, n := range q.names {
		named |= n.words
	}
	left := maxGuessed
	for i, asked := range q.words {
		if len(asked.readings) > 0 || named>>i&1 == 1 || left == 0 || !hasLetter(asked.text) {
			continue
		}
		left--
		readings := x.likely(asked.text, asked.folded)
		guessed = guessed || len(readings) > 0
		for j := range words {
			if words[j].text == asked.text {
				words[j].guess(readings)
			}
		}
	}
	return guessed
}

// guess takes the word for what it may have been meant to be.
func (w *word) guess(readings []reading) {
	w.readings, w.guessed = readings, len(readings) > 0
	if len(readings) == 1 && !readings[0].prefix {
		w.text = readings[0].text
	}
}

// hasLetter reports whether a term is more than a number: a number that is not there
// is not a slip for another one.
func hasLetter(term string) bool { return strings.IndexFunc(term, unicode.IsLetter) >= 0 }

// likely reads an unknown word as the beginning of others, in other letters, as one
// that another begins or ends, and with a slip of the finger or two, whichever comes
// first to anything.
func (x *Index) likely(term, folded string) []reading {
	if utf8.RuneCountInString(term) >= 3 {
		if all := x.read(nil, term, true, begun); len(all) > 0 {
			return all
		}
	}
	ways := []string{term}
	if folded != term {
		ways = append(ways, folded) // the slip may have cost it its ending
	}
	if hasLatin(term) {
		for _, word := range toCyrillic(term) {
			ways = append(ways, stem(word))
		}
	} else if other := toLatin(term); other != term {
		if all := x.read(nil, other, len(other) > 3, transliterated); len(all) > 0 {
			return all
		}
		ways = append(ways, other)
	}
	if retyped := retype(term); !strings.Contains(term, ".") && retyped != term {
		ways = append(ways, retyped)
	}
	if all := x.nearest(ways); len(all) > 0 {
		return all
	}
	return x.parted(term)
}

// leastPart is how many letters a part of a compound has at least.
const leastPart = 5

// parted reads a compound by its longest part that is a word of its own, if this is
// most of it: «дропперство», «финомбудсмен».
func (x *Index) parted(term string) []reading {
	letters := []rune(term)
	for n := len(letters) - 1; n >= max(leastPart, (len(letters)+1)/2); n-- {
		for _, part := range []string{string(letters[:n]), string(letters[len(letters)-n:])} {
			if all := x.read(nil, part, false, twoSlips); len(all) > 0 {
				return all
			}
		}
	}
	return nil
}

// nearest reads words as those that are the fewest slips away from any of them.
func (x *Index) nearest(words []string) []reading {
	var best []reading
	most := 2
	for _, word := range words {
		found, slips := x.near(word, min(most, allowed(word)))
		if slips < most || len(best) == 0 {
			best, most = found, slips
		} else if slips == most {
			best = append(best, found...)
		}
		if len(found) == 0 && len(best) == 0 {
			most = 2
		}
	}
	return best
}

// allowed is how many slips a word may have: one from four letters on, two from eight.
func allowed(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// near returns the words that are at most so many slips away from a word, those that
// are the fewest, and how many that is.
func (x *Index) near(word string, most int) (found []reading, slips int) {
	asked := []rune(word)
	if most == 0 || len(asked) > maxGuess {
		return nil, 0
	}
	mask, n := signature(word)
	var m matrix
	type candidate struct{ term, postings int }
	var best []candidate
	for letters := max(0, n-most); letters <= min(n+most, maxGuess); letters++ {
		for _, s := range x.signed[letters] {
			if bits.OnesCount64(s.signature^mask) > 2*most {
				continue
			}
			n := m.distance(asked, firstPart(s.word), most)
			if n > most || n == 0 {
				continue
			}
			if n < most {
				best, most = best[:0], n
			}
			best = append(best, candidate{int(s.term), len(x.list(int(s.term)))})
		}
	}
	slices.SortFunc(best, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(b.postings, a.postings), cmp.Compare(a.term, b.term))
	})
	weight := oneSlip
	if most > 1 {
		weight = twoSlips
	}
	for _, c := range best[:min(len(best), maxLikely)] {
		text := firstPart(x.terms[c.term])
		found = x.read(found, text, len(text) < len(x.terms[c.term]), weight)
	}
	return found, most
}

// firstPart is a term up to where its code goes on.
func firstPart(term string) string {
	first, _, _ := strings.Cut(term, ".")
	return first
}

// signature has a bit for each letter that the first part of a word has, so that words
// that are far apart are told apart without being compared, and counts the letters.
func signature(word string) (mask uint64, letters int) {
	for _, r := range firstPart(word) {
		mask |= 1 << (uint32(r) % 64)
		letters++
	}
	return mask, letters
}

// A matrix is where distances are counted. The longest word that it has room for is
// longer than any that is guessed.
type matrix [3][maxGuess + 1]int

// maxGuess is how long a word may be, in letters, to be compared with others.
const maxGuess = 32

// distance is the number of letters to insert, leave out, replace or swap with the
// next one, to make one word of another (Damerau and Levenshtein, with no letter
// touched twice), or more than most.
func (m *matrix) distance(asked []rune, word string, most int) int {
	n := utf8.RuneCountInString(word)
	if len(asked) > maxGuess || n > maxGuess || len(asked)-n > most || n-len(asked) > most {
		return most + 1
	}
	before, last, this := &m[0], &m[1], &m[2]
	for j := range asked {
		last[j+1] = j + 1
	}
	last[0] = 0
	i, previous := 0, rune(0)
	for _, r := range word {
		i++
		this[0] = i
		least := i
		for j, a := range asked {
			cost := 1
			if a == r {
				cost = 0
			}
			d := min(last[j]+cost, last[j+1]+1, this[j]+1)
			if j > 0 && a == previous && asked[j-1] == r {
				d = min(d, before[j-1]+1)
			}
			this[j+1] = d
			least = min(least, d)
		}
		if least > most {
			return most + 1
		}
		before, last, this, previous = last, this, before, r
	}
	return last[len(asked)]
}

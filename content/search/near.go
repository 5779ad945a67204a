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
	prefixWeight   = 0.8 // a longer word that begins with the query's
	oneSlip        = 0.7
	twoSlips       = 0.5
	otherwise      = 0.8 // a synonym
)

const (
	// maxGuessed is the maximum number of unknown words of a query that are guessed: each is
	// compared with all terms.
	maxGuessed = 8
	// maxLikely is the maximum number of guesses for an unknown word.
	maxLikely = 6
)

// guessUnknown replaces the words that no document has, nor a synonym of them, by similar
// ones, and reports whether it found any.
func (x *Index) guessUnknown(q *question, words []word) (guessed bool) {
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
		readings := x.guesses(asked.text, asked.folded)
		guessed = guessed || len(readings) > 0
		for j := range words {
			if words[j].text == asked.text {
				words[j].guess(readings)
			}
		}
	}
	return guessed
}

// guess replaces the readings of a word by guesses.
func (w *word) guess(readings []reading) {
	w.readings, w.guessed = readings, len(readings) > 0
	if len(readings) == 1 && !readings[0].prefix {
		w.text = readings[0].text
	}
}

// hasLetter reports whether a term is not a number: unknown numbers are not guessed.
func hasLetter(term string) bool { return strings.IndexFunc(term, unicode.IsLetter) >= 0 }

// guesses reads an unknown word as a prefix, in other letters, as a compound, and with typing
// errors: the first of these ways that finds terms.
func (x *Index) guesses(term, folded string) []reading {
	if utf8.RuneCountInString(term) >= 4 {
		if all := x.read(nil, term, true, prefixWeight); len(all) > 0 {
			return all
		}
	}
	ways := []string{term}
	if folded != term {
		ways = append(ways, folded) // the typing error may be in its ending
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
	return x.compound(term)
}

// minCompoundPart is the minimum number of letters of a part of a compound.
const minCompoundPart = 5

// compound reads a compound as its longest part that is a term, if this is most of it:
// «дропперство», «финомбудсмен».
func (x *Index) compound(term string) []reading {
	letters := []rune(term)
	if len(letters) > 2*maxGuess {
		return nil
	}
	for n := len(letters) - 1; n >= max(minCompoundPart, (len(letters)+1)/2); n-- {
		for _, part := range []string{string(letters[:n]), string(letters[len(letters)-n:])} {
			if all := x.read(nil, part, false, twoSlips); len(all) > 0 {
				return all
			}
		}
	}
	return nil
}

// nearest reads words as the terms with the fewest typing errors.
func (x *Index) nearest(words []string) []reading {
	var best []reading
	most := 2
	for _, word := range words {
		found, slips := x.near(word, min(most, allowedTypos(word)))
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

// allowedTypos is the number of typing errors in a word: one from four letters on, two from
// eight.
func allowedTypos(word string) int {
	switch n := utf8.RuneCountInString(word); {
	case n < 4:
		return 0
	case n < 8:
		return 1
	}
	return 2
}

// near returns the terms with the fewest typing errors, up to a maximum, and their number.
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

// firstPart is the first part of a code.
func firstPart(term string) string {
	first, _, _ := strings.Cut(term, ".")
	return first
}

// signature has a bit for each letter of the first part of a word, so that most dissimilar
// words need no comparison, and counts the letters.
func signature(word string) (mask uint64, letters int) {
	for _, r := range firstPart(word) {
		mask |= 1 << (uint32(r) % 64)
		letters++
	}
	return mask, letters
}

// A matrix is the memory for distances. It fits the longest words that are guessed.
type matrix [3][maxGuess + 1]int

// maxGuess is the maximum length of a word, in letters, for which similar ones are searched.
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

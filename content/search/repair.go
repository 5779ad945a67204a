package search

import (
	"strings"
	"unicode"
)

// rewritten is where a piece of a query was rewritten, and what stood there.
type rewritten struct {
	stretch
	asked string
}

// repair rewrites the pieces between spaces that were typed with the other keyboard
// layout, in Latin letters or as one word that is two, and says where they are in the result: punctuation is
// letters there, so it comes before words are told apart. Pieces with a word that is
// known stay as they are, and so do those that no rewriting makes known.
func (x *Index) repair(text string) (string, []rewritten) {
	var b strings.Builder
	var all []rewritten
	for rest := text; rest != ""; {
		space := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
		b.WriteString(rest[:space])
		rest = rest[space:]
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		piece := x.repairPiece(rest[:end])
		if piece != rest[:end] {
			all = append(all, rewritten{stretch{b.Len(), b.Len() + len(piece)}, rest[:end]})
		}
		b.WriteString(piece)
		rest = rest[end:]
	}
	return b.String(), all
}

func (x *Index) repairPiece(piece string) string {
	if known, all := x.knows(piece); known || all {
		return piece
	}
	if hasLatin(piece) {
		for _, other := range toCyrillic(strings.ToLower(piece)) {
			if _, all := x.knows(other); all {
				return other
			}
		}
	}
	end := strings.TrimRightFunc(piece, func(r rune) bool { return unicode.IsPunct(r) })
	for _, other := range []string{retype(piece), retype(end)} {
		if _, all := x.knows(other); all && other != piece {
			return other
		}
	}
	if two := x.split(piece); two != "" {
		return two
	}
	return piece
}

// leastHalf is how many letters each of two words has at least that were typed as one.
const leastHalf = 4

// split puts a space between two words that are known, "" if a piece is no two of them.
func (x *Index) split(piece string) string {
	letters := []rune(piece)
	if len(letters) > maxGuess {
		return ""
	}
	for i := leastHalf; i <= len(letters)-leastHalf; i++ {
		two := string(letters[:i]) + " " + string(letters[i:])
		if _, all := x.knows(two); all && !hasLatin(piece) {
			return two
		}
	}
	return ""
}

// tooShort is how many bytes are too few to be a word for sure: nearly every pair of Latin
// letters begins some code.
const tooShort = 2

// knows reports whether some word of text is in a document, and whether all are that
// say anything.
func (x *Index) knows(text string) (some, all bool) {
	words := 0
	all = true
	for s := (scanner{src: text}); s.next(); words++ {
		if stopWords[string(s.text)] {
			continue
		}
		known := len(x.literal(&s.lexeme)) > 0 || len(x.names.others(s.term())) > 0
		some, all = some || known && len(s.text) > tooShort, all && known
	}
	return some, all && words > 0
}

// rewrittenAt returns the piece that a place is in, if it was rewritten.
func rewrittenAt(all []rewritten, at int) (r rewritten, ok bool) {
	for _, r := range all {
		if r.start <= at && at < r.end {
			return r, true
		}
	}
	return r, false
}

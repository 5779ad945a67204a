package search

import (
	"strings"
	"unicode"
)

// rewritten is a rewritten piece of a query and the original text.
type rewritten struct {
	stretch
	asked string
}

// repair rewrites the pieces between spaces that were typed in the other keyboard layout, in
// Latin letters or without a space between two words, and returns their places in the result.
// It precedes scanning, because punctuation stands for letters in the other layout. Pieces
// with a known word are not changed, nor those that rewriting does not make known.
func (x *Index) repair(text string) (string, []rewritten) {
	var b strings.Builder
	var all []rewritten
	pieces := map[string]string{} // many are repeated in a long question
	for rest := text; rest != ""; {
		space := len(rest) - len(strings.TrimLeftFunc(rest, unicode.IsSpace))
		b.WriteString(rest[:space])
		rest = rest[space:]
		end := strings.IndexFunc(rest, unicode.IsSpace)
		if end < 0 {
			end = len(rest)
		}
		piece, known := pieces[rest[:end]]
		if !known {
			piece = x.repairPiece(rest[:end])
			pieces[rest[:end]] = piece
		}
		if piece != rest[:end] {
			all = append(all, rewritten{stretch{b.Len(), b.Len() + len(piece)}, rest[:end]})
		}
		b.WriteString(piece)
		rest = rest[end:]
	}
	return b.String(), all
}

// maxPiece is the maximum length, in bytes, of a piece that is rewritten: each hit repeats what was asked.
const maxPiece = 200

func (x *Index) repairPiece(piece string) string {
	if known, all := x.knows(piece); known || all || len(piece) > maxPiece {
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
		if some, all := x.knows(other); some && all && other != piece {
			return other
		}
	}
	if two := x.split(piece); two != "" {
		return two
	}
	return piece
}

// minHalf is the minimum number of letters of each of two words typed as one.
const minHalf = 4

// split separates a piece into two known words, "" if it is not two.
func (x *Index) split(piece string) string {
	letters := []rune(piece)
	if len(letters) > maxGuess {
		return ""
	}
	for i := minHalf; i <= len(letters)-minHalf; i++ {
		two := string(letters[:i]) + " " + string(letters[i:])
		if _, all := x.knows(two); all && !hasLatin(piece) {
			return two
		}
	}
	return ""
}

// tooShort is the length, in bytes, up to which a Latin text is not surely a word: nearly
// every pair of letters begins a code.
const tooShort = 2

// knows reports whether a document has some word of text, and whether documents have all
// words but stop words.
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

// rewrittenAt returns the rewritten piece at a place.
func rewrittenAt(all []rewritten, at int) (r rewritten, ok bool) {
	for _, r := range all {
		if r.start <= at && at < r.end {
			return r, true
		}
	}
	return r, false
}

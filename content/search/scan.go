package search

import (
	"bytes"
	"strings"
	"unicode"
	"unicode/utf8"
)

// maxParts limits the parts of a code: a term for each part extends to the end of the code,
// so their total length is quadratic.
const maxParts = 12

// A lexeme is a Russian word, a Latin word, a number, or a code of several
// parts. Each part takes one position.
type lexeme struct {
	text     []byte // folded, the parts joined by dots; valid until the next lexeme
	parts    []subword
	cyrillic bool
	asTerm   string // see term; "" before it was asked for
}

// A subword is the place of a part of a lexeme, in the source and in lexeme.text.
type subword struct{ start, end, at int }

// suffix is the code from part i to its end.
func (l *lexeme) suffix(i int) []byte { return l.text[l.parts[i].at:] }

// isNumber reports whether there are only digits, so that prefixes are meaningless.
func (l *lexeme) isNumber() bool {
	for _, c := range l.text {
		if !isDigit(c) && c != '.' {
			return false
		}
	}
	return true
}

// A scanner finds the lexemes of src from at on. It has no other state, so scanning can
// resume at any lexeme, which marking snippets needs.
type scanner struct {
	src string
	at  int
	lexeme
}

func (s *scanner) next() bool {
	s.text, s.parts, s.asTerm = s.text[:0], s.parts[:0], ""
	if !s.skip() {
		return false
	}
	if s.sign() {
		return true
	}
	s.word()
	for s.joins() && len(s.parts) < maxParts {
		s.at++
		s.text = append(s.text, '.')
		s.word()
	}
	return true
}

// skip advances to the beginning of a word, and reports whether there is one.
func (s *scanner) skip() bool {
	for s.at < len(s.src) {
		r, size := utf8.DecodeRuneInString(s.src[s.at:])
		if c := classOf(r); c == cyrillic || c == other || signs[r] != "" {
			s.cyrillic = c == cyrillic
			return true
		}
		s.at += size
	}
	return false
}

// signs are read as words.
var signs = map[rune]string{'%': "процент", '₽': "рубль"}

// sign reports whether there is a sign at the position, and reads it.
func (s *scanner) sign() bool {
	r, size := utf8.DecodeRuneInString(s.src[s.at:])
	word := signs[r]
	if s.thousand(r, size) {
		word = "тысяча"
	}
	if word == "" {
		return false
	}
	s.text, s.cyrillic = append(s.text, word...), true
	s.parts = append(s.parts, subword{start: s.at, end: s.at + size})
	s.at += size
	return true
}

// thousand reports whether r is the «к» of «150к».
func (s *scanner) thousand(r rune, size int) bool {
	after, _ := utf8.DecodeRuneInString(s.src[s.at+size:])
	return unicode.ToLower(r) == 'к' && s.at > 0 && isDigit(s.src[s.at-1]) && !unicode.IsLetter(after) &&
		!unicode.IsDigit(after)
}

// word reads letters and digits until the script changes: «353ФЗ» is two words, like
// «353-ФЗ».
func (s *scanner) word() {
	p := subword{start: s.at, at: len(s.text)}
	for s.at < len(s.src) {
		r, size := utf8.DecodeRuneInString(s.src[s.at:])
		c := classOf(r)
		if c == separator || c != glue && (c == cyrillic) != s.cyrillic {
			break
		}
		s.add(r, c)
		s.at += size
	}
	if p.at == 0 && allDigits(s.text) {
		s.number(p.start)
	}
	p.end = s.at
	s.parts = append(s.parts, p)
}

// add folds r: lower case, ё is е, и and a separate breve are й, and other modifiers are
// dropped.
func (s *scanner) add(r rune, c class) {
	switch {
	case r < utf8.RuneSelf:
		s.text = append(s.text, lower(byte(r)))
	case c == glue:
		if r == '\u0306' && bytes.HasSuffix(s.text, []byte("и")) {
			s.text = append(s.text[:len(s.text)-len("и")], "й"...)
		}
	default:
		if r = unicode.ToLower(r); r == 'ё' {
			r = 'е'
		}
		s.text = utf8.AppendRune(s.text, r)
	}
}

// joins reports whether a code continues after a separator. Two numbers with a hyphen are a
// range, not a code.
func (s *scanner) joins() bool {
	if s.at+1 >= len(s.src) || !strings.ContainsRune("._-", rune(s.src[s.at])) {
		return false
	}
	before, after := s.src[s.at-1], s.src[s.at+1]
	if !isAlnum(before) || !isAlnum(after) {
		return false
	}
	return s.src[s.at] != '-' || !isDigit(before) || !isDigit(after)
}

// number reads the groups of digits and the fraction of a number: 1 400 000,50.
func (s *scanner) number(start int) {
	if len(s.text) <= 3 && s.text[0] != '0' {
		for n := group(s.src[s.at:]); n > 0; n = group(s.src[s.at:]) {
			s.text = append(s.text, s.src[s.at+n-3:s.at+n]...)
			s.at += n
		}
	}
	if n := fraction(s.src[s.at:]); n > 0 && !inList(s.src, start) {
		s.text = append(append(s.text, '.'), s.src[s.at+1:s.at+n]...)
		s.at += n
	}
}

// group returns the length of a space and three digits at the beginning of s.
// If a hyphen follows, these are two numbers: «статья 19 123-ФЗ».
func group(s string) int {
	r, n := utf8.DecodeRuneInString(s)
	if r != ' ' && r != '\u00a0' && r != '\u2009' && r != '\u202f' {
		return 0
	}
	if len(s) < n+3 || !allDigits(s[n:n+3]) {
		return 0
	}
	if n += 3; n < len(s) && (isAlnum(s[n]) || s[n] == '-') {
		return 0
	}
	return n
}

// fraction returns the length of a point or comma and digits at the beginning
// of s, unless they are part of something longer: a date, a code, «1,4,5».
func fraction(s string) int {
	if s == "" || s[0] != '.' && s[0] != ',' {
		return 0
	}
	n := 1
	for n < len(s) && isDigit(s[n]) {
		n++
	}
	switch {
	case n == 1:
		return 0
	case n < len(s) && isAlnum(s[n]):
		return 0
	case n+1 < len(s) && strings.IndexByte(".,_-", s[n]) >= 0 && isAlnum(s[n+1]):
		return 0
	}
	return n
}

// inList reports whether a digit and a comma directly precede start.
func inList(s string, start int) bool {
	return start >= 2 && s[start-1] == ',' && isDigit(s[start-2])
}

func isDigit(c byte) bool { return '0' <= c && c <= '9' }

func isAlnum(c byte) bool { return isDigit(c) || 'a' <= lower(c) && lower(c) <= 'z' }

func lower(c byte) byte {
	if 'A' <= c && c <= 'Z' {
		c += 'a' - 'A'
	}
	return c
}

func allDigits[T string | []byte](s T) bool {
	for i := range len(s) {
		if !isDigit(s[i]) {
			return false
		}
	}
	return len(s) > 0
}

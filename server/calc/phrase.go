package calc

import (
	"fmt"
	"io"
	"strings"
)

// A phrase is a formula with values in it, which programs and people write differently.
type phrase struct {
	format string
	args   []any
}

// givenName is what the caller calls something, and no name of a formula, even if it is the same.
type givenName string

// String is the phrase for programs.
func (p phrase) String() string { return fmt.Sprintf(p.format, p.args...) }

// words is the phrase for people, with words in place of names and days as people write them.
func (p phrase) words() string {
	args := make([]any, len(p.args))
	for i, a := range p.args {
		args[i] = formatter(func(verb rune) string {
			switch a := a.(type) {
			case phrase:
				return a.words()
			case givenName:
				return string(a)
			case yearMonth:
				return Date(a).time().Format("01.2006")
			case Date:
				if verb != 'd' { // a number of days
					return a.shown()
				}
			}
			return inWords(fmt.Sprintf("%"+string(verb), a))
		})
	}
	return fmt.Sprintf(inWords(p.format), args...)
}

// A formatter writes a value of a phrase.
type formatter func(verb rune) string

// Format implements [fmt.Formatter].
func (f formatter) Format(s fmt.State, verb rune) { _, _ = io.WriteString(s, f(verb)) }

// addition is the sum of terms.
func addition(terms []any) phrase {
	return phrase{strings.TrimPrefix(strings.Repeat(" + %s", len(terms)), " + "), terms}
}

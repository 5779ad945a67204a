package calc

import (
	"fmt"
	"io"
	"regexp"
	"strings"
)

// A Phrase is a formula with values in it, which programs and people write differently.
type Phrase struct {
	format string
	args   []any
}

// givenName is what the caller calls something, and no name of a formula, even if it is the same.
type givenName string

// String is the phrase for programs.
func (p Phrase) String() string { return fmt.Sprintf(p.format, p.args...) }

// Words is the phrase for people, with words in place of names and days as people write them: text
// changes what is between the values, and value writes each of them, which may be the operand after an
// operator.
func (p Phrase) Words(text func(string) string, value func(text string, operand bool) string) string {
	args := make([]any, len(p.args))
	for i, a := range p.args {
		args[i] = formatter(func(verb rune, operand bool) string {
			switch a := a.(type) {
			case Phrase:
				return a.Words(text, value)
			case givenName:
				return string(a)
			case yearMonth:
				return Date(a).time().Format("01.2006")
			case Date:
				if verb != 'd' { // a number of days
					return a.shown()
				}
			}
			return value(inWords(fmt.Sprintf("%"+string(verb), a)), operand)
		})
	}
	return fmt.Sprintf(operands.ReplaceAllString(text(inWords(p.format)), "${0}+"), args...)
}

// operands are the verbs after an operator, which a flag marks.
var operands = regexp.MustCompile(`[−+·/] ?%`)

// A formatter writes a value of a phrase.
type formatter func(verb rune, operand bool) string

// Format implements [fmt.Formatter].
func (f formatter) Format(s fmt.State, verb rune) { _, _ = io.WriteString(s, f(verb, s.Flag('+'))) }

// figure is the phrase in an answer.
func (p Phrase) figure() Figure {
	same := func(text string) string { return text }
	return Figure{Text: p.Words(same, func(text string, _ bool) string { return text }), Phrase: &p}
}

// addition is the sum of terms.
func addition(terms []any) Phrase {
	return Phrase{strings.TrimPrefix(strings.Repeat(" + %s", len(terms)), " + "), terms}
}

package i18n

import (
	"fmt"
	"strings"
)

// Text is a text for people: an English format, as in package fmt, and its arguments. Without
// arguments the format is printed unchanged.
type Text struct {
	Format string
	Args   []any
}

// New returns the text of a format and its arguments.
func New(format string, args ...any) Text { return Text{format, args} }

// Join returns a text of several values with a separator between them.
func Join(separator string, values ...any) Text {
	verbs := make([]string, len(values))
	for i := range verbs {
		verbs[i] = "%v"
	}
	return Text{strings.Join(verbs, strings.ReplaceAll(separator, "%", "%%")), values}
}

// Localizable is a value that a [Printer] can translate.
type Localizable interface {
	Localize() Text
}

// Localize implements [Localizable].
func (t Text) Localize() Text { return t }

// String returns the text in English.
func (t Text) String() string {
	if len(t.Args) == 0 {
		return t.Format
	}
	return fmt.Sprintf(t.Format, t.Args...)
}

// MarshalText implements encoding.TextMarshaler, in English.
func (t Text) MarshalText() ([]byte, error) { return []byte(t.String()), nil }

// Count is a number of things. The noun is English in the singular, with a regular plural; a
// catalogue has its Russian forms.
type Count struct {
	N    int
	Noun string
}

// String returns the count in English.
func (c Count) String() string {
	if c.N == 1 {
		return "1 " + c.Noun
	}
	return fmt.Sprintf("%d %ss", c.N, c.Noun)
}

// Localize implements [Localizable].
func (c Count) Localize() Text { return Text{c.Noun, []any{c.N}} }

package i18n

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"golang.org/x/text/feature/plural"
	"golang.org/x/text/language"
	"golang.org/x/text/message"
	"golang.org/x/text/message/catalog"
	"golang.org/x/text/number"
)

// Catalogue has the Russian texts of a package.
type Catalogue struct {
	// Texts are the formats of the package, each in English and in Russian. The verbs are the
	// same, except that %w is %v in Russian; their order may differ, with indexes.
	Texts [][2]string
	// Counts are nouns: the English one, and the Russian forms for 1, 2 and 5.
	Counts [][4]string
}

// Printer writes texts in the language of a person; nil is English. It may be used
// concurrently.
type Printer struct {
	// Foreign translates errors and other values without texts of their own, if it can; it may
	// be nil.
	Foreign func(any) (Text, bool)

	known   map[string]bool // what there is Russian of
	printer *message.Printer
}

// Russian returns the Russian printer.
func Russian(catalogues ...Catalogue) *Printer {
	p, b := &Printer{known: map[string]bool{}}, catalog.NewBuilder()
	for _, c := range catalogues {
		for _, t := range c.Texts {
			p.set(b, t[0], catalog.String(t[1]))
		}
		for _, n := range c.Counts {
			p.set(
				b, n[0],
				plural.Selectf(1, "%d", plural.One, "%d "+n[1], plural.Few, "%d "+n[2], plural.Other, "%d "+n[3]),
			)
		}
	}
	p.printer = message.NewPrinter(language.Russian, message.Catalog(b))
	return p
}

// set notes a message down; one that cannot be compiled stays English.
func (p *Printer) set(b *catalog.Builder, key string, m catalog.Message) {
	p.known[key] = b.Set(language.Russian, key, m) == nil
}

// IsEnglish reports whether the printer writes English.
func (p *Printer) IsEnglish() bool { return p == nil }

// Sprintf formats as [fmt.Sprintf] does, in the language of the printer.
func (p *Printer) Sprintf(format string, args ...any) string {
	if p.IsEnglish() {
		return fmt.Sprintf(format, args...)
	}
	return p.Sprint(Text{format, args})
}

// Fprintf writes what [Printer.Sprintf] returns.
func (p *Printer) Fprintf(w io.Writer, format string, args ...any) error {
	_, err := io.WriteString(w, p.Sprintf(format, args...))
	return err
}

// Sprint returns a text in the language of the printer; a text without a translation is
// English, with Russian arguments.
func (p *Printer) Sprint(text Localizable) string {
	t := text.Localize()
	switch {
	case p.IsEnglish():
		return fmt.Sprint(text)
	case p.known[t.Format]:
		return p.printer.Sprintf(t.Format, p.localized(t.Args)...)
	case len(t.Args) == 0:
		return t.Format
	}
	return fmt.Errorf(t.Format, p.inside(t.Args)...).Error() // of which %w is a verb
}

// inside are arguments in the language of the printer.
func (p *Printer) inside(args []any) []any {
	all := slices.Clone(args)
	for i, a := range args {
		if e, ok := a.(error); ok {
			all[i] = said{e, p.Error(e)}
		} else if text, ok := p.text(a); ok {
			all[i] = p.Sprint(text)
		}
	}
	return all
}

// localized are arguments as a message takes them: errors are texts, and numbers have no
// separators, since many are lines and ports.
func (p *Printer) localized(args []any) []any {
	all := p.inside(args)
	for i, a := range all {
		switch a := a.(type) {
		case error:
			all[i] = a.Error()
		case int, int64, uint32, uint64:
			all[i] = number.Decimal(a, number.NoSeparator())
		}
	}
	return all
}

// said is an error in the language of a person.
type said struct {
	error
	text string
}

func (s said) Error() string { return s.text }

// Error returns an error in the language of the printer. An error of another package stays
// English, except for the errors that it wraps.
func (p *Printer) Error(err error) string {
	if p.IsEnglish() {
		return err.Error()
	}
	if text, ok := p.text(err); ok {
		return p.Sprint(text)
	}
	text := err.Error()
	for _, inner := range wrapped(err) {
		text = replaceLast(text, inner.Error(), p.Error(inner))
	}
	return text
}

// text finds what a value says.
func (p *Printer) text(v any) (Localizable, bool) {
	if l, ok := v.(Localizable); ok {
		return l, true
	}
	if p.Foreign == nil {
		return nil, false
	}
	return p.Foreign(v)
}

// wrapped lists what an error wraps.
func wrapped(err error) []error {
	if all, ok := err.(interface{ Unwrap() []error }); ok {
		return all.Unwrap()
	}
	if inner := errors.Unwrap(err); inner != nil {
		return []error{inner}
	}
	return nil
}

func replaceLast(text, old, with string) string {
	i := strings.LastIndex(text, old)
	if i < 0 {
		return text
	}
	return text[:i] + with + text[i+len(old):]
}

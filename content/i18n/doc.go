// Package i18n answers people in their language.
//
// A text is a format with its arguments, not a finished sentence: [Text], and for what
// went wrong the error that [Errorf] makes. Either is English by itself, for programs
// and for logs. A [Printer] writes it in the language of a person: the Russian of each
// format stands in the [Catalogue] of the package that has the format. Arguments that
// are texts or errors themselves, a [Count] among them, are written in that language,
// too.
//
// Catalogues are compiled by golang.org/x/text when the first text is asked for in
// another language than English.
package i18n

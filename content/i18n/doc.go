// Package i18n translates texts for people.
//
// A text is a format with its arguments, not a finished sentence: a [Text], or the error
// returned by [Errorf]. Its default form is English, for programs and for logs. A [Printer]
// writes it in the language of a person: the Russian translation of each
// format is in the [Catalogue] of the package that has the format, beside the English in a
// YAML file ([Read]). Arguments that are texts or errors themselves, a [Count] among them, are
// translated too.
//
// Catalogues are compiled by golang.org/x/text when a text is first requested in
// a language other than English.
package i18n

package lsp

import (
	_ "embed"
	"strings"
	"sync"

	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

var inRussian = sync.OnceValue(func() *i18n.Printer { return i18n.Russian(change.Russian(), Russian()) })

// printerOf returns the printer of a language: Russian, or English.
func printerOf(tag language.Tag) *i18n.Printer {
	if base, _ := tag.Base(); base.String() == "ru" {
		return inRussian()
	}
	return nil
}

// languageOf returns the language of a client's locale (ru-RU, or ru_RU.UTF-8); not ok if it names none.
func languageOf(locale string) (tag language.Tag, ok bool) {
	name, _, _ := strings.Cut(locale, ".")
	tag, err := language.Parse(name)
	return tag, err == nil && tag != language.Und
}

// say formats a text of the catalogue. Values may come from the content.
func (s *server) say(format string, values ...any) string {
	return content.Printable(s.printer.Sprintf(format, values...))
}

// told returns the message and the hint of a finding.
func (s *server) told(f content.Finding) string {
	message, hint := f.Message, f.Hint
	if !s.printer.IsEnglish() {
		message, hint = check.Russian(f)
	}
	return strings.TrimSuffix(content.Printable(message)+"\n"+content.Printable(hint), "\n")
}

//go:embed russian.yaml
var russian []byte

// Russian is the Russian catalogue for texts besides findings, and for errors of the server.
func Russian() i18n.Catalogue { return i18n.Read(russian) }

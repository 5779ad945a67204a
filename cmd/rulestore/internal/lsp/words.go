package lsp

import (
	"strings"
	"sync"

	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/i18n"
)

var inRussian = sync.OnceValue(func() *i18n.Printer { return i18n.Russian(change.Russian, Russian) })

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

// Russian is the Russian catalogue for texts besides findings, and for errors of the server.
var Russian = i18n.Catalogue{
	Texts: [][2]string{
		{"%s is neither in the folder nor published", "%s нет ни в папке, ни среди опубликованного"},
		{"published: v%s, %s", "опубликовано: v%s, %s"},
		{"what is published cannot be seen", "опубликованное не видно"},
		{"not published yet", "ещё не опубликовано"},
		{"not published yet → v%s", "ещё не опубликовано → v%s"},
		{"v%s → v%s: %s", "v%s → v%s: %s"},
		{"v%s, the draft cannot be published: %s", "v%s, черновик нельзя опубликовать: %s"},
		{"a draft that cannot be published: %s", "черновик, который нельзя опубликовать: %s"},
		{"the editor went away without shutting the session down", "редактор пропал, не закончив сеанс"},
		{"talk to the editor: %w", "разговор с редактором: %v"},
	},
	Counts: [][4]string{
		{"error", "ошибка", "ошибки", "ошибок"},
	},
}

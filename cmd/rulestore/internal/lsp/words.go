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

// localizer formats texts in the client's language: Russian or English.
type localizer struct{ *i18n.Printer }

var inRussian = sync.OnceValue(func() *i18n.Printer { return i18n.Russian(change.Russian, Russian) })

func tongueFor(tag language.Tag) localizer {
	if tag == language.Russian {
		return localizer{inRussian()}
	}
	return localizer{}
}

// localizerOf returns the language of a client's locale (ru-RU, or ru_RU.UTF-8); not ok if it
// names none.
func localizerOf(locale string) (l localizer, ok bool) {
	name, _, _ := strings.Cut(locale, ".")
	tag, err := language.Parse(name)
	if base, _ := tag.Base(); base.String() == "ru" {
		return tongueFor(language.Russian), true
	}
	return tongueFor(language.English), err == nil && tag != language.Und
}

// say formats a text of the catalogue. Values may come from the content.
func (l localizer) say(format string, values ...any) string {
	return content.Printable(l.Sprintf(format, values...))
}

// finding returns the message and the hint of a finding.
func (l localizer) finding(f content.Finding) (message, hint string) {
	message, hint = f.Message, f.Hint
	if !l.IsEnglish() {
		message, hint = check.Russian(f)
	}
	return content.Printable(message), content.Printable(hint)
}

// Texts for people besides findings.
const (
	saysNoItem = "%s is neither in the folder nor published"
	saysStatus = "published: v%s, %s"
	saysUnseen = "what is published cannot be seen"
	saysNone   = "not published yet"
	saysFirst  = "not published yet → v%s"
	saysNext   = "v%s → v%s: %s"
	saysBroken = "v%s, the draft cannot be published: %s"
	saysNew    = "a draft that cannot be published: %s"
)

// Russian is the Russian catalogue for texts besides findings, and for errors of the server.
var Russian = i18n.Catalogue{
	Texts: [][2]string{
		{saysNoItem, "%s нет ни в папке, ни среди опубликованного"},
		{saysStatus, "опубликовано: v%s, %s"},
		{saysUnseen, "опубликованное не видно"},
		{saysNone, "ещё не опубликовано"},
		{saysFirst, "ещё не опубликовано → v%s"},
		{saysNext, "v%s → v%s: %s"},
		{saysBroken, "v%s, черновик нельзя опубликовать: %s"},
		{saysNew, "черновик, который нельзя опубликовать: %s"},
		{"the editor went away without shutting the session down", "редактор пропал, не закончив сеанс"},
		{"talk to the editor: %w", "разговор с редактором: %v"},
	},
	Counts: [][4]string{
		{"error", "ошибка", "ошибки", "ошибок"},
	},
}

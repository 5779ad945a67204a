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

// rule explains a rule.
func (l localizer) rule(id string) string {
	r, ok := check.RuleOf(id)
	if !ok {
		return ""
	}
	tag := language.Russian
	if l.IsEnglish() {
		tag = language.English
	}
	title, advice := r.Told(tag)
	return strings.TrimSpace(title + "\n\n" + advice)
}

// Texts for people besides findings.
const (
	saysRequired  = "required"
	saysExample   = "Example: %s"
	saysValues    = "Values"
	saysType      = "Type: %s"
	saysNoItem    = "%s is neither in the folder nor published"
	saysPublished = "published: v%s"
	saysStatus    = "published: v%s, %s"
	saysUnseen    = "what is published cannot be seen"
	saysNone      = "not published yet"
	saysFirst     = "not published yet → v%s"
	saysNext      = "v%s → v%s: %s"
	saysBroken    = "v%s, the draft cannot be published: %s"
	saysNew       = "a draft that cannot be published: %s"
)

// Russian is the Russian catalogue for texts besides findings, and for errors of the server.
var Russian = i18n.Catalogue{
	Texts: [][2]string{
		{saysRequired, "обязательно"},
		{saysExample, "Пример: %s"},
		{saysValues, "Значения"},
		{saysType, "Тип: %s"},
		{saysNoItem, "%s нет ни в папке, ни среди опубликованного"},
		{saysPublished, "опубликовано: v%s"},
		{saysStatus, "опубликовано: v%s, %s"},
		{saysUnseen, "опубликованное не видно"},
		{saysNone, "ещё не опубликовано"},
		{saysFirst, "ещё не опубликовано → v%s"},
		{saysNext, "v%s → v%s: %s"},
		{saysBroken, "v%s, черновик нельзя опубликовать: %s"},
		{saysNew, "черновик, который нельзя опубликовать: %s"},
		{"the editor went away without shutting the session down", "редактор пропал, не закончив сеанс"},
		{"talk to the editor: %w", "разговор с редактором: %v"},
		{
			"the clone is shallow: `git fetch --unshallow --tags` fetches the rest",
			"история клона обрезана: остальное загрузит `git fetch --unshallow --tags`",
		},
		{"text", "текст"},
		{"number", "число"},
		{"whole number", "целое число"},
		{"true or false", "true или false"},
		{"list", "список"},
		{"fields", "поля"},
		{"nothing", "пусто"},
	},
	Counts: [][4]string{
		{"error", "ошибка", "ошибки", "ошибок"},
	},
}

// types names the types of JSON Schema.
var types = map[string]i18n.Text{
	"string":  i18n.New("text"),
	"number":  i18n.New("number"),
	"integer": i18n.New("whole number"),
	"boolean": i18n.New("true or false"),
	"array":   i18n.New("list"),
	"object":  i18n.New("fields"),
	"null":    i18n.New("nothing"),
}

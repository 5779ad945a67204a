package lsp

import (
	"fmt"
	"strings"

	"rulestore/content"
	"rulestore/content/check"
)

// language is what people are answered in: Russian, or else English.
type language struct{ russian bool }

// IsRussian reports whether a locale, of a client (ru-RU) or of the surroundings
// (ru_RU.UTF-8), is Russian; not ok says that it names no language.
func IsRussian(locale string) (russian, ok bool) {
	tag := strings.FieldsFunc(strings.ToLower(locale), func(c rune) bool { return strings.ContainsRune("-_.@:", c) })
	if len(tag) == 0 || tag[0] == "c" || tag[0] == "posix" {
		return false, false
	}
	return tag[0] == "ru", true
}

// phrase is a sentence in both languages, with the same values in the same order.
type phrase struct{ english, russian string }

// say fills a phrase. Texts among the values may come from the content.
func (l language) say(p phrase, values ...any) string {
	for i, v := range values {
		switch v := v.(type) {
		case string:
			values[i] = content.Printable(v)
		case error:
			values[i] = content.Printable(v.Error())
		}
	}
	if l.russian {
		return fmt.Sprintf(p.russian, values...)
	}
	return fmt.Sprintf(p.english, values...)
}

// finding says what is wrong and what to do.
func (l language) finding(f content.Finding) (message, hint string) {
	message, hint = f.Message, f.Hint
	if l.russian {
		message, hint = check.Russian(f)
	}
	return content.Printable(message), content.Printable(hint)
}

// rule explains a rule.
func (l language) rule(id string) string {
	r, ok := check.RuleOf(id)
	switch {
	case !ok:
		return ""
	case l.russian:
		title, advice := r.Russian()
		return strings.TrimSpace(title + "\n\n" + advice)
	}
	return strings.TrimSpace(r.Summary + "\n\n" + r.Text)
}

// What people read beside findings.
var (
	saysRequired = phrase{"required", "обязательно"}
	saysExample  = phrase{"Example: %s", "Пример: %s"}
	saysValues   = phrase{"Values", "Значения"}
	saysType     = phrase{"Type: %s", "Тип: %s"}
	saysNoItem   = phrase{
		"%s is neither in the folder nor published",
		"%s нет ни в папке, ни среди опубликованного",
	}
	saysPublished  = phrase{"published: v%s", "опубликовано: v%s"}
	saysStatus     = phrase{"published: v%s, %s", "опубликовано: v%s, %s"}
	saysUnseen     = phrase{"what is published cannot be seen", "опубликованное не видно"}
	saysNone       = phrase{"not published yet", "ещё не опубликовано"}
	saysFirst      = phrase{"not published yet → v%s", "ещё не опубликовано → v%s"}
	saysNext       = phrase{"v%s → v%s: %s", "v%s → v%s: %s"}
	saysBroken     = phrase{"v%s, the draft cannot be published: %s", "v%s, черновик нельзя опубликовать: %s"}
	saysNew        = phrase{"a draft that cannot be published: %s", "черновик, который нельзя опубликовать: %s"}
	saysReferences = phrase{"%[2]s", "ссылок: %[1]d"}
	saysErrors     = phrase{"%[2]s", "ошибок: %[1]d"}
	saysWhere      = phrase{"Who refers to %s", "Кто ссылается на %s"}
	saysMore       = phrase{"and %d more", "и ещё %d"}
	saysFix        = phrase{"Mend: %s", "Исправить: %s"}
	saysFixAll     = phrase{"Mend all that is mechanical: %s", "Исправить всё механическое: %s"}
	saysChange     = phrase{"Change to %s", "Заменить на %s"}
	saysNeverID    = phrase{
		"%s is the id of %s, and an id never changes: to readers this would be another item; add a new item, and archive this one",
		"%s — идентификатор %s, а идентификатор не меняется: для читателей это был бы другой документ; добавьте новый, а этот снимите в архив",
	}
	saysNotCode = phrase{
		"only codes of registries can be renamed",
		"переименовать можно только код из справочника",
	}
	saysUnknown = phrase{"the code %q is not in %s", "кода «%s» нет в %s"}
	saysTaken   = phrase{"the code %q is in %s already", "код «%s» уже есть в %s"}
	saysUnread  = phrase{
		"%s cannot be read and has %q in it: mend it first",
		"%s не читается, а в нём есть «%s»: сначала исправьте его",
	}
	saysRefused  = phrase{"%s:%d: %s", "%s:%d: %s"}
	saysRename   = phrase{"Rename %s to %s", "Переименование %s в %s"}
	saysBreaking = phrase{
		"%[1]s is published in %[2]s v%[3]s: to rename it breaks what readers rely on, v%[3]s → v%[4]s",
		"%[1]s опубликован в %[2]s v%[3]s: переименование ломает то, на что опираются читатели, v%[3]s → v%[4]s",
	}
)

// classes say what a change means.
var classes = [...]phrase{{"none", "без изменений"}, {"wording", "формулировки"}, {"addition", "добавление"}, {"breaking", "ломающее"}}

// types are what values are, as JSON Schema names them.
var types = map[string]phrase{
	"string": {"text", "текст"}, "number": {"number", "число"}, "integer": {"whole number", "целое число"},
	"boolean": {"true or false", "true или false"}, "array": {"list", "список"}, "object": {"fields", "поля"}, "null": {"nothing", "пусто"},
}

// references counts who refers to something.
func (l language) references(n int) string { return l.say(saysReferences, n, plural(n, "reference")) }

func (l language) errors(n int) string { return l.say(saysErrors, n, plural(n, "error")) }

func plural(n int, word string) string {
	if n == 1 {
		return "1 " + word
	}
	return fmt.Sprintf("%d %ss", n, word)
}

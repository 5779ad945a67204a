package check

import (
	"regexp"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"rulestore/content"
)

// russian is what the section ru of a rule's file holds: what is against the rule
// and what to do, after an empty line each, and the messages and hints of its
// findings with their translations.
type russian struct {
	title, advice string
	phrases       []phrase
}

// phrase is a message or hint and what it is in Russian. {} is a value in either:
// the first is the first, unless it has a number, and {word} is one of [words].
type phrase struct {
	english *regexp.Regexp
	russian string
}

// Russian says in Russian what a finding says: what is wrong and what to do, with
// the values that it names. What no translation is known of is told by the title of
// the rule and in the words of the finding.
func Russian(f content.Finding) (message, hint string) {
	rule, ok := RuleOf(f.Rule)
	if !ok {
		return f.Message, f.Hint
	}
	message, ok = rule.russian.translate(f.Message)
	if !ok {
		message = rule.russian.title + ": " + f.Message
	}
	return capital(message), rule.russian.hint(f.Hint)
}

// meant is how a hint begins that guesses what the author meant.
var meant = regexp.MustCompile(`^did you mean "(.*?)"\? ?`)

// hint translates a hint; where there is none, or no translation of it, what to do
// is what the rule advises.
func (r russian) hint(english string) (text string) {
	if guess := meant.FindStringSubmatch(english); guess != nil {
		text, english = "Возможно, «"+guess[1]+"». ", english[len(guess[0]):]
		if english == "" {
			return strings.TrimSpace(text)
		}
	}
	rest, ok := r.translate(english)
	if !ok { // findings of many rules give the hints of [Foreign]
		letters, _ := RuleOf("letters")
		rest, ok = letters.russian.translate(english)
	}
	if !ok {
		rest = r.advice
	}
	return text + rest
}

func (r russian) translate(english string) (string, bool) {
	for _, p := range r.phrases {
		if values := p.english.FindStringSubmatch(english); values != nil {
			return p.fill(values), true
		}
	}
	return "", false
}

var placeholder = regexp.MustCompile(`\{([0-9]?|word)\}`)

// fill puts the values of a message into its translation; the first is the message
// itself.
func (p phrase) fill(values []string) string {
	next := 0
	return placeholder.ReplaceAllStringFunc(p.russian, func(mark string) string {
		next++
		at := next
		if n, err := strconv.Atoi(strings.Trim(mark, "{}")); err == nil {
			at = n
		}
		if mark == "{word}" {
			return inWords(values[at])
		}
		return values[at]
	})
}

// words are what messages say of values.
var words = map[string]string{
	"string": "текст", "number": "число", "integer": "целое число", "boolean": "true или false",
	"array": "список", "object": "поля", "null": "пусто",
	"Monday": "понедельник", "Tuesday": "вторник", "Wednesday": "среда", "Thursday": "четверг", "Friday": "пятница",
	"Saturday": "суббота", "Sunday": "воскресенье",
	"Latin": "латинская буква", "Cyrillic": "кириллическая буква", "Greek": "греческая буква",
	"byte order mark": "метка порядка байтов", "control character": "управляющий знак", "noncharacter": "не знак",
	"line separator": "разделитель строк", "paragraph separator": "разделитель абзацев",
	"no-break space": "неразрывный пробел", "narrow no-break space": "узкий неразрывный пробел",
	"figure space": "цифровой пробел", "thin space": "тонкий пробел", "ideographic space": "широкий пробел",
	"space of another width": "пробел другой ширины", "soft hyphen": "мягкий перенос",
	"combining grapheme joiner": "соединитель знаков", "Mongolian vowel separator": "монгольский разделитель гласных",
	"zero width space": "пробел нулевой ширины", "zero width non-joiner": "разъединитель нулевой ширины",
	"zero width joiner": "соединитель нулевой ширины", "word joiner": "соединитель слов",
	"function application": "невидимое применение функции", "invisible times": "невидимое умножение",
	"invisible separator": "невидимый разделитель", "invisible plus": "невидимый плюс",
	"blank Braille pattern": "пустой знак Брайля", "Hangul filler": "корейский заполнитель",
	"halfwidth Hangul filler": "узкий корейский заполнитель", "variation selector": "выбор начертания",
	"tag character": "невидимая буква метки", "invisible character": "невидимый знак",
	"Arabic letter mark": "метка арабского письма", "left-to-right mark": "метка письма слева направо",
	"right-to-left mark": "метка письма справа налево", "left-to-right embedding": "вставка слева направо",
	"right-to-left embedding": "вставка справа налево", "pop directional formatting": "конец смены направления",
	"left-to-right override": "принудительное письмо слева направо", "right-to-left override": "принудительное письмо справа налево",
	"left-to-right isolate": "отдельный текст слева направо", "right-to-left isolate": "отдельный текст справа налево",
	"first strong isolate": "отдельный текст по первой букве", "pop directional isolate": "конец отдельного текста",
	"a list": "список", "a table": "таблица", "an HTML tag": "тег HTML", "an HTML entity": "код знака HTML",
}

func inWords(value string) string {
	all := strings.Split(value, " or ")
	for i, w := range all {
		if r := words[w]; r != "" {
			all[i] = r
		}
	}
	return strings.Join(all, " или ")
}

// capital begins a Russian text with a capital letter; a name keeps its own.
func capital(s string) string {
	first, n := utf8.DecodeRuneInString(s)
	if !unicode.Is(unicode.Cyrillic, first) {
		return s
	}
	return string(unicode.ToUpper(first)) + s[n:]
}

// parseRussian reads the section ru.
func parseRussian(text string) (r russian) {
	r.title, text, _ = strings.Cut(text, "\n")
	advice, rest, _ := strings.Cut(strings.TrimPrefix(text, "\n"), "\n\n")
	r.advice = strings.Join(strings.Fields(advice), " ")
	for line := range strings.Lines(rest) {
		english, translated, _ := strings.Cut(strings.TrimSuffix(line, "\n"), " → ")
		pattern := placeholder.ReplaceAllLiteralString(english, "\x00")
		pattern = strings.ReplaceAll(regexp.QuoteMeta(pattern), "\x00", "(.*)")
		r.phrases = append(r.phrases, phrase{regexp.MustCompile("(?s)^" + pattern + "$"), translated})
	}
	return r
}

package check_test

import (
	"bytes"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/language"

	"rulestore/content"
	"rulestore/content/check"
)

// args are what a message names.
type args = content.Args

// A finding is told in Russian throughout, with what it names.
func TestRussian(t *testing.T) {
	say := content.Say
	for _, test := range []struct {
		name                    string
		says                    content.RuleText
		wantMessage, wantAdvice string
	}{
		{"no hint of its own", say("missing-field", "field", args{"field": "owner"}), "Нет поля «owner»",
			"Допишите поле. Что в нём пишут, сказано в схеме формата."},
		{"a guess", say("unknown-field", "field", args{"field": "ownr",
			"fields": []string{"title", "owner"}}).Guess("owner"), "Поля «ownr» в формате нет",
			"Возможно, «owner». Здесь бывают: title, owner."},
		{"a guess alone", say("folder", "unread", nil).Guess("registries"), "Из этой папки ничего не читается",
			"Возможно, «registries»."},
		{"a guess and more", say("unknown-code", "code", args{"code": "A", "list": "taxonomy/stop_codes",
			"file": "registries/taxonomy.yaml"}).Guess("B"), "Кода «A» нет в справочнике taxonomy/stop_codes",
			"Возможно, «B». Добавьте запись в registries/taxonomy.yaml или исправьте код."},
		{"words", say("wrong-type", "type", args{"expected": content.OneOf{"string", "null"},
			"found": content.Word("array")}), "Здесь должно быть: текст или пусто, а стоит: список",
			"Текст берите в кавычки, элементы списка начинайте с «- »."},
		{"a day", say("calendar", "weekday", args{"date": "2026-01-05", "day": content.Word(time.Monday.String())}),
			"2026-01-05 — это понедельник",
			"Рабочие субботы и воскресенья перечислите в working_weekend_days, нерабочие будни — в " +
				"non_working_weekdays."},
		{"another order", say("id", "changed", args{"field": "guideline_id", "is": "a", "was": "b",
			"version": "1.0.0"}), "guideline_id: теперь «a», а в версии 1.0.0 было «b»",
			"Идентификатор не меняется: верните прежний или опубликуйте это как новый документ."},
		{"somebody else's words", say("syntax", "other", args{"problem": "something new"}).Advise(say("syntax", "quote",
			nil)), "Это не YAML: something new",
			"Отступы делайте пробелами, а текст с двоеточием или знаком в начале берите в кавычки."},
		{"one", say("length", "short", args{"got": 1, "want": 3}), "Слишком коротко: 1 знак, нужно не меньше 3",
			"Длину ограничивает формат."},
		{"a few", say("length", "long", args{"got": 1202, "want": 60}),
			"Слишком длинно: 1202 знака, можно не больше 60", "Длину ограничивает формат."},
		{"many", say("length", "many", args{"got": 11, "want": 3}), "Слишком много: 11 элементов, можно не больше 3",
			"Длину ограничивает формат."},
		{"a sentence in a sentence", say("unsigned", "tag", args{"why": say("unsigned", "detail",
			args{"why": say("unsigned", "unknown", nil), "detail": "SHA256:x"})}),
			"Тег не подписан доверенным человеком: ключу подписи здесь не доверяют: SHA256:x",
			"Пусть доверенный человек поставит тег командой `git tag -s` или запечатает публикацию в подписанном " +
				"коммите."},
		{"several", say("seal-twice", "dispute", args{"from": content.AllOf{say("seal", "commit", args{"commit": "a1"}),
			say("seal", "line", args{"line": 2})}, "tag": "guidelines/x/v1.0.0"}),
			"У тега печати разного содержания, и ни одна не была первой, поэтому под ним ничего не отдаётся: из " +
				"коммита a1 и строки 2",
			"Поставьте тег на коммит с верным содержанием, `git tag -a guidelines/x/v1.0.0 COMMIT`, или опубликуйте " +
				"новую версию: номер этой уже израсходован."},
		{"what ends a quotation", say("mention", "id", args{"id": "a\"b\n»"}),
			`В тексте назван «a\"b\n»», но такого идентификатора нет`,
			"Исправьте идентификатор или добавьте такой документ."},
	} {
		t.Run(test.name, func(t *testing.T) {
			message, advice := check.Russian(check.Find(test.says))
			if message != test.wantMessage || advice != test.wantAdvice {
				t.Errorf("%q, %q", message, advice)
			}
		})
	}
}

// A finding that nothing says how to word is told by its rule, and one of no rule as it is.
func TestRussianOfOtherFindings(t *testing.T) {
	for _, test := range []struct{ rule, wantMessage, wantAdvice string }{
		{"schema", "Значение не подходит под формат: anything", "Что именно допускает формат, сказано в его схеме."},
		{"nonsense", "anything", "the hint"},
	} {
		t.Run(test.rule, func(t *testing.T) {
			message, advice := check.Russian(content.Finding{Rule: test.rule, Message: "anything", Hint: "the hint"})
			if message != test.wantMessage || advice != test.wantAdvice {
				t.Errorf("%q, %q", message, advice)
			}
		})
	}
}

// A hint can be added to what a finding says, and put in place of it.
func TestAdvise(t *testing.T) {
	f := check.Find(content.Say("unknown-value", "const", args{"value": "2", "allowed": "1"}).Guess("1"))
	f.Path, f.Line, f.Severity = "x.yaml", 3, content.Warning
	served, round := content.Say("", "served", nil), content.Say("number", "round", nil)
	for _, test := range []struct {
		name             string
		f                content.Finding
		english, russian string
	}{
		{"as it was", f, `did you mean "1"? write 1`, "Возможно, «1». Напишите 1."},
		{"added", check.Advise(f, served),
			`did you mean "1"? write 1; the publication is sealed and goes on being served`,
			"Возможно, «1». Напишите 1. Публикация запечатана и продолжает отдаваться."},
		{"added twice", check.Advise(check.Advise(f, served), served),
			`did you mean "1"? write 1; the publication is sealed and goes on being served; the publication is ` +
				`sealed and goes on being served`,
			"Возможно, «1». Напишите 1. Публикация запечатана и продолжает отдаваться. Публикация запечатана и " +
				"продолжает отдаваться."},
		{"instead", check.Instead(f, served), "the publication is sealed and goes on being served",
			"Публикация запечатана и продолжает отдаваться."},
		{"instead and added", check.Advise(check.Instead(f, round), served),
			"round it; if the format allows a text there, write it in quotes as JSON has it, with a point and " +
				"without spaces; the publication is sealed and goes on being served",
			"Округлите число. Если формат допускает здесь текст, запишите его в кавычках как в JSON: с точкой и без " +
				"пробелов. Публикация запечатана и продолжает отдаваться."},
		{"in other words", check.Advise(content.Finding{Rule: "nonsense", Hint: "do this"}, served),
			"do this; the publication is sealed and goes on being served",
			"do this; the publication is sealed and goes on being served"},
	} {
		t.Run(test.name, func(t *testing.T) {
			if _, hint := check.Text(test.f, language.Russian); test.f.Hint != test.english || hint != test.russian {
				t.Errorf("%q, %q", test.f.Hint, hint)
			}
			if test.f.Rule == f.Rule && (test.f.Path != f.Path || test.f.Line != f.Line ||
				test.f.Severity != f.Severity || test.f.Message != f.Message) {
				t.Errorf("%s", test.f)
			}
		})
	}
}

var place = regexp.MustCompile(`\{[a-z]+\}`)

// untold says why a finding cannot be told in both languages, "" if it can.
func untold(f content.Finding) string {
	message, hint := check.Text(f, language.Russian)
	switch {
	case f.Encoded == "":
		return "nothing says how to word it"
	case place.MatchString(f.Message + f.Hint + message + hint):
		return "an argument is missing: " + message + " " + hint
	case !isRussian(message) || !isRussian(hint):
		return "it is not in Russian: " + message + " " + hint
	}
	return ""
}

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// Every word that a value can become is in the catalogue.
func TestEveryValueHasAWord(t *testing.T) {
	var words []content.Word
	for day := time.Sunday; day <= time.Saturday; day++ {
		words = append(words, content.Word(day.String()))
	}
	for _, c := range "\u0001\u007f\u00a0\u2000\u2009\u200b\u202e\u2028\u2060\ufe0f\U000e0041\ufff9" {
		words = append(words, check.CharName(c))
	}
	for _, kind := range []string{"commit", "tree", "file", "tag", "object"} {
		words = append(words, content.Word("git "+kind))
	}
	for _, kind := range []string{
		"string", "number", "integer", "boolean", "array", "object", "null", "error", "warning", "note",
	} {
		words = append(words, content.Word(kind))
	}
	for _, w := range words {
		t.Run(string(w), func(t *testing.T) {
			f := check.Find(content.Say("key", "value", args{"value": w}))
			message, _ := check.Text(f, language.Russian)
			if value := strings.TrimPrefix(message, "имя поля должно быть текстом, а здесь "); !isRussian(value) {
				t.Error(message)
			}
		})
	}
}

// FuzzSays words anything. It stays short, and a screen shows it on one line.
func FuzzSays(f *testing.F) {
	f.Add("a", "b", 1)
	f.Add(strings.Repeat("Я", 5000), "\x00\n\u202e\xff", -1)
	f.Add("{field} {line}", `"»`, math.MinInt)
	f.Add(strings.Repeat("\xff\"", 1<<16), strings.Repeat("\u202e", 1<<16), math.MaxInt)
	f.Fuzz(func(t *testing.T, a, b string, n int) {
		for _, said := range []content.RuleText{
			content.Say("duplicate-key", "twice", args{"field": a, "line": n}).Guess(b),
			content.Say("nonsense", "list", args{"n": n, "codes": []string{a, b, a}}),
			content.Say("length", "short", args{"got": n, "want": a}),
			content.Say("wrong-type", "type", args{"expected": content.OneOf{"string", "null"},
				"found": content.Word(b)}),
			content.Say("seal", "form", args{"tag": a, "problem": content.Say("tag", "v", args{"version": b}),
				"form": b}),
			content.Say("nonsense", "key", args{"n": n, "a": b}).Advise(content.Say("", "nonsense", args{"b": a})),
		} {
			toldBriefly(t, check.Advise(check.Find(said), content.Say("", "used", args{"commit": a})))
		}
	})
}

// longest is how long a sentence may be, in characters: its arguments are cut.
const longest = 20000

func toldBriefly(t *testing.T, f content.Finding) {
	t.Helper()
	for _, in := range []language.Tag{language.English, language.Russian} {
		message, hint := check.Text(f, in)
		if n := utf8.RuneCountInString(message + hint); n > longest {
			t.Errorf("%d characters", n)
		}
		if line := content.Printable(message + hint); strings.ContainsAny(line, "\n\r\x00\x1b\u202e") {
			t.Errorf("%q", line)
		}
	}
	if len(f.Encoded) > 10*longest {
		t.Errorf("%d bytes are kept", len(f.Encoded))
	}
	if again := check.Advise(f, content.Say("", "served", nil)); again.Message != f.Message {
		t.Errorf("%q became %q", f.Message, again.Message)
	}
}

// What rules say in Russian is spelled as the dictionary has it.
func TestRussianSpelling(t *testing.T) {
	if _, err := exec.LookPath("hunspell"); err != nil {
		t.Skip("hunspell is not installed: on Debian, apt-get install hunspell hunspell-ru")
	}
	files, err := filepath.Glob("rules/*.txtar")
	if err != nil {
		t.Fatal(err)
	}
	var in, out, complaint bytes.Buffer
	for _, file := range append(files, "shared.txt") {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, own, ok := strings.Cut(string(raw), "-- ru --\n")
		if !ok {
			own = string(raw) // what rules share
		}
		own, _, _ = strings.Cut(own, "\n-- bad/")
		for _, w := range strings.FieldsFunc(own, func(c rune) bool { return !unicode.Is(unicode.Cyrillic, c) }) {
			in.WriteString(w + "\n")
		}
	}
	c := exec.CommandContext(t.Context(), "hunspell", "-d", "ru_RU", "-i", "UTF-8", "-l")
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &complaint
	if err := c.Run(); err != nil || complaint.Len() > 0 {
		t.Skipf("hunspell has no Russian dictionary: on Debian, apt-get install hunspell-ru (%v %s)",
			err, complaint.String())
	}
	for _, w := range strings.Fields(out.String()) {
		if !slices.Contains(ownWords, w) {
			t.Errorf("%s is in no dictionary", w)
		}
	}
}

// ownWords are words of git, and a name, that the dictionary lacks.
var ownWords = []string{
	"коммит", "коммита", "коммите", "подмодуль", "репозиторий", "репозитории", "репозитория", "репозиторием",
	"Брайля",
}

package check_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"rulestore/content"
	"rulestore/content/check"
)

// A finding of a rule that is told in Russian is told in Russian throughout, with
// its values.
func TestRussian(t *testing.T) {
	for _, test := range []struct {
		rule, message, hint     string
		wantMessage, wantAdvice string
	}{
		{"missing-field", `the field "owner" is missing`, "", "Нет поля «owner»", "Допишите поле. Что в нём пишут, сказано в схеме формата."},
		{"unknown-field", `unknown field "ownr"`, `did you mean "owner"? allowed here: title, owner`, "Поля «ownr» в формате нет", "Возможно, «owner». Здесь бывают: title, owner."},
		{"unknown-code", `the code "A" is not in taxonomy/stop_codes`, `did you mean "B"? add a record to registries/taxonomy.yaml, or correct the code`, "Кода «A» нет в справочнике taxonomy/stop_codes", "Возможно, «B». Добавьте запись в registries/taxonomy.yaml или исправьте код."},
		{"wrong-type", "expected string or null, found array", "", "Здесь должно быть: текст или пусто, а стоит: список", "Текст берите в кавычки, элементы списка начинайте с «- »."},
		{"calendar", "2026-01-05 is a Monday", "", "2026-01-05 — это понедельник", "От календаря зависят все сроки. Сверьте списки с постановлением о переносе выходных."},
		{"id", `the guideline_id is "a" and was "b" in version 1.0.0`, "", "guideline_id: теперь «a», а в версии 1.0.0 было «b»", "Идентификатор не меняется никогда: на него ссылаются. Верните прежний или переименуйте файл."},
		{"syntax", "this is no YAML: something new", "", "Это не YAML: something new", "Чаще всего текст с двоеточием или знаком в начале стоит без кавычек или строка сдвинута на лишний пробел."},
		{"schema", "anything", "", "Значение не подходит под формат: anything", "Что именно допускает формат, сказано в его схеме."},
		{"folder", "nothing in this folder is read", `did you mean "registries"?`, "Из этой папки ничего не читается", "Возможно, «registries»."},
		{"nonsense", "the message", "the hint", "the message", "the hint"},
	} {
		message, advice := check.Russian(content.Finding{Rule: test.rule, Message: test.message, Hint: test.hint})
		if message != test.wantMessage || advice != test.wantAdvice {
			t.Errorf("%s: %q, %q", test.message, message, advice)
		}
	}
}

// finding is how golden files write one: severity, message, rule and hint.
var found = regexp.MustCompile(`(?m): (?:error|warning|note): (.*) \[([a-z-]+)\](?: \((.*)\))?$`)

// Every message that the examples of this package and of the loader have, and every
// hint, has its translation.
func TestEveryMessageIsTranslated(t *testing.T) {
	n := 0
	for _, pattern := range []string{"testdata/*/*.txtar", "../../loader/testdata/*.txtar", "../../loader/testdata/review/*.txtar"} {
		files, err := filepath.Glob(pattern)
		if err != nil || len(files) == 0 {
			t.Fatal(pattern, err)
		}
		for _, file := range files {
			raw, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			for _, m := range found.FindAllStringSubmatch(string(raw), -1) {
				n++
				translated(t, content.Finding{Message: m[1], Rule: m[2], Hint: m[3]})
			}
		}
	}
	if n < 100 {
		t.Errorf("only %d findings were tried", n)
	}
}

// told are rules whose findings quote an error in the words of who made it.
var told = map[string]bool{"seal": true, "tag": true, "checksum": true, "not-merged": true, "unsigned": true}

func translated(t *testing.T, f content.Finding) {
	t.Helper()
	message, advice := check.Russian(f)
	if !told[f.Rule] && strings.HasSuffix(message, ": "+f.Message) {
		t.Errorf("[%s] %s: no translation", f.Rule, f.Message)
	}
	if !isRussian(message) || !isRussian(advice) {
		t.Errorf("[%s] %s: %s %s", f.Rule, f.Message, message, advice)
	}
}

func isRussian(s string) bool {
	return strings.ContainsFunc(s, func(c rune) bool { return unicode.Is(unicode.Cyrillic, c) })
}

// No rule is without a title and advice in Russian.
func TestEveryRuleIsInRussian(t *testing.T) {
	for _, r := range check.Rules() {
		message, advice := check.Russian(content.Finding{Rule: r.ID, Message: "\x00"})
		title, ok := strings.CutSuffix(message, ": \x00")
		if !ok || !isRussian(title) || !isRussian(advice) || !strings.HasSuffix(advice, ".") {
			t.Errorf("%s: %q, %q", r.ID, message, advice)
		}
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
	for _, file := range files {
		raw, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		_, own, _ := strings.Cut(string(raw), "-- ru --\n")
		own, _, _ = strings.Cut(own, "\n-- ")
		for _, w := range strings.FieldsFunc(own, func(c rune) bool { return !unicode.Is(unicode.Cyrillic, c) }) {
			in.WriteString(w + "\n")
		}
	}
	c := exec.CommandContext(t.Context(), "hunspell", "-d", "ru_RU", "-i", "UTF-8", "-l")
	c.Stdin, c.Stdout, c.Stderr = &in, &out, &complaint
	if err := c.Run(); err != nil || complaint.Len() > 0 {
		t.Skipf("hunspell has no Russian dictionary: on Debian, apt-get install hunspell-ru (%v %s)", err, complaint.String())
	}
	for _, w := range strings.Fields(out.String()) {
		if !slices.Contains(ownWords, w) {
			t.Errorf("%s is in no dictionary", w)
		}
	}
}

// ownWords are words of git that the dictionary lacks.
var ownWords = []string{"коммит", "коммита", "коммите", "подмодуль", "репозитории", "репозитория"}

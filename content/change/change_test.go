package change_test

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/schemas"
)

const guideline = `guideline_id: product.test.001
schema_version: "1.0"
scenario: product_analysis
title: Проверка договора
summary: Что ассистент проверяет в договоре.
owner: Редакция
applicability:
  triggers:
    - Пользователь прислал договор
  exclusions: []
required_inputs:
  - {input_id: amount, title: Сумма, reason: Для расчёта, how_to_obtain: Из договора, may_ask: true}
rules:
  - rule_id: fees
    title: Комиссии
    condition: В договоре есть комиссия.
    action: Назвать комиссию и её размер.
    explanation: Комиссия уменьшает выгоду.
    severity: warning
  - rule_id: dates
    title: Сроки
    condition: В договоре есть срок.
    action: Назвать срок.
    explanation: Срок важен.
    severity: info
guardrails:
  - {guardrail_id: no_advice, type: must, text: Не давать совета купить., reason: Это не рекомендация.}
sources:
  - {title: Закон, url: "https://www.cbr.ru/", checked_on: "2026-01-10"}
valid_from: "2026-02-02"
`

const parameter = `parameter_id: test.limit
schema_version: "1.0"
title: Предел суммы
description: Предел суммы требования.
value_type: money
value: 500000
unit: RUB
inclusive: true
conditions: [Первое условие]
sources: [{title: Закон, url: "https://www.cbr.ru/", checked_on: "2026-01-10"}]
verified_at: "2026-01-10"
certainty: medium
valid_from: "2026-01-01"
`

const calendar = `calendar_id: ru-2026
schema_version: "1.0"
title: Календарь
country: RU
year: 2026
approval: draft
decree: {number: "1", date: "2025-09-01", title: О переносе}
non_working_weekdays: [{date: "2026-01-01", name: Новый год}]
working_weekend_days: []
shortened_days: []
working_days: 247
certainty: high
valid_from: "2026-01-01"
`

const signals = `registry_id: service.fraud-signals.001
schema_version: "1.0"
title: Признаки
description: Признаки мошенничества.
signals:
  - {code: A_SIGNAL, title: Первый, description: Первый признак, category: money, severity: high, sufficient_for_stop: false}
  - {code: B_SIGNAL, title: Второй, description: Второй признак, category: money, severity: high, sufficient_for_stop: true}
`

const output = `schema_id: service.output.001
format_version: "1.0"
title: Результат
description: Что составляет ассистент.
output_produced_by: calling_ai_assistant
output_stored_by: calling_ai_assistant
resource_receives_output: false
sections:
  - section_id: risk
    title: Риск
    required: true
    fields:
      - {name: level, type: string, title: Уровень, required: true, values: [low, high]}
      - {name: note, type: string, title: Заметка, required: false}
`

// files are what the cases below change, by what an edit begins with.
var files = map[string]struct {
	kind *content.Kind
	name string
	text string
}{
	"guideline": {content.Guidelines, "product.test.001", guideline},
	"parameter": {content.Parameters, "test.limit", parameter},
	"calendar":  {content.Calendars, "ru-2026", calendar},
	"signals":   {content.Registries, "fraud-signals", signals},
	"output":    {content.OutputSchemas, "output", output},
}

func body(t *testing.T, k *content.Kind, name, text string) content.Object {
	t.Helper()
	r := check.Item(schemas.Embedded(), k, name, []byte(text))
	if !r.OK() {
		t.Fatalf("%s\n%v", text, r.Findings)
	}
	return r.Body
}

// Each case replaces one text with another in one of the files above; the
// opposite change has a class too.
func TestClasses(t *testing.T) {
	const rule = "  - rule_id: dates\n    title: Сроки\n    condition: В договоре есть срок.\n" +
		"    action: Назвать срок.\n    explanation: Срок важен.\n    severity: info\n"
	for i, c := range []struct {
		file, from, to string
		path           string
		there, back    change.Class
	}{
		// Texts.
		{"guideline", "Назвать срок.", "Назвать срок и дату.", "rules[dates].action", change.Wording, change.Wording},
		{"guideline", "title: Проверка договора", "title: Проверить договор", "title", change.Wording, change.Wording},
		// Elements with a code.
		{"guideline", rule, "", "rules[dates]", change.Breaking, change.Addition},
		{"guideline", "rule_id: dates", "rule_id: terms", "rules[dates] rules[terms]",
			change.Breaking, change.Breaking},
		{"guideline", "guardrails:\n",
			"guardrails:\n  - {guardrail_id: no_data, type: stop, text: Не просить данные., reason: Они лишние.}\n",
			"guardrails[no_data]", change.Addition, change.Breaking},
		{"guideline", "severity: warning\n", "severity: warning\n    stop_code: FEES\n", "rules[fees].stop_code",
			change.Addition, change.Breaking},
		// Scales and switches.
		{"guideline", "severity: info", "severity: high", "rules[dates].severity", change.Addition, change.Breaking},
		{"guideline", "type: must", "type: stop", "guardrails[no_advice].type", change.Addition, change.Breaking},
		{"guideline", "may_ask: true", "may_ask: false", "required_inputs[amount].may_ask",
			change.Breaking, change.Addition},
		{"signals", "sufficient_for_stop: false", "sufficient_for_stop: true", "signals[A_SIGNAL].sufficient_for_stop",
			change.Addition, change.Breaking},
		{"signals", "category: money, severity: high, sufficient_for_stop: true",
			"category: credit, severity: high, sufficient_for_stop: true", "signals[B_SIGNAL].category",
			change.Breaking, change.Breaking},
		// To whom it applies.
		{"guideline", "scenario: product_analysis", "scenario: fraud_risk", "scenario",
			change.Breaking, change.Breaking},
		{"guideline", "applicability:\n", "applicability:\n  product_types: [deposit]\n", "applicability.product_types",
			change.Breaking, change.Addition},
		{"guideline", "exclusions: []", "exclusions: [Договор займа]", "applicability.exclusions[1]",
			change.Breaking, change.Addition},
		{"guideline", "    - Пользователь прислал договор\n",
			"    - Пользователь прислал договор\n    - Нужна справка\n", "applicability.triggers[2]",
			change.Addition, change.Breaking},
		// What it rests on.
		{"guideline", `checked_on: "2026-01-10"`, `checked_on: "2026-05-10"`, "sources[1].checked_on",
			change.Wording, change.Wording},
		{"guideline", "owner: Редакция", "owner: Юристы", "owner", change.Wording, change.Wording},
		{"guideline", `valid_from: "2026-02-02"`, `valid_from: "2026-06-02"`, "valid_from",
			change.Wording, change.Wording},
		{"guideline", "valid_from:", "recheck_after: \"2027-01-01\"\nvalid_from:", "recheck_after",
			change.Wording, change.Wording},
		// Parameters.
		{"parameter", "value: 500000", "value: 600000", "value", change.Breaking, change.Breaking},
		{"parameter", "value_type: money\nvalue: 500000\nunit: RUB", "value_type: period\nvalue: 500000\nunit: month",
			"value_type unit", change.Breaking, change.Breaking},
		{"parameter", "inclusive: true", "inclusive: false", "inclusive", change.Breaking, change.Breaking},
		{"parameter", "conditions: [Первое условие]", "conditions: [Первое условие, Совсем другое]", "conditions[2]",
			change.Breaking, change.Addition},
		{"parameter", "certainty: medium", "certainty: high", "certainty", change.Addition, change.Breaking},
		{"parameter", `valid_from: "2026-01-01"`, `valid_from: "2026-07-01"`, "valid_from",
			change.Breaking, change.Breaking},
		{"parameter", `verified_at: "2026-01-10"`, `verified_at: "2026-02-10"`, "verified_at",
			change.Wording, change.Wording},
		// Calendars: a day more or less moves deadlines, either way.
		{"calendar", "name: Новый год}]", "name: Новый год}, {date: \"2026-01-02\", name: Каникулы}]",
			"non_working_weekdays[2026-01-02]", change.Breaking, change.Breaking},
		{"calendar", "working_weekend_days: []", `working_weekend_days: ["2026-02-21"]`, "working_weekend_days[1]",
			change.Breaking, change.Breaking},
		{"calendar", "name: Новый год", "name: Новогодние каникулы", "non_working_weekdays[2026-01-01].name",
			change.Wording, change.Wording},
		{"calendar", "shortened_days: []", `shortened_days: ["2026-02-20"]`, "shortened_days[1]",
			change.Addition, change.Breaking},
		{"calendar", "approval: draft", "approval: approved", "approval", change.Addition, change.Breaking},
		// What a caller builds.
		{"output", "required: false}", "required: true}", "sections[risk].fields[note].required",
			change.Breaking, change.Addition},
		{"output", "      - {name: note",
			"      - {name: sum, type: number, title: Сумма, required: true}\n      - {name: note",
			"sections[risk].fields[sum]", change.Breaking, change.Breaking},
		{"output", "      - {name: note", "      - {name: sum, type: number, title: Сумма}\n      - {name: note",
			"sections[risk].fields[sum]", change.Addition, change.Breaking},
		{"output", "values: [low, high]", "values: [low, high, critical]",
			"sections[risk].fields[level].values[critical]", change.Addition, change.Breaking},
		{"output", ", values: [low, high]", "", "sections[risk].fields[level].values",
			change.Addition, change.Breaking},
		{"output", "type: string, title: Заметка", "type: number, title: Заметка", "sections[risk].fields[note].type",
			change.Breaking, change.Breaking},
		{"output", "required: false}", "nullable: true}",
			"sections[risk].fields[note].required sections[risk].fields[note].nullable",
			change.Addition, change.Breaking},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			f := files[c.file]
			if strings.Count(f.text, c.from) != 1 {
				t.Fatalf("%q is %d times in %s", c.from, strings.Count(f.text, c.from), c.file)
			}
			before, after := body(t, f.kind, f.name, f.text), body(t, f.kind, f.name,
				strings.Replace(f.text, c.from, c.to, 1))
			there, class := change.Of(schemas.Embedded(), f.kind, f.name, before, after)
			if class != c.there || paths(there) != c.path {
				t.Errorf("%q → %q: %s is %s, want %s %s", c.from, c.to, paths(there), class, c.path, c.there)
			}
			if _, class := change.Of(schemas.Embedded(), f.kind, f.name, after, before); class != c.back {
				t.Errorf("%q ← %q: %s, want %s", c.from, c.to, class, c.back)
			}
			for _, same := range []content.Object{before, after} {
				if fields, class := change.Of(schemas.Embedded(), f.kind, f.name, same, same); class != change.None ||
					fields != nil {
					t.Errorf("a body differs from itself: %v", fields)
				}
			}
		})
	}
}

func paths(fields []change.Field) string {
	var all []string
	for _, f := range fields {
		all = append(all, f.Path)
	}
	return strings.Join(all, " ")
}

// Lists without codes: equal elements stay, alike ones are changed, order is
// told from content.
func TestLists(t *testing.T) {
	items := &content.Field{Prose: true}
	root := &content.Field{Fields: []*content.Field{{Name: "texts", Items: items},
		{Name: "steps", Unique: "code", Ordered: true, Items: &content.Field{}},
		{Name: "codes", Items: &content.Field{}}}}
	for _, c := range []struct{ before, after, want string }{
		{`{"texts":["один два три четыре","пять"]}`, `{"texts":["один два три шесть","пять"]}`,
			`texts[1] changed wording`},
		{`{"texts":["один два три","пять"]}`, `{"texts":["пять","один два три"]}`, `texts moved wording`},
		{`{"texts":["один два три"]}`, `{"texts":["пять шесть"]}`, `texts[1] changed addition`},
		{`{"texts":["один два три","пять"]}`, `{"texts":["пять"]}`, `texts[1] removed breaking`},
		{`{"steps":[{"code":"a"},{"code":"b"}]}`, `{"steps":[{"code":"b"},{"code":"a"}]}`, `steps moved breaking`},
		{`{"steps":[{"code":"a"},{"code":"b"}]}`, `{"steps":[{"code":"a"},{"code":"c"},{"code":"b"}]}`,
			`steps[c] added addition`},
		{`{"codes":["a","b"]}`, `{"codes":["b","c"]}`, `codes[a] removed breaking|codes[c] added addition`},
		{`{"codes":["ab"]}`, `{"codes":"ab"}`, `codes changed breaking`},
		{`{"other":1}`, `{"other":2}`, `other changed breaking`},
		{`{"other":1}`, `{}`, `other removed breaking`},
	} {
		t.Run(c.want, func(t *testing.T) {
			var before, after content.Object
			if err := json.Unmarshal([]byte(c.before), &before); err != nil {
				t.Fatal(err)
			}
			if err := json.Unmarshal([]byte(c.after), &after); err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, f := range change.Fields(content.Instructions, root, before, after) {
				got = append(got, f.Path+" "+string(f.What)+" "+f.Class.String())
			}
			if strings.Join(got, "|") != c.want {
				t.Errorf("%s → %s:\n got %s\nwant %s", c.before, c.after, strings.Join(got, "|"), c.want)
			}
		})
	}
}

const reworded = "a rule reads differently: does it still demand the same?"

func TestLook(t *testing.T) {
	for _, c := range []struct{ from, to, want string }{
		{"В договоре есть срок.", "В договоре нет срок.", reworded},
		{"Назвать срок.", "Назвать срок 15 дней.", "the numbers differ: — → 15"},
		{"Назвать срок.", "Назвать дату.", reworded},
		{"Назвать срок.", "Назвать `не` срок.", reworded},
		{"Назвать срок.", "Назвать срок (after_first_payment).", reworded},
		{"Назвать срок.", "Назвать срок (230-ФЗ).", "the numbers differ: — → 230-фз"},
		{"Назвать срок.", "Назвать срок 10-15 дней.", "the numbers differ: — → 10-15"},
		{"Назвать срок.", "Назвать срок в днях и месяцах.", "a date, a term or a unit differs: — → месяцах"},
	} {
		t.Run(c.to, func(t *testing.T) {
			f := files["guideline"]
			fields, _ := change.Of(schemas.Embedded(), f.kind, f.name, body(t, f.kind, f.name, guideline),
				body(t, f.kind, f.name, strings.Replace(guideline, c.from, c.to, 1)))
			if len(fields) != 1 || fields[0].Look.String() != c.want || !fields[0].Prose() {
				t.Errorf("%s → %s: %+v", c.from, c.to, fields)
			}
		})
	}
}

// A number in words is the number, wherever it stands; in another order it is another sum or term.
func TestLookAtMeasures(t *testing.T) {
	f := files["guideline"]
	text := func(action string) content.Object {
		return body(t, f.kind, f.name, strings.Replace(guideline, "Назвать срок.", action, 1))
	}
	for _, c := range []struct{ from, to, want string }{
		{"Ждать 30 дней.", "Ждать 15 дней.", "the numbers differ: 30 → 15"},
		{"Ждать 5 дней.", "Ждать пять дней.", reworded},
		{"Платить 100 ₽.", "Платить сто рублей.", reworded},
		{"Платить 1 500 000 ₽.", "Платить 1500000 ₽.", reworded},
		{"Платить 100 рублей.", "Платить 100 долларов.", "a date, a term or a unit differs: рублей → долларов"},
		{"Ждать 5 рабочих дней.", "Ждать 5 календарных дней.",
			"a date, a term or a unit differs: рабочих → календарных"},
		{"С 5 до 30.", "С 30 до 5.", "the numbers differ: 5, 30 → 30, 5"},
		{"До 1 марта.", "До 1 апреля.", "the numbers differ: 1 марта → 1 апреля"},
	} {
		fields, _ := change.Of(schemas.Embedded(), f.kind, f.name, text(c.from), text(c.to))
		if len(fields) != 1 || fields[0].Look.String() != c.want {
			t.Errorf("%s → %s: %+v, want %s", c.from, c.to, fields, c.want)
		}
	}
}

// Outside of rules and guardrails, and in titles, only measures are looked at.
func TestLookElsewhere(t *testing.T) {
	f := files["guideline"]
	before := body(t, f.kind, f.name, guideline)
	for name, want := range map[string]string{"title": "", "summary": ""} {
		after := body(t, f.kind, f.name, guideline).With(name, content.String(before.Text(name)+" И ещё слова."))
		fields, _ := change.Of(schemas.Embedded(), f.kind, f.name, before, after)
		if len(fields) != 1 || fields[0].Look.String() != want {
			t.Errorf("%s: %+v", name, fields)
		}
	}
}

func TestVersions(t *testing.T) {
	v := func(s string) *semver.Version {
		if s == "" {
			return nil
		}
		return semver.MustParse(s)
	}
	for i, c := range []struct {
		old   string
		class change.Class
		next  string
	}{
		{"", change.Addition, "1.0.0"},
		{"1.2.3", change.Wording, "1.2.4"},
		{"1.2.3", change.Addition, "1.3.0"},
		{"1.2.3", change.Breaking, "2.0.0"},
		{"0.2.3", change.Wording, "0.2.4"},
		{"0.2.3", change.Addition, "0.2.4"},
		{"0.2.3", change.Breaking, "0.3.0"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			if got := change.Next(v(c.old), c.class); got.String() != c.next {
				t.Errorf("after %q a change that is %s: %s, want %s", c.old, c.class, got, c.next)
			}
			if !change.Enough(v(c.old), v(c.next), c.class) {
				t.Errorf("%s is not enough after %q", c.next, c.old)
			}
		})
	}
	for _, c := range []struct {
		old, next string
		class     change.Class
		want      bool
	}{
		{"", "0.1.0", change.Addition, true},
		{"", "0.0.1", change.Addition, false},
		{"1.2.3", "1.2.4", change.Addition, false},
		{"1.2.3", "3.0.0", change.Wording, true},
		{"1.2.3", "1.3.0-rc.1", change.Addition, true},
		{"1.2.3", "1.2.3", change.Wording, false},
		{"0.9.0", "1.0.0", change.Breaking, true},
	} {
		t.Run(c.next, func(t *testing.T) {
			if got := change.Enough(v(c.old), v(c.next), c.class); got != c.want {
				t.Errorf("from %q to %s for %s: %v", c.old, c.next, c.class, got)
			}
		})
	}
}

func TestCodes(t *testing.T) {
	f := files["signals"]
	before := body(t, f.kind, f.name, signals)
	lines := strings.SplitAfter(signals, "\n")
	after := body(t, f.kind, f.name, strings.Join(slices.Delete(lines, 5, 6), ""))
	user := change.Item{
		Kind: f.kind, Name: "fraud-scenarios",
		Body: content.Object{{Name: "signals", Value: json.RawMessage(`["A_SIGNAL", "B_SIGNAL"]`)}},
	}
	of := func(body content.Object) []change.Item {
		return []change.Item{user, {Kind: f.kind, Name: f.name, Body: body}}
	}
	got := change.Compare(schemas.Embedded(), of(before), of(after), nil)
	if len(got) != 1 || len(got[0].Fields) != 1 || got[0].Fields[0].Code != "A_SIGNAL" {
		t.Fatalf("%+v", got)
	}
	if want := (change.Referrer{Item: user.ID(), Code: "A_SIGNAL"}); len(got[0].Users) != 1 || got[0].Users[0] != want {
		t.Errorf("%+v", got[0].Users)
	}
}

// Any two objects can be compared; they differ if and only if there is a place
// that differs, there and back.
func FuzzFields(f *testing.F) {
	f.Add(`{"rules":[{"rule_id":"a","title":"x"}],"valid_from":"2026"}`,
		`{"rules":[{"rule_id":"b"},{"rule_id":"b"}],"sources":[1,null]}`)
	f.Add(`{"applicability":{"exclusions":["a b c","d"]},"x":{"y":[[1],[2]]}}`,
		`{"applicability":{"exclusions":["d","a b e"]},"x":{"y":[[2],[1]]}}`)
	f.Add(`{"schema_version":1,"title":null}`, `{"schema_version":"2.0","title":{}}`)
	root := schemas.Embedded().Schema("guidelines", "1.0").Root()
	f.Fuzz(func(t *testing.T, before, after string) {
		var a, b content.Object
		if json.Unmarshal([]byte(before), &a) != nil || json.Unmarshal([]byte(after), &b) != nil {
			return
		}
		there, back := change.Fields(content.Guidelines, root, a, b), change.Fields(content.Guidelines, root, b, a)
		if (len(there) == 0) != (len(back) == 0) {
			t.Errorf("%s ⇄ %s: %d places there, %d back", before, after, len(there), len(back))
		}
		if len(change.Fields(content.Guidelines, root, a, a)) > 0 {
			t.Errorf("%s differs from itself", before)
		}
		for _, f := range there {
			if f.Class == change.None || f.Why == "" {
				t.Errorf("%s → %s: %+v", before, after, f)
			}
		}
	})
}

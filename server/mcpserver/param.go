package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// A param declares one argument of a tool. Its schema and its check are derived from it.
type param struct {
	name     string
	about    string // in Russian, for models; empty if the name is sufficient
	kind     paramKind
	values   []string // allowed, of a word
	required bool
	preset   int // of a number
	least    int
	most     int // of a text: its maximum length in characters
}

type paramKind string

const (
	wordKind   paramKind = "string"
	asOfKind   paramKind = "day or instant"
	dateKind   paramKind = "date"
	numberKind paramKind = "integer"
	switchKind paramKind = "boolean"
	listKind   paramKind = "array" // of words
)

// maxOffset limits an offset to what any repository can have.
const maxOffset = 1_000_000_000

// The maximum length of an argument, and of one with addresses of many sections, in characters.
const (
	maxText     = 200
	maxLongText = 2000
)

// The limits of lists: number of words, and characters of each.
const (
	maxWords   = 20
	maxAddress = 300
)

func text(name, about string) param {
	return param{name: name, about: about, kind: wordKind, most: maxText}
}
func longText(name string) param { return param{name: name, kind: wordKind, most: maxLongText} }
func oneOf(name string, values ...string) param {
	return param{name: name, kind: wordKind, values: values}
}
func number(name, about string, preset, least, most int) param {
	return param{name: name, about: about, kind: numberKind, preset: preset, least: least, most: most}
}

// declared converts a parameter of an operation to an argument.
func declared(p *api.Param) param {
	a := param{name: p.Name, about: p.Brief, kind: paramKind(p.Type), required: p.Required}
	switch p.Type {
	case api.Number:
		a.preset, a.least, a.most = p.Default, p.Least, p.Most
	case api.Text, api.DayOrPlace:
		a.kind, a.most = wordKind, maxText
	case api.Word:
		a.most = maxText
		if !p.Open {
			a.values = p.Allowed()
		}
	}
	return a
}

// given converts parameters of an operation to arguments, by their names.
func given(o *api.Operation, names ...string) (all []param) {
	for _, name := range names {
		all = append(all, declared(o.Param(name)))
	}
	return all
}

// must returns the parameter as a required one.
func (p param) must() param {
	p.required = true
	return p
}

// schema is the JSON Schema of the parameter.
func (p param) schema() json.RawMessage {
	s := content.Object{{Name: "type", Value: content.String(string(p.kind))}}
	if p.kind == asOfKind {
		s = content.Object{{Name: "type", Value: content.String("string")}}
	}
	if p.kind == dateKind {
		s = content.Object{
			{Name: "type", Value: content.String("string")}, {Name: "format", Value: content.String("date")},
		}
	}
	if p.kind == listKind {
		s = s.With("items", json.RawMessage(`{"type":"string"}`))
	}
	if p.values != nil {
		s = s.With("enum", stringList(p.values))
	}
	if p.kind == numberKind {
		s = s.With("minimum", whole(p.least))
		if p.most < maxOffset {
			s = s.With("maximum", whole(p.most))
		}
		if p.preset != p.least {
			s = s.With("default", whole(p.preset))
		}
	}
	if p.about != "" {
		s = s.With("description", content.String(p.about))
	}
	return s.AppendJSON(nil)
}

// schemaOf is the JSON Schema of arguments.
func schemaOf(params []param) json.RawMessage {
	var properties content.Object
	var required []string
	for _, p := range params {
		properties = properties.With(p.name, p.schema())
		if p.required {
			required = append(required, p.name)
		}
	}
	s := content.Object{{Name: "type", Value: content.String("object")}}
	if properties != nil {
		s = s.With("properties", properties.AppendJSON(nil))
	}
	if required != nil {
		s = s.With("required", stringList(required))
	}
	return s.With("additionalProperties", json.RawMessage("false")).AppendJSON(nil)
}

func stringList(values []string) json.RawMessage {
	b := []byte{'['}
	for i, v := range values {
		if i > 0 {
			b = append(b, ',')
		}
		b = content.AppendString(b, v)
	}
	return append(b, ']')
}

func whole(n int) json.RawMessage { return strconv.AppendInt(nil, int64(n), 10) }

// args are the checked arguments of a call, and the faults found.
type args struct {
	values map[string]string // as written, strings without quotes
	lists  map[string][]string
	params []param
	faults []fault
}

// readArgs parses the arguments of a tool. Null counts as absent, since many models write it.
func readArgs(raw json.RawMessage, params []param) *args {
	a := &args{values: map[string]string{}, lists: map[string][]string{}, params: params}
	var given content.Object
	if len(raw) > 0 && string(raw) != "null" {
		if err := json.Unmarshal(raw, &given); err != nil {
			a.fault("", "type", "Ожидается объект с аргументами.", "")
			return a
		}
	}
	for _, m := range given {
		a.read(m)
	}
	for _, p := range params {
		if p.required && !a.has(p.name) && !a.faulty(p.name) {
			a.fault(p.name, "required", "Аргумент обязателен.", p.about)
		}
	}
	return a
}

func (a *args) read(m content.Member) {
	i := slices.IndexFunc(a.params, func(p param) bool { return p.name == m.Name })
	repeated := a.has(m.Name)
	switch {
	case i < 0:
		a.fault(m.Name, "unknown_parameter", "Неизвестный аргумент.", known(a.params))
	case repeated:
		a.fault(m.Name, "repeated_parameter", "Аргумент указан дважды.", "Оставьте одно значение.")
	case string(m.Value) != "null":
		a.check(a.params[i], m.Value)
	}
}

func known(params []param) string {
	if len(params) == 0 {
		return "У этого инструмента нет аргументов."
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.name
	}
	return "Допустимые аргументы: " + strings.Join(names, ", ") + "."
}

// check stores a value if the parameter accepts it.
func (a *args) check(p param, value json.RawMessage) {
	switch p.kind {
	case numberKind:
		n, err := strconv.Atoi(string(value))
		if err != nil || n < p.least || n > p.most {
			a.fault(
				p.name, "out_of_range", "Ожидается целое число в допустимых пределах.",
				fmt.Sprintf("От %d до %d.", p.least, p.most),
			)
			return
		}
	case switchKind:
		if s := string(value); s != "true" && s != "false" {
			a.fault(p.name, "type", "Ожидается true или false.", "Без кавычек.")
			return
		}
	case listKind:
		a.checkList(p, value)
		return
	default:
		a.checkText(p, value)
		return
	}
	a.values[p.name] = string(bytes.TrimSpace(value))
}

// checkList stores a list of words, or a single word, which models write for a list of one.
func (a *args) checkList(p param, value json.RawMessage) {
	var words []string
	if value[0] == '"' {
		value = append(append(json.RawMessage{'['}, value...), ']')
	}
	if json.Unmarshal(value, &words) != nil {
		a.fault(p.name, "type", "Ожидается список строк.", "")
		return
	}
	for _, w := range words {
		switch {
		case strings.TrimSpace(w) == "":
			a.fault(p.name, "empty_value", "Значение не указано.", "Укажите значение или уберите аргумент.")
		case utf8.RuneCountInString(w) > maxAddress:
			a.fault(p.name, "too_long", "Значение слишком длинное.", fmt.Sprintf("Не больше %d знаков.", maxAddress))
		}
	}
	if len(words) > maxWords {
		a.fault(p.name, "too_many", "Значений слишком много.", fmt.Sprintf("Не больше %d.", maxWords))
	} else if len(words) > 0 {
		a.lists[p.name] = words
	}
}

func (a *args) checkText(p param, value json.RawMessage) {
	var s string
	if json.Unmarshal(value, &s) != nil {
		a.fault(p.name, "type", "Ожидается строка.", "")
		return
	}
	_, notDate := time.Parse(content.Date, s)
	switch {
	case strings.TrimSpace(s) == "":
		a.fault(p.name, "empty_value", "Значение не указано.", "Укажите значение или уберите аргумент.")
	case utf8.RuneCountInString(s) > cmp.Or(p.most, maxText):
		a.fault(
			p.name, "too_long", "Значение слишком длинное.",
			fmt.Sprintf("Не больше %d знаков.", cmp.Or(p.most, maxText)),
		)
	case p.kind == dateKind && notDate != nil:
		a.fault(p.name, "no_date", "Ожидается дата.", "Запишите день как 2026-05-01.")
	case p.kind == asOfKind && !content.IsAsOf(s):
		a.fault(
			p.name, "no_date", "Ожидается день или момент с часовым поясом.",
			"Запишите день как 2026-05-01, момент — как 2026-05-01T12:20:00+03:00.",
		)
	case p.values != nil && !slices.Contains(p.values, s):
		a.unknown(p.name, p.values)
	default:
		a.values[p.name] = s
	}
}

// text returns an argument, "" if it is absent.
func (a *args) text(name string) string { return a.values[name] }

// has reports whether an argument is present.
func (a *args) has(name string) bool {
	_, ok := a.values[name]
	return ok || a.lists[name] != nil
}

// number returns an argument, or its default.
func (a *args) number(name string) int {
	i := slices.IndexFunc(a.params, func(p param) bool { return p.name == name })
	if n, err := strconv.Atoi(a.values[name]); err == nil {
		return n
	}
	return a.params[i].preset
}

// requireOneOf returns an argument, and adds a fault if it is present and not one of the
// values.
func (a *args) requireOneOf(name string, values []string) string {
	if v := a.values[name]; a.has(name) && !slices.Contains(values, v) {
		a.unknown(name, values)
	}
	return a.values[name]
}

func (a *args) unknown(name string, values []string) {
	a.fault(name, "unknown_value", "Недопустимое значение.", "Допустимые значения: "+strings.Join(values, ", ")+".")
}

// err returns the faults as an error.
func (a *args) err() error {
	if a.faults == nil {
		return nil
	}
	return &toolError{Code: "invalid_arguments", Detail: "Аргументы заданы неверно, см. errors.", Errors: a.faults}
}

// maxFaults is the maximum number of reported faults of a call.
const maxFaults = 20

func (a *args) fault(name, code, detail, hint string) {
	if len(a.faults) == maxFaults {
		return
	}
	pointer := ""
	if name != "" {
		if len(name) > 64 {
			name = strings.ToValidUTF8(name[:64], "") + "…"
		}
		pointer = "/" + strings.NewReplacer("~", "~0", "/", "~1").Replace(name)
	}
	a.faults = append(a.faults, fault{pointer, code, detail, hint})
}

func (a *args) faulty(name string) bool {
	return slices.ContainsFunc(a.faults, func(f fault) bool { return f.Pointer == "/"+name })
}

// A toolError is an error for models: what is wrong and what to do.
type toolError struct {
	Code   string  `json:"code"`
	Detail string  `json:"detail"` // in Russian
	Errors []fault `json:"errors,omitempty"`

	*site.Gone // of what was redacted
}

// A fault is an error in one argument.
type fault struct {
	Pointer string `json:"pointer"` // RFC 6901, from the root of the arguments
	Code    string `json:"code"`
	Detail  string `json:"detail"`
	Hint    string `json:"hint,omitempty"`
}

func (e *toolError) Error() string { return e.Code + ": " + e.Detail }

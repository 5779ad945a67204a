package mcpserver

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"
	"strconv"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/calc"
	"rulestore/server/site"
)

// Arguments are parameters as operations have them, see [api.Param].

// schemaOfParam is the JSON Schema of a parameter, in fewer words than the description of the
// interface has, and in those alone that every model takes.
func schemaOfParam(p *api.Param) content.Object {
	kind, more := "string", content.Object(nil)
	switch p.Type {
	case api.List:
		kind, more = "array", api.Object("items", api.Object("type", "string"))
	case api.Switch:
		kind = "boolean"
	case api.Number:
		kind = "integer"
		if p.Default != p.Least {
			more = api.Object("default", p.Default)
		}
	case api.Date:
		more = api.Object("format", "date")
	}
	if values := p.Allowed(); kind == "string" && values != nil && !p.Open {
		more = append(more, api.Object("enum", values)...)
	}
	return slices.Concat(api.Object("type", kind), more, api.Object("description", cmp.Or(p.Brief, p.Called())))
}

// schemaOf is the JSON Schema of arguments.
func schemaOf(params []*api.Param) json.RawMessage {
	var properties content.Object
	var required []string
	for _, p := range params {
		properties = append(properties, api.Object(p.Name, schemaOfParam(p))...)
		if p.Required {
			required = append(required, p.Name)
		}
	}
	return api.JSON(append(api.Object("type", "object"), membersOf(properties, required)...))
}

// membersOf are the members of the schema of an object: what it may have, and must have.
func membersOf(properties content.Object, required []string) (schema content.Object) {
	if properties != nil {
		schema = api.Object("properties", properties)
	}
	if required != nil {
		schema = append(schema, api.Object("required", required)...)
	}
	return schema
}

// args are the checked arguments of a call, and the faults found.
type args struct {
	values map[string]string // as written, strings without quotes
	lists  map[string][]string
	params []*api.Param
	faults []calc.Fault
}

const noArguments = "Ожидается объект с аргументами."

// readArgs parses the arguments of a tool. Null counts as absent, since many models write it.
func readArgs(raw json.RawMessage, params []*api.Param) *args {
	a := &args{values: map[string]string{}, lists: map[string][]string{}, params: params}
	var given content.Object
	if len(raw) > 0 && string(raw) != "null" && json.Unmarshal(raw, &given) != nil {
		a.Fault("", "type", noArguments, "")
		return a
	}
	for _, m := range given {
		a.read(m)
	}
	for _, p := range params {
		if p.Required && !a.Has(p.Name) && !a.faulty(p.Name) {
			a.Fault(p.Name, "required", "Аргумент обязателен.", p.Brief)
		}
	}
	return a
}

func (a *args) read(m content.Member) {
	i := slices.IndexFunc(a.params, func(p *api.Param) bool { return p.Name == m.Name })
	repeated := a.Has(m.Name)
	switch {
	case i < 0:
		a.Fault(m.Name, "unknown_parameter", "Неизвестный аргумент.", known(a.params))
	case repeated:
		a.Fault(m.Name, "repeated_parameter", "Аргумент указан дважды.", "Оставьте одно значение.")
	case string(m.Value) != "null":
		a.check(a.params[i], m.Value)
	}
}

func known(params []*api.Param) string {
	if len(params) == 0 {
		return "У этого инструмента нет аргументов."
	}
	names := make([]string, len(params))
	for i, p := range params {
		names[i] = p.Name
	}
	return "Допустимые аргументы: " + strings.Join(names, ", ") + "."
}

// check stores a value if the parameter accepts it. As models write it, a number, a boolean or a list may
// be in the text of a string, and a single word is a list of one.
func (a *args) check(p *api.Param, value json.RawMessage) {
	var s string
	isText := json.Unmarshal(value, &s) == nil
	switch p.Type {
	case api.Number, api.Switch:
		if !isText {
			s = string(value)
		}
		if s = strings.TrimSpace(s); p.Type == api.Switch && s != "true" && s != "false" {
			a.Fault(p.Name, "type", "Ожидается true или false.", "")
			return
		}
		if whole, zeros, _ := strings.Cut(s, "."); strings.Trim(zeros, "0") == "" { // 2.0 is a whole number
			s = whole
		}
	case api.List:
		if list := inText(value); list[0] == '[' {
			value, isText = list, false
		}
		a.checkList(p, value, isText)
		return
	default:
		if !isText {
			a.Fault(p.Name, "type", "Ожидается строка.", "")
			return
		}
	}
	if p.Spelt != nil {
		s = p.Spelt(s)
	}
	if a.accepts(p, s) {
		a.values[p.Name] = s
	}
}

// inText returns the JSON in the text of a string, else the value itself.
func inText(value json.RawMessage) json.RawMessage {
	var s string
	if json.Unmarshal(value, &s) != nil || !json.Valid([]byte(s)) {
		return value
	}
	return bytes.TrimSpace([]byte(s))
}

func (a *args) checkList(p *api.Param, value json.RawMessage, isText bool) {
	if isText {
		value = append(append(json.RawMessage{'['}, value...), ']')
	}
	var words []string
	switch {
	case json.Unmarshal(value, &words) != nil:
		a.Fault(p.Name, "type", "Ожидается список строк.", "")
	case len(words) > 0 && a.accepts(p, words...):
		a.lists[p.Name] = words
	}
}

// accepts reports whether a parameter accepts values, and adds the faults.
func (a *args) accepts(p *api.Param, values ...string) bool {
	faults := p.Check(values...)
	for _, f := range faults {
		a.Fault(p.Name, f.Code, f.Detail, f.Hint)
	}
	return faults == nil
}

// Text implements [site.Asked].
func (a *args) Text(name string) string { return a.values[name] }

// Has implements [site.Asked].
func (a *args) Has(name string) bool {
	_, ok := a.values[name]
	return ok || a.lists[name] != nil
}

// Number implements [site.Asked].
func (a *args) Number(name string) int {
	if n, err := strconv.Atoi(a.values[name]); err == nil {
		return n
	}
	i := slices.IndexFunc(a.params, func(p *api.Param) bool { return p.Name == name })
	return a.params[i].Default
}

// err returns the faults as an error.
func (a *args) err() error {
	if a.faults == nil {
		return nil
	}
	return &toolError{Code: invalidArguments, Detail: seeErrors, Errors: a.faults}
}

const invalidArguments, seeErrors = "invalid_arguments", "Аргументы заданы неверно, см. errors."

// maxFaults is the maximum number of reported faults of a call.
const maxFaults = 20

// Unknown implements [site.Asked].
func (a *args) Unknown(name, code, detail string, u *site.Unknown) {
	a.Fault(name, code, detail, u.Hint())
}

// Fault implements [site.Asked].
func (a *args) Fault(name, code, detail, hint string) {
	if len(a.faults) == maxFaults {
		return
	}
	pointer := ""
	if name != "" {
		pointer = calc.Join("", name)
	}
	a.faults = append(a.faults, calc.Fault{Pointer: pointer, Code: code, Detail: detail, Hint: hint})
}

func (a *args) faulty(name string) bool {
	return slices.ContainsFunc(a.faults, func(f calc.Fault) bool { return f.Pointer == "/"+name })
}

// A toolError is an error for models: what is wrong and what to do.
type toolError struct {
	Code   string       `json:"code"`
	Detail string       `json:"detail"` // in Russian
	Errors []calc.Fault `json:"errors,omitempty"`

	*site.Gone // of what was redacted
}

// refused is the outcome of a call that is answered by an error.
func refused(code, detail string) (reply, error) {
	return reply{}, &toolError{Code: code, Detail: detail}
}

func (e *toolError) Error() string { return e.Code + ": " + e.Detail }

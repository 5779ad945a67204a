package calc

import (
	"slices"
	"strconv"
)

// Parameters know the values that law or an authority sets. The caller hands them in; the
// tools that need one ask through [Out.Parameter], which cites it.
type Parameters interface {
	// Parameter is what the parameter of an id states for a day. Known is false where
	// there is none of that id.
	Parameter(id string, on Date) (p Parameter, known bool)
}

// A Parameter is what a published parameter states for one day.
type Parameter struct {
	Source           // its version, and the value with its unit as they are published
	InForce   bool   // it states a value for the day
	Confirmed bool   // it is current, and not due for a check
	Roll      string // how a last day that is not a working one moves: following, none or nothing said
}

// Parameter is what a parameter states for a day, and cites it in external_data. Where
// there is none, or nothing is in force on the day, the error is the [Reason], with a
// warning at the pointer of the input that named it.
func (o *Out) Parameter(id string, on Date, pointer string) (Parameter, error) {
	p, known := Parameter{}, false
	if o.facts.Parameters != nil {
		p, known = o.facts.Parameters.Parameter(id, on)
	}
	switch {
	case !known:
		o.Warn(string(ParameterUnknown), pointer, "Параметра "+id+" нет среди опубликованных")
		return p, ParameterUnknown
	case !p.InForce:
		o.Warn(string(ParameterNotInForce), pointer, "На "+on.String()+" параметр "+id+" ничего не устанавливает")
		return p, ParameterNotInForce
	}
	if p.Input = pointer; !slices.Contains(o.external, p.Source) {
		o.external = append(o.external, p.Source)
	}
	return p, nil
}

// parameterForm is the id of a parameter, as its format has it.
const parameterForm = `^[a-z][a-z0-9._-]{0,119}$`

// reference is what an input is given as in place of a number: whose value it is, and of
// which day.
var reference = object("parameter", "Значение опубликованного параметра вместо числа",
	text("parameter_id", "Параметр", parameterForm),
	date("on", "На какой день"),
)

// statedIn has, by the unit of an input, the units of parameters that it takes, each with
// how many of the input's unit it is. A count has no unit.
var statedIn = map[string]map[string]int{
	"RUB": {"RUB": 1}, "percent": {"percent": 1}, "ratio": {"": 1}, "months": {month: 1, year: 12}, "years": {year: 1},
	"days": {calendarDay: 1}, businessDays: {businessDay: 1}, "payments": {"": 1}, "periods": {"": 1}, "day_of_month": {"": 1},
}

// stateable says whether a parameter can state the value of the input.
func (f *Field) stateable() bool { return f.asked && statedIn[f.Unit] != nil }

// ask marks the inputs of a tool, those within lists and objects too.
func ask(fields []Field) []Field {
	fields = slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		f.asked, f.fields = true, ask(f.fields)
		if f.item != nil {
			f.item = &ask([]Field{*f.item})[0]
		}
	}
	return fields
}

// stated reads a number that a parameter states: its value on the day, as if that stood in
// the request. Where there is none, the request has no result, and the reason is the first
// one found.
func (r reader) stated(n node, f *Field, pointer string) value {
	given := r.object(n, reference.fields, nil, pointer)
	id, on := given.Text("parameter_id"), given.Date("on")
	if id == "" || on == 0 { // which has been noted as a fault
		return value{}
	}
	p, err := r.out.Parameter(id, on, pointer)
	if err == nil && !p.Confirmed {
		r.out.Warn("parameter_review_required", pointer, "Параметр "+id+" ждёт проверки: сверьте значение с источником")
	}
	text, fits := p.in(f)
	if err == nil && !fits {
		r.out.Warn(string(ParameterUnfit), pointer, "Параметр "+id+" — не число в единицах этого поля")
		err = ParameterUnfit
	}
	if err != nil {
		r.out.refuse(err)
		return value{from: &given}
	}
	return r.number(node{kind: numberNode, text: text}, f, pointer)
}

// in is what a parameter states, as a number of the unit of an input.
func (p Parameter) in(f *Field) (text string, fits bool) {
	factor := statedIn[f.Unit][p.Unit]
	if factor <= 1 {
		return p.Value, factor == 1 && p.Value != ""
	}
	n, err := strconv.Atoi(p.Value)
	return strconv.Itoa(n * factor), err == nil
}

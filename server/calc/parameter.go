package calc

import (
	"fmt"
	"slices"
	"strconv"
)

// Parameters has the values that law or an authority sets. The caller passes it in
// [Facts]; tools query it with [Out.Parameter], which cites the parameter.
type Parameters interface {
	// Parameter returns the value of a parameter for a day. Known is false if there is no
	// parameter of that id.
	Parameter(id string, on Date) (p Parameter, known bool)
}

// A Parameter is the value of a published parameter for one day.
type Parameter struct {
	External         // its version, and the value with its unit as published
	InForce   bool   // there is a value for the day
	Confirmed bool   // it is current, and not due for review
	Roll      string // of a term: whether its last day moves to a business day (following, none); "" if not stated

	CountFrom       string // of a term: its first day (next_day, same_day); "" if not stated
	WithoutHolidays bool   // of a term in calendar days: non-working holidays are left out

	// Before and After are the nearest values of a parameter that has none for the day.
	Before, After External
}

// Parameter returns the value of a parameter for a day and cites it in external_data. If
// there is no such parameter or no value for the day, the error is a [Reason], with a
// warning at the pointer of the input that named the parameter.
func (o *Out) Parameter(id string, on Date, pointer string) (Parameter, error) {
	p, known := Parameter{}, false
	if o.facts.Parameters != nil {
		p, known = o.facts.Parameters.Parameter(id, on)
	}
	switch {
	case !known:
		o.Warn("parameter_unknown", pointer, id)
		return p, ParameterUnknown
	case !p.InForce:
		o.Warn("parameter_not_in_force", pointer, on, id,
			p.Before.days("; последнее значение было в силе")+p.After.days("; следующее в силе"))
		return p, ParameterNotInForce
	}
	if p.Input = pointer; !slices.Contains(o.external, p.External) {
		o.external = append(o.external, p.External)
	}
	return p, nil
}

// days says after a text when a value is in force, "" if there is no value.
func (s External) days(text string) string {
	if s.ID == "" {
		return ""
	}
	if s.From != "" {
		text += " с " + s.From
	}
	if s.To != "" {
		text += " по " + s.To
	}
	return text
}

// A stretch is days of a span for which a parameter states one value, or none.
type stretch struct {
	from, to Date
	Parameter
}

// stretches are the values of a parameter for the days from … to. Known is false if there is none of that id.
func (f Facts) stretches(id string, from, to Date) (all []stretch, known bool) {
	for on := from; on <= to && f.Parameters != nil; on = all[len(all)-1].to + 1 {
		p, known := f.Parameters.Parameter(id, on)
		if !known {
			return nil, false
		}
		s := stretch{on, to, p}
		if last, ok := ParseDate(p.To); ok && p.InForce {
			s.to = max(on, min(last, to))
		} else if next, ok := ParseDate(p.After.From); ok && !p.InForce {
			s.to = max(on, min(next-1, to))
		}
		all = append(all, s)
	}
	return all, all != nil
}

// series cites each value of a parameter for the days from … to. If some days have none, there is no result,
// and the warnings say which.
func (o *Out) series(id string, from, to Date, pointer string) (all []stretch, err error) {
	all, _ = o.facts.stretches(id, from, to)
	for _, s := range all {
		if !s.InForce {
			if err = ParameterNotInForce; len(o.warnings) < maxFaults {
				o.Warn("parameter_not_in_force: days", pointer, s.from, s.to, id)
			}
		}
	}
	if err != nil {
		return nil, err
	}
	switch {
	case all == nil:
		_, err = o.Parameter(id, from, pointer)
		return nil, err
	case len(all) > maxRates:
		return nil, ScheduleTooLong
	}
	for _, s := range all {
		if s.Parameter, err = o.Parameter(id, s.from, pointer); err != nil {
			return nil, err
		}
	}
	o.warnUnconfirmed(all[0].Parameter, pointer)
	return all, nil
}

func (o *Out) warnUnconfirmed(p Parameter, pointer string) {
	if !p.Confirmed {
		o.Warn("parameter_review_required", pointer, p.ID)
	}
}

// values are how many values a parameter states one after another for the days from … to; a day without one
// counts as the day before.
func (f Facts) values(id string, from, to Date) (n int) {
	all, _ := f.stretches(id, from, to)
	last := ""
	for _, s := range all {
		if s.InForce && s.Value != last {
			n, last = n+1, s.Value
		}
	}
	return n
}

// checkSpan reports a percentage of the inputs that a parameter states by one of the several values that it
// has in the span of the tool.
func (t *Tool) checkSpan(in In, out *Out) {
	if t.Span == nil {
		return
	}
	from, to := t.Span(in)
	for _, s := range out.external {
		n := 0
		if s.Unit == "percent" && from < to {
			n = out.facts.values(s.ID, from+1, to)
		}
		if n > 1 {
			in.faults.add(s.Input, FaultInconsistent, fmt.Sprintf(
				"С %s по %s у параметра %s несколько значений (%d), а здесь нужно одно", from+1, to, s.ID, n),
				"Ставку, которая менялась, считает инструмент "+t.Series+"; если договор её не меняет, передайте число")
		}
	}
}

// rate is the value as a percentage within the limits of a field.
func (p Parameter) rate(f *Field, pointer string, out *Out) (Pct, error) {
	text, fits := p.inUnitOf(f)
	if !fits || !f.numberPattern().matches(text) || f.literal(text) > f.max {
		out.Warn("parameter_unfit: no rate", pointer, p.ID, Pct(f.max))
		return 0, ParameterUnfit
	}
	return Pct(f.literal(text)), nil
}

// parameterPattern is the form of parameter ids.
const parameterPattern = `^[a-z][a-z0-9._-]{0,119}$`

// parameterReference is the object that a request may have in place of a number.
var parameterReference = object("parameter", "Значение опубликованного параметра вместо числа",
	text("parameter_id", "Параметр", parameterPattern),
	date("on", "На какой день"),
)

// parameterUnits has, by the unit of an input, the units of parameters that it accepts,
// with the factor to the input's unit. A count has no unit.
var parameterUnits = map[string]map[string]int{
	"RUB": {"RUB": 1}, "percent": {"percent": 1}, "ratio": {"": 1}, "months": {month: 1, year: 12}, "years": {year: 1},
	"days": {calendarDay: 1}, businessDays: {businessDay: 1}, "payments": {"": 1}, "periods": {"": 1},
	"day_of_month": {"": 1},
}

// acceptsParameter reports whether a parameter can state the value of the input.
func (f *Field) acceptsParameter() bool {
	return f.input && f.numeric() && parameterUnits[f.Unit] != nil
}

// markInputs marks the inputs of a tool, including those within lists and objects.
func markInputs(fields []Field) []Field {
	fields = slices.Clone(fields)
	for i := range fields {
		f := &fields[i]
		f.input, f.fields = true, markInputs(f.fields)
		if f.item != nil {
			f.item = &markInputs([]Field{*f.item})[0]
		}
	}
	return fields
}

// parameterValue reads a number stated by a parameter, as if the value on the day were in
// the request. If there is none, the request has no result.
func (r reader) parameterValue(n node, f *Field, pointer string) Value {
	given := r.object(n, parameterReference.fields, nil, pointer)
	id, on := given.Text("parameter_id"), given.Date("on")
	if id == "" || on == 0 { // already reported as a fault
		return faulty{}
	}
	p, err := r.out.Parameter(id, on, pointer)
	if err == nil {
		r.out.warnUnconfirmed(p, pointer)
	}
	text, fits := p.inUnitOf(f)
	if err == nil && !fits {
		r.out.Warn("parameter_unfit", pointer, id)
		err = ParameterUnfit
	}
	if err != nil {
		r.out.refuse(err)
		return given
	}
	return r.number(node{kind: numberNode, text: text}, f, pointer)
}

// inUnitOf is the parameter's value converted to the unit of an input.
func (p Parameter) inUnitOf(f *Field) (text string, fits bool) {
	factor := parameterUnits[f.Unit][p.Unit]
	if factor <= 1 {
		return p.Value, factor == 1 && p.Value != ""
	}
	n, err := strconv.Atoi(p.Value)
	return strconv.Itoa(n * factor), err == nil
}

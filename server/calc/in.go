package calc

import (
	"fmt"
	"slices"
	"strings"
)

// In is the validated inputs of a tool, or one object among them. Reading a field that
// is not declared, or as another type, panics: it is a bug of the tool. A field without
// a value is zero.
type In struct {
	fields  []Field
	values  []value
	pointer string
	faults  *faults
}

// A value is the value of a field: an integer for numbers and dates, a text for texts
// and enums, parts for lists and objects.
type value struct {
	set   bool
	null  bool
	n     int64
	text  string
	items []value
	obj   In
	from  *In // the parameter that was to state it and does not
}

func (in In) value(name string, kinds ...kind) value {
	i := in.index(name)
	if !slices.Contains(kinds, in.fields[i].kind) {
		panic(fmt.Sprintf("calc: input %q is not read as what it is declared", name))
	}
	return in.values[i]
}

// index is the index of a field, which has to be declared.
func (in In) index(name string) int {
	i := indexOf(in.fields, name)
	if i < 0 {
		panic(fmt.Sprintf("calc: input %q is not declared", name))
	}
	return i
}

// Has reports whether the field has a value: given and not null, or by default.
func (in In) Has(name string) bool {
	v := in.values[in.index(name)]
	return v.set && !v.null
}

func (in In) Money(name string) Money { return Money(in.value(name, moneyKind).n) }
func (in In) Pct(name string) Pct     { return Pct(in.value(name, pctKind).n) }
func (in In) Coef(name string) Exact  { return coefExact(in.value(name, coefKind)) }
func (in In) Int(name string) int     { return int(in.value(name, intKind).n) }
func (in In) Date(name string) Date   { return Date(in.value(name, dateKind).n) }
func (in In) Bool(name string) bool   { return in.value(name, boolKind).n != 0 }

// Text is a text, an identifier or the word of an enum.
func (in In) Text(name string) string { return in.value(name, textKind, enumKind).text }

// DayCount is the rule that a field made by dayCount holds.
func (in In) DayCount() DayCount { return DayCount(in.Text("day_count")) }

// title is the title of a field, without its explanation.
func (in In) title(name string) string {
	i := in.index(name)
	title, _, _ := strings.Cut(in.fields[i].Title, ", ")
	return title
}

// Object is a group of fields; if it has no value, every field of it is zero.
func (in In) Object(name string) In {
	v := in.value(name, objectKind)
	if v.obj.fields == nil {
		fields := in.fields[in.index(name)].fields
		return In{fields, make([]value, len(fields)), join(in.pointer, name), in.faults}
	}
	return v.obj
}

// List is a list of objects; Moneys, Pcts, Coefs and Texts are lists of values.
func (in In) List(name string) []In {
	return each(in.value(name, listKind).items, func(v value) In { return v.obj })
}
func (in In) Moneys(name string) []Money {
	return each(in.value(name, listKind).items, func(v value) Money { return Money(v.n) })
}
func (in In) Pcts(name string) []Pct {
	return each(in.value(name, listKind).items, func(v value) Pct { return Pct(v.n) })
}
func (in In) Coefs(name string) []Exact { return each(in.value(name, listKind).items, coefExact) }
func (in In) Texts(name string) []string {
	return each(in.value(name, listKind).items, func(v value) string { return v.text })
}
func coefExact(v value) Exact { return newExact(v.n, pctUnit) }

func each[A, B any](all []A, of func(A) B) []B {
	out := make([]B, len(all))
	for i, a := range all {
		out[i] = of(a)
	}
	return out
}

// Fail reports a field that contradicts others, in Russian. The request then fails with
// [CodeValidationFailed].
func (in In) Fail(name, code, detail, hint string) {
	in.faults.add(join(in.pointer, name), code, detail, hint)
}

// Order requires one date to be before another; both must have a value.
func (in In) Order(first, second string) {
	if in.Date(first) >= in.Date(second) {
		in.Fail(second, FaultDateOrder,
			fmt.Sprintf("Дата %s должна быть позже, чем %s (%s)", in.Date(second), first, in.Date(first)),
			"Проверьте порядок дат")
	}
}

package calc

import (
	"fmt"
	"strings"
)

// In is the validated inputs of a tool, or one object among them. Reading a field that
// is not declared, or as another type, panics: it is a bug of the tool. A field without
// a value is zero.
type In struct {
	fields  []Field
	values  []Value // nil where there is none
	pointer string
	faults  *faults
}

// emptyIn is an object without values.
func emptyIn(fields []Field, pointer string, fs *faults) In {
	return In{fields, make([]Value, len(fields)), pointer, fs}
}

// read is the value of a field.
func read[T Value](in In, name string) (v T) {
	i := in.index(name)
	if !v.fits(&in.fields[i]) {
		panic(fmt.Sprintf("calc: input %q is not read as what it is declared", name))
	}
	v, _ = in.values[i].(T)
	return v
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
	return v != nil && v != Null
}

func (in In) Money(name string) Money { return read[Money](in, name) }
func (in In) Pct(name string) Pct     { return Pct(read[decimal](in, name)) }
func (in In) Coef(name string) Exact  { return in.Pct(name).Exact() }
func (in In) Int(name string) int     { return int(read[Count](in, name)) }
func (in In) Date(name string) Date   { return read[Date](in, name) }
func (in In) Bool(name string) bool   { return bool(read[Bool](in, name)) }

// Text is a text, an identifier or the word of an enum.
func (in In) Text(name string) string { return string(read[Text](in, name)) }

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
	if v := read[In](in, name); v.fields != nil {
		return v
	}
	return emptyIn(in.fields[in.index(name)].fields, Join(in.pointer, name), in.faults)
}

// List is a list of objects; Moneys, Ints, Pcts, Coefs and Texts are lists of values.
func (in In) List(name string) []In      { return listed[In](in, name) }
func (in In) Moneys(name string) []Money { return listed[Money](in, name) }
func (in In) Ints(name string) []Count   { return listed[Count](in, name) }
func (in In) Pcts(name string) []Pct {
	return each(listed[decimal](in, name), func(d decimal) Pct { return Pct(d) })
}
func (in In) Coefs(name string) []Exact { return each(in.Pcts(name), Pct.Exact) }
func (in In) Texts(name string) []string {
	return each(listed[Text](in, name), func(t Text) string { return string(t) })
}

func listed[T Value](in In, name string) []T {
	return each(read[List](in, name), func(v Value) (t T) { t, _ = v.(T); return t })
}

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
	in.faults.add(Join(in.pointer, name), code, detail, hint)
}

// FailIf is [In.Fail] on a condition.
func (in In) FailIf(wrong bool, name, code, detail, hint string) {
	if wrong {
		in.Fail(name, code, detail, hint)
	}
}

// Order requires one date to be before another; both must have a value.
func (in In) Order(first, second string) {
	if in.Date(first) >= in.Date(second) {
		in.Fail(second, FaultDateOrder,
			fmt.Sprintf("Дата %s должна быть позже, чем %s (%s)", in.Date(second), first, in.Date(first)),
			"Проверьте порядок дат")
	}
}

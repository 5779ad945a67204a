package calc

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// A reader converts nodes to values by their fields and records every fault. Parameters
// that it looks up are cited in out.
type reader struct {
	faults *faults
	out    *Out
}

// object reads an object: the given fields, then defaults and missing fields, then the
// choices.
func (r reader) object(n node, fields []Field, choices []Choice, pointer string) In {
	in := In{fields, make([]value, len(fields)), pointer, r.faults}
	if n.kind != objectNode {
		r.faults.add(pointer, FaultType, "Ожидается объект", "Передайте объект JSON с полями: "+fieldNames(fields))
		return in
	}
	for _, m := range n.members {
		i := indexOf(fields, m.name)
		if i < 0 {
			r.faults.add(
				join(pointer, m.name), FaultUnknownField, "Неизвестное поле", "Допустимые поля: "+fieldNames(fields),
			)
			continue
		}
		in.values[i] = r.value(m.value, &fields[i], join(pointer, m.name))
		in.values[i].set = true
	}
	for i := range fields {
		if !in.values[i].set && !fields[i].governed {
			r.missing(&in.values[i], &fields[i], join(pointer, fields[i].Name))
		}
	}
	for _, c := range choices {
		r.choose(in, c)
	}
	return in
}

func fieldNames(fields []Field) string {
	ns := make([]string, len(fields))
	for i, f := range fields {
		ns[i] = f.Name
	}
	return strings.Join(ns, ", ")
}

// missing sets a field that was left out to its default, or reports that it is required.
func (r reader) missing(v *value, f *Field, pointer string) {
	switch {
	case f.preset != "":
		*v = r.preset(f)
	case f.implied:
		*v = r.value(node{kind: objectNode}, f, pointer)
		v.set = true
	case !f.optional:
		r.faults.add(pointer, FaultRequired, "Обязательное поле не указано: "+f.Title, "Добавьте поле "+f.Name)
	}
}

func (r reader) preset(f *Field) value {
	kind := stringNode
	if f.kind == boolKind {
		kind = boolNode
	}
	v := r.value(node{kind: kind, text: f.preset}, f, "")
	v.set = true
	return v
}

// choose finds the variant that the request means, sets the defaults of its fields and
// reports fields that are missing or belong to another variant.
func (r reader) choose(in In, c Choice) {
	if c.undecided(in) {
		return
	}
	v, ok := c.pick(in)
	if !ok {
		r.faults.add(in.pointer, FaultRequired, "Нужна одна из групп полей: "+c.describe(), "Укажите ровно одну группу")
		return
	}
	for i := range in.fields {
		f, val := &in.fields[i], &in.values[i]
		switch {
		case !slices.Contains(c.all(), f.Name):
		case val.set && !v.allows(f.Name):
			r.faults.add(
				join(in.pointer, f.Name), FaultInconsistent, "Поле не сочетается с остальными"+v.because(),
				"Укажите ровно одну группу: "+c.describe(),
			)
		case !val.set && f.preset != "" && v.allows(f.Name):
			*val = r.preset(f)
		case !val.set && slices.Contains(v.Needs, f.Name):
			r.faults.add(
				join(in.pointer, f.Name), FaultRequired, "Обязательное поле не указано: "+f.Title+v.because(),
				"Добавьте поле "+f.Name,
			)
		}
	}
}

// undecided reports whether the field that decides between the variants is missing or wrong. That is
// reported by itself, and nothing can be said about the other fields.
func (c Choice) undecided(in In) bool {
	name := c[0].By
	if name == "" || in.Text(name) != "" {
		return false
	}
	i := indexOf(in.fields, name)
	return in.values[i].set || !in.fields[i].optional
}

// pick is the variant whose condition is met; without conditions the first one that fits
// exactly, else the one that most of the given fields belong to.
func (c Choice) pick(in In) (Variant, bool) {
	if c[0].By != "" {
		for _, v := range c {
			if in.Text(v.By) == v.Is {
				return v, true
			}
		}
		return Variant{}, true
	}
	best, most := -1, 0
	for i, v := range c {
		has, lacks, strange := v.score(in, c)
		if lacks == 0 && strange == 0 {
			return v, true
		}
		if rank := 2*has - strange; has > 0 && (best < 0 || rank > most) {
			best, most = i, rank
		}
	}
	if best < 0 {
		return Variant{}, false
	}
	return c[best], true
}

// score counts the given fields that the variant allows, the missing ones that it needs,
// and the given ones that belong to other variants.
func (v Variant) score(in In, c Choice) (has, lacks, strange int) {
	for i := range in.fields {
		name, given := in.fields[i].Name, in.values[i].set
		switch {
		case given && v.allows(name):
			has++
		case !given && slices.Contains(v.Needs, name) && in.fields[i].preset == "":
			lacks++
		case given && slices.Contains(c.all(), name):
			strange++
		}
	}
	return has, lacks, strange
}

func (c Choice) describe() string {
	var groups []string
	for _, v := range c {
		if len(v.Needs) > 0 {
			groups = append(groups, strings.Join(v.Needs, " + ")+v.because())
		}
	}
	return strings.Join(groups, "; ")
}

func (v Variant) because() string {
	if v.By == "" {
		return ""
	}
	return " (при " + v.By + "=" + v.Is + ")"
}

// value reads one value.
func (r reader) value(n node, f *Field, pointer string) value {
	if n.kind == nullNode && f.nullable {
		return value{null: true}
	}
	if n.kind == objectNode && f.acceptsParameter() {
		return r.parameterValue(n, f, pointer)
	}
	switch f.kind {
	case moneyKind, pctKind, coefKind, intKind:
		return r.number(n, f, pointer)
	case dateKind:
		return r.date(n, pointer)
	case textKind, enumKind:
		return r.text(n, f, pointer)
	case boolKind:
		if n.kind != boolNode {
			r.faults.add(pointer, FaultType, "Ожидается true или false", "Передайте логическое значение без кавычек")
		}
		if n.text == "true" {
			return value{n: 1}
		}
		return value{}
	case listKind:
		return r.list(n, f, pointer)
	}
	return value{obj: r.object(n, f.fields, f.choices, pointer)}
}

// number reads a number from a JSON number or string. The form and the length of its
// literal are validated before it is converted.
func (r reader) number(n node, f *Field, pointer string) value {
	if n.kind != numberNode && n.kind != stringNode {
		r.faults.add(pointer, FaultType, "Ожидается "+f.describe(), f.example()+f.orParameter())
		return value{}
	}
	if len(n.text) > maxLiteral || !f.form().matches(n.text) {
		r.faults.add(pointer, FaultPattern, "Неверная запись числа: ожидается "+f.describe(), f.example())
		return value{}
	}
	v := parseScaled(n.text, f.kind.scale())
	if f.kind == intKind {
		whole, _, _ := strings.Cut(n.text, ".")
		v = parseScaled(whole, 0)
	}
	switch {
	case v < f.min:
		r.faults.add(
			pointer, FaultMin, "Значение меньше допустимого: "+f.bound(f.min),
			"Допустимо от "+f.bound(f.min)+" до "+f.bound(f.max),
		)
	case v > f.max:
		r.faults.add(
			pointer, FaultMax, "Значение больше допустимого: "+f.bound(f.max),
			"Допустимо от "+f.bound(f.min)+" до "+f.bound(f.max),
		)
	}
	return value{n: v}
}

const maxLiteral = 32

// form is the form of a number's literal.
func (f *Field) form() form {
	switch {
	case f.kind == intKind:
		return integerForm
	case f.kind == moneyKind && f.min < 0:
		return signedMoneyForm
	case f.kind == moneyKind:
		return moneyForm
	case f.min < 0:
		return signedForm
	case f.max > 10_000*pctUnit: // tolerances have the range of an amount
		return longForm
	case f.places > 6:
		return finePctForm
	}
	return pctForm
}

var (
	integerForm     = newForm(`^(0|[1-9]\d{0,8})(\.0{1,6})?$`)
	moneyForm       = newForm(`^(0|[1-9]\d{0,11})(\.\d{1,2})?$`)
	signedMoneyForm = newForm(`^-?(0|[1-9]\d{0,11})(\.\d{1,2})?$`)
	pctForm         = newForm(`^(0|[1-9]\d{0,3})(\.\d{1,6})?$`)
	finePctForm     = newForm(`^(0|[1-9]\d{0,3})(\.\d{1,8})?$`)
	longForm        = newForm(`^(0|[1-9]\d{0,9})(\.\d{1,6})?$`)
	signedForm      = newForm(`^-?(0|[1-9]\d{0,9})(\.\d{1,6})?$`)
)

func (f *Field) describe() string {
	switch f.kind {
	case moneyKind:
		return "сумма в рублях, не более 12 цифр до точки и двух после, без экспоненты"
	case intKind:
		return "целое число"
	}
	return fmt.Sprintf("десятичное число, не более %d цифр после точки, без экспоненты", f.places)
}

func (f *Field) example() string {
	switch f.kind {
	case moneyKind:
		return `Передайте сумму строкой, например "150000.00"`
	case intKind:
		return "Передайте целое число, например 12"
	}
	return `Передайте число строкой, например "18.5"`
}

// orParameter extends the hint for a number: a parameter is accepted too.
func (f *Field) orParameter() string {
	if !f.acceptsParameter() {
		return ""
	}
	return `, или параметр: {"parameter_id": "…", "on": "2026-05-01"}`
}

// bound formats a limit.
func (f *Field) bound(n int64) string {
	if f.kind == moneyKind {
		return Money(n).String()
	}
	return scaledString(n, f.kind.scale(), 0)
}

var firstDate, lastDate = NewDate(2000, 1, 1), NewDate(2099, 12, 31)

func (r reader) date(n node, pointer string) value {
	const hint = "Передайте дату в виде ГГГГ-ММ-ДД, например 2026-05-12"
	if n.kind != stringNode {
		r.faults.add(pointer, FaultType, "Ожидается дата", hint)
		return value{}
	}
	if !dateForm.matches(n.text) {
		r.faults.add(pointer, FaultPattern, "Неверная запись даты", hint)
		return value{}
	}
	d, ok := ParseDate(n.text)
	if !ok || d < firstDate || d > lastDate {
		r.faults.add(pointer, FaultDateInvalid, "Такой даты нет или она вне пределов 2000-01-01…2099-12-31", hint)
		return value{}
	}
	return value{n: int64(d)}
}

func (r reader) text(n node, f *Field, pointer string) value {
	n.text = cmp.Or(f.formerly[n.text], n.text)
	switch {
	case n.kind != stringNode:
		r.faults.add(pointer, FaultType, "Ожидается строка", "Передайте строку JSON")
	case f.kind == enumKind && !slices.Contains(f.enum, n.text):
		r.faults.add(pointer, FaultEnum, "Недопустимое значение", "Допустимые значения: "+strings.Join(f.enum, ", "))
	case f.kind == textKind && !f.pattern.matches(n.text):
		r.faults.add(
			pointer, FaultPattern, "Неверная запись строки",
			"Строка должна соответствовать выражению "+f.pattern.String(),
		)
	default:
		return value{text: n.text}
	}
	return value{}
}

func (r reader) list(n node, f *Field, pointer string) value {
	switch {
	case n.kind != listNode:
		r.faults.add(pointer, FaultType, "Ожидается список", "Передайте список JSON")
		return value{}
	case len(n.items) > f.maxItems:
		r.faults.add(
			pointer, FaultTooManyItems, fmt.Sprintf("Слишком длинный список: %d", len(n.items)),
			fmt.Sprintf("Допустимо не более %d", f.maxItems),
		)
		return value{}
	case len(n.items) < f.minItems:
		r.faults.add(
			pointer, FaultMin, fmt.Sprintf("Слишком короткий список: %d", len(n.items)),
			fmt.Sprintf("Нужно не менее %d", f.minItems),
		)
		return value{}
	}
	v := value{items: make([]value, len(n.items))}
	seen := map[string]bool{}
	for i := range n.items {
		at := join(pointer, Count(i).String())
		v.items[i] = r.value(n.items[i], f.item, at)
		if f.unique == "" {
			continue
		}
		id := v.items[i].obj.Text(f.unique)
		if id != "" && seen[id] {
			r.faults.add(
				join(at, f.unique), FaultDuplicateID, "Идентификатор повторяется: "+id,
				"Сделайте идентификаторы списка разными",
			)
		}
		seen[id] = true
	}
	return v
}

package calc

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// A reader converts nodes to values by their fields and records every fault. Parameters
// that it looks up are cited in out.
type reader struct {
	faults *faults
	out    *Out
	spelt  bool // see [Tool.CalculateSpelt]
}

// untexted are the kinds of fields whose values are no strings in JSON.
var untexted = []kind{intKind, boolKind, listKind, objectKind}

// plain is a node, or what the text of a string spells where the field takes no text.
func (r reader) plain(n node, f *Field, pointer string) node {
	if !r.spelt || n.kind != stringNode || !slices.Contains(untexted, f.kind) || !json.Valid([]byte(n.text)) {
		return n
	}
	in, err := parse([]byte(n.text), pointer)
	if e, ok := err.(*Error); ok {
		*r.faults = append(*r.faults, e.Faults...)
	}
	return in
}

// absent reports whether a model leaves a field out by null, or by a text of nothing.
func (r reader) absent(n node, f *Field) bool {
	blank := n.kind == stringNode && strings.TrimSpace(n.text) == ""
	return r.spelt && !f.nullable && (blank || n.kind == nullNode)
}

// object reads an object: the given fields, then defaults and missing fields, then the
// choices.
func (r reader) object(n node, fields []Field, choices []Choice, pointer string) In {
	in := emptyIn(fields, pointer, r.faults)
	if n.kind != objectNode {
		r.faults.add(pointer, FaultType, "Ожидается объект", "Передайте объект JSON с полями: "+fieldNames(fields))
		return in
	}
	for _, m := range n.members {
		i := indexOf(fields, m.name)
		if i < 0 {
			r.faults.add(
				Join(pointer, m.name), FaultUnknownField, "Неизвестное поле", "Допустимые поля: "+fieldNames(fields),
			)
			continue
		}
		if !r.absent(m.value, &fields[i]) {
			in.values[i] = r.value(m.value, &fields[i], Join(pointer, m.name))
		}
	}
	for i := range fields {
		if in.values[i] == nil && !fields[i].governed {
			in.values[i] = r.missing(&fields[i], Join(pointer, fields[i].Name))
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

// missing is the value of a field that was left out: its default, or none; it may be required.
func (r reader) missing(f *Field, pointer string) Value {
	switch {
	case f.preset != "":
		return r.preset(f)
	case f.implied:
		return r.value(node{kind: objectNode}, f, pointer)
	case !f.optional:
		r.faults.add(pointer, FaultRequired, "Обязательное поле не указано: "+f.Title, "Добавьте поле "+f.Name)
	}
	return nil
}

func (r reader) preset(f *Field) Value {
	kind := stringNode
	if f.kind == boolKind {
		kind = boolNode
	}
	literal := f.preset
	if r.spelt {
		literal = cmp.Or(f.spelt, literal)
	}
	return r.value(node{kind: kind, text: literal}, f, "")
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
		f, given := &in.fields[i], in.values[i] != nil
		switch {
		case !slices.Contains(c.all(), f.Name):
		case given && !v.allows(f.Name):
			in.Fail(f.Name, FaultInconsistent, "Поле не сочетается с остальными"+v.because(),
				"Укажите ровно одну группу: "+c.describe())
		case !given && f.preset != "" && v.allows(f.Name):
			in.values[i] = r.preset(f)
		case !given && slices.Contains(v.Needs, f.Name):
			in.Fail(
				f.Name, FaultRequired, "Обязательное поле не указано: "+f.Title+v.because(), "Добавьте поле "+f.Name,
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
	return in.values[i] != nil || !in.fields[i].optional
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
		name, given := in.fields[i].Name, in.values[i] != nil
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
func (r reader) value(n node, f *Field, pointer string) Value {
	n = r.plain(n, f, pointer)
	if n.kind == nullNode && f.nullable {
		return Null
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
			return r.refuse(pointer, FaultType, "Ожидается true или false", "Передайте логическое значение без кавычек")
		}
		return Bool(n.text == "true")
	case listKind:
		return r.list(n, f, pointer)
	}
	return r.object(n, f.fields, f.choices, pointer)
}

// refuse reports a fault of a value, and is in its place.
func (r reader) refuse(pointer, code, detail, hint string) Value {
	r.faults.add(pointer, code, detail, hint)
	return faulty{}
}

// number reads a number from a JSON number or string. The form and the length of its
// literal are validated before it is converted.
func (r reader) number(n node, f *Field, pointer string) Value {
	if n.kind != numberNode && n.kind != stringNode {
		return r.refuse(pointer, FaultType, "Ожидается "+f.describe(), f.example()+f.orParameter())
	}
	if len(n.text) > maxLiteral || !f.numberPattern().matches(n.text) {
		return r.refuse(pointer, FaultPattern, "Неверная запись числа: ожидается "+f.describe(), f.example())
	}
	if f.kind == intKind {
		n.text, _, _ = strings.Cut(n.text, ".")
	}
	v := f.literal(n.text)
	switch {
	case v < f.min:
		return r.refuse(pointer, FaultMin, "Значение меньше допустимого: "+f.bound(f.min), "Допустимо "+f.allowed())
	case v > f.max:
		return r.refuse(pointer, FaultMax, "Значение больше допустимого: "+f.bound(f.max), "Допустимо "+f.allowed())
	}
	switch f.kind {
	case moneyKind:
		return Money(v)
	case intKind:
		return Count(v)
	}
	return decimal(v)
}

const maxLiteral = 32

// numberPattern is the form of a number's literal.
func (f *Field) numberPattern() pattern {
	switch {
	case f.kind == intKind:
		return integerPattern
	case f.kind == moneyKind && f.min < 0:
		return signedMoneyPattern
	case f.kind == moneyKind:
		return moneyPattern
	case f.min < 0:
		return signedPattern
	case f.max > 10_000*pctUnit: // tolerances have the range of an amount
		return longPattern
	case f.places > 6:
		return finePctPattern
	}
	return pctPattern
}

var (
	integerPattern     = newPattern(`^(0|[1-9]\d{0,8})(\.0{1,6})?$`)
	moneyPattern       = newPattern(`^(0|[1-9]\d{0,11})(\.\d{1,2})?$`)
	signedMoneyPattern = newPattern(`^-?(0|[1-9]\d{0,11})(\.\d{1,2})?$`)
	pctPattern         = newPattern(`^(0|[1-9]\d{0,3})(\.\d{1,6})?$`)
	finePctPattern     = newPattern(`^(0|[1-9]\d{0,3})(\.\d{1,8})?$`)
	longPattern        = newPattern(`^(0|[1-9]\d{0,9})(\.\d{1,6})?$`)
	signedPattern      = newPattern(`^-?(0|[1-9]\d{0,9})(\.\d{1,6})?$`)
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
	return scaledString(n, kinds[f.kind].scale, 0)
}

var firstDate, lastDate = NewDate(2000, 1, 1), NewDate(2099, 12, 31)

func (r reader) date(n node, pointer string) Value {
	const hint = "Передайте дату в виде ГГГГ-ММ-ДД, например 2026-05-12"
	d, exists := ParseDate(n.text)
	switch {
	case n.kind != stringNode:
		return r.refuse(pointer, FaultType, "Ожидается дата", hint)
	case !datePattern.matches(n.text):
		return r.refuse(pointer, FaultPattern, "Неверная запись даты", hint)
	case !exists || d < firstDate || d > lastDate:
		return r.refuse(pointer, FaultDateInvalid, "Такой даты нет или она вне пределов 2000-01-01…2099-12-31", hint)
	}
	return d
}

func (r reader) text(n node, f *Field, pointer string) Value {
	n.text = cmp.Or(f.formerly[n.text], n.text)
	switch {
	case n.kind != stringNode:
		return r.refuse(pointer, FaultType, "Ожидается строка", "Передайте строку JSON")
	case f.kind == enumKind && !slices.Contains(f.enum, n.text):
		return r.refuse(pointer, FaultEnum, "Недопустимое значение", "Допустимые значения: "+strings.Join(f.enum, ", "))
	case f.kind == textKind && !f.pattern.matches(n.text):
		return r.refuse(pointer, FaultPattern, "Неверная запись строки",
			"Строка должна соответствовать выражению "+f.pattern.String())
	}
	return Text(n.text)
}

func (r reader) list(n node, f *Field, pointer string) Value {
	switch {
	case n.kind != listNode:
		return r.refuse(pointer, FaultType, "Ожидается список", "Передайте список JSON")
	case len(n.items) > f.maxItems:
		return r.refuse(pointer, FaultTooManyItems, fmt.Sprintf("Слишком длинный список: %d", len(n.items)),
			fmt.Sprintf("Допустимо не более %d", f.maxItems))
	case len(n.items) < f.minItems:
		return r.refuse(pointer, FaultMin, fmt.Sprintf("Слишком короткий список: %d", len(n.items)),
			fmt.Sprintf("Нужно не менее %d", f.minItems))
	}
	all, seen := make(List, len(n.items)), map[string]bool{}
	for i := range n.items {
		all[i] = r.value(n.items[i], f.item, Join(pointer, Count(i).String()))
		if f.unique == "" {
			continue
		}
		item := all[i].(In)
		id := item.Text(f.unique)
		if id != "" && seen[id] {
			item.Fail(f.unique, FaultDuplicateID, "Идентификатор повторяется: "+id,
				"Сделайте идентификаторы списка разными")
		}
		seen[id] = true
	}
	return all
}

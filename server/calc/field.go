package calc

import (
	"fmt"
	"maps"
	"slices"
)

// A Field declares the name and the type of one value of a request or of an answer. The
// decoder, the validator, both schemas and the echo of the inputs are derived from it. It
// is made with the constructors below and refined with its methods, which return a
// changed copy.
type Field struct {
	Name  string
	Title string // in Russian
	Unit  string // RUB, percent, months, …; empty if there is none

	kind     kind
	places   int   // decimals: accepted in a request, printed in an answer
	min, max int64 // in units of 10^-scale
	optional bool
	nullable bool
	implied  bool   // an object that is read as {} if it is missing, so that its fields get their defaults
	input    bool   // among the inputs of a tool: a parameter may state its value, see acceptsParameter
	preset   string // the literal of the default
	spelt    string // of [Tool.CalculateSpelt], if it has another one
	governed bool   // a Choice decides whether the field is required

	enum     []string
	labels   map[string]string // of the words of a text that are codes
	unitOf   func(In) string   // the unit, if it depends on other fields
	formerly map[string]string // former spellings of an enum's words, and the current ones
	pattern  pattern
	usual    []string // common values of a text
	units    []string // of the parameters whose ids a text may have; nil: it is no such id
	fields   []Field  // of an object
	choices  []Choice
	item     *Field // of a list or a map
	minItems int
	maxItems int
	unique   string
}

type kind byte

const (
	moneyKind kind = iota
	pctKind        // a percentage
	coefKind       // a coefficient or ratio
	intKind
	dateKind
	textKind
	enumKind
	boolKind
	listKind
	objectKind
	mapKind // answers only
)

// kinds say what there is to know of each kind of value.
var kinds = [...]struct {
	name  string
	scale int    // decimals of the integer that represents a value
	json  string // its type in an answer, and of a string its form
	form  string
}{
	moneyKind:  {"money", 2, "string", `^-?(0|[1-9]\d*)\.\d{2}$`},
	pctKind:    {"percent", pctPlaces, "string", decimalPattern},
	coefKind:   {"ratio", pctPlaces, "string", decimalPattern},
	intKind:    {"count", 0, "integer", ""},
	dateKind:   {"date", 0, "string", ""},
	textKind:   {"text", 0, "string", ""},
	enumKind:   {"enum", 0, "string", ""},
	boolKind:   {"boolean", 0, "boolean", ""},
	listKind:   {"list", 0, "array", ""},
	objectKind: {"object", 0, "object", ""},
	mapKind:    {"map", 0, "object", ""},
}

const decimalPattern = `^-?(0|[1-9]\d*)(\.\d+)?$`

const maxMoney = 99_999_999_999_999

var identPattern = newPattern(`^[A-Za-zА-Яа-яЁё0-9_-]{1,64}$`)

// money is an amount from 0 to 999 999 999 999.99 roubles.
func money(name, title string) Field {
	return Field{Name: name, Title: title, Unit: "RUB", kind: moneyKind, places: 2, max: maxMoney}
}

// moneyPlus is an amount greater than zero.
func moneyPlus(name, title string) Field { return money(name, title).Min("0.01") }

// smoney is an amount that may be negative.
func smoney(name, title string) Field {
	f := money(name, title)
	f.min = -maxMoney
	return f
}

// pct is a percentage from 0 to 1000 with up to six decimals; 18.5 means 18.5 %.
func pct(name, title string) Field {
	return Field{Name: name, Title: title, Unit: "percent", kind: pctKind, places: 6, max: 1000 * pctUnit}
}

// pct100 is a percentage from 0 to 100.
func pct100(name, title string) Field { return pct(name, title).Max("100") }

// coef is a coefficient from 0.0001 to 1000.
func coef(name, title string) Field {
	f := Field{Name: name, Title: title, Unit: "ratio", kind: coefKind, places: 6}
	return f.Min("0.0001").Max("1000")
}

// Exactly is a threshold that is compared with the unrounded value.
func (f Field) Exactly() Field {
	f.Title += "; сравнивается с неокруглённым значением"
	return f
}

// integer is a whole number within limits; unit says of what.
func integer(name, title, unit string, from, to int) Field {
	return Field{Name: name, Title: title, Unit: unit, kind: intKind, min: int64(from), max: int64(to)}
}

// months is a term from 1 to 600 months, days one from 0 to 36 600 days.
func months(name, title string) Field { return integer(name, title, "months", 1, 600) }
func days(name, title string) Field   { return integer(name, title, "days", 0, 36600) }

// date is a date from 2000-01-01 to 2099-12-31.
func date(name, title string) Field { return Field{Name: name, Title: title, kind: dateKind} }

// ident is an identifier chosen by the caller.
func ident(name, title string) Field {
	return Field{Name: name, Title: title, kind: textKind, pattern: identPattern}
}

// text is a short text of a given form.
func text(name, title, pattern string) Field {
	return Field{Name: name, Title: title, kind: textKind, pattern: newPattern(pattern)}
}

// Usual are common values of a text, which forms offer; requests may have others.
func (f Field) Usual(words ...string) Field { f.usual = words; return f }

// parameterID is the id of a published parameter with a value in one of some units.
func parameterID(name, title string, units ...string) Field {
	f := text(name, title, parameterPattern)
	f.units = units
	return f
}

// enum is one of several words.
func enum(name, title string, words ...string) Field {
	return Field{Name: name, Title: title, kind: enumKind, enum: words}
}

// Labels are what people read in place of words that are codes.
func (f Field) Labels(words map[string]string) Field { f.labels = words; return f }

// Formerly is an enum that also accepts the former spelling of a word.
func (f Field) Formerly(old, now string) Field {
	f.formerly = maps.Clone(f.formerly)
	if f.formerly == nil {
		f.formerly = map[string]string{}
	}
	f.formerly[old] = now
	return f
}

// dayCount is a choice of day counts: act/365, the default, and others.
func dayCount(others ...DayCount) Field {
	f := enum("day_count", "Способ подсчёта дней", string(Act365))
	for _, o := range others {
		f.enum = append(f.enum, string(o))
	}
	return f.Default(string(Act365))
}

func boolean(name, title string) Field { return Field{Name: name, Title: title, kind: boolKind} }

// object is a group of fields.
func object(name, title string, fields ...Field) Field {
	return Field{Name: name, Title: title, kind: objectKind, fields: fields}
}

// list is a list of from…to objects; listOf one of the values that item declares, with
// the name and the title of item.
func list(name, title string, from, to int, fields ...Field) Field {
	return listOf(object(name, title, fields...), from, to)
}

func listOf(item Field, from, to int) Field {
	return Field{
		Name: item.Name, Title: item.Title, Unit: item.Unit, kind: listKind, item: &item, minItems: from, maxItems: to,
	}
}

// mapOf is an object of an answer whose names are the caller's identifiers.
func mapOf(item Field) Field {
	return Field{Name: item.Name, Title: item.Title, Unit: item.Unit, kind: mapKind, item: &item}
}

// percent, ratio and count are numbers of an answer: the first two with a fixed number
// of decimals, count a whole number.
func percent(name, title string, places int) Field {
	return Field{Name: name, Title: title, Unit: "percent", kind: pctKind, places: places}
}

func ratio(name, title string, places int) Field {
	return Field{Name: name, Title: title, Unit: "ratio", kind: coefKind, places: places}
}

func count(name, title, unit string) Field {
	return Field{Name: name, Title: title, Unit: unit, kind: intKind}
}

// word is a text of an answer that the tool writes.
func word(name, title string) Field { return Field{Name: name, Title: title, kind: textKind} }

// Min and Max set limits, both included, as literals: "1.00".
func (f Field) Min(literal string) Field { f.min = f.literal(literal); return f }
func (f Field) Max(literal string) Field { f.max = f.literal(literal); return f }

// Places sets how many decimals are accepted, up to eight.
func (f Field) Places(n int) Field { f.places = n; return f }

// Optional is a field that may be left out and then has no value ([In.Has]).
func (f Field) Optional() Field { f.optional = true; return f }

// Nullable is a field that may be null and then has no value.
func (f Field) Nullable() Field { f.nullable = true; return f }

// Signed is a number of an answer that may be negative.
func (f Field) Signed() Field { f.min = -maxMoney; return f }

// Default is the value of a field that is left out, as a literal.
func (f Field) Default(literal string) Field { f.preset = literal; return f }

// Unique names the field of a list's objects that must differ in all of them.
func (f Field) Unique(name string) Field { f.unique = name; return f }

// Choose adds choices between groups of an object's fields.
func (f Field) Choose(choices ...Choice) Field {
	if f.kind == listKind {
		item := f.item.Choose(choices...)
		f.item = &item
		return f
	}
	f.choices = append(slices.Clone(f.choices), choices...)
	f.fields = govern(f.fields, f.choices)
	return f
}

// indexOf is the index of the field with that name, -1 if there is none.
func indexOf(fields []Field, name string) int {
	for i := range fields {
		if fields[i].Name == name {
			return i
		}
	}
	return -1
}

func (f Field) literal(s string) int64 { return parseScaled(s, kinds[f.kind].scale) }

// numeric reports whether the value is a number.
func (f *Field) numeric() bool {
	return f.kind == moneyKind || f.kind == pctKind || f.kind == coefKind || f.kind == intKind
}

// A Choice is between variants: groups of fields of which a request gives one.
// Either all variants have By, or none.
//
//	Choice{{Needs: names("monthly_payment")}, {Needs: names("monthly_income", "max_share_pct")}}
//	Choice{{By: "rule", Is: "fixed_days", Needs: names("grace_days")}, …}
//	Choice{{}, {Needs: names("as_of_date", "last_due_date")}} // both or neither
type Choice []Variant

// A Variant names fields that go together. Those in May can be left out.
type Variant struct {
	By, Is string // an enum and its value: the variant applies if and only if the field has the value
	Needs  []string
	May    []string
}

func names(ns ...string) []string { return ns }

func (v Variant) allows(name string) bool {
	return slices.Contains(v.Needs, name) || slices.Contains(v.May, name)
}

// all returns the fields of all variants, each once.
func (c Choice) all() []string {
	var out []string
	for _, v := range c {
		for _, n := range slices.Concat(v.Needs, v.May) {
			if !slices.Contains(out, n) {
				out = append(out, n)
			}
		}
	}
	return out
}

// govern marks the fields named by choices.
func govern(fields []Field, choices []Choice) []Field {
	fields = slices.Clone(fields)
	for _, c := range choices {
		for _, n := range c.all() {
			i := indexOf(fields, n)
			if i < 0 {
				panic(fmt.Sprintf("calc: a choice names %q, which is not declared", n))
			}
			fields[i].governed = true
		}
	}
	return fields
}

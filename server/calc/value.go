package calc

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Value is a value of an answer: [Money], [Pct], [Exact], [*Dec], [Count], [Date],
// [Text], [Bool], [Null], or a [List], [Row] or [Entries] of these. The field that declares
// it determines its format.
type Value interface {
	fits(f *Field) bool
	appendJSON(b []byte, f *Field) []byte
}

type (
	Count int    // a whole number of something
	Text  string // a word, a code, an identifier
	Bool  bool
	List  []Value
	// Row is an object: its values in the order of declaration of the fields.
	Row []Value
	// Entries is an object with names chosen by the caller.
	Entries []Entry
	Entry   struct {
		Name  string
		Value Value
	}
	null struct{}
)

// Null is the value of a nullable field without a value.
var Null Value = null{}

func (c Count) String() string { return strconv.Itoa(int(c)) }

func (Money) fits(f *Field) bool { return f.kind == moneyKind }
func (Pct) fits(f *Field) bool   { return f.kind == pctKind }
func (Exact) fits(f *Field) bool { return f.kind == pctKind || f.kind == coefKind }
func (*Dec) fits(f *Field) bool  { return f.kind == pctKind || f.kind == coefKind }
func (Count) fits(f *Field) bool { return f.kind == intKind }
func (Date) fits(f *Field) bool  { return f.kind == dateKind }
func (Text) fits(f *Field) bool  { return f.kind == textKind || f.kind == enumKind }
func (Bool) fits(f *Field) bool  { return f.kind == boolKind }
func (null) fits(f *Field) bool  { return f.nullable }

func (l List) fits(f *Field) bool {
	if f.kind != listKind {
		return false
	}
	for _, v := range l {
		if !v.fits(f.item) {
			return false
		}
	}
	return true
}

func (r Row) fits(f *Field) bool { return f.kind == objectKind && r.fit(f.fields) }

func (r Row) fit(fields []Field) bool {
	if len(r) != len(fields) {
		return false
	}
	for i, v := range r {
		if !v.fits(&fields[i]) {
			return false
		}
	}
	return true
}

func (es Entries) fits(f *Field) bool {
	if f.kind != mapKind {
		return false
	}
	for _, e := range es {
		if !e.Value.fits(f.item) {
			return false
		}
	}
	return true
}

func (m Money) appendJSON(b []byte, _ *Field) []byte { return appendQuoted(b, m.String()) }
func (p Pct) appendJSON(b []byte, f *Field) []byte   { return p.Exact().appendJSON(b, f) }
func (x Exact) appendJSON(b []byte, f *Field) []byte { return appendQuoted(b, x.Fixed(f.places)) }
func (x *Dec) appendJSON(b []byte, f *Field) []byte  { return appendQuoted(b, x.Fixed(f.places)) }
func (d Date) appendJSON(b []byte, _ *Field) []byte  { return appendQuoted(b, d.String()) }
func (t Text) appendJSON(b []byte, _ *Field) []byte  { return appendString(b, string(t)) }
func (null) appendJSON(b []byte, _ *Field) []byte    { return append(b, "null"...) }

func (c Count) appendJSON(b []byte, _ *Field) []byte { return strconv.AppendInt(b, int64(c), 10) }
func (v Bool) appendJSON(b []byte, _ *Field) []byte  { return strconv.AppendBool(b, bool(v)) }

func (l List) appendJSON(b []byte, f *Field) []byte {
	b = append(b, '[')
	for i, v := range l {
		b = v.appendJSON(comma(b, i), f.item)
	}
	return append(b, ']')
}

func (r Row) appendJSON(b []byte, f *Field) []byte { return r.appendFields(b, f.fields) }

func (r Row) appendFields(b []byte, fields []Field) []byte {
	b = append(b, '{')
	for i, v := range r {
		b = v.appendJSON(appendName(comma(b, i), fields[i].Name), &fields[i])
	}
	return append(b, '}')
}

func (es Entries) appendJSON(b []byte, f *Field) []byte {
	b = append(b, '{')
	for i, e := range es {
		b = e.Value.appendJSON(appendName(comma(b, i), e.Name), f.item)
	}
	return append(b, '}')
}

func comma(b []byte, i int) []byte {
	if i > 0 {
		return append(b, ',')
	}
	return b
}

func appendName(b []byte, name string) []byte { return append(appendString(b, name), ':') }

// appendQuoted is for strings that need no escapes.
func appendQuoted(b []byte, s string) []byte {
	return append(append(append(b, '"'), s...), '"')
}

// appendString writes a string as RFC 8785 does.
func appendString(b []byte, s string) []byte {
	for i := range len(s) {
		if s[i] < ' ' || s[i] == '"' || s[i] == '\\' {
			return appendEscaped(b, s)
		}
	}
	return appendQuoted(b, s)
}

func appendEscaped(b []byte, s string) []byte {
	var out strings.Builder
	enc := json.NewEncoder(&out)
	enc.SetEscapeHTML(false)
	_ = enc.Encode(s) // a string always encodes
	return append(b, strings.TrimSuffix(out.String(), "\n")...)
}

// appendInputs writes inputs in their normal form, in the order of declaration or
// sorted by name. Fields without a value are left out.
func appendInputs(b []byte, in In, order func([]Field) []int) []byte {
	b = append(b, '{')
	first := true
	for _, i := range order(in.fields) {
		if !in.values[i].set {
			continue
		}
		if !first {
			b = append(b, ',')
		}
		first = false
		b = appendInput(appendName(b, in.fields[i].Name), &in.fields[i], in.values[i], order)
	}
	return append(b, '}')
}

func appendInput(b []byte, f *Field, v value, order func([]Field) []int) []byte {
	if v.null {
		return append(b, "null"...)
	}
	if v.from != nil {
		return appendInputs(b, *v.from, order)
	}
	switch f.kind {
	case moneyKind:
		return appendQuoted(b, Money(v.n).String())
	case pctKind, coefKind:
		return appendQuoted(b, Pct(v.n).String())
	case intKind:
		return strconv.AppendInt(b, v.n, 10)
	case dateKind:
		return appendQuoted(b, Date(v.n).String())
	case boolKind:
		return strconv.AppendBool(b, v.n != 0)
	case textKind, enumKind:
		return appendString(b, v.text)
	case listKind:
		b = append(b, '[')
		for i, item := range v.items {
			b = appendInput(comma(b, i), f.item, item, order)
		}
		return append(b, ']')
	}
	return appendInputs(b, v.obj, order)
}

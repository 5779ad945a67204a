package calc

import (
	"encoding/json"
	"strconv"
	"strings"
)

// A Value is a value of a request or of an answer: [Money], [Count], [Date], [Text], [Bool], [Null] or
// a [List] of these; of a request also a decimal and the fields of an object as [In]; of an answer
// also [Pct], [Exact], [*Dec], [Row] and [Entries]. The field that declares it determines its format.
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
	// decimal is a percentage or a coefficient of a request, in units of 10^-8.
	decimal int64
	// faulty is in place of a value that was refused.
	faulty struct{ null }
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
func (In) fits(f *Field) bool    { return f.kind == objectKind }

func (decimal) fits(f *Field) bool { return f.kind == pctKind || f.kind == coefKind }

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

func (d decimal) appendJSON(b []byte, _ *Field) []byte { return appendQuoted(b, Pct(d).String()) }

func (c Count) appendJSON(b []byte, _ *Field) []byte { return strconv.AppendInt(b, int64(c), 10) }
func (v Bool) appendJSON(b []byte, _ *Field) []byte  { return strconv.AppendBool(b, bool(v)) }

func (l List) appendJSON(b []byte, f *Field) []byte {
	b = append(b, '[')
	for _, v := range l {
		b = v.appendJSON(comma(b), f.item)
	}
	return append(b, ']')
}

func (r Row) appendJSON(b []byte, f *Field) []byte { return appendFields(b, f.fields, r) }

// appendJSON writes the inputs in their normal form.
func (in In) appendJSON(b []byte, _ *Field) []byte { return appendFields(b, in.fields, in.values) }

// appendFields writes an object of the fields that have a value.
func appendFields(b []byte, fields []Field, values []Value) []byte {
	b = append(b, '{')
	for i, v := range values {
		if v != nil {
			b = v.appendJSON(appendName(b, fields[i].Name), &fields[i])
		}
	}
	return append(b, '}')
}

func (es Entries) appendJSON(b []byte, f *Field) []byte {
	b = append(b, '{')
	for _, e := range es {
		b = e.Value.appendJSON(appendName(b, e.Name), f.item)
	}
	return append(b, '}')
}

// comma separates the next element of an object or a list from the one before, if there is one.
func comma(b []byte) []byte {
	if last := b[len(b)-1]; last == '{' || last == '[' {
		return b
	}
	return append(b, ',')
}

func appendName(b []byte, name string) []byte { return append(appendString(comma(b), name), ':') }

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

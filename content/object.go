package content

import (
	"bytes"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"
)

// Member is one field of an object: its name and its value as JSON text.
type Member struct {
	Name  string
	Value json.RawMessage
}

// Object is a JSON object that keeps the order of its fields, which is the order for display.
// It is immutable once it is part of a Publication.
type Object []Member

// Get returns the value of the field, nil if there is none.
func (o Object) Get(name string) json.RawMessage {
	for _, m := range o {
		if m.Name == name {
			return m.Value
		}
	}
	return nil
}

// Text returns the value of a string field, else "".
func (o Object) Text(name string) string {
	raw := o.Get(name)
	if len(raw) < 2 || raw[0] != '"' {
		return ""
	}
	if inside := raw[1 : len(raw)-1]; raw[len(raw)-1] == '"' && isPlain(inside) {
		return string(inside)
	}
	var s string
	if json.Unmarshal(raw, &s) != nil {
		return ""
	}
	return s
}

// isPlain reports whether the content of a JSON string equals its value, like that of an id:
// printable ASCII without quotes and escapes.
func isPlain(inside []byte) bool {
	for _, c := range inside {
		if c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.Valid(inside)
}

// With returns a copy of the object with one more field at its end.
func (o Object) With(name string, value json.RawMessage) Object {
	return append(o[:len(o):len(o)], Member{name, value})
}

// AppendJSON appends the object as JSON text to dst.
func (o Object) AppendJSON(dst []byte) []byte {
	size := len("{}")
	for _, m := range o {
		size += len(m.Name) + len(m.Value) + len(`"":,`)
	}
	dst = append(slices.Grow(dst, size), '{')
	for i, m := range o {
		if i > 0 {
			dst = append(dst, ',')
		}
		dst = AppendString(dst, m.Name)
		dst = append(dst, ':')
		dst = append(dst, m.Value...)
	}
	return append(dst, '}')
}

// MarshalJSON makes an Object a json.Marshaler.
func (o Object) MarshalJSON() ([]byte, error) { return o.AppendJSON(nil), nil }

// UnmarshalJSON reads an object and keeps the order of its fields.
func (o *Object) UnmarshalJSON(data []byte) error {
	d := json.NewDecoder(bytes.NewReader(data))
	if t, err := d.Token(); err != nil || t != json.Delim('{') {
		return fmt.Errorf("expected a JSON object, found %v", t)
	}
	*o = nil
	for d.More() {
		t, err := d.Token()
		if err != nil {
			return err
		}
		var m Member
		m.Name, _ = t.(string)
		if err := d.Decode(&m.Value); err != nil {
			return err
		}
		*o = append(*o, m)
	}
	_, err := d.Token()
	return err
}

// AppendString appends s as a JSON string. Unlike json.Marshal it does not escape <, > and &:
// the text is for programs, and is never inserted into HTML without escaping.
func AppendString(dst []byte, s string) []byte {
	if needsNoEscape(s) {
		return append(append(append(dst, '"'), s...), '"')
	}
	buf := bytes.NewBuffer(dst)
	enc := json.NewEncoder(buf)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(s); err != nil {
		panic(err) // a string can always be encoded
	}
	return bytes.TrimSuffix(buf.Bytes(), []byte("\n"))
}

// needsNoEscape reports whether a string has nothing that encoding/json escapes. Most have not,
// and every string of every publication is written at each cold load.
func needsNoEscape(s string) bool {
	for i := range len(s) {
		if c := s[i]; c < ' ' || c == '"' || c == '\\' {
			return false
		}
	}
	return utf8.ValidString(s) && !strings.Contains(s, "\u2028") && !strings.Contains(s, "\u2029")
}

// String returns s as a JSON string.
func String(s string) json.RawMessage { return AppendString(nil, s) }

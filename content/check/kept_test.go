package check

import (
	"encoding/json"
	"reflect"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/content"
	"rulestore/schemas"
)

// What was not kept is refused, whatever it is.
func FuzzKept(f *testing.F) {
	file := Open(schemas.Embedded(), content.Guidelines, "x.001", []byte("title: Название \nsee: [1]\n"))
	kept, _ := file.Keep()
	stored, err := kept.AppendBinary(nil)
	if err != nil {
		f.Fatal(err)
	}
	f.Add(stored)
	f.Add([]byte{})
	f.Add([]byte{0xff, 0xff, 0xff, 0xff, 0x7f})
	f.Fuzz(func(t *testing.T, raw []byte) {
		var k Kept
		if k.UnmarshalBinary(raw) == nil {
			_, _ = k.Open(content.Guidelines, "x.001", file.Raw)
		}
	})
}

// readValue reads what encoding/json reads, where it reads anything.
func FuzzReadValue(f *testing.F) {
	for _, text := range []string{
		`{}`, `[]`, `""`, `"\"\\\u00e9\n"`, `{"a":[1,-2.5e3,true,false,null,"ж"],"b":{"a":{}}}`, `[1,]`, `{"a"}`, `"`,
		`"\`, `01`, `tru`, `[[[`, `1 `, `{"a":1,"a":2}`,
	} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		got, err := readValue(text)
		if err != nil || !utf8.ValidString(text) { // which no file has
			return
		}
		dec := json.NewDecoder(strings.NewReader(text))
		dec.UseNumber()
		var want any
		if err := dec.Decode(&want); err == nil && !reflect.DeepEqual(got, want) && json.Valid([]byte(text)) {
			t.Errorf("%#v, not %#v", got, want)
		}
	})
}

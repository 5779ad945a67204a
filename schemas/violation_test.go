package schemas_test

import (
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
)

// everything has a field for each kind of violation, and one of a kind that
// has no words of its own.
const everything = `
type: object
additionalProperties: false
required: [text, inner]
properties:
  text: {title: Т, type: string, minLength: 2, maxLength: 4}
  number: {title: Ч, type: number}
  count: {title: К, type: integer, maximum: 9}
  flag: {title: Д, type: boolean}
  choice: {title: В, type: string, enum: [low, high]}
  fixed: {title: П, const: "1.0"}
  code: {title: К, type: string, pattern: "^[a-z]+$"}
  day: {title: Д, type: string, format: date}
  address: {title: А, type: string, format: uri}
  either: {title: И, type: [string, "null"]}
  list: {title: С, type: array, minItems: 2, maxItems: 3, uniqueItems: true}
  inner:
    title: В
    type: object
    additionalProperties: false
    required: [id]
    properties:
      id: {title: К, type: string}
      more: {title: Ещё, type: array, items: {title: Э, type: object, additionalProperties: false, properties: {x: {title: Х, type: string}, y: {title: У, type: string}}}}
`

// validate checks a JSON text against everything.
func validate(t *testing.T, text string) []content.Violation {
	t.Helper()
	var value any
	d := json.NewDecoder(strings.NewReader(text))
	d.UseNumber()
	if err := d.Decode(&value); err != nil {
		t.Fatal(err)
	}
	return load(t, map[string]string{"a/1.0.yaml": everything}).Schema("a", "1.0").Validate(value)
}

// with is a valid value with one field more.
func with(field string) string { return `{"text":"abc","inner":{"id":"i"},` + field + `}` }

func TestViolations(t *testing.T) {
	top := []string{
		"text", "number", "count", "flag", "choice", "fixed", "code", "day", "address", "either", "list", "inner",
	}
	for i, test := range []struct {
		text string
		want content.Violation
	}{
		{with(`"text":1`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"string"},
				"found": content.Word("number")}).Advise(content.Say("wrong-type", "quotes", nil))}},
		{with(`"text":true`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"string"},
				"found": content.Word("boolean")}).Advise(content.Say("wrong-type", "quotes", nil))}},
		{with(`"text":null`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"string"},
				"found": content.Word("null")}).Advise(content.Say("wrong-type", "value", nil))}},
		{with(`"text":["abc"]`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"string"},
				"found": content.Word("array")})}},
		{with(`"text":{}`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"string"},
				"found": content.Word("object")})}},
		{with(`"number":"1"`), content.Violation{Pointer: []string{"number"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"number"},
				"found": content.Word("string")}).Advise(content.Say("wrong-type", "number", nil))}},
		{with(`"count":1.5`), content.Violation{Pointer: []string{"count"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"integer"},
				"found": content.Word("number")})}},
		{with(`"flag":"true"`), content.Violation{Pointer: []string{"flag"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"boolean"},
				"found": content.Word("string")})}},
		{with(`"either":1`), content.Violation{Pointer: []string{"either"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"null", "string"},
				"found": content.Word("number")}).Advise(content.Say("wrong-type", "quotes", nil))}},
		{with(`"inner":"i"`), content.Violation{Pointer: []string{"inner"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"object"},
				"found": content.Word("string")})}},
		{with(`"list":"i"`), content.Violation{Pointer: []string{"list"},
			Text: content.Say("wrong-type", "type", content.Args{"expected": content.OneOf{"array"},
				"found": content.Word("string")})}},
		{with(`"text":"Ё"`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("length", "short", content.Args{"got": 1, "want": 2})}},
		{with(`"text":"Ёлочка"`), content.Violation{Pointer: []string{"text"},
			Text: content.Say("length", "long", content.Args{"got": 6, "want": 4})}},
		{with(`"choice":"Low"`), content.Violation{Pointer: []string{"choice"},
			Text: content.Say("unknown-value", "enum", content.Args{"value": `"Low"`,
				"values": []string{`"low"`, `"high"`}})}},
		{with(`"fixed":"2.0"`), content.Violation{Pointer: []string{"fixed"},
			Text: content.Say("unknown-value", "const", content.Args{"value": `"2.0"`, "allowed": `"1.0"`})}},
		{with(`"fixed":1.0`), content.Violation{Pointer: []string{"fixed"},
			Text: content.Say("unknown-value", "const", content.Args{"value": `1.0`, "allowed": `"1.0"`})}},
		{with(`"code":"aБ\n"`), content.Violation{Pointer: []string{"code"},
			Text: content.Say("wrong-form", "pattern", content.Args{"value": "aБ\n", "pattern": "^[a-z]+$"})}},
		{with(`"day":"2026-02-30"`), content.Violation{Pointer: []string{"day"},
			Text: content.Say("wrong-form", "date", content.Args{"value": `"2026-02-30"`})}},
		{with(`"day":"01.05.2026"`), content.Violation{Pointer: []string{"day"},
			Text: content.Say("wrong-form", "date", content.Args{"value": `"01.05.2026"`})}},
		{with(`"address":"www.cbr.ru"`), content.Violation{Pointer: []string{"address"},
			Text: content.Say("wrong-form", "address", content.Args{"value": `"www.cbr.ru"`})}},
		{with(`"list":[1]`), content.Violation{Pointer: []string{"list"},
			Text: content.Say("length", "few", content.Args{"got": 1, "want": 2})}},
		{with(`"list":[1,2,3,4]`), content.Violation{Pointer: []string{"list"},
			Text: content.Say("length", "many", content.Args{"got": 4, "want": 3})}},
		{with(`"list":["a","b","a"]`), content.Violation{Pointer: []string{"list"},
			Text: content.Say("duplicate", "equal", content.Args{"first": 1, "second": 3})}},
		{with(`"list":[{"a":1,"b":2},{"b":2,"a":1.0}]`), content.Violation{Pointer: []string{"list"},
			Text: content.Say("duplicate", "equal", content.Args{"first": 1, "second": 2})}},
		{with(`"count":10`), content.Violation{Pointer: []string{"count"},
			Text: content.Say("schema", "maximum", content.Args{"got": "10", "want": "9"})}},
		{`{"inner":{"id":"i"}}`, content.Violation{Key: "text",
			Text: content.Say("missing-field", "field", content.Args{"field": "text"})}},
		{`{"text":"abc","inner":{}}`, content.Violation{Pointer: []string{"inner"}, Key: "id",
			Text: content.Say("missing-field", "field", content.Args{"field": "id"})}},
		{with(`"titel":1`), content.Violation{Key: "titel", Text: content.Say("unknown-field", "field",
			content.Args{"field": "titel", "fields": top})}},
		{with(`"inner":{"id":"i","ID":"i"}`), content.Violation{Pointer: []string{"inner"}, Key: "ID",
			Text: content.Say("unknown-field", "field", content.Args{"field": "ID",
				"fields": []string{"id", "more"}})}},
		{with(`"inner":{"id":"i","more":[{},{"z":1}]}`), content.Violation{Pointer: []string{"inner", "more", "1"},
			Key: "z", Text: content.Say("unknown-field", "field",
				content.Args{"field": "z", "fields": []string{"x", "y"}})}},
		{`[]`, content.Violation{Text: content.Say("wrong-type", "type",
			content.Args{"expected": content.OneOf{"object"}, "found": content.Word("array")})}},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			got := validate(t, test.text)
			if len(got) == 1 && len(got[0].Pointer) == 0 {
				got[0].Pointer = nil
			}
			if !reflect.DeepEqual(got, []content.Violation{test.want}) {
				t.Errorf("%s:\n got %+v\nwant %+v", test.text, got, test.want)
			}
		})
	}
}

func TestValidValues(t *testing.T) {
	for _, field := range []string{
		`"number":-1.5e3`, `"count":9`, `"count":9.0`, `"flag":false`, `"choice":"high"`,
		`"fixed":"1.0"`, `"code":"abc"`,
		`"day":"2028-02-29"`, `"address":"https://президент.рф/путь?a=b#c"`, `"either":null`,
		`"list":[1,"1"]`, `"list":[[1,2],[2,1]]`,
		`"inner":{"id":"i","more":[]}`, `"text":"Ёлка"`,
	} {
		if got := validate(t, with(field)); got != nil {
			t.Errorf("%s: %+v", field, got)
		}
	}
}

// All violations are found, and always in the order of the schema: a value
// before what is in it, unknown fields by name.
func TestViolationsComeInTheOrderOfTheSchema(t *testing.T) {
	const text = `{"zz":1,"list":[1,1,2,3],"inner":{"more":[{},{"y":1,"x":1},{"x":2},{"q":1},{"x":1},{"x":1},{"x":1},{"x":1},{"x":1},{"x":1},{"x":1}],"a":1},
		"code":"A","flag":1,"number":"x","aa":1,"text":"x","choice":"x","day":"x","count":11}`
	const want = `: aa
: zz
text
number
count
flag
choice
code
day
list
list
inner: id
inner: a
inner/more/1/x
inner/more/1/y
inner/more/2/x
inner/more/3: q
inner/more/4/x
inner/more/5/x
inner/more/6/x
inner/more/7/x
inner/more/8/x
inner/more/9/x
inner/more/10/x`
	for range 100 {
		var lines []string
		for _, v := range validate(t, text) {
			line := strings.Join(v.Pointer, "/")
			if v.Key != "" {
				line += ": " + v.Key
			}
			lines = append(lines, line)
		}
		if got := strings.Join(lines, "\n"); got != want {
			t.Fatalf("got:\n%s", got)
		}
	}
}

// Callers may keep what they were given: violations share no memory.
func TestPointersAreTheirOwn(t *testing.T) {
	found := validate(t, `{"text":"abc","inner":{"id":1,"more":[{"x":1,"y":1}]}}`)
	before := slices.Clone(found[2].Pointer)
	_ = append(found[1].Pointer[:1], "changed", "by", "a caller")
	if !slices.Equal(found[2].Pointer, before) {
		t.Errorf("the pointer became %q", found[2].Pointer)
	}
}

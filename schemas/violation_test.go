package schemas_test

import (
	"encoding/json"
	"fmt"
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

// told writes a violation down in a line: where it is, its field, its rule and what that names, and the hints.
func told(v content.Violation) string {
	line := fmt.Sprintf("%s: %s %s/%s %v", strings.Join(v.Pointer, "/"), v.Key, v.Text.Rule, v.Text.Key, v.Text.Args)
	for _, h := range v.Text.Hints {
		line += " " + h.Rule + "/" + h.Key
	}
	return line
}

func TestViolations(t *testing.T) {
	for text, want := range map[string]string{
		with(`"text":1`):            `text:  wrong-type/type map[expected:[string] found:number] wrong-type/quotes`,
		with(`"text":true`):         `text:  wrong-type/type map[expected:[string] found:boolean] wrong-type/quotes`,
		with(`"text":null`):         `text:  wrong-type/type map[expected:[string] found:null] wrong-type/value`,
		with(`"text":["abc"]`):      `text:  wrong-type/type map[expected:[string] found:array]`,
		with(`"text":{}`):           `text:  wrong-type/type map[expected:[string] found:object]`,
		with(`"number":"1"`):        `number:  wrong-type/type map[expected:[number] found:string] wrong-type/number`,
		with(`"count":1.5`):         `count:  wrong-type/type map[expected:[integer] found:number]`,
		with(`"flag":"true"`):       `flag:  wrong-type/type map[expected:[boolean] found:string]`,
		with(`"inner":"i"`):         `inner:  wrong-type/type map[expected:[object] found:string]`,
		with(`"list":"i"`):          `list:  wrong-type/type map[expected:[array] found:string]`,
		with(`"text":"Ё"`):          `text:  length/short map[got:1 want:2]`,
		with(`"text":"Ёлочка"`):     `text:  length/long map[got:6 want:4]`,
		with(`"choice":"Low"`):      `choice:  unknown-value/enum map[value:"Low" values:["low" "high"]]`,
		with(`"fixed":"2.0"`):       `fixed:  unknown-value/const map[allowed:"1.0" value:"2.0"]`,
		with(`"fixed":1.0`):         `fixed:  unknown-value/const map[allowed:"1.0" value:1.0]`,
		with(`"code":"aБ\n"`):       "code:  wrong-form/pattern map[pattern:^[a-z]+$ value:aБ\n]",
		with(`"day":"2026-02-30"`):  `day:  wrong-form/date map[value:"2026-02-30"]`,
		with(`"day":"01.05.2026"`):  `day:  wrong-form/date map[value:"01.05.2026"]`,
		with(`"list":[1]`):          `list:  length/few map[got:1 want:2]`,
		with(`"list":[1,2,3,4]`):    `list:  length/many map[got:4 want:3]`,
		with(`"count":10`):          `count:  schema/maximum map[got:10 want:9]`,
		`{"inner":{"id":"i"}}`:      `: text missing-field/field map[field:text]`,
		`{"text":"abc","inner":{}}`: `inner: id missing-field/field map[field:id]`,
		`[]`:                        `:  wrong-type/type map[expected:[object] found:array]`,

		with(`"address":"www.cbr.ru"`):                 `address:  wrong-form/address map[value:"www.cbr.ru"]`,
		with(`"list":["a","b","a"]`):                   `list:  duplicate/equal map[first:1 second:3]`,
		with(`"list":[{"a":1,"b":2},{"b":2,"a":1.0}]`): `list:  duplicate/equal map[first:1 second:2]`,
		with(`"either":1`): `either:  wrong-type/type map[expected:[null string] found:number] ` +
			`wrong-type/quotes`,
		with(`"titel":1`): `: titel unknown-field/field map[field:titel fields:[text number count flag choice ` +
			`fixed code day address either list inner]]`,
		with(`"inner":{"id":"i","ID":"i"}`):            `inner: ID unknown-field/field map[field:ID fields:[id more]]`,
		with(`"inner":{"id":"i","more":[{},{"z":1}]}`): `inner/more/1: z unknown-field/field map[field:z fields:[x y]]`,
	} {
		t.Run(text, func(t *testing.T) {
			if got := validate(t, text); len(got) != 1 || told(got[0]) != want {
				t.Errorf("got %+v\nwant %s", got, want)
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

package check

import (
	"encoding/json"
	"slices"

	"rulestore/content"
)

// Codes are the codes that an item takes from registries and, if it is one, those that it
// has, by list: taxonomy/stop_codes.
type Codes struct{ Used, Has map[string][]string }

// AppendBinary appends the form in which a cache stores it.
func (c Codes) AppendBinary(dst []byte) ([]byte, error) {
	raw, err := json.Marshal(codes(c))
	return append(dst, raw...), err
}

// UnmarshalBinary reads what AppendBinary wrote. The error says that it is something else.
func (c *Codes) UnmarshalBinary(raw []byte) error { return json.Unmarshal(raw, (*codes)(c)) }

// codes are Codes in JSON.
type codes Codes

// CodesOf returns the codes in the text of an item; none if its format is not known.
func CodesOf(schemas content.Schemas, k *content.Kind, name string, body content.Object) Codes {
	c := Codes{map[string][]string{}, map[string][]string{}}
	doc := &Document{Path: k.File(name)}
	if json.Unmarshal(body.AppendJSON(nil), &doc.value) != nil {
		return c
	}
	f := File{Kind: k, Name: name, doc: doc, Result: Result{Body: body}}
	for _, n := range f.Names(schemas) {
		of := c.Used
		if n.Defines {
			of = c.Has
		}
		if n.List != "" && !slices.Contains(of[n.List], n.Text) {
			of[n.List] = append(of[n.List], n.Text)
		}
	}
	return c
}

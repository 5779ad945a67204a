package check

import (
	"encoding/json"
	"slices"

	"rulestore/content"
)

// Codes are the codes of registries that an item uses and, if it is a registry, those that it
// defines, by list: taxonomy/stop_codes.
type Codes struct{ Used, Has map[string][]string }

// CodesOf returns the codes in the text of an item; none if its format is unknown.
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

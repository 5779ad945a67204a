package change

import (
	"bytes"
	"cmp"
	"encoding/json"
	"slices"

	"rulestore/content"
)

// Referrer is a place at which another item refers to the changed one.
type Referrer struct {
	Item   string `json:"item"` // folder and name of the referring item
	Code   string `json:"code,omitempty"`
	Line   int    `json:"line,omitempty"` // in its file
	Column int    `json:"column,omitempty"`
}

// Named is an item whose references are searched.
type Named struct {
	Item       string // folder and name
	Body       content.Object
	References []content.Reference
}

// Referrers returns the references to an item, by item and line.
func Referrers(items []Named, item string) []Referrer {
	found := []Referrer{}
	for _, n := range items {
		for _, r := range n.References {
			if r.Item == item && n.Item != item {
				found = append(found, Referrer{Item: n.Item, Line: r.Line, Column: r.Column})
			}
		}
	}
	sortReferrers(found)
	return found
}

// Users returns the items, except the defining one, that use one of the codes: a string that
// equals the code.
func Users(items []Named, item string, codes []string) []Referrer {
	found := []Referrer{}
	for _, n := range items {
		if n.Item == item || len(codes) == 0 {
			continue
		}
		used := texts(n.Body)
		for _, c := range codes {
			if used[c] {
				found = append(found, Referrer{Item: n.Item, Code: c})
			}
		}
	}
	sortReferrers(found)
	return found
}

func sortReferrers(r []Referrer) {
	slices.SortStableFunc(r, func(a, b Referrer) int {
		return cmp.Or(
			cmp.Compare(a.Item, b.Item), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code),
		)
	})
}

// texts returns all strings in a body, without the names of fields.
func texts(body content.Object) map[string]bool {
	all := map[string]bool{}
	var walk func(v any)
	walk = func(v any) {
		switch v := v.(type) {
		case string:
			all[v] = true
		case []any:
			for _, e := range v {
				walk(e)
			}
		case map[string]any:
			for _, e := range v {
				walk(e)
			}
		}
	}
	for _, m := range body {
		if !bytes.ContainsRune(m.Value, '"') {
			continue
		}
		var v any
		if json.Unmarshal(m.Value, &v) == nil {
			walk(v)
		}
	}
	return all
}

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

// referrers returns the references of items to another one, by item and line.
func referrers(items []Item, item string) []Referrer {
	found := []Referrer{}
	for _, i := range items {
		for _, r := range i.References {
			if r.Item == item && i.ID() != item {
				found = append(found, Referrer{Item: i.ID(), Line: r.Line, Column: r.Column})
			}
		}
	}
	return sorted(found)
}

// users returns the items, except the defining one, that use one of the codes: a string that equals the code.
func users(items []Item, item string, codes []string) []Referrer {
	found := []Referrer{}
	for _, i := range items {
		if i.ID() == item || len(codes) == 0 {
			continue
		}
		used := texts(i.Body)
		for _, c := range codes {
			if used[c] {
				found = append(found, Referrer{Item: i.ID(), Code: c})
			}
		}
	}
	return sorted(found)
}

func sorted(r []Referrer) []Referrer {
	slices.SortStableFunc(r, func(a, b Referrer) int {
		return cmp.Or(
			cmp.Compare(a.Item, b.Item), cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Code, b.Code),
		)
	})
	return r
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

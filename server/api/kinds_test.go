package api

import (
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/schemas"
)

// A name of several words is one name in the description.
func TestNamesOfNewKind(t *testing.T) {
	w := wordsOf(&content.Kind{Folder: "court-fees", Title: "Пошлины", Name: "court_fee", ID: "court_fee_id"})
	if w.Schema != "CourtFee" || w.Plural != "CourtFees" || w.Param.Key != "CourtFeeName" {
		t.Errorf("%q, %q, %q", w.Schema, w.Plural, w.Param.Key)
	}
}

// What formats say is in the description by itself: every field of every format, with the values that it may
// have.
func TestFormatsAreDescribed(t *testing.T) {
	set := schemas.Embedded()
	doc, err := describe(content.Kinds, set)
	if err != nil {
		t.Fatal(err)
	}
	components, checked := inside(doc, "components", "schemas"), 0
	for _, k := range content.Kinds {
		for _, s := range addressesOf(k, wordsOf(k), set) {
			folders := s.formats()
			if len(folders) > 1 {
				continue // it has what they have in common
			}
			properties := inside(components, s.Schema, "properties")
			for _, format := range set.Formats(folders[0]) {
				for _, f := range set.Schema(folders[0], format).Root().Fields {
					checked++
					described := inside(properties, f.Name)
					if described == nil {
						t.Errorf("%s has no %s of %s/%s", s.Schema, f.Name, folders[0], format)
					}
					for _, v := range f.Values {
						values := string(described.Get("enum")) + string(described.Get("const"))
						if !strings.Contains(values, `"`+v+`"`) {
							t.Errorf("%s.%s may not be %s of %s/%s: %s", s.Schema, f.Name, v, folders[0], format,
								values)
						}
					}
				}
			}
		}
	}
	if checked < 200 {
		t.Errorf("only %d fields", checked)
	}
	some := addressesOf(content.Instructions, wordsOf(content.Instructions), set)
	folders := some[len(some)-1].formats()
	if !slices.Contains(folders, "instructions") || !slices.Contains(folders, "instructions/math-module") ||
		slices.Contains(folders, "instructions/assistant") {
		t.Errorf("instructions without an address of their own have the formats in %q", folders)
	}
}

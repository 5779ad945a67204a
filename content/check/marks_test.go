package check_test

import (
	"slices"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
)

func TestMarksIn(t *testing.T) {
	one := content.Mark{Item: "guidelines/a", Status: "archived", Reason: "x", Since: "2026-05-01"}
	for text, want := range map[string][]content.Mark{
		"marks: [{item: guidelines/a, status: archived, reason: x, since: 2026-05-01}]":                 {one},
		"marks: [{item: guidelines/a, item: b, status: archived, reason: x, since: 2026-05-01, y: []}]": {one},
		"schema_version: '9.9'\nz: {}\nmarks: [1, [], {}, {item: [a]}]":                                 {{}},
		"marks: &a [*a]\n":              nil,
		"marks: {item: a}":              nil,
		"marks":                         nil,
		"[marks]":                       nil,
		"":                              nil,
		"a: [":                          nil,
		"a: 1\n---\nmarks: [{item: a}]": nil,
	} {
		t.Run(text, func(t *testing.T) {
			if got := check.MarksIn([]byte(text)); !slices.Equal(got, want) {
				t.Errorf("%q has the marks %+v", text, got)
			}
		})
	}
}

func FuzzMarksIn(f *testing.F) {
	f.Add([]byte("marks: [{item: guidelines/a, status: void, <<: {a: 1}}]"))
	f.Fuzz(func(_ *testing.T, raw []byte) { check.MarksIn(raw) })
}

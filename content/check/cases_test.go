package check_test

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content/check"
	"rulestore/schemas"
)

func TestCases(t *testing.T) {
	raw := `# what people ask
- search: {q: кто поможет, expect: a.001}
-
  search:
    q: "0"
    kind: signal
    expect: [a, b]
    within: 5

- calc: {tool: x, inputs: {sum: "1.00", count: 2, list: [{a: true}]}, outputs: {rate: 3.5}}
- signals: {given: [A, B], result: none}
- read: {item: schemas/math/loan, section: a/b, is: null}
- size: {item: instructions/a, view: brief, at_most: 4096}
`
	all, found := check.Cases(schemas.Embedded(), "tests/a.yaml", []byte(raw))
	if len(found) > 0 || len(all) != 6 {
		t.Fatalf("%d cases, findings %v", len(all), found)
	}
	if c := all[1]; c.Path != "tests/a.yaml" || c.Line != 4 || c.Column != 3 || c.Search.Q != "0" ||
		fmt.Sprint(c.Search.Expect) != "[a b]" || c.Search.First() != 5 {
		t.Errorf("the second is %+v, %+v", c, c.Search)
	}
	if c := all[0].Search; c.First() != 3 || fmt.Sprint(c.Expect) != "[a.001]" {
		t.Errorf("the first is %+v", c)
	}
	if c := all[2].Calc; !strings.Contains(string(c.Inputs), `"list":[{"a":true}]`) ||
		string(c.Outputs["rate"]) != "3.5" {
		t.Errorf("the calculation is %s, %s", c.Inputs, c.Outputs)
	}
	if c := all[4].Read; string(c.Is) != "null" {
		t.Errorf("null is %q", c.Is)
	}
}

// A file of cases that is wrong is findings with their places, and never a crash.
func TestBrokenCases(t *testing.T) {
	for _, c := range []struct{ name, raw, rule, at string }{
		{"empty", "", "syntax", "1:1"},
		{"only a comment", "# nothing\n", "syntax", "1:1"},
		{"fields", "search: {q: a, expect: b}\n", "syntax", "1:1"},
		{"a text", "search\n", "syntax", "1:1"},
		{"no YAML", "- search: {q: a\n- b\n", "syntax", "2:1"},
		{"two documents", "- search: {q: a, expect: b}\n---\n- search: {q: a, expect: b}\n", "documents", "2:1"},
		{"an alias", "- search: &a {q: a, expect: b}\n- search: *a\n", "anchor", "1:11"},
		{"a field twice", "- search: {q: a, q: b, expect: c}\n", "duplicate-key", "1:18"},
		{"two kinds", "- search: {q: a, expect: b}\n  size: {item: a/b, at_most: 1}\n", "schema", "1:3"},
		{"no kind", "- {}\n", "schema", "1:3"},
		{"nothing", "-\n", "wrong-type", "1:2"},
		{"another kind", "- serch: {q: a, expect: b}\n", "unknown-field", "1:3"},
		{"no question", "- search: {expect: b}\n", "missing-field", "1:11"},
		{"a number", "- search: {q: 5, expect: b}\n", "wrong-type", "1:15"},
		{"no answer", "- search: {q: a, expect: []}\n", "length", "1:26"},
		{"within none", "- search: {q: a, expect: b, within: 0}\n", "schema", "1:37"},
		{"another view", "- size: {item: a/b, view: short, at_most: 1}\n", "unknown-value", "1:27"},
		{"no item", "- read: {item: a, section: b, is: c}\n", "wrong-form", "1:16"},
		{"too many", strings.Repeat("- size: {item: a/b, at_most: 1}\n", 2001), "length", "1:1"},
		{"too long", "- search: {q: " + strings.Repeat("а", 201) + ", expect: b}\n", "length", "1:15"},
	} {
		t.Run(c.name, func(t *testing.T) {
			all, found := check.Cases(schemas.Embedded(), "tests/a.yaml", []byte(c.raw))
			if len(all) > 0 || len(found) == 0 {
				t.Fatalf("%d cases, findings %v", len(all), found)
			}
			if f := found[0]; f.Rule != c.rule || fmt.Sprintf("%d:%d", f.Line, f.Column) != c.at {
				t.Errorf("got %s %d:%d %s, expected %s %s", f.Rule, f.Line, f.Column, f.Message, c.rule, c.at)
			}
		})
	}
}

// What is mended in a file of cases leaves it saying the same.
func TestFixCases(t *testing.T) {
	raw := "- search: {q: a, expect: b}\r\n- signals: {given: [A], result: none}\r\n"
	fixed, rules := check.Fix("tests/a.yaml", []byte(raw))
	if want := "- search: {q: a, expect: b}\n- signals: {given: [A], result: none}\n"; string(fixed) != want {
		t.Errorf("by %q: %q", rules, fixed)
	}
}

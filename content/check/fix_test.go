package check_test

import (
	"bytes"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

func TestFix(t *testing.T) {
	for name, c := range map[string]struct{ before, after, rules string }{
		"nothing": {scenario, scenario, ""},
		"bom":     {"\uFEFF" + scenario, scenario, "bom"},
		"crlf":    {strings.ReplaceAll(scenario, "\n", "\r\n"), scenario, "crlf"},
		"format":  {strings.Replace(scenario, `"1.0"`, "1.0", 1), scenario, "format"},
		"all at once": {"\uFEFF" + strings.ReplaceAll(strings.Replace(scenario, `"1.0"`, "1.0", 1), "\n", "\r\n"),
			scenario, "bom crlf format"},
		"tabs":                 {scenario + "a:\n\tb:\n\t\t- c\n", scenario + "a:\n  b:\n    - c\n", "tab"},
		"tabs and spaces":      {scenario + "a:\n\tb: c\nd:\n  e: f\n", scenario + "a:\n\tb: c\nd:\n  e: f\n", ""},
		"tabs, and broken too": {scenario + "a:\n\tb: c: d\n", scenario + "a:\n\tb: c: d\n", ""},
		"no YAML":              {"a: b: c \n", "a: b: c \n", ""},
		"not UTF-8":            {"a: \xff \r\n", "a: \xff \r\n", ""},
		"empty":                {"", "", ""},
	} {
		t.Run(name, func(t *testing.T) {
			got, rules := check.Fix("scenarios/x.yaml", []byte(c.before))
			if string(got) != c.after || strings.Join(rules, " ") != c.rules {
				t.Errorf("%s: mended %q\n got %q\nwant %q", name, rules, got, c.after)
			}
			if again, rules := check.Fix("scenarios/x.yaml", got); len(rules) > 0 || !bytes.Equal(again, got) {
				t.Errorf("%s: there is more to mend the second time: %q", name, rules)
			}
		})
	}
}

// What --fix promises to mend is gone afterwards, and every rule that says so is
// tried.
func TestFixableRules(t *testing.T) {
	tried := map[string]string{
		"bom": "\uFEFF" + scenario, "crlf": strings.ReplaceAll(scenario, "\n", "\r\n"),
		"tab":      scenario + "product_types:\n\t- a\n",
		"composed": strings.Replace(scenario, "1.0\"", "1.0\" # и\u0306", 1) + "product_types: [и\u0306]\n",
		"format":   strings.Replace(scenario, `"1.0"`, "1.0", 1),
	}
	for _, r := range check.Rules() {
		text, ok := tried[r.ID]
		if ok != r.Fixable {
			t.Errorf("%s is fixable: %v", r.ID, r.Fixable)
		}
		if !ok {
			continue
		}
		if !finds(text, r.ID) {
			t.Errorf("%q is not against the rule %s", text, r.ID)
		}
		fixed, _ := check.Fix("scenarios/x.yaml", []byte(text))
		if finds(string(fixed), r.ID) {
			t.Errorf("%q is still against the rule %s", fixed, r.ID)
		}
	}
}

func finds(text, rule string) bool {
	found := check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(text)).Findings
	for _, f := range append(found, check.Style("scenarios/x.yaml", []byte(text))...) {
		if f.Rule == rule {
			return true
		}
	}
	return false
}

// A file that could be read says the same when it is mended; one that could not
// can be read, or is left alone. A format gets its quotes.
func FuzzFix(f *testing.F) {
	for _, text := range []string{scenario, "\uFEFF" + scenario, "a:\n\t- b\n", "a: |\n  b  \n c: 1.0 \r\n",
		"a: \"b  \n  c\" \n", "schema_version: 1.0", "a: -0.0", "? a\n: 1.50\n", "{a: 1.0, b: [2.0,\t3.0 ]}"} {
		f.Add([]byte(text))
	}
	f.Fuzz(func(t *testing.T, raw []byte) {
		fixed, rules := check.Fix("x.yaml", raw)
		if len(rules) == 0 {
			if !bytes.Equal(fixed, raw) {
				t.Errorf("nothing was mended, and %q became %q", raw, fixed)
			}
			return
		}
		before, _ := check.Parse("x.yaml", raw)
		after, findings := check.Parse("x.yaml", fixed)
		switch {
		case after == nil:
			t.Fatalf("%q cannot be read any more: %v", fixed, findings)
		case before == nil:
			return
		}
		for i, m := range before.Body {
			quoted := strings.HasSuffix(m.Name, "_version") && after.Body[i].Value[0] == '"'
			if !bytes.Equal(m.Value, after.Body[i].Value) && !quoted {
				t.Errorf("%q became %q: %s was %s and is %s", raw, fixed, m.Name, m.Value, after.Body[i].Value)
			}
		}
	})
}

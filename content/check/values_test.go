package check_test

import (
	"io/fs"
	"os"
	"strings"
	"testing"
	"testing/fstest"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// withPeriods are the formats and one more of parameters, in which a value may be given
// for each period.
func withPeriods(t *testing.T) *schemas.Set {
	t.Helper()
	all := fstest.MapFS{}
	dir := os.DirFS("../../schemas")
	err := fs.WalkDir(dir, ".", func(path string, e fs.DirEntry, err error) error {
		if err != nil || e.IsDir() || !strings.HasSuffix(path, ".yaml") {
			return err
		}
		raw, err := fs.ReadFile(dir, path)
		all[path] = &fstest.MapFile{Data: raw}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	next := strings.NewReplacer(`const: "1.0"`, `const: "1.1"`, "value_type, value, sources", "value_type, sources", "  unit:\n",
		"  periods:\n    title: Сроки\n    description: Когда какое значение.\n    type: array\n    items:\n      type: object\n      properties:\n        value: {type: [number, string]}\n  unit:\n")
	all["parameters/1.1.yaml"] = &fstest.MapFile{Data: []byte(next.Replace(string(all["parameters/1.0.yaml"].Data)))}
	set, err := schemas.Load(all)
	if err != nil {
		t.Fatal(err)
	}
	return set
}

// Values are held against their type in formats to come too, and in each period.
func TestValuesOfPeriods(t *testing.T) {
	raw := `{parameter_id: a.b, schema_version: "1.1", title: Предел, description: Наибольшая сумма., value_type: money, unit: RUB,
periods: [{value: 400000}, {value: "500 000"}, {value: -5}],
sources: [{title: Закон, url: "https://www.cbr.ru/", checked_on: 2026-01-10}], verified_at: 2026-01-10, certainty: high, valid_from: 2026-01-01}
`
	r := check.Item(withPeriods(t), content.Parameters, "a.b", []byte(raw))
	if len(r.Findings) != 2 || r.Findings[0].Rule != "value" || r.Findings[0].Line != 2 || r.Findings[0].Column != 36 || r.Findings[1].Column != 56 {
		t.Errorf("found %v", r.Findings)
	}
}

// A finding about a field says what its format says of it, an example among it.
func TestFindingsTellOfFields(t *testing.T) {
	for _, test := range []struct {
		name, raw string
		want      content.About
	}{
		{"missing", "scenario_id: x\nschema_version: \"1.0\"\ntitle: Имя\n", content.About{Format: "scenarios/1.0", Field: "description", Title: "Описание"}},
		{"misspelt", "scenario_id: x\nschema_version: \"1.0\"\ntitle: Имя\ndescription: Описание сценария.\nproduct_typs: [a]\n", content.About{Format: "scenarios/1.0", Field: "product_types"}},
		{"of another type", "scenario_id: x\nschema_version: \"1.0\"\ntitle: 1\ndescription: Описание сценария.\n", content.About{Format: "scenarios/1.0", Field: "title"}},
		{"inside", "scenario_id: x\nschema_version: \"1.0\"\ntitle: Имя\ndescription: Описание сценария.\nstop_filters: [{stop_code: STOP, title: Стоп}]\n", content.About{Format: "scenarios/1.0", Field: "stop_filters.condition"}},
		{"of no format", "scenario_id: x\nschema_version: \"7.0\"\ntitle: Имя\n", content.About{Format: "scenarios/1.0", Field: "schema_version"}},
		{"without format", "scenario_id: x\n", content.About{Format: "scenarios/1.0", Field: "schema_version", Example: `schema_version: "1.0"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(test.raw))
			if len(r.Findings) != 1 {
				t.Fatal(r.Findings)
			}
			a, last := r.Findings[0].About, test.want.Field[strings.LastIndexByte(test.want.Field, '.')+1:]
			if a.Format != test.want.Format || a.Field != test.want.Field || test.want.Title != "" && a.Title != test.want.Title || a.Description == "" || !strings.HasPrefix(a.Example, last+": ") {
				t.Errorf("%+v", a)
			}
			if test.want.Example != "" && a.Example != test.want.Example {
				t.Errorf("the example is %s", a.Example)
			}
		})
	}
}

// The example of a field that holds others has those that are needed.
func TestExampleOfAnObject(t *testing.T) {
	r := check.Item(schemas.Embedded(), content.Guidelines, "a.b.001", []byte("guideline_id: a.b.001\nschema_version: \"1.0\"\n"))
	for _, f := range r.Findings {
		if f.About.Field == "guardrails" && !strings.HasPrefix(f.About.Example, "guardrails: [{guardrail_id: ") {
			t.Errorf("the example is %s", f.About.Example)
		}
	}
}

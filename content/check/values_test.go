package check_test

import (
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// A finding about a field says what its format says of it, an example among it.
func TestFindingsTellOfFields(t *testing.T) {
	for _, test := range []struct {
		name, raw string
		want      content.About
	}{
		{"missing", "scenario_id: x\nschema_version: \"1.0\"\ntitle: Имя\n",
			content.About{Format: "scenarios/1.0", Field: "description", Title: "Описание"}},
		{"misspelt", "scenario_id: x\nschema_version: \"1.0\"\ntitle: Имя\ndescription: Описание сценария.\n" +
			"product_typs: [a]\n", content.About{Format: "scenarios/1.0", Field: "product_types"}},
		{"of another type", "scenario_id: x\nschema_version: \"1.0\"\ntitle: 1\ndescription: Описание сценария.\n",
			content.About{Format: "scenarios/1.0", Field: "title"}},
		{"inside", "scenario_id: x\nschema_version: \"1.0\"\ntitle: Имя\ndescription: Описание сценария.\n" +
			"stop_filters: [{stop_code: STOP, title: Стоп}]\n",
			content.About{Format: "scenarios/1.0", Field: "stop_filters.condition"}},
		{"of no format", "scenario_id: x\nschema_version: \"7.0\"\ntitle: Имя\n",
			content.About{Format: "scenarios/1.1", Field: "schema_version"}},
		{"without format", "scenario_id: x\n", content.About{Format: "scenarios/1.1", Field: "schema_version",
			Example: `schema_version: "1.1"`}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check.Item(schemas.Embedded(), content.Scenarios, "x", []byte(test.raw))
			if len(r.Findings) != 1 {
				t.Fatal(r.Findings)
			}
			a, last := r.Findings[0].About, test.want.Field[strings.LastIndexByte(test.want.Field, '.')+1:]
			if a.Format != test.want.Format || a.Field != test.want.Field || test.want.Title != "" &&
				a.Title != test.want.Title || a.Description == "" || !strings.HasPrefix(a.Example, last+": ") {
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
	r := check.Item(schemas.Embedded(), content.Guidelines, "a.b.001",
		[]byte("guideline_id: a.b.001\nschema_version: \"1.0\"\n"))
	for _, f := range r.Findings {
		if f.About.Field == "guardrails" && !strings.HasPrefix(f.About.Example, "guardrails: [{guardrail_id: ") {
			t.Errorf("the example is %s", f.About.Example)
		}
	}
}

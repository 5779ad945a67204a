package check_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// Names are found with their places: the item's own, its records', those of other items
// and records. A file that breaks rules has them too, one that cannot be read has none.
func TestNames(t *testing.T) {
	for _, c := range []struct {
		name string
		kind *content.Kind
		file string
		text string
		want []string
	}{
		{"records", content.Registries, "taxonomy",
			"registry_id: service.taxonomy.001\nschema_version: \"1.0\"\nproduct_types:\n" +
				"  - {code: deposit, title: Вклад}\n  - title: Без кода\n  - code: loan\n", []string{
				"registry_id is registries/taxonomy", "product_types/0/code is taxonomy/product_types deposit",
				"product_types/2/code is taxonomy/product_types loan"}},
		{"references", content.Guidelines, "a.b.001",
			"guideline_id: a.b.001\nschema_version: \"1.0\"\napplicability: {product_types: [deposit, 1]}\nrules:\n" +
				"  - {stop_code: STOP, related_guidelines: [c.d.001]}\n", []string{
				"guideline_id is guidelines/a.b.001",
				"applicability/product_types/0 names taxonomy/product_types deposit",
				"rules/0/stop_code names taxonomy/stop_codes STOP",
				"rules/0/related_guidelines/0 names guidelines/c.d.001"}},
		{"another id", content.Instructions, "assistant",
			"instruction_id: service.assistant.001\nschema_version: \"1.0\"\n",
			[]string{"instruction_id is instructions/assistant"}},
		{"no format", content.Guidelines, "a.b.001", "guideline_id: a.b.001\nschema_version: \"9.0\"\n", nil},
		{"no YAML", content.Guidelines, "a.b.001", "guideline_id: [\n", nil},
	} {
		t.Run(c.name, func(t *testing.T) {
			f := check.Open(schemas.Embedded(), c.kind, c.file, []byte(c.text))
			if got := describeNames(f.Names()); !slices.Equal(got, c.want) {
				t.Errorf("%q\nexpected %q", got, c.want)
			}
		})
	}
}

func describeNames(names []check.Name) (all []string) {
	for _, n := range names {
		verb := map[bool]string{true: "is", false: "names"}[n.Defines]
		what := n.Item
		if n.List != "" {
			what = n.List + " " + n.Text
		}
		all = append(all, fmt.Sprintf("%s %s %s", strings.Join(n.Pointer, "/"), verb, what))
	}
	return all
}

func TestNamesInRoot(t *testing.T) {
	for path, c := range map[string]struct {
		text string
		want []string
	}{
		content.LifecycleFile: {"schema_version: \"1.0\"\nmarks:\n  - {item: guidelines/a.b.001, status: archived}\n" +
			"  - {status: archived}\n", []string{"marks/0/item names guidelines/a.b.001"}},
		content.SettingsFile: {"schema_version: \"1.0\"\nscenarios: [deposits]\n",
			[]string{"scenarios/0 names scenarios/deposits"}},
	} {
		t.Run(path, func(t *testing.T) {
			d, _ := check.Parse(path, []byte(c.text))
			if got := describeNames(d.Names(schemas.Embedded())); !slices.Equal(got, c.want) {
				t.Errorf("%q\nexpected %q", got, c.want)
			}
		})
	}
}

// The value at a pointer is what is there; a pointer that leads nowhere finds nothing.
func TestValues(t *testing.T) {
	f := check.Open(schemas.Embedded(), content.Scenarios, "x", []byte("a: [{b: c}]\n"))
	for pointer, want := range map[string]any{"a/0/b": "c", "a/1": nil, "a/-1": nil, "a/x": nil,
		"a/0/b/c": nil, "d": nil} {
		t.Run(pointer, func(t *testing.T) {
			if got := f.Value(strings.Split(pointer, "/")...); got != want {
				t.Errorf("%v", got)
			}
		})
	}
}

// The review of some files finds what the review of all finds in them, and that of one
// item the same but for what nobody names.
func TestReviewOfSome(t *testing.T) {
	open := func(k *content.Kind, name, text string) check.File {
		f := check.Open(schemas.Embedded(), k, name, []byte(text))
		if !f.OK() {
			t.Fatal(f.Findings)
		}
		return f
	}
	tree := check.Tree{Today: "2026-05-01", Settings: &content.Settings{Scenarios: []string{"one", "three"}},
		Marks: []content.Mark{{Item: "scenarios/four"}}, Items: []check.File{
			open(content.Scenarios, "one", strings.ReplaceAll(scenario, "scenario_id: x", "scenario_id: one")+
				"product_types: [deposti]\nstop_filters: [{stop_code: STOP, title: \"**Стоп**\", condition: Всегда.}]\n"),
			open(content.Scenarios, "two", strings.ReplaceAll(scenario, "scenario_id: x", "scenario_id: two")+
				"product_types: [loan]\n"),
			open(content.Registries, "taxonomy",
				"registry_id: service.taxonomy.001\nschema_version: \"1.0\"\ntitle: Таксономия\n"+
					"description: Коды видов продуктов.\nscenarios: [{code: one, title: Один}]\n"+
					"product_types: [{code: deposit, title: Вклад}, {code: card, title: \"**Карта**\"}]\n"),
		}}
	all := check.Review(tree, nil)
	for _, path := range []string{"scenarios/one.yaml", "scenarios/two.yaml", "registries/taxonomy.yaml",
		content.SettingsFile, content.LifecycleFile} {
		t.Run(path, func(t *testing.T) {
			want := slices.DeleteFunc(slices.Clone(all), func(f content.Finding) bool { return f.Path != path })
			got := check.Review(tree, func(p string) bool { return p == path })
			if !slices.Equal(got, want) || len(got) == 0 {
				t.Errorf("%v\nexpected %v", got, want)
			}
		})
	}
}

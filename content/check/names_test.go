package check_test

import (
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/check"
	"rulestore/schemas"
)

// A file that cannot be parsed, or names no known format, has no names.
func TestNoNames(t *testing.T) {
	const head = "registry_id: service.taxonomy.001\nproduct_types: [{code: loan}]\nschema_version: "
	for _, format := range []string{"\"9.0\"\n", "[\n"} {
		f := check.Open(schemas.Embedded(), content.Registries, "taxonomy", []byte(head+format))
		if names := f.Names(); len(names) > 0 {
			t.Errorf("%q: %v", format, names)
		}
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

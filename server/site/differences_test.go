package site

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/schemas"
)

// body is a guideline with these fields.
func body(t *testing.T, fields string) content.Object {
	t.Helper()
	var o content.Object
	err := json.Unmarshal([]byte(`{"guideline_id":"a.b.001","schema_version":"1.2","title":"Правило",`+fields+`}`), &o)
	if err != nil {
		t.Fatal(err)
	}
	return o
}

func rule(id, title, action string) string {
	return fmt.Sprintf(`{"rule_id":%q,"title":%q,"action":%q}`, id, title, action)
}

// Changes are named by codes and never by places, and stand in the order of the text.
func TestChanges(t *testing.T) {
	rules := func(all ...string) string { return `"rules":[` + strings.Join(all, ",") + `]` }
	one, two, three := rule("one", "Первое", "Делать."), rule("two", "Второе", "Не делать."),
		rule("three", "Третье", "Ждать.")
	source := func(title, url, day string) string {
		return fmt.Sprintf(`{"title":%q,"url":%q,"checked_on":%q}`, title, url, day)
	}
	for _, c := range []struct {
		name, before, after string
		want                []string // what, id, words
		upkeep              int
	}{
		{"the same", rules(one, two), rules(one, two), nil, 0},
		{"a rule in between", rules(one, three), rules(one, two, three),
			[]string{"added rules/two Правила › Второе"}, 0},
		{"a rule gone", rules(one, two, three), rules(one, three), []string{"removed rules/two Правила › Второе"}, 0},
		{"a text of a moved rule", rules(one, two), rules(rule("two", "Второе", "Делать."), one),
			[]string{"moved rules Правила", "changed rules/two/action Правила › Второе › Действие"}, 0},
		{"a rule with another code", rules(one, two), rules(one, rule("other", "Второе", "Не делать.")),
			[]string{"removed rules/two Правила › Второе",
				"added rules/other Правила › Второе"}, 0},
		{"only days", `"sources":[` + source("Закон", "https://a.ru/1", "2026-01-01") + `]`,
			`"sources":[` + source("Закон", "https://a.ru/1", "2026-02-01") + `]`, nil, 1},
		{"a section gone", `"summary":"О чём это.",` + rules(one), rules(one), []string{"removed summary Кратко"}, 0},
		{"a title", rules(one), rules(rule("one", "Иное", "Делать.")),
			[]string{"changed rules/one/title Правила › Иное › Название"}, 0},
	} {
		line := differencesOf(schemas.Embedded(), content.Guidelines, "a.b.001", body(t, c.before), body(t, c.after))
		var got []string
		for _, each := range line.All {
			words := fmt.Sprintf("%s %s %s", each.What, each.ID, strings.Join(each.Titles, " › "))
			got = append(got, words)
		}
		if !slices.Equal(got, c.want) || len(line.Upkeep) != c.upkeep {
			t.Errorf("%s: got %q and %d, want %q and %d", c.name, got, len(line.Upkeep), c.want, c.upkeep)
		}
	}
}

// An address stays what it is when something comes before its place.
func TestAddressesStay(t *testing.T) {
	terms := func(all ...string) string { return `"search_terms":["` + strings.Join(all, `","`) + `"]` }
	ids := func(before, after string) (all []string) {
		for _, c := range differencesOf(schemas.Embedded(), content.Guidelines, "a.b.001", body(t, before),
			body(t, after)).All {
			all = append(all, c.ID)
		}
		return all
	}
	alone, others := ids(terms("вклад"), terms("вклад", "налог")),
		ids(terms("вклад"), terms("кредит", "вклад", "налог"))
	if len(alone) != 1 || !slices.Contains(others, alone[0]) || !strings.HasPrefix(alone[0], "search_terms/~") {
		t.Errorf("%q became %q", alone, others)
	}
}

// FuzzDifferences compares anything with anything.
func FuzzDifferences(f *testing.F) {
	f.Add(`{"rules":[{"rule_id":"a"}]}`, `{"rules":[{"rule_id":"b"},{"rule_id":"a","x":1}]}`)
	f.Add(`{"a":[[1],[2]],"b":{"c":null}}`, `{"a":[[2],[1,3]],"b":{"d":""}}`)
	f.Add(`{"rules":[{"rule_id":"a"},{"rule_id":"a","title":"x"}]}`, `{"rules":[{"rule_id":"a","title":"y"},{"rule_id":"a"}]}`)
	deep := strings.Repeat(`{"x":`, 15) + "%d" + strings.Repeat("}", 15)
	f.Add(fmt.Sprintf(deep, 1), fmt.Sprintf(deep, 2))
	f.Add(`{"x":[1,2,3],"y":["a","a","b"],"z":null}`, `{"x":{"a":1},"y":["a","b","b"],"z":[null]}`)
	f.Fuzz(func(t *testing.T, a, b string) {
		var before, after content.Object
		if json.Unmarshal([]byte(a), &before) != nil || json.Unmarshal([]byte(b), &after) != nil {
			return
		}
		fields, class := change.Of(schemas.Embedded(), content.Guidelines, "a.b.001", before, after)
		if before == nil {
			return
		}
		line := differencesOf(schemas.Embedded(), content.Guidelines, "a.b.001", before, after)
		if len(fields) > 0 && len(line.All)+len(line.Upkeep) == 0 || line.Class != class {
			t.Errorf("%d places, %d changes", len(fields), len(line.All))
		}
		seen := map[string]bool{}
		for _, c := range append(line.All, line.Upkeep...) {
			if seen[c.ID] || c.ID == "" {
				t.Errorf("%q twice", c.ID)
			}
			seen[c.ID] = true
		}
	})
}

package change_test

import (
	"fmt"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/schemas"
)

// state reads files of items, by path.
func state(t *testing.T, files map[string]string) (all []change.Item) {
	t.Helper()
	for path, text := range files {
		folder, rest, _ := strings.Cut(path, "/")
		k := content.KindOf(folder)
		name := strings.TrimSuffix(rest, ".yaml")
		i := change.Item{Kind: k, Name: name}
		if r := check.Item(schemas.Embedded(), k, name, []byte(text)); r.OK() {
			i.Body, i.References = r.Body, r.References
		}
		all = append(all, i)
	}
	return all
}

func scenario(id, title string) string {
	return fmt.Sprintf("{scenario_id: %s, schema_version: \"1.0\", title: %s, description: Описание сценария.}\n", id,
		title)
}

func TestCompare(t *testing.T) {
	const instruction = `{instruction_id: service.x.001, schema_version: "1.0", title: Проверка, summary: Описание ` +
		`проверки., steps: [{step: 1, code: CHECK, title: Проверить, instructions: [Сравнить условия.]}], scenarios: ` +
		`[kept], valid_from: 2026-01-01}`
	before := state(t, map[string]string{
		"scenarios/kept.yaml": scenario("kept", "Один"), "scenarios/same.yaml": scenario("same", "Один"),
		"scenarios/gone.yaml": scenario("gone", "Исчез"), "scenarios/old.yaml": scenario("old", "Имя"),
		"scenarios/broken.yaml": scenario("broken", "Один"), "scenarios/bad.yaml": "bad",
		"registries/fraud-signals.yaml": signals,
	})
	after := state(t, map[string]string{
		"scenarios/kept.yaml": scenario("kept", "Два"), "scenarios/same.yaml": "# иначе\n" + scenario("same", "Один"),
		"scenarios/new.yaml": scenario("new", "Имя"), "scenarios/broken.yaml": "{", "scenarios/bad.yaml": "bad still",
		"instructions/x.yaml":           instruction,
		"registries/fraud-signals.yaml": strings.Replace(signals, "A_SIGNAL", "C_SIGNAL", 1),
		"instructions/fraud-extra.yaml": strings.NewReplacer("service.x.001", "service.y.001", "CHECK",
			"A_SIGNAL").Replace(instruction),
	})
	want := `instructions/fraud-extra added addition
instructions/x added addition
registries/fraud-signals changed breaking signals[A_SIGNAL] signals[C_SIGNAL] used by instructions/fraud-extra A_SIGNAL
scenarios/broken changed unreadable
scenarios/gone removed breaking
scenarios/kept changed wording title referred to by instructions/fraud-extra instructions/x
scenarios/new added addition from scenarios/old
scenarios/old removed breaking
`
	var got strings.Builder
	for _, c := range change.Compare(schemas.Embedded(), before, after, nil) {
		fmt.Fprintf(&got, "%s %s", c.Item, c.What)
		if c.Unreadable {
			got.WriteString(" unreadable")
		} else {
			fmt.Fprintf(&got, " %s", c.Class)
		}
		for _, f := range c.Fields {
			got.WriteString(" " + f.Path)
		}
		if c.From != "" {
			got.WriteString(" from " + c.From)
		}
		if len(c.Referrers) > 0 {
			got.WriteString(" referred to by")
		}
		for _, r := range c.Referrers {
			got.WriteString(" " + r.Item)
		}
		for _, u := range c.Users {
			got.WriteString(" used by " + u.Item + " " + u.Code)
		}
		got.WriteString("\n")
	}
	if got.String() != want {
		t.Errorf("got\n%s\nwant\n%s", got.String(), want)
	}
}

// Only a registry says what a code means. Who takes one off a list, or out of
// content that has codes of its own, takes nothing away from others.
func TestCompareUsersOfCodes(t *testing.T) {
	with := func(id, more string) string {
		return strings.TrimSuffix(scenario(id, "Один"), "}\n") + ", product_types: [deposit" + more
	}
	const both, one = ", card], stop_filters: [{stop_code: STOP_A, title: Стоп, condition: Всегда.}, {stop_code: " +
		"STOP_B, title: Стоп, condition: Никогда.}]}\n",
		"], stop_filters: [{stop_code: STOP_A, title: Стоп, condition: Всегда.}]}\n"
	before := state(t, map[string]string{"scenarios/a.yaml": with("a", both), "scenarios/b.yaml": with("b", both)})
	after := state(t, map[string]string{"scenarios/a.yaml": with("a", one), "scenarios/b.yaml": with("b", both)})
	changes := change.Compare(schemas.Embedded(), before, after, nil)
	if len(changes) != 1 || len(changes[0].Fields) != 2 {
		t.Fatalf("%+v", changes)
	}
	if users := changes[0].Users; len(users) > 0 {
		t.Errorf("still used are %+v", users)
	}
}

package document_test

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/content/document"
)

// schema has an object, a list of texts, and lists whose elements have codes, one
// within the other.
var schema = &content.Field{Fields: []*content.Field{
	{Name: "title"},
	{Name: "applies", Fields: []*content.Field{{Name: "triggers", Items: &content.Field{}}, {Name: "money_theft"}}},
	{Name: "rules", Unique: "rule_id", Items: &content.Field{Fields: []*content.Field{
		{Name: "rule_id"}, {Name: "action"}, {Name: "fields", Unique: "key", Items: &content.Field{}},
	}}},
	{Name: "sources", Items: &content.Field{}},
}}

const item = `{"title":"Правило","applies":{"triggers":["раз","два"],"money_theft":"Полиция"},` +
	`"rules":[{"rule_id":"first","action":"Стоп","fields":[{"key":"a","about":"поле"}]},` +
	`{"rule_id":"math/second","action":"Ещё"},{"action":"без кода"}],` +
	`"sources":[{"title":"Закон"}]}`

func read(t testing.TB, text string) *document.Node {
	t.Helper()
	var o content.Object
	if err := json.Unmarshal([]byte(text), &o); err != nil {
		t.Fatal(err)
	}
	return document.Read(o, schema)
}

func TestSections(t *testing.T) {
	want := []string{
		"1 title", "1 applies", "2 applies/triggers", "2 applies/money_theft",
		"1 rules", "2 rules/first", "3 rules/first/fields/a", "2 rules/math/second", "1 sources",
	}
	var got []string
	for s := range read(t, item).Sections() {
		got = append(got, string(rune('0'+s.Level))+" "+s.Address)
	}
	if !slices.Equal(got, want) {
		t.Errorf("sections\n%s", strings.Join(got, "\n"))
	}
}

// Every section is what is at its address.
func TestSectionsAreAtTheirAddresses(t *testing.T) {
	root := read(t, item)
	for s := range root.Sections() {
		if root.At(s.Address) != s.Node {
			t.Errorf("something else is at %s", s.Address)
		}
	}
}

func TestAt(t *testing.T) {
	for address, want := range map[string]string{
		"title": `"Правило"`, "applies/triggers": `["раз","два"]`, "rules/first/action": `"Стоп"`,
		"rules/math/second/action": `"Ещё"`, "rules/first/fields/a": `{"key":"a","about":"поле"}`,
		"": "", "rules/": "", "/rules": "", "rules/0": "", "rules/math": "", "sources/0": "", "applies/triggers/0": "",
		"absent": "", "title/x": "",
	} {
		t.Run(address, func(t *testing.T) {
			got := ""
			if n := read(t, item).At(address); n != nil {
				got = string(n.Raw)
			}
			if got != want {
				t.Errorf("%s, not %s", got, want)
			}
		})
	}
}

// Whatever is inserted, an address leads to what it led to.
func TestAddressesStay(t *testing.T) {
	root := read(t, item)
	longer := read(t, strings.Replace(item, `"rules":[`, `"added":1,"rules":[{"rule_id":"new","action":"Новое"},{},`,
		1))
	for s := range root.Sections() {
		n := longer.At(s.Address)
		if n == nil || s.Address != "rules" && string(n.Raw) != string(s.Raw) {
			t.Errorf("%s leads elsewhere", s.Address)
		}
	}
}

func TestPassages(t *testing.T) {
	var got []string
	for section, text := range read(t, item).Passages() {
		got = append(got, section+": "+text)
	}
	want := []string{
		"title: Правило", "applies/triggers: triggers", "applies/triggers: раз", "applies/triggers: два",
		"applies/money_theft: money_theft", "applies/money_theft: Полиция",
		"rules/first: first", "rules/first: Стоп", "rules/first/fields/a: a", "rules/first/fields/a: поле",
		"rules/math/second: math/second", "rules/math/second: Ещё", "rules: без кода", "sources: Закон",
	}
	if !slices.Equal(got, want) {
		t.Errorf("passages\n%s", strings.Join(got, "\n"))
	}
}

func FuzzRead(f *testing.F) {
	f.Add(item)
	f.Add(`{"rules":[{"rule_id":"a/b"},{"rule_id":"a","fields":[{"key":"b"}]}],"rules/a":1}`)
	f.Fuzz(func(t *testing.T, text string) {
		var o content.Object
		if json.Unmarshal([]byte(text), &o) != nil {
			return
		}
		root := document.Read(o, schema)
		for s := range root.Sections() {
			if n := root.At(s.Address); s.Address != "" && n == nil {
				t.Errorf("nothing is at %q", s.Address)
			}
			if !json.Valid(s.Raw) {
				t.Errorf("%q is %s", s.Address, s.Raw)
			}
		}
	})
}

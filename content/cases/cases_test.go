package cases_test

import (
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/Masterminds/semver/v3"

	"rulestore/content"
	"rulestore/content/cases"
	"rulestore/content/document"
)

const (
	instruction = `{"compound_rules": [
		{"signals": ["A", "B"], "result": "critical_stop"},
		{"signals": ["C"], "without_other_signals": true, "result": "not_fraud"},
		{"signals": ["A"], "result": "high_risk"}]}`
	signals   = `{"signals": [{"code": "A"}, {"code": "B"}, {"code": "C"}, {"code": "D"}]}`
	parameter = `{"value": 500000, "text": "до 500 000 ₽", "on": true, "none": null, "sources": [
		{"id": "law", "title": "Закон", "points": [1, 2]}, {"id": "title", "title": "law"}]}`
)

// schema says by what sources are told apart.
var schema = &content.Field{Fields: []*content.Field{{Name: "sources", Unique: "id", Items: &content.Field{}}}}

// item is a published item with this body.
func item(t *testing.T, k *content.Kind, name, body string) *content.Publication {
	t.Helper()
	var o content.Object
	if err := json.Unmarshal([]byte(body), &o); err != nil {
		t.Fatal(err)
	}
	return &content.Publication{Kind: k, Name: name, Version: semver.MustParse("1.0.0"),
		Text: content.Written{Object: o}}
}

// service answers every question with the letters from a to z, and every calculation with
// one answer.
func service(t *testing.T) cases.Service {
	t.Helper()
	return cases.Service{
		Snapshot: content.NewSnapshot(content.Input{
			Publications: []*content.Publication{
				item(t, content.Instructions, "fraud-response", instruction),
				item(t, content.Instructions, "old", `{"compound_rules": [{"signals": ["D"], "result": "high_risk"}]}`),
				item(t, content.Registries, "fraud-signals", signals),
				item(t, content.Parameters, "test.limit", parameter),
			},
			Marks: []content.Mark{{Item: "instructions/old", Status: content.Archived}},
		}),
		Search: func(c *content.SearchCase, limit int) []string {
			if c.Q == "nothing" {
				return nil
			}
			return strings.Split("abcdefghijklmnopqrstuvwxyz", "")[:min(limit, 26)]
		},
		Calculate: func(tool string, request []byte) (cases.Calculated, error) {
			if tool != "test" || string(request) != `{"inputs":{"n":1}}` {
				return cases.Calculated{}, errors.New("refused " + string(request))
			}
			return cases.Calculated{Status: "computed", Outputs: map[string]string{
				"sum": "12.50", "days": "3", "parts": `[{"a": "1", "b": 2}, {"a": "3"}]`,
			}}, nil
		},
		Section: func(item *content.Item, address string) (json.RawMessage, bool) {
			n := document.Read(item.Current.Body(), schema).At(address)
			if n == nil {
				return nil, false
			}
			return n.Raw, true
		},
		Size: func(_ *content.Item, view string) (int, bool) { return 100, view == "full" },
	}
}

// each case is what an author writes in JSON, and the message with which it fails, "" if
// it passes.
var each = []struct{ name, text, fails string }{
	{"the first result", `{"search": {"q": "?", "expect": "a"}}`, ""},
	{"the last that counts", `{"search": {"q": "?", "expect": "c"}}`, ""},
	{"one too late", `{"search": {"q": "?", "expect": "d"}}`, "place"},
	{"late enough", `{"search": {"q": "?", "expect": "d", "within": 4}}`, ""},
	{"any of several", `{"search": {"q": "?", "expect": ["z", "b"]}}`, ""},
	{"not found", `{"search": {"q": "?", "expect": "ж"}}`, "absent"},
	{"not the one that must not be first", `{"search": {"q": "?", "expect": "b", "not_first": ["c"]}}`, ""},
	{"a wrong first result", `{"search": {"q": "?", "expect": "b", "not_first": ["c", "a"]}}`, "first"},
	{"nothing found", `{"search": {"q": "nothing", "expect": "a"}}`, "nothing"},

	{"outputs", `{"calc": {"tool": "test", "inputs": {"n":1}, "outputs": {"sum": "12.50", "days": 3}}}`, ""},
	{"another spelling", `{"calc": {"tool": "test", "inputs": {"n":1}, "outputs": {"sum": "12.5"}}}`, "output"},
	{"fields of a list", `{"calc": {"tool": "test", "inputs": {"n":1}, "outputs": {"parts": [{"a": 1}, {"a": "3"}]}}}`,
		""},
	{"a list too short", `{"calc": {"tool": "test", "inputs": {"n":1}, "outputs": {"parts": [{"a": 1}]}}}`, "output"},
	{"another field", `{"calc": {"tool": "test", "inputs": {"n":1}, "outputs": {"parts": [{"a": 1}, {"c": "3"}]}}}`,
		"output"},
	{"no such output", `{"calc": {"tool": "test", "inputs": {"n":1}, "outputs": {"total": "1"}}}`, "output"},
	{"another status", `{"calc": {"tool": "test", "inputs": {"n":1}, "status": "do_not_guess"}}`, "status"},
	{"refused inputs", `{"calc": {"tool": "test", "inputs": {"n":2}}}`, "refused"},
	{"no such tool", `{"calc": {"tool": "none", "inputs": {}}}`, "refused"},

	{"two signals", `{"signals": {"given": ["B", "A", "D"], "result": "critical_stop"}}`, ""},
	{"one of two results", `{"signals": {"given": ["B", "A"], "result": "high_risk"}}`, ""},
	{"one signal of two", `{"signals": {"given": ["A"], "result": "critical_stop"}}`, "result"},
	{"alone", `{"signals": {"given": ["C"], "result": "not_fraud"}}`, ""},
	{"not alone", `{"signals": {"given": ["C", "D"], "result": "not_fraud"}}`, "result"},
	{"no rule", `{"signals": {"given": ["C", "D"], "result": "none"}}`, ""},
	{"a rule of an archived instruction", `{"signals": {"given": ["D"], "result": "none"}}`, ""},
	{"no such signal", `{"signals": {"given": ["A", "E"], "result": "high_risk"}}`, "signal"},

	{"a number as a text", `{"read": {"item": "parameters/test.limit", "section": "value", "is": "500000"}}`, ""},
	{"a number", `{"read": {"item": "parameters/test.limit", "section": "value", "is": 500000}}`, ""},
	{"another number", `{"read": {"item": "parameters/test.limit", "section": "value", "is": 50000}}`, "value"},
	{"a text", `{"read": {"item": "parameters/test.limit", "section": "text", "is": "до 500 000 ₽"}}`, ""},
	{"true", `{"read": {"item": "parameters/test.limit", "section": "on", "is": true}}`, ""},
	{"words of a text", `{"read": {"item": "parameters/test.limit", "section": "text", "says": ["ДО 500", "₽"]}}`, ""},
	{"words of an object", `{"read": {"item": "parameters/test.limit", "section": "sources/law", "says": ["закон"]}}`, ""},
	{"words that are not there",
		`{"read": {"item": "parameters/test.limit", "section": "text", "says": ["500", "от"]}}`, "words"},
	{"a section that is there", `{"read": {"item": "parameters/test.limit", "section": "text"}}`, ""},
	{"an element by its code", `{"read": {"item": "parameters/test.limit", "section": "sources/law/title", "is": ` +
		`"Закон"}}`, ""},
	{"a list", `{"read": {"item": "parameters/test.limit", "section": "sources/law/points", "is": [1, "2"]}}`, ""},
	{"a part of an object",
		`{"read": {"item": "parameters/test.limit", "section": "sources/law", "is": {"id": "law"}}}`, "value"},
	{"an element by its place", `{"read": {"item": "parameters/test.limit", "section": "sources/0", "is": ""}}`,
		"section"},
	{"below a text", `{"read": {"item": "parameters/test.limit", "section": "text/a", "is": ""}}`, "section"},
	{"no such section", `{"read": {"item": "parameters/test.limit", "section": "limit", "is": ""}}`, "section"},
	{"no such item", `{"read": {"item": "parameters/test", "section": "value", "is": ""}}`, "item"},
	{"no such kind", `{"read": {"item": "nothing/test", "section": "value", "is": ""}}`, "item"},

	{"as long as allowed", `{"size": {"item": "parameters/test.limit", "at_most": 100}}`, ""},
	{"too long", `{"size": {"item": "parameters/test.limit", "view": "full", "at_most": 99}}`, "size"},
	{"no such view", `{"size": {"item": "parameters/test.limit", "view": "brief", "at_most": 99}}`, "view"},
	{"the size of nothing", `{"size": {"item": "parameters/other", "at_most": 99}}`, "item"},
}

func TestRun(t *testing.T) {
	s := service(t)
	for _, c := range each {
		t.Run(c.name, func(t *testing.T) {
			r := run(t, []content.Case{parsed(t, c.text)}, s)[0]
			if r.Passed() != (c.fails == "") || r.Says.Key != c.fails {
				t.Errorf("it fails by %q, expected %q: %v", r.Says.Key, c.fails, r.Says.Args)
			}
		})
	}
}

func run(t *testing.T, all []content.Case, s cases.Service) []cases.Outcome {
	t.Helper()
	results, err := cases.Run(all, s)
	if err != nil {
		t.Fatal(err)
	}
	return results
}

// A crash of one case among many, in whichever goroutine, is an error.
func TestCrash(t *testing.T) {
	s := service(t)
	search := s.Search
	s.Search = func(c *content.SearchCase, limit int) []string {
		if c.Expect[0] == "b" {
			panic("out of rules")
		}
		return search(c, limit)
	}
	if _, err := cases.Run(asked(t, 1, 2, 3), s); err == nil || err.Error() != "crashed: out of rules" {
		t.Errorf("the error is %v", err)
	}
}

func parsed(t *testing.T, text string) (c content.Case) {
	t.Helper()
	if err := json.Unmarshal([]byte(text), &c); err != nil {
		t.Fatal(err)
	}
	return c
}

// asked are the questions whose answers are at these places.
func asked(t *testing.T, places ...int) (all []content.Case) {
	t.Helper()
	for _, n := range places {
		all = append(all, parsed(t, fmt.Sprintf(`{"search": {"q": "?", "expect": "%c"}}`, 'a'+n-1)))
	}
	return all
}

func TestMeasure(t *testing.T) {
	s := service(t)
	all := append(asked(t, 1, 2, 4, 27), parsed(t, `{"size": {"item": "parameters/test.limit", "at_most": 1}}`))
	got := cases.Measure(run(t, all, s))
	want := cases.Measures{Cases: 5, Failed: 3, Questions: 4, HitRate: 0.5, MeanReciprocalRank: (1 + 0.5 + 0.25) / 4}
	if got != want {
		t.Errorf("got %+v, expected %+v", got, want)
	}
	if none := cases.Measure(nil); none != (cases.Measures{}) {
		t.Errorf("of nothing: %+v", none)
	}
}

func TestCompare(t *testing.T) {
	before, after := service(t), service(t)
	search := before.Search
	after.Search = func(c *content.SearchCase, limit int) []string {
		return slices.Insert(slices.Clone(search(c, limit)), 1, "new")
	}
	all := append(
		asked(t, 1, 3), parsed(t, `{"read": {"item": "parameters/test.limit", "section": "value", "is": 500000}}`),
	)
	same := cases.Compare(run(t, all, before), run(t, all, before))
	if len(same) > 0 {
		t.Errorf("the same differs: %v", same)
	}
	got := cases.Compare(run(t, all, before), run(t, all, after))
	if len(got) != 2 || got[0].Moved() || !got[1].Moved() || got[1].Before.Rank != 3 || got[1].After.Rank != 4 {
		t.Errorf("got %+v", got)
	}
}

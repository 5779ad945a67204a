package calc

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
)

// oneValue states one value for every day, under whatever id is asked for.
type oneValue struct{ value, unit string }

func (o oneValue) Parameter(id string, on Date) (Parameter, bool) {
	return Parameter{
		External: External{ID: id, Version: "1.0.0", SHA256: "sha256:" + id, Value: o.value,
			Unit: o.unit, From: "2000-01-01"},
		InForce: true, Confirmed: true,
	}, true
}

// TestInputsByParameter: each number of each example of each tool is given by a parameter
// that states it, and nothing of the answer changes but that it cites that parameter.
func TestInputsByParameter(t *testing.T) {
	tried := 0
	for tool := range New().Tools() {
		for _, e := range tool.Examples {
			var request map[string]any
			dec := json.NewDecoder(strings.NewReader(e.Request))
			dec.UseNumber()
			if err := dec.Decode(&request); err != nil {
				t.Fatal(err)
			}
			inputs := request["inputs"].(map[string]any)
			eachNumber("/inputs", tool.request.fields[0].fields, inputs,
				func(pointer string, f *Field, at func(any), value any) {
					tried++
					unit := ""
					for u, factor := range parameterUnits[f.Unit] {
						if factor == 1 {
							unit = u
						}
					}
					at(map[string]any{"parameter_id": "test.one", "on": "2026-05-01"})
					asked, _ := json.Marshal(request)
					at(value)
					facts := Facts{Calendar: testFacts.Calendar, Parameters: oneValue{fmt.Sprint(value), unit}}
					want, err := tool.Calculate([]byte(e.Request), facts)
					if err != nil {
						t.Fatal(err)
					}
					got, err := tool.Calculate(asked, facts)
					if err != nil {
						t.Errorf("%s %s: %v", tool.ID, pointer, err)
						return
					}
					cited := slices.IndexFunc(got.out.external, func(s External) bool { return s.ID == "test.one" })
					if cited < 0 || got.out.external[cited].Input != pointer {
						t.Errorf("%s %s: cited %v", tool.ID, pointer, got.out.external)
						return
					}
					got.out.external = slices.Delete(got.out.external, cited, cited+1)
					if string(got.JSON()) != string(want.JSON()) {
						t.Errorf("%s %s:\n%s\nwant\n%s", tool.ID, pointer, got.JSON(), want.JSON())
					}
				})
		}
	}
	if tried < 300 {
		t.Errorf("only %d inputs were tried", tried)
	}
}

// eachNumber visits the numbers that a request gives and a parameter can state; at puts
// something else in the place of one.
func eachNumber(pointer string, fields []Field, inputs map[string]any, visit func(string, *Field, func(any), any)) {
	for i := range fields {
		f := &fields[i]
		value, given := inputs[f.Name]
		if !given || value == nil {
			continue
		}
		eachIn(Join(pointer, f.Name), f, value, func(v any) { inputs[f.Name] = v }, visit)
	}
}

func eachIn(pointer string, f *Field, value any, at func(any), visit func(string, *Field, func(any), any)) {
	switch value := value.(type) {
	case map[string]any:
		eachNumber(pointer, f.fields, value, visit)
	case []any:
		for i := range value {
			eachIn(Join(pointer, fmt.Sprint(i)), f.item, value[i], func(v any) { value[i] = v }, visit)
		}
	default:
		if f.acceptsParameter() {
			visit(pointer, f, at, value)
		}
	}
}

// TestInputsNotStated: what a parameter does not state is no number, and the answer says
// which input it was and why.
func TestInputsNotStated(t *testing.T) {
	coverage := func(limit string) string {
		return `{"inputs":{"limit_per_bank":` + limit + `,"balances":[{"bank_id":"a","amount":"1500000"}]}}`
	}
	of := func(id, on string) string { return `{"parameter_id":"` + id + `","on":"` + on + `"}` }
	for name, tt := range map[string]struct{ limit, want string }{
		"a limit":             {of("amount", "2026-05-01"), "500000.00"},
		"before it":           {of("amount", "2019-12-31"), "parameter_not_in_force"},
		"none of that name":   {of("nothing", "2026-05-01"), "parameter_unknown"},
		"a list":              {of("list", "2026-05-01"), "parameter_unfit"},
		"another unit":        {of("pause", "2026-05-01"), "parameter_unfit"},
		"no such day":         {of("amount", "2026-02-30"), "date_invalid"},
		"no day":              {`{"parameter_id":"amount"}`, "required"},
		"no id":               {`{"on":"2026-05-01"}`, "required"},
		"a value beside":      {`{"parameter_id":"amount","on":"2026-05-01","value":"1"}`, "unknown_field"},
		"a hostile id":        {of("../../etc/passwd", "2026-05-01"), "pattern"},
		"an id that is none":  {`{"parameter_id":{"parameter_id":"amount"},"on":"2026-05-01"}`, "type"},
		"an empty object":     {`{}`, "required"},
		"a list of them":      {`[` + of("amount", "2026-05-01") + `]`, "type"},
		"an awaited check":    {of("awaited", "2026-05-01"), "700000.00 parameter_review_required"},
		"beyond what it may":  {of("huge", "2026-05-01"), "pattern"},
		"smaller than it may": {of("zero", "2026-05-01"), "min"},
	} {
		t.Run(name, func(t *testing.T) {
			facts := Facts{Parameters: inputParameters}
			a, err := depositInsuranceCoverage.Calculate([]byte(coverage(tt.limit)), facts)
			if err != nil {
				if f := err.(*Error).Faults; len(f) == 0 || f[0].Code != tt.want ||
					!strings.HasPrefix(f[0].Pointer, "/inputs/limit_per_bank") {
					t.Errorf("%v", err)
				}
				return
			}
			got := a.Reason
			if got == "" {
				got = output(decoded(t, a.JSON()), "covered_total")
			}
			for _, w := range a.out.warnings {
				if w.pointer != "/inputs/limit_per_bank" {
					t.Errorf("a warning about %q", w.pointer)
				}
				if w.code != a.Reason {
					got += " " + w.code
				}
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
			if a.Reason != "" && !strings.Contains(string(a.JSON()), `"limit_per_bank":{"parameter_id":`) {
				t.Errorf("the echo: %s", a.JSON())
			}
		})
	}
}

var inputParameters = parameterFile{
	"amount": testParameters["amount"], "list": testParameters["list"], "pause": testParameters["pause"],
	"awaited": {{External: External{ID: "awaited", Value: "700000", Unit: "RUB"}}},
	"huge":    {{External: External{ID: "huge", Value: "1e300", Unit: "RUB"}, Confirmed: true}},
	"zero":    {{External: External{ID: "zero", Value: "0", Unit: "RUB"}, Confirmed: true}},
}

// keyRates are a made series: it jumps between first days, falls on one, and has a gap.
var keyRates = parameterFile{
	"rate": {
		{External: External{ID: "rate", Value: "7.5", Unit: "percent", From: "2023-01-01", To: "2023-08-14"},
			Confirmed: true},
		{External: External{ID: "rate", Value: "12", Unit: "percent", From: "2023-08-15", To: "2023-08-31"},
			Confirmed: true},
		{External: External{ID: "rate", Value: "13", Unit: "percent", From: "2023-09-01", To: "2023-12-01"},
			Confirmed: true},
		{External: External{ID: "rate", Value: "16", Unit: "percent", From: "2023-12-02", To: "2024-11-30"},
			Confirmed: true},
		{External: External{ID: "rate", Value: "21", Unit: "percent", From: "2024-12-02", To: "2025-06-08"},
			Confirmed: true},
	},
	"money": {{External: External{ID: "money", Value: "21", Unit: "RUB"}, Confirmed: true}},
	"large": {{External: External{ID: "large", Value: "120", Unit: "percent"}, Confirmed: true}},
	"base":  {{External: External{ID: "base", Value: "1000000", Unit: "RUB", From: "2023-01-01"}, Confirmed: true}},
	"law":   {{External: External{ID: "law", Value: "13", Unit: "percent", From: "2023-01-01"}, Confirmed: true}},
}

// TestTaxFreeBySeries: the largest rate of the first days of the months counts, not one
// that was only in force between them, and a day without a value leaves no result.
func TestTaxFreeBySeries(t *testing.T) {
	for name, tt := range map[string]struct{ key, want string }{
		"a year": {`"parameter_id":"rate","year":2023`,
			"13.00 2023-09-01 130000.00 warnings:[tax_rules_are_inputs]"},
		"eight months of it": {`"parameter_id":"rate","year":2023,"through_month":8`,
			"7.50 2023-01-01 75000.00 warnings:[year_incomplete tax_rules_are_inputs]"},
		"one first day missing": {`"parameter_id":"rate","year":2024`, "parameter_not_in_force"},
		"before that": {`"parameter_id":"rate","year":2024,"through_month":11`,
			"16.00 2024-01-01 160000.00 warnings:[year_incomplete tax_rules_are_inputs]"},
		"a year that goes on": {`"parameter_id":"rate","year":2025`, "parameter_not_in_force"},
		"five months of that": {`"parameter_id":"rate","year":2025,"through_month":5`,
			"21.00 2025-01-01 210000.00 warnings:[year_incomplete tax_rules_are_inputs]"},
		"none of that name":      {`"parameter_id":"nothing","year":2023`, "parameter_unknown"},
		"roubles are no rate":    {`"parameter_id":"money","year":2023`, "parameter_unfit"},
		"more than all":          {`"parameter_id":"large","year":2023`, "parameter_unfit"},
		"no months":              {`"parameter_id":"rate","year":2023,"through_month":0`, "min"},
		"a year that nobody has": {`"parameter_id":"rate","year":1999`, "min"},
	} {
		t.Run(name, func(t *testing.T) {
			request := `{"inputs":{"interest_total":"380000","base_amount":{"parameter_id":"base",` +
				`"on":"2023-12-31"},"key_rate":{` + tt.key + `},` +
				`"brackets":[{"up_to":null,"rate_pct":{"parameter_id":"law","on":"2023-12-31"}}]}}`
			a, err := depositInterestTax.Calculate([]byte(request), Facts{Parameters: keyRates})
			if err != nil {
				if f := err.(*Error).Faults; f[0].Code != tt.want {
					t.Errorf("%v, want %s", err, tt.want)
				}
				return
			}
			got := a.Reason
			if got == "" {
				var warnings []string
				for _, w := range a.out.warnings {
					warnings = append(warnings, w.code)
				}
				o := decoded(t, a.JSON())
				got = fmt.Sprintf("%s %s %s warnings:%v", output(o, "max_key_rate_pct"), output(o, "max_key_rate_on"),
					output(o, "non_taxable_amount"), warnings)
			}
			if got != tt.want {
				t.Errorf("%s, want %s", got, tt.want)
			}
		})
	}
}

// TestTaxByEarlierVersion: a request that names 1.0.0 gets what that gave.
func TestTaxByEarlierVersion(t *testing.T) {
	for _, e := range depositInterestTax1.Examples {
		asked := strings.TrimSuffix(e.Request, "}") + `,"tool_version":"1.0.0"}`
		a := answer(t, depositInterestTax, asked)
		if a["tool_version"] != "1.0.0" || len(a["not_computed"].([]any)) != 0 {
			t.Errorf("%v", a)
		}
		for name, want := range e.Want {
			if got := output(a, name); got != want {
				t.Errorf("%s: %s, want %s", name, got, want)
			}
		}
	}
}

// noValue is a parameter that states nothing for any day, beside the days for which it does.
type noValue struct{ before, after External }

func (n noValue) Parameter(string, Date) (Parameter, bool) {
	return Parameter{Before: n.before, After: n.after}, true
}

// Who asks for a day without a value is told of which parameter it is, and from when to when there is
// one.
func TestDayWithoutValue(t *testing.T) {
	before, after := External{ID: "rate", From: "2026-07-27", To: "2026-10-25"}, External{ID: "rate", From: "2027-01-01"}
	for want, near := range map[string]noValue{
		"": {},
		"; последнее значение было в силе с 2026-07-27 по 2026-10-25": {before, External{}},
		"; следующее в силе с 2027-01-01":                             {External{}, after},
		"; последнее значение было в силе по 2026-10-25; следующее в силе с 2027-01-01": {
			External{ID: "rate", To: before.To}, after},
	} {
		var o Out
		o.facts.Parameters = near
		_, err := o.Parameter("rate", NewDate(2026, 11, 28), "/inputs/rate")
		want = "На 2026-11-28 параметр rate ничего не устанавливает" + want
		if err != ParameterNotInForce || o.warnings[0].detail != want {
			t.Errorf("%v, %v, want %s", err, o.warnings, want)
		}
	}
}

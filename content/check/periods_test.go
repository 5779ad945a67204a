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

// series is a parameter with these fields among its own, from line 2 on.
func series(fields string) string {
	const rest = `parameter_id: a.b
schema_version: "1.1"
title: Ключевая ставка
description: Ставка, которую устанавливает Банк России.
sources: [{title: Закон, url: "https://www.cbr.ru/", checked_on: 2026-01-10}]
verified_at: 2026-01-10
certainty: high
`
	return "# a series\n" + strings.ReplaceAll(fields, "SRC",
		`sources: [{title: Решение, url: "https://www.cbr.ru/", checked_on: 2026-01-10}]`) + "\n" + rest
}

// What is wrong with periods is found where it stands, a line a period.
func TestPeriods(t *testing.T) {
	const rate = "value_type: percentage\nunit: percent\nvalid_from: 2024-01-01\n"
	for _, test := range []struct {
		name, fields string
		want         []string // rule line:column
	}{
		{"in order", rate + "periods:\n- {from: 2024-01-01, value: 16, SRC}\n" +
			"- {from: 2024-07-29, to: 2024-09-15, value: 18, SRC}\n- {from: 2024-09-16, value: 19, SRC}", nil},
		{"with a value beside", rate +
			"value: 18\nperiods: [{from: 2024-01-01, value: 16, SRC}, {from: 2024-07-29, value: 18, SRC}, {from: " +
			"2027-01-01, value: 9, SRC}]", nil},
		{"a gap is for a reviewer", rate +
			"periods: [{from: 2024-01-01, to: 2024-01-02, value: 16, SRC}, {from: 2024-07-29, value: 18, SRC}]", nil},
		{"overlap", rate + "periods:\n- {from: 2024-01-01, to: 2024-07-29, value: 16, SRC}\n" +
			"- {from: 2024-07-29, value: 18, SRC}", []string{"period 7:10"}},
		{"order", rate + "periods:\n- {from: 2024-01-01, value: 18, SRC}\n- {from: 2023-01-01, value: 16, SRC}",
			[]string{"period 7:10"}},
		{"two from one day", rate + "periods:\n- {from: 2024-01-01, value: 18, SRC}\n" +
			"- {from: 2024-01-01, value: 16, SRC}", []string{"duplicate 7:10"}},
		{"backwards", rate + "periods:\n- {from: 2024-01-01, to: 2023-12-31, value: 18, SRC}", []string{"period 6:26"}},
		{"no such day", rate + "periods:\n- {from: 2024-01-01, to: 2024-02-30, value: 18, SRC}",
			[]string{"wrong-form 6:26"}},
		{"another beginning", rate + "periods:\n- {from: 2023-01-01, value: 18, SRC}", []string{"period 4:13"}},
		{"another value beside", rate + "value: 17\nperiods: [{from: 2024-01-01, value: 18, SRC}]",
			[]string{"period 5:8"}},
		{"a value beside a gap", rate + "value: 18\nperiods: [{from: 2024-01-01, to: 2024-05-01, value: 18, SRC}]",
			[]string{"period 5:8"}},
		{"neither", rate, []string{"missing-field 2:1"}},
		{"no sources", rate + "periods: [{from: 2024-01-01, value: 18}]", []string{"missing-field 5:11"}},
		{"no number", rate + "periods:\n- {from: 2024-01-01, value: '18 %', SRC}", []string{"value 6:29"}},
		{"its own unit", "value_type: period\nunit: month\nvalid_from: 2024-01-01\n" +
			"periods: [{from: 2024-01-01, value: 3, unit: year, SRC}, {from: 2025-01-01, value: 30, SRC}]", nil},
		{"units of all", "value_type: period\nvalid_from: 2024-01-01\nperiods: [{from: 2024-01-01, value: 3, unit: " +
			"year, SRC}]", nil},
		{"a unit missing", "value_type: period\nvalid_from: 2024-01-01\n" +
			"periods: [{from: 2024-01-01, value: 3, unit: year, SRC}, {from: 2025-01-01, value: 3, SRC}]",
			[]string{"value 2:13"}},
		{"a unit of another type", "value_type: period\nunit: year\nvalid_from: 2024-01-01\n" +
			"periods: [{from: 2024-01-01, value: 3, unit: percent, SRC}]", []string{"value 5:46"}},
		{"decimals of its own unit", "value_type: money\nvalid_from: 2024-01-01\n" +
			"periods: [{from: 2024-01-01, value: 3.005, unit: RUB, SRC}]", []string{"value 4:37"}},
		{"valid backwards", "value_type: count\nvalue: 3\nvalid_from: 2024-01-01\nvalid_to: 2023-01-01",
			[]string{"period 5:11"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			r := check.Item(schemas.Embedded(), content.Parameters, "a.b", []byte(series(test.fields)))
			var got []string
			for _, f := range r.Findings {
				got = append(got, fmt.Sprintf("%s %d:%d", f.Rule, f.Line, f.Column))
			}
			if strings.Join(got, ", ") != strings.Join(test.want, ", ") {
				t.Errorf("found %v", r.Findings)
			}
		})
	}
}

// A gap is named with its days, and does not keep the content from being served.
func TestGaps(t *testing.T) {
	raw := series("value_type: percentage\nunit: percent\nvalid_from: 2024-01-01\nperiods:\n" +
		"- {from: 2024-01-01, to: 2024-01-31, value: 16, SRC}\n- {from: 2024-02-02, to: 2024-02-28, value: 17, SRC}\n" +
		"- {from: 2024-03-01, value: 18, SRC}\n")
	file := check.Open(schemas.Embedded(), content.Parameters, "a.b", []byte(raw))
	var got []string
	for _, f := range check.Review(check.Tree{Items: []check.File{file}, Today: "2026-01-10"}, nil) {
		got = append(got, fmt.Sprintf("%s %s %d:%d %s", f.Severity, f.Rule, f.Line, f.Column, f.Message))
	}
	want := "warning period-gap 7:10 on 2024-02-01 no value is in force\n" +
		"warning period-gap 8:10 on 2024-02-29 no value is in force"
	if strings.Join(got, "\n") != want {
		t.Errorf("found %s", strings.Join(got, "\n"))
	}
}

// The days on which something was checked, applies and is to be checked again are in order, and each may be
// the same as the next.
func TestOrderOfDays(t *testing.T) {
	const fields = "value_type: percentage\nunit: percent\nvalue: 1\nvalid_from: FROM\nrecheck_after: AGAIN\n"
	for _, c := range []struct{ from, again, today, want string }{
		{"2026-01-10", "2026-01-10", "2026-01-10", ""},
		{"2026-01-10", "2026-01-10", "2026-01-11", "overdue"},
		{"2026-01-10", "2026-01-09", "2026-01-10", "date-order date-order overdue"},
		{"2026-01-11", "2026-01-11", "2026-01-10", ""},
		{"2026-01-09", "2026-01-10", "2026-01-09", "date-order date-order"},
	} {
		raw := series(strings.NewReplacer("FROM", c.from, "AGAIN", c.again).Replace(fields))
		file := check.Open(schemas.Embedded(), content.Parameters, "a.b", []byte(raw))
		var got []string
		for _, f := range check.Review(check.Tree{Items: []check.File{file}, Today: c.today}, nil) {
			got = append(got, f.Rule)
		}
		slices.Sort(got)
		if strings.Join(got, " ") != c.want {
			t.Errorf("from %s, again after %s, on %s: %q, expected %q", c.from, c.again, c.today, got, c.want)
		}
	}
}

// A parameter that names its series says what that says, on every day from its first one on.
func TestSeries(t *testing.T) {
	const rates = "value_type: percentage\nunit: percent\nvalid_from: 2024-01-01\nperiods:\n" +
		"- {from: 2024-01-01, value: 16, SRC}\n- {from: 2026-02-01, to: 2026-10-25, value: 15, SRC}\n"
	for fields, want := range map[string]string{
		"value: 15\nvalid_from: 2026-02-01\nvalid_to: 2026-10-25": "",
		"value: 15\nvalid_from: 2026-03-01\nvalid_to: 2026-10-25": "",
		"value: 15\nvalid_from: 2026-02-01":                       "on 2026-10-26 it says: 15 percent; a.rates says: no value",
		"value: 15\nvalid_from: 2026-02-01\nvalid_to: 2026-10-24": "on 2026-10-25 it says: no value; a.rates says: 15 percent",
		"value: 14\nvalid_from: 2026-02-01\nvalid_to: 2026-10-25": "on 2026-02-01 it says: 14 percent; a.rates says: 15 percent",
		"value: 16\nvalid_from: 2023-02-01\nvalid_to: 2026-01-31": "on 2023-02-01 it says: 16 percent; a.rates says: no value",
		"valid_from: 2024-05-01\nperiods: [{from: 2024-05-01, value: 16, SRC}, {from: 2026-02-01, value: 15, " +
			"to: 2026-10-25, SRC}]": "",
		"valid_from: 2024-05-01\nperiods: [{from: 2024-05-01, value: 16, SRC}, {from: 2026-02-01, value: 15, " +
			"SRC}]": "on 2026-10-26 it says: 15 percent; a.rates says: no value",
	} {
		tree := check.Tree{Today: "2026-11-28"}
		for name, text := range map[string]string{"a.rates": rates, "a.b": "value_type: percentage\nunit: percent\n" +
			"series: a.rates\n" + fields} {
			raw := strings.Replace(series(text+"\n"), `"1.1"`, `"1.2"`, 1)
			raw = strings.Replace(raw, "parameter_id: a.b", "parameter_id: "+name, 1)
			tree.Items = append(tree.Items, check.Open(schemas.Embedded(), content.Parameters, name, []byte(raw)))
		}
		got := ""
		for _, f := range check.Review(tree, func(p string) bool { return p == "parameters/a.b.yaml" }) {
			got += f.Message
		}
		if got != want {
			t.Errorf("%s: found %q, want %q", fields, got, want)
		}
	}
}

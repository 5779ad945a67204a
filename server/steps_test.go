package server_test

import (
	"regexp"
	"strings"
	"testing"
)

var (
	latin   = regexp.MustCompile(`[A-Za-z][A-Za-z0-9_]*|π`)
	isoDate = regexp.MustCompile(`\b\d{4}-\d\d`)
)

// The steps of every example are in words: each has a title, and its formulas have no names of
// programs, but for symbols that are explained, and what the example itself calls something.
func TestStepsInWords(t *testing.T) {
	for _, tool := range tools() {
		for _, e := range tool.Examples {
			answer := must(tool.Calculate([]byte(e.Request), starterSite().Facts()))
			for _, s := range answer.Sections() {
				if s.ID != "trace" {
					continue
				}
				known := map[string]bool{"min": true, "max": true}
				for _, p := range s.Points {
					if known[p.Code] = true; p.Text == "" {
						t.Errorf("%s: %s is not explained", tool.ID, p.Code)
					}
				}
				for _, row := range s.Table.Rows {
					if row[0].Title == "" {
						t.Errorf("%s: %s has no title", tool.ID, row[0].Text)
					}
					said := row[0].Title + " | " + row[1].Text + " | " + row[2].Text + " | " + row[3].Text
					for _, name := range latin.FindAllString(strings.ReplaceAll(said, "(LTV)", ""), -1) {
						symbol, _, _ := strings.Cut(name, "_")
						if !known[symbol] && !strings.Contains(e.Request, `"`+name+`"`) {
							t.Errorf("%s: %s in %s", tool.ID, name, said)
						}
					}
					if isoDate.MatchString(said) {
						t.Errorf("%s: a date in %s", tool.ID, said)
					}
				}
			}
		}
	}
}

// No title of a field has a code.
func TestTitlesInWords(t *testing.T) {
	code := regexp.MustCompile(`"title":\s*"[^"]*[a-z]{2,}[^"]*"`)
	for _, tool := range tools() {
		for _, schema := range [][]byte{tool.InputSchema(), tool.OutputSchema()} {
			for _, title := range code.FindAll(schema, -1) {
				t.Errorf("%s: %s", tool.ID, title)
			}
		}
	}
}

// What the caller calls something is no name of a formula, even if it is the same.
func TestNamesOfTheCallerInSteps(t *testing.T) {
	kasko, _ := starterSite().Math().Tool("kasko_premium")
	for _, name := range []string{"discount", "true", "fee_min", "S_bank", "2026-05-01", "К-12345"} {
		answer := must(kasko.Calculate([]byte(
			`{"inputs":{"sum_insured":"1000","base_tariff_pct":"5","discount_pct":"10",`+
				`"coefficients":["0.9"],"coefficient_names":["`+name+`"]},"options":{"include_trace":true}}`,
		), starterSite().Facts()))
		var said strings.Builder
		for _, s := range answer.Sections() {
			if s.ID == "trace" {
				for _, row := range s.Table.Rows {
					said.WriteString(row[2].Text + "\n")
				}
			}
		}
		if !strings.Contains(said.String(), "1·0.9 ("+name+")") {
			t.Errorf("%s is not in\n%s", name, &said)
		}
	}
}

package server_test

import (
	"fmt"
	"testing"

	"rulestore/content"
	"rulestore/server/calc"
)

// taxBySeries asks for the tax of a year by the parameters of the starter content.
func taxBySeries(year, through string) string {
	of := func(id string) string { return `{"parameter_id":"` + id + `","on":"2025-12-31"}` }
	return `{"inputs":{"interest_total":"3000000","base_amount":` + of("tax.interest-exempt-base") +
		`,"key_rate":{"parameter_id":"rate.key-series","year":` + year + through + `},"brackets":[{"up_to":` +
		of("tax.income-threshold") +
		`,"rate_pct":` + of("tax.income-rate") + `},{"up_to":null,"rate_pct":` + of("tax.income-rate-over") + `}]}}`
}

// TestTaxByParameters: the tax on interest of deposits follows from what is published, and
// the answer cites each value with the version, the checksum and the period of its parameter.
func TestTaxByParameters(t *testing.T) {
	s := starterSite()
	c := ask(t, s)
	const path = toolsPath + "deposit_interest_tax"
	for name, tt := range map[string]struct{ year, through, free, reason string }{
		"2024":             {"2024", "", "210000.00", ""},
		"2025":             {"2025", "", "210000.00", ""},
		"2026, ten months": {"2026", `,"through_month":10`, "160000.00", ""},
		"before the rate":  {"2022", "", "", "parameter_not_in_force"},
	} {
		t.Run(name, func(t *testing.T) {
			r := c.post(path, taxBySeries(tt.year, tt.through))
			got := decode[termAnswer](t, r.body)
			if got.Reason != tt.reason || fmt.Sprint(got.Outputs["non_taxable_amount"].Value) != tt.free &&
				tt.reason == "" {
				t.Fatalf("%s", r.body)
			}
			for _, e := range got.External {
				item := s.Snapshot.Item(content.Parameters, e["id"])
				if e["sha256"] != item.Current.Checksum || e["version"] != item.Current.Version.String() ||
					e["from"] == "" || e["input"] == "" {
					t.Errorf("cited %v", e)
				}
			}
		})
	}
	if got := decode[termAnswer](t, c.post(path, taxBySeries("2025",
		"")).body); got.Outputs["tax"].Value != "370500.00" || got.Status != calc.StatusComputed {
		t.Errorf("%+v", got)
	}
}

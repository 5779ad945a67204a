package calc

import (
	"fmt"
	"strings"
	"testing"
)

// Ids of lists are the caller's words, in Russian as well.
func TestRussianIDs(t *testing.T) {
	a := answer(t, registry.byID[CompareLoansID], `{"inputs":{"baseline_id":"Ёлка-1","variants":[
		{"id":"Сбер","principal":"1000000","annual_rate_pct":"18","term_months":60},
		{"id":"Ёлка-1","principal":"1000000","annual_rate_pct":"18","term_months":84}]}}`)
	if variants := a["variants"].([]any); variants[0].(map[string]any)["id"] != "Сбер" {
		t.Errorf("%v", variants)
	}
}

// What is compared before it is rounded says so.
func TestExactThresholds(t *testing.T) {
	for i, tt := range []struct{ tool, group, field string }{
		{"loan_payment_to_income", "", "threshold_pct"}, {"pfm_emergency_fund", "", "required_months"},
		{"pfm_liquidity_ratio", "", "required_months"}, {"pfm_liquidity_ratio", "", "required_coverage_ratio"},
		{"portfolio_concentration", "thresholds", "largest_share_pct"},
		{"portfolio_concentration", "thresholds", "issuer_share_pct"},
	} {
		t.Run(fmt.Sprint(i), func(t *testing.T) {
			fields := registry.byID[tt.tool].Inputs
			if tt.group != "" {
				fields = named(t, fields, tt.group).fields
			}
			if f := named(t, fields, tt.field); !strings.Contains(f.Title, "неокруглённ") {
				t.Errorf("%s: %s: %s", tt.tool, f.Name, f.Title)
			}
		})
	}
}

func named(t *testing.T, fields []Field, name string) Field {
	t.Helper()
	for _, f := range fields {
		if f.Name == name {
			return f
		}
	}
	t.Fatalf("there is no %s", name)
	return Field{}
}

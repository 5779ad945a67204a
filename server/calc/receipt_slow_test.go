//go:build slow

package calc

import (
	"encoding/json"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"testing"
)

// What was answered is answered again, whole or by its receipt alone.
func TestReplay(t *testing.T) {
	registry := New()
	for tool := range registry.Tools() {
		for _, request := range requests(t, tool) {
			whole := answer(t, tool, request)
			least := map[string]any{}
			for _, name := range []string{"tool_id", "tool_version", "inputs_echo", "comparison",
				"external_data", "receipt"} {
				least[name] = whole[name]
			}
			before := tool.Calls()
			for _, members := range []map[string]any{whole, least} {
				if result, differs := registry.Replay(record(t, members), testFacts); result != RecordMatches {
					t.Fatalf("%s: %s %q\n%s", tool.ID, result, differs, request)
				}
			}
			if tool.Calls() != before {
				t.Fatalf("%s: a replay is counted", tool.ID)
			}
		}
	}
}

// leaves lists the places in a value where something stands.
func leaves(v any, at string, visit func(at string, was any, set func(any)), set func(any)) {
	switch v := v.(type) {
	case map[string]any:
		for _, name := range slices.Sorted(maps.Keys(v)) {
			leaves(v[name], at+"/"+name, visit, func(to any) { v[name] = to })
		}
	case []any:
		for i := range v {
			leaves(v[i], fmt.Sprintf("%s/%d", at, i), visit, func(to any) { v[i] = to })
		}
	default:
		visit(at, v, set)
	}
}

// Whatever is changed in an answer, it is no answer any more.
func TestReplayOfForgeries(t *testing.T) {
	registry := New()
	request := `{"inputs":{"principal":"1000.50","annual_rate_pct":"12","term_months":3},` +
		`"contract_values":{"payment":"340.00","rows":3,"psk":"12.5"},` +
		`"options":{"include_schedule":true}}`
	places := 0
	for _, tt := range []struct {
		tool    *Tool
		request string
	}{{loanPayment, request}, {consumerRightsDeadline, deadlineVector}} {
		a := answer(t, tt.tool, tt.request)
		delete(a, "warnings") // words about the result
		leaves(a, "", func(at string, was any, set func(any)) {
			places++
			for _, to := range []any{"17", json.Number("17"), nil, map[string]any{}, []any{}, true} {
				if set(to); reflect.DeepEqual(was, to) {
					continue
				}
				raw, _ := json.Marshal(a)
				rec, err := ReadRecord(raw)
				if err != nil {
					continue
				}
				if result, _ := registry.Replay(rec, testFacts); result == RecordMatches {
					t.Errorf("%s: %s can be %v", tt.tool.ID, at, to)
				}
			}
			set(was)
		}, nil)
	}
	if places < 100 {
		t.Errorf("%d places", places)
	}
}

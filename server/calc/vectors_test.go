package calc

import (
	"encoding/json"
	"math/big"
	"os"
	"strings"
	"testing"
)

// A vector is a row of testdata/vectors.json: reference values that independent
// programs have confirmed.
type vector struct {
	ID, Tool, Kind string
	Inputs         map[string]any
	Expected       map[string]any
	Tolerance      map[string]json.RawMessage
}

// vectorRequests turn the inputs of a kind of row into those of its tool, where
// their names or shapes differ. A family's test adds its own.
var vectorRequests = map[string]func(inputs map[string]any) map[string]any{
	"differentiated_schedule": func(in map[string]any) map[string]any {
		in["payment_type"] = "differentiated"
		return in
	},
}

// vectorTests check the rows that no request to their tool expresses, or whose
// expected values are not simply outputs of the answer.
var vectorTests = map[string]func(t *testing.T, v vector){
	"one_month_interest_rounding": func(t *testing.T, v vector) {
		got := monthInterest(Money(parseScaled(v.Inputs["balance"].(string), 2)),
			Pct(parseScaled(v.Inputs["annual_rate_pct"].(string), pctPlaces)))
		equal(t, "interest", got.String(), v.Expected["interest"], nil)
	},
	"year_fraction": func(t *testing.T, v vector) {
		from, _ := ParseDate(v.Inputs["start"].(string))
		to, _ := ParseDate(v.Inputs["end"].(string))
		for basis, want := range v.Expected {
			part := yearFraction(from, to, DayCount(basis))
			equal(t, basis, newExact(part.Num, part.Den).Fixed(10), want, nil)
		}
	},
	"contract_comparison": testContractComparison,
}

// TestVectors runs every row; each tool has at least one.
func TestVectors(t *testing.T) {
	data, err := os.ReadFile("testdata/vectors.json")
	if err != nil {
		t.Fatal(err)
	}
	var doc struct{ Rows []vector }
	dec := json.NewDecoder(strings.NewReader(string(data)))
	dec.UseNumber()
	if err := dec.Decode(&doc); err != nil {
		t.Fatal(err)
	}
	rows := map[string]int{}
	for _, v := range doc.Rows {
		test, special := vectorTests[v.Kind]
		tool, ok := registry.Tool(v.Tool)
		if !ok && !special {
			t.Errorf("%s: there is no tool %s", v.ID, v.Tool)
			continue
		}
		rows[v.Tool]++
		t.Run(v.ID+"/"+v.Kind, func(t *testing.T) {
			if special {
				test(t, v)
			} else {
				testVector(t, tool, v)
			}
		})
	}
	for tool := range registry.Tools() {
		if rows[tool.ID] == 0 && tool.ID != CompareLoansID { // its rows are loans
			t.Errorf("%s: no row", tool.ID)
		}
	}
}

func testVector(t *testing.T, tool *Tool, v vector) {
	inputs := v.Inputs
	if f := vectorRequests[v.Kind]; f != nil {
		inputs = f(inputs)
	}
	request, err := json.Marshal(map[string]any{"inputs": inputs})
	if err != nil {
		t.Fatal(err)
	}
	a := answer(t, tool, string(request))
	for name, want := range v.Expected {
		compareExpected(t, name, expectedIn(a, name), want, v.Tolerance)
	}
}

// expectedIn finds what a row expects: an output, a step of the trace, the codes
// of stop, or a member of the answer.
func expectedIn(a map[string]any, name string) any {
	if o, ok := a["outputs"].(map[string]any)[name].(map[string]any); ok {
		return o["value"]
	}
	if name == "stop" {
		codes := []any{}
		for _, s := range a["stop"].([]any) {
			codes = append(codes, s.(map[string]any)["code"])
		}
		return codes
	}
	steps, _ := a["trace"].([]any)
	for _, s := range steps {
		if s := s.(map[string]any); s["step"] == name {
			return s["value"]
		}
	}
	return a[name]
}

// compareExpected compares member by member and item by item.
func compareExpected(t *testing.T, name string, got, want any, tol map[string]json.RawMessage) {
	t.Helper()
	switch want := want.(type) {
	case map[string]any:
		got, _ := got.(map[string]any)
		for k, w := range want {
			compareExpected(t, name+"."+k, got[k], w, tol)
		}
	case []any:
		got, _ := got.([]any)
		if len(got) != len(want) {
			t.Errorf("%s = %v, want %v", name, got, want)
			return
		}
		for i, w := range want {
			compareExpected(t, name, got[i], w, tol)
		}
	default:
		equal(t, name, printed(got), want, tol[name])
	}
}

// equal compares texts as texts and numbers within the row's tolerance.
func equal(t *testing.T, name, got string, want any, tolerance json.RawMessage) {
	t.Helper()
	w, wok := new(big.Rat).SetString(printed(want))
	g, gok := new(big.Rat).SetString(got)
	if !wok || !gok {
		if got != printed(want) {
			t.Errorf("%s = %q, want %q", name, got, printed(want))
		}
		return
	}
	var tol struct{ Abs, Rel json.RawMessage }
	_ = json.Unmarshal(tolerance, &tol)
	limit := new(big.Rat)
	if s := strings.Trim(string(tol.Abs), `"`); s != "" {
		limit.SetString(s)
	}
	if s := strings.Trim(string(tol.Rel), `"`); s != "" {
		limit.SetString(s)
		limit.Mul(limit, w)
	}
	if d := new(big.Rat).Sub(g, w); d.Abs(d).Cmp(limit.Abs(limit)) > 0 {
		t.Errorf("%s = %s, want %v", name, got, want)
	}
}

func testContractComparison(t *testing.T, v vector) {
	number := func(name string) *Exact {
		if s, ok := v.Inputs[name].(string); ok {
			return decimalExact(s)
		}
		return nil
	}
	tol := tolerance{*number("absolute_tolerance"), *number("relative_tolerance")}
	calculated, contract := number("calculated"), number("contract")
	status, _ := compareNumbers(calculated, contract, tol)
	equal(t, "status", status, v.Expected["status"], nil)
	if calculated != nil && contract != nil { // symmetric around zero
		minus := Whole(-1)
		a, b := calculated.Mul(minus), contract.Mul(minus)
		status, _ := compareNumbers(&a, &b, tol)
		equal(t, "status of the negatives", status, v.Expected["status"], nil)
	}
}

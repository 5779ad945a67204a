package calc

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os/exec"
	"strings"
	"testing"

	"github.com/gowebpki/jcs"
)

// recipe is how anybody recomputes a receipt, as README.md and the manual of the package say.
const recipe = `jq -jcS 'del(.receipt,.schedule,.trace,.warnings)' | sha256sum`

// shown are the ways in which an answer can be asked for.
var shown = []string{
	`{}`, `{"include_trace":false}`, `{"include_schedule":true,"schedule_from":2,"schedule_limit":3}`,
	`{"include_schedule":true,"include_trace":false,"schedule_from":1200}`,
}

// contracts are comparisons that can be asked for with any tool: by a contract's value for
// each output, the calculated one and another one, and without any.
func contracts(a map[string]any) (all []string) {
	same, other, none := map[string]any{"psk": nil}, map[string]any{"psk": "12.5"}, map[string]any{}
	if a["psk"] == nil {
		delete(same, "psk")
		delete(other, "psk")
	}
	for name, v := range a["outputs"].(map[string]any) {
		out := v.(map[string]any)
		switch out["type"] {
		case "money", "percent", "ratio":
			same[name], other[name], none[name] = out["value"], "1.5", nil
		case "count":
			same[name], other[name] = out["value"], 7
		case "date":
			same[name], other[name] = out["value"], "2030-01-01"
		}
	}
	for _, name := range a["not_computed"].([]any) {
		if name != "psk" {
			none[name.(string)] = nil
		}
	}
	for _, contract := range []map[string]any{same, other, none} {
		raw, _ := json.Marshal(contract)
		for _, tolerance := range []string{`{}`, `{"absolute":"0.5","relative":"0.01","days":3}`,
			`{"absolute":"1.00"}`, `{"relative":0}`} {
			all = append(all, string(raw)+`,"tolerance":`+tolerance)
		}
	}
	return all
}

// requests are those of all examples, shown and compared in all ways.
func requests(t *testing.T, tool *Tool) (all []string) {
	for _, e := range tool.Examples {
		var r map[string]json.RawMessage
		if err := json.Unmarshal([]byte(e.Request), &r); err != nil {
			t.Fatal(err)
		}
		more := ""
		if v := r["tool_version"]; v != nil {
			more = `,"tool_version":` + string(v)
		}
		for _, options := range shown {
			all = append(all, fmt.Sprintf(`{"inputs":%s,"options":%s%s}`, r["inputs"], options, more))
		}
		for _, contract := range contracts(answer(t, tool, e.Request)) {
			request := fmt.Sprintf(`{"inputs":%s,"contract_values":%s%s}`, r["inputs"], contract, more)
			if _, err := tool.Calculate([]byte(request), testFacts); err == nil { // an output that no contract states
				all = append(all, request)
			}
		}
	}
	return all
}

// A receipt is what another implementation of RFC 8785 makes of the answer, and the same
// however the answer is shown.
func TestReceipt(t *testing.T) {
	for tool := range New().Tools() {
		receipts := map[string]bool{}
		for i, request := range requests(t, tool) {
			a := answer(t, tool, request)
			want := a["receipt"]
			for _, name := range []string{"receipt", "schedule", "trace", "warnings"} {
				delete(a, name)
			}
			doc, _ := json.Marshal(a)
			canonical, err := jcs.Transform(doc)
			if err != nil {
				t.Fatal(err)
			}
			sum := sha256.Sum256(canonical)
			if got := "sha256:" + hex.EncodeToString(sum[:]); got != want {
				t.Fatalf("%s: the receipt is %v, and of this answer %s:\n%s\n%s", tool.ID, want,
					got, request, canonical)
			}
			if i < len(shown) {
				receipts[want.(string)] = true
			}
		}
		if len(receipts) != 1 {
			t.Errorf("%s: %d receipts of one calculation", tool.ID, len(receipts))
		}
	}
}

// Nothing of this project is needed to recompute a receipt.
func TestReceiptByAStranger(t *testing.T) {
	if _, err := exec.LookPath("jq"); err != nil {
		t.Skip("skipped: jq is not there")
	}
	for _, request := range []string{deadlineVector,
		`{"inputs":{"principal":"5000000.00","annual_rate_pct":"18.5","term_months":360},` +
			`"contract_values":{"payment":"1.00","psk":null}}`} {
		tool := loanPayment
		if request == deadlineVector {
			tool = consumerRightsDeadline
		}
		a, err := tool.Calculate([]byte(request), testFacts)
		if err != nil {
			t.Fatal(err)
		}
		c := exec.Command("sh", "-c", recipe)
		c.Stdin = bytes.NewReader(a.JSON())
		out, err := c.Output()
		if got := "sha256:" + strings.Fields(string(out) + " ?")[0]; err != nil || got != a.Receipt() {
			t.Errorf("%v: jq says %s, and the receipt is %s", err, got, a.Receipt())
		}
	}
}

const deadlineVector = `{"inputs":{"start_event":{"code":"claim_registered","date":"2026-05-12",` +
	`"confirmed":true},"term":{"value":15,"unit":"business_day","unit_confirmed":true},` +
	`"source":{"ref":"consumer-rights.fo-response-standard-working-days","checked_on":"2026-05-01",` +
	`"confirmed":true},"applicability_confirmed":true}}`

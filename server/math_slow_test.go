//go:build slow

package server_test

import (
	"strings"
	"testing"

	"rulestore/server/calc"
)

// The document describes every answer to every example, at each path, and every
// refusal.
func TestOpenAPICalculations(t *testing.T) {
	c := checking(t, kindsSite())
	agrees := func(path, body string, status int, headers ...string) {
		t.Helper()
		r := c.post(path, body, headers...)
		if r.status != status {
			t.Errorf("POST %s: %d, want %d\n%s", path, r.status, status, r.body)
		}
		c.described(path, r, true)
	}
	for _, tool := range tools() {
		for _, e := range tool.Examples {
			request := must(parsed(jsonType, []byte(e.Request)))
			if err := c.d.valid("#/components/schemas/CalculationRequest", request); err != nil {
				t.Errorf("%s: %q: %v", tool.ID, e.Title, err)
			}
			agrees(toolsPath+tool.ID, e.Request, 200)
			agrees(toolsPath+tool.ID, e.Request, 200, "Accept", markdownType)
		}
	}
	for _, path := range []string{toolsPath + "loan_payment", "/api/v1/math/loan/calculate"} {
		agrees(path, loanRequest, 200)
		agrees(path, "{", 400)
		agrees(path+"?x=1", loanRequest, 400)
		agrees(path, loanRequest, 406, "Accept", "image/png")
		agrees(path, strings.Repeat(" ", 1<<20), 413)
		agrees(path, loanRequest, 415, "Content-Type", "text/plain")
		agrees(path, `{}`, 422)
	}
	comparison, _ := kindsSite().Math.Tool(calc.CompareLoansID)
	agrees("/api/v1/math/loan/compare", comparison.Examples[0].Request, 200)
	agrees(toolsPath+"nothing", loanRequest, 404)
	var ids []string
	for _, id := range c.d.Components.Parameters["ToolId"].Value.Schema.Value.Enum {
		ids = append(ids, id.(string))
	}
	for i, tool := range tools() {
		if len(ids) != len(tools()) || ids[i] != tool.ID {
			t.Errorf("the document has the tools %q, the registry %s in place %d", ids, tool.ID, i)
		}
	}
}

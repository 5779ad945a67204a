package mcpserver_test

import (
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"
)

// What a step has to have read is a call of a tool for who has tools.
func TestStepsNameCalls(t *testing.T) {
	c, _ := start(t, starterSite()).client("2025-06-18", all)
	p, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "consumer-rights-response"})
	if err != nil {
		t.Fatal(err)
	}
	text := p.Messages[0].Content.(*mcp.TextContent).Text
	for _, want := range []string{
		"`get_guideline guideline_id=consumer-rights.primary-contact.001 section=[rules/fraud_before_claim]`",
		"`get_guideline guideline_id=fraud.money-sent.001 section=[rules]`",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("the prompt does not say %s:\n%s", want, text)
		}
	}
	if strings.Contains(text, "GET /api/v1/guidelines") {
		t.Errorf("the prompt names addresses of HTTP:\n%s", text)
	}
	r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://consumer-rights-response/references/full.md"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"`get_parameter parameter_id=consumer-rights.ombudsman-amount-limit`", "section=[rules/choose_regime, rules/compute_with_tool]",
	} {
		if !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("the skill does not say %s", want)
		}
	}
}

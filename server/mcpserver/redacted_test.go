package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/mcpserver"
)

// Wherever a redacted version is asked for, by its number or by a day on which it was current,
// the answer says since when it is gone, why, and what to read instead.
func TestRedacted(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", all)
	var own map[string]any
	if err := json.Unmarshal(r.get("/api/v1/fraud/signals/versions/1.0.0", "application/json"), &own); err != nil {
		t.Fatal(err)
	}
	for _, one := range calls().Redacted {
		tool, args := one[0], one[1]
		t.Run(tool+" "+args, func(t *testing.T) {
			res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: json.RawMessage(args)})
			if err != nil {
				t.Fatal(err)
			}
			text, got := res.Content[0].(*mcp.TextContent).Text, map[string]any{}
			if err := json.Unmarshal([]byte(text), &got); err != nil || !res.IsError {
				t.Fatal(text)
			}
			for _, name := range []string{"code", "detail", "reason", "since", "successor", "content_checksum"} {
				if got[name] != own[name] || own[name] == nil {
					t.Errorf("%s: got %v, want %v", name, got[name], own[name])
				}
			}
		})
	}
}

// A redacted version of an instruction says so as a prompt.
func TestRedactedPrompt(t *testing.T) {
	script := mcpserver.Script()
	for i := range script {
		if marks, ok := script[i].Files["lifecycle.yaml"]; ok {
			const mark = "  - {item: instructions/assistant, version: 1.0.0, status: redacted, reason: Личное, " +
				"since: 2026-08-03}\n"
			script[i].Files["lifecycle.yaml"] = append(marks, mark...)
		}
	}
	c, _ := startWith(t, mcpserver.Build(nil, mcpserver.Load(script)), mcpserver.Config{}).client("2026-07-28", all)
	_, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: "assistant",
		Arguments: map[string]string{"version": "1.0.0"}})
	if err == nil || !strings.Contains(err.Error(), "was redacted: Личное") {
		t.Error(err)
	}
}

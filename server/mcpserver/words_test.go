package mcpserver_test

import (
	"regexp"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/content"
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
	r, err := c.ReadResource(t.Context(),
		&mcp.ReadResourceParams{URI: "skill://consumer-rights-response/references/full.md"})
	if err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"`get_parameter parameter_id=consumer-rights.ombudsman-amount-limit`",
		"section=[rules/choose_regime, rules/compute_with_tool]",
	} {
		if !strings.Contains(r.Contents[0].Text, want) {
			t.Errorf("the skill does not say %s", want)
		}
	}
}

// Whatever an instruction has a model read by MCP, a client that chose no toolsets can call
// as it is said there.
func TestWhatIsSaidCanBeCalled(t *testing.T) {
	c, _ := start(t, starterSite()).client("2025-06-18", "")
	known := map[string]bool{}
	for _, tool := range tools(t, c) {
		known[tool.Name] = true
	}
	calls, named := map[string]bool{}, map[string]bool{}
	for name, text := range workingTexts(t, c) {
		if i := strings.Index(text, "/api/v1/"); i >= 0 && !strings.HasSuffix(text[:i], "read_url url=") {
			t.Errorf("%s names an address: %.100s", name, text[max(0, i-60):])
		}
		for _, said := range regexp.MustCompile("`([a-z]+_[a-z_]+ [a-z_]+=[^`]+)`").FindAllStringSubmatch(text, -1) {
			calls[said[1]] = true
		}
		for _, said := range regexp.MustCompile(`(?:^|[^/a-z_])((?:get|list|read|find|check)_[a-z_]+)`).FindAllStringSubmatch(text, -1) {
			named[said[1]] = true
		}
	}
	if len(calls) < 50 {
		t.Errorf("only %d calls are said", len(calls))
	}
	for call := range calls {
		tool, args := parseCall(call)
		if res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: tool, Arguments: args}); err != nil ||
			res.IsError {
			t.Errorf("%s: %v %+v", call, err, res)
		}
	}
	for name := range named {
		if !known[name] {
			t.Errorf("%s is not there by default", name)
		}
	}
}

// workingTexts are what a model reads of the instructions: prompts, skills, and their
// sections.
func workingTexts(t *testing.T, c *mcp.ClientSession) map[string]string {
	t.Helper()
	texts := map[string]string{}
	for _, it := range starterSite().Snapshot.Items {
		if it.Kind.Path != content.Instructions.Path {
			continue
		}
		e := it.Current
		var sections []string
		for _, m := range e.Body() {
			if m.Value[0] == '{' || m.Value[0] == '[' {
				sections = append(sections, m.Name)
			}
		}
		for len(sections) > 0 {
			n := min(20, len(sections))
			_, texts[it.Name+" "+sections[0]] = call(t, c, "get_instruction",
				map[string]any{"name": it.Name, "section": sections[:n], "format": "markdown"})
			sections = sections[n:]
		}
		_, texts[it.Name+" brief"] = call(t, c, "get_instruction",
			map[string]any{"name": it.Name, "view": "brief", "format": "markdown"})
		if it.Kind != content.Instructions {
			continue
		}
		p, err := c.GetPrompt(t.Context(), &mcp.GetPromptParams{Name: it.Name})
		if err != nil {
			t.Fatal(err)
		}
		texts[it.Name+" prompt"] = p.Messages[0].Content.(*mcp.TextContent).Text
		for _, file := range []string{"SKILL.md", "references/full.md"} {
			r, err := c.ReadResource(t.Context(), &mcp.ReadResourceParams{URI: "skill://" + it.Name + "/" + file})
			if err != nil {
				t.Fatal(err)
			}
			texts[it.Name+" "+file] = r.Contents[0].Text
		}
	}
	return texts
}

// parseCall reads a call as the texts write it: tool a=b section=[c, d].
func parseCall(said string) (tool string, args map[string]any) {
	tool, rest, _ := strings.Cut(said, " ")
	args = map[string]any{}
	for _, m := range regexp.MustCompile(`([a-z_]+)=(\[[^\]]*\]|\S+)`).FindAllStringSubmatch(rest, -1) {
		if list, ok := strings.CutPrefix(m[2], "["); ok {
			args[m[1]] = strings.Split(strings.TrimSuffix(list, "]"), ", ")
		} else {
			args[m[1]] = m[2]
		}
	}
	return tool, args
}

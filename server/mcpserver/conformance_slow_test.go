//go:build slow

package mcpserver

import (
	"context"
	"encoding/base64"
	"encoding/json"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/api"
)

// node runs a script of a package that scripts/mcp/fetch has fetched, with the Node beside it.
func node(t *testing.T, script string, args ...string) ([]byte, error) {
	t.Helper()
	dir, err := filepath.Abs("../../scripts/mcp/node_modules")
	if err != nil {
		t.Fatal(err)
	}
	if _, err := os.Stat(dir); err != nil {
		t.Skip("the conformance suites and the Inspector are not there: scripts/mcp/fetch fetches them")
	}
	cmd := exec.CommandContext(t.Context(), filepath.Join(dir, ".bin", "node"),
		append([]string{filepath.Join(dir, script)}, args...)...)
	cmd.Dir = t.TempDir()
	return cmd.CombinedOutput()
}

// The conformance suite, by the requirements of both eras. What it expects to find
// is put in front of the server; the baselines name what a server that only reads
// cannot do, and the suite fails if they name too much.
func TestConformance(t *testing.T) {
	s := serverOf(t, Kinds())
	fixtures{s}.add()
	h := httptest.NewServer(s)
	defer h.Close()
	for _, suite := range []struct {
		revision, script string
		args             []string
	}{
		{"2025-11-25", "conformance-2025/dist/index.js", nil},
		{"2026-07-28", "conformance-2026/dist/index.js", []string{"--requirements", "2026-07-28"}},
	} {
		t.Run(suite.revision, func(t *testing.T) {
			baseline, err := filepath.Abs(filepath.Join("testdata", "conformance", suite.revision+".yml"))
			if err != nil {
				t.Fatal(err)
			}
			args := append([]string{"server", "--url", h.URL + api.MCPPath, "--expected-failures", baseline},
				suite.args...)
			out, err := node(t, suite.script, args...)
			if err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}

// The skills extension has scenarios of its own.
func TestSkillsConformance(t *testing.T) {
	h := httptest.NewServer(serverOf(t, Kinds()))
	defer h.Close()
	for _, scenario := range []string{"sep-2640-skills-enumeration", "sep-2640-skills-manifest"} {
		out, err := node(t, "conformance-2026/dist/index.js", "server", "--url",
			h.URL+api.MCPPath, "--scenario", scenario)
		if err != nil || !strings.Contains(string(out), ", 0 failed") {
			t.Errorf("%s: %v\n%s", scenario, err, out)
		}
	}
}

// The Inspector reads every tool's schemas strictly.
func TestInspector(t *testing.T) {
	h := httptest.NewServer(serverOf(t, Kinds()))
	defer h.Close()
	for _, args := range [][]string{
		{"--strict", "--method", "tools/list"},
		{"--method", "tools/call", "--tool-name", "get_guideline", "--tool-arg", "guideline_id=fraud.code.001"},
		{"--method", "tools/call", "--tool-name", "list_fraud_signals", "--tool-arg",
			"sufficient_for_stop=true", "limit=5"},
		{"--method", "tools/call", "--tool-name", "calculate_loan", "--tool-arg",
			`inputs={"principal":"5000000.00","annual_rate_pct":"18.5","term_months":360}`},
	} {
		args = append([]string{"--cli", h.URL + api.MCPPath + "?toolsets=all", "--transport", "http"}, args...)
		if out, err := node(t, "@modelcontextprotocol/inspector/clients/launcher/build/index.js", args...); err != nil {
			t.Errorf("%q: %v\n%.3000s", args, err, out)
		}
	}
}

// fixtures stand in front of a server and answer for what the suite wants to find.
type fixtures struct{ *Server }

func (f fixtures) add() {
	f.mcp.AddTool(fixtureTools()[len(fixtureTools())-1], nil) // so that the SDK knows its headers
	f.mcp.AddReceivingMiddleware(func(next mcp.MethodHandler) mcp.MethodHandler {
		return func(ctx context.Context, method string, req mcp.Request) (mcp.Result, error) {
			if res := f.answer(req); res != nil {
				if revisionOf(req) >= statelessSince {
					res.complete()
				}
				return res, nil
			}
			res, err := next(ctx, method, req)
			switch r := res.(type) {
			case *mcp.ListToolsResult:
				r.Tools = append(r.Tools, fixtureTools()...)
			case *mcp.ListResourcesResult:
				r.Resources = append(r.Resources, &mcp.Resource{URI: "test://static-text", Name: "text"},
					&mcp.Resource{URI: "test://static-binary", Name: "binary"})
			case *mcp.ListPromptsResult:
				for _, name := range []string{"test_simple_prompt", "test_prompt_with_arguments",
					"test_prompt_with_embedded_resource", "test_prompt_with_image"} {
					r.Prompts = append(r.Prompts, &mcp.Prompt{Name: name, Description: name})
				}
			}
			return res, err
		}
	})
}

const (
	png = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=="
	wav = "UklGRiQAAABXQVZFZm10IBAAAAABAAEAQB8AAEAfAAABAAgAZGF0YQAAAAA="
)

func decoded(s string) []byte { b, _ := base64.StdEncoding.DecodeString(s); return b }

func fixtureTools() (all []*mcp.Tool) {
	for _, name := range []string{"test_simple_text", "test_image_content", "test_audio_content",
		"test_embedded_resource", "test_multiple_content_types", "test_error_handling",
		"test_tool_with_progress", "test_streaming_elicitation", "test_logging_tool", "test_trigger_prompt_change"} {
		all = append(all, &mcp.Tool{Name: name, Description: name, InputSchema: json.RawMessage(`{"type":"object"}`)})
	}
	return append(all,
		&mcp.Tool{Name: "json_schema_2020_12_tool", Description: "Schemas are listed as they are.", InputSchema: json.RawMessage(`{
			"$schema":"https://json-schema.org/draft/2020-12/schema","type":"object",
			"$defs":{"address":{"$anchor":"addressDef","type":"object","properties":{"street":{"type":"string"},"city":{"type":"string"}}}},
			"properties":{"name":{"type":"string"},"address":{"$ref":"#/$defs/address"},"contactMethod":{"type":"string","enum":["phone","email"]},"phone":{"type":"string"},"email":{"type":"string"}},
			"allOf":[{"anyOf":[{"required":["phone"]},{"required":["email"]}]}],
			"if":{"properties":{"contactMethod":{"const":"phone"}},"required":["contactMethod"]},"then":{"required":["phone"]},"else":{"required":["email"]},
			"additionalProperties":false}`)},
		&mcp.Tool{Name: "test_x_mcp_header", Description: "An argument that is a header as well.",
			InputSchema: json.RawMessage(
				`{"type":"object","properties":{"region":{"type":"string","x-mcp-header":"Region"}}}`)},
	)
}

type completed interface {
	mcp.Result
	complete()
}

// answer answers a request for a fixture, nil if it is for none.
func (f fixtures) answer(req mcp.Request) completed {
	switch p := req.GetParams().(type) {
	case *mcp.CallToolParamsRaw:
		if slices.ContainsFunc(fixtureTools(), func(t *mcp.Tool) bool { return t.Name == p.Name }) {
			return f.call(p)
		}
	case *mcp.ReadResourceParams:
		if strings.HasPrefix(p.URI, "test://") && !strings.Contains(p.URI, "nonexistent") {
			return f.read(p.URI)
		}
	case *mcp.GetPromptParams:
		if strings.HasPrefix(p.Name, "test_") {
			return f.prompt(p)
		}
	}
	return nil
}

func (f fixtures) call(p *mcp.CallToolParamsRaw) *callResult {
	said := &mcp.TextContent{Text: "This is a simple text response for testing."}
	image := &mcp.ImageContent{Data: decoded(png), MIMEType: "image/png"}
	resource := &mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: "test://embedded-resource",
		MIMEType: "text/plain", Text: "embedded"}}
	switch p.Name {
	case "test_image_content":
		return &callResult{Content: []mcp.Content{image}}
	case "test_audio_content":
		return &callResult{Content: []mcp.Content{&mcp.AudioContent{Data: decoded(wav), MIMEType: "audio/wav"}}}
	case "test_embedded_resource":
		return &callResult{Content: []mcp.Content{resource}}
	case "test_multiple_content_types":
		return &callResult{Content: []mcp.Content{said, image, resource}}
	case "test_error_handling":
		return &callResult{IsError: true, Content: []mcp.Content{said}}
	case "test_trigger_prompt_change":
		f.announceLists()
	}
	return &callResult{Content: []mcp.Content{said}}
}

func (f fixtures) read(uri string) *readResult {
	c := &mcp.ResourceContents{URI: uri, MIMEType: "text/plain", Text: "text"}
	if id, ok := strings.CutPrefix(uri, "test://template/"); ok {
		id = strings.TrimSuffix(id, "/data")
		c.MIMEType, c.Text = "application/json", `{"id":"`+id+`","templateTest":true,"data":"Data for ID: `+id+`"}`
	}
	if strings.HasSuffix(uri, "binary") {
		c = &mcp.ResourceContents{URI: uri, MIMEType: "image/png", Blob: decoded(png)}
	}
	return &readResult{Cacheable: mcp.Cacheable{TTLMs: 60000, CacheScope: "public"},
		Contents: []*mcp.ResourceContents{c}}
}

func (f fixtures) prompt(p *mcp.GetPromptParams) *promptResult {
	said := func(c mcp.Content) *mcp.PromptMessage { return &mcp.PromptMessage{Role: "user", Content: c} }
	messages := []*mcp.PromptMessage{said(&mcp.TextContent{Text: "arg1='" + p.Arguments["arg1"] + "', arg2='" +
		p.Arguments["arg2"] + "'"})}
	switch p.Name {
	case "test_prompt_with_embedded_resource":
		messages = append(messages,
			said(&mcp.EmbeddedResource{Resource: &mcp.ResourceContents{URI: p.Arguments["resourceUri"],
				MIMEType: "text/plain", Text: "embedded"}}))
	case "test_prompt_with_image":
		messages = append(messages, said(&mcp.ImageContent{Data: decoded(png), MIMEType: "image/png"}))
	}
	return &promptResult{Messages: messages}
}

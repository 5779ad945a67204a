package mcpserver

import (
	"bytes"
	"encoding/json"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/api"
)

// Numbers are not touched on their way, neither beyond 2^53 nor behind the point:
// not from the request to the tool, and not from the tool to the answer.
func TestNumbersUnchanged(t *testing.T) {
	s := serverOf(t, Kinds())
	const numbers = `{"whole":9007199254740993,"decimal":0.10,"small":1e-7,"nothing":null,"order":{"b":1,"a":2}}`
	s.tools = append(s.tools, &tool{Tool: &mcp.Tool{Name: "echo"}, sets: ^sets(0), run: func(c *call) (result, error) {
		if string(c.raw) != numbers {
			t.Errorf("the tool was given %s", c.raw)
		}
		return result{json: []byte(numbers)}, nil
	}})
	h := httptest.NewServer(s)
	defer h.Close()
	for version, meta := range map[string]string{
		"2025-11-25": ``,
		"2026-07-28": `,"_meta":{"io.modelcontextprotocol/protocolVersion":"2026-07-28","io.modelcontextprotocol/clientCapabilities":{}}`,
	} {
		body := `{"jsonrpc":"2.0","id":9007199254740991,"method":"tools/call","params":{"name":"echo","arguments":` +
			numbers + meta + `}}`
		req, err := http.NewRequest(http.MethodPost, h.URL+api.MCPPath, strings.NewReader(body))
		if err != nil {
			t.Fatal(err)
		}
		for name, value := range map[string]string{"Content-Type": api.JSONType,
			"Accept": api.JSONType + ", " + streamType, versionHeader: version,
			"Mcp-Method": "tools/call", "Mcp-Name": "echo"} {
			req.Header.Set(name, value)
		}
		res, err := http.DefaultClient.Do(req)
		if err != nil {
			t.Fatal(err)
		}
		raw, err := io.ReadAll(res.Body)
		res.Body.Close()
		if err != nil {
			t.Fatal(err)
		}
		text, _ := json.Marshal(numbers)
		for _, want := range [][]byte{[]byte(`"id":9007199254740991`), []byte(`"structuredContent":` + numbers), text} {
			if !bytes.Contains(raw, want) {
				t.Errorf("%s: %s is not in %s", version, want, raw)
			}
		}
	}
}

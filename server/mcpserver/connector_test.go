package mcpserver_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/mcpserver"
)

// Its search is not the one of other toolsets, so it is chosen alone.
func TestConnectorAlone(t *testing.T) {
	r := start(t)
	list := `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`
	if status, body := r.messageTo("/mcp?toolsets=rules,connector", list, nil); status != http.StatusBadRequest ||
		!strings.Contains(body, "alone") {
		t.Errorf("%d %s", status, body)
	}
	if _, body := r.messageTo("/mcp"+all, list, nil); strings.Contains(body, `"name":"fetch"`) ||
		strings.Count(body, `"name":"search"`) != 1 {
		t.Error("all toolsets have that of the connector")
	}
}

// Who takes JSON alone is answered so, in each era.
func TestJSONAlone(t *testing.T) {
	r := start(t)
	for name, message := range map[string]string{
		"a list":    `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		"a call":    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"вклад"}}}`,
		"a session": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		"an error":  `{"jsonrpc":"2.0","id":1,"method":"nothing"}`,
	} {
		t.Run(name, func(t *testing.T) {
			res, body := r.ask(http.MethodPost, "/mcp", message, map[string]string{"Accept": "application/json"})
			var answer struct {
				ID            int
				Result, Error json.RawMessage
			}
			if err := json.Unmarshal([]byte(body), &answer); err != nil ||
				res.Header.Get("Content-Type") != "application/json" || answer.ID != 1 ||
				(answer.Error != nil) != (name == "an error") {
				t.Errorf("%d %v %v %+v", res.StatusCode, res.Header, err, answer)
			}
		})
	}
}

// What is prompted and what is a skill are for who has tools: without addresses of HTTP, and with the whole a
// link away.
func TestPromptsAndSkillsAreForTools(t *testing.T) {
	r := start(t)
	const get = `{"jsonrpc":"2.0","id":1,"method":"`
	for _, name := range []string{"assistant", "fraud-response"} {
		_, prompt := r.message(get+`prompts/get","params":{"name":"`+name+`"}}`, nil)
		_, skill := r.message(get+`resources/read","params":{"uri":"skill://`+name+`/SKILL.md"}}`, nil)
		_, full := r.message(get+`resources/read","params":{"uri":"skill://`+name+`/references/full.md"}}`, nil)
		for what, text := range map[string]string{"prompt": prompt, "skill": skill, "full": full} {
			if strings.Contains(text, "GET /api/") || strings.Contains(text, "POST /api/") ||
				!strings.Contains(text, `"snapshot":"`+kinds().ID) {
				t.Errorf("the %s of %s is %.2000s", what, name, text)
			}
		}
		if !strings.Contains(prompt, "get_instruction name="+name) || len(prompt) > len(full) {
			t.Errorf("the prompt is %s", prompt)
		}
	}
}

func TestIndexesOfSkills(t *testing.T) {
	r := start(t)
	_, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://index.json"}}`,
		nil)
	if !strings.Contains(body, "skill://fraud-response/SKILL.md") {
		t.Errorf("the index is %.500s", body)
	}
	for _, path := range []string{"/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"} {
		var index struct {
			Skills []struct{ Name, Description, URL, Digest string }
		}
		if err := json.Unmarshal(r.get(path, "application/json"), &index); err != nil || len(index.Skills) < 2 {
			t.Fatalf("%s: %v %v", path, err, index)
		}
		for _, skill := range index.Skills {
			text := r.get(strings.TrimPrefix(skill.URL, baseURL), "text/markdown")
			if !strings.HasPrefix(string(text), "---\nname: "+skill.Name+"\n") {
				t.Errorf("%s is %.200s", skill.URL, text)
			}
		}
	}
}

// The counts of a list are beside it, and so is the snapshot.
func TestCounts(t *testing.T) {
	r := start(t)
	_, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_fraud_routes",`+
		`"arguments":{"urgency":"immediate"}}}`, nil)
	for _, want := range []string{`"total":2`, `"returned":2`, `"bytes":`, `"snapshot":"` + kinds().ID} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %.400s", want, body)
		}
	}
	if strings.Contains(body, "next_offset") {
		t.Error("the list is cut")
	}
	if got := r.mcp.Calls(); !slices.Equal(got, []mcpserver.Calls{{Tool: "list_fraud_routes", Answered: 1}}) {
		t.Errorf("counted %v", got)
	}
}

// A client that knows the two tools of the published contract, and nothing else, finds and reads.
func TestConnector(t *testing.T) {
	c, _ := start(t).client("2025-06-18", "?toolsets=connector")
	var found struct{ Results []map[string]string }
	structured, text := call(t, c, "search", map[string]any{"query": "просят код"})
	if err := json.Unmarshal([]byte(text), &found); err != nil || !sameJSON(structured, []byte(text)) ||
		len(found.Results) == 0 || len(tools(t, c)) != 2 {
		t.Fatalf("%v %s", err, text)
	}
	pinned := regexp.MustCompile(`^rulestore://[a-z]+/[a-z0-9._/-]+/v[0-9]+\.[0-9]+\.[0-9]+(#.+)?$`)
	for _, hit := range found.Results {
		if len(hit) != 3 || !pinned.MatchString(hit["id"]) || hit["title"] == "" ||
			!strings.HasPrefix(hit["url"], baseURL) {
			t.Errorf("a result is %v", hit)
		}
		_, text := call(t, c, "fetch", map[string]any{"id": hit["id"]})
		var doc struct {
			ID, Title, Text, URL string
			Metadata             map[string]string
		}
		if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.ID != hit["id"] || doc.Title != hit["title"] ||
			!strings.HasPrefix(doc.Text, "# ") || doc.URL != hit["url"] || doc.Metadata["content_checksum"] == "" {
			t.Errorf("%s: %v %.300s", hit["id"], err, text)
		}
	}
	for _, id := range []string{"rulestore://guidelines/nothing.001/v1.0.0", "x",
		"rulestore://guidelines/fraud.code.001/v1.0.0#nothing"} {
		if res, err := c.CallTool(t.Context(), &mcp.CallToolParams{Name: "fetch",
			Arguments: map[string]any{"id": id}}); err != nil || !res.IsError {
			t.Errorf("%s: %v %v", id, res, err)
		}
	}
}

// An address in an instruction is a call for who has tools, and an id for who has a connector.
func TestAddressesAreCalls(t *testing.T) {
	script := mcpserver.Script()
	const file = "instructions/claims.yaml"
	script[0].Files[file] = bytes.Replace(script[0].Files[file], []byte("Не обещать возврат."), []byte(`"Читать `+
		`GET /api/v1/guidelines/fraud.code.001?view=brief, искать по адресу /api/v1/search?q=x, суммы /api/v1/checksums"`), 1)
	r := startWith(t, mcpserver.Build(nil, mcpserver.Load(script)), mcpserver.Config{})
	c, _ := r.client("2025-06-18", "?toolsets=connector")
	_, fetched := call(t, c, "fetch", map[string]any{"id": "rulestore://instructions/claims"})
	c, _ = r.client("2025-06-18", "")
	_, section := call(t, c, "get_instruction", map[string]any{"name": "claims", "section": "rules", "format": "markdown"})
	full := read(t, c, "skill://claims/references/full.md")
	for text, want := range map[string]string{
		fetched: "Читать fetch rulestore://guidelines/fraud.code.001, искать по адресу search",
		section: "Читать get_guideline guideline_id=fraud.code.001 view=brief, искать по адресу search q=x, суммы read_url url=/api/v1/checksums",
		full:    "Читать get_guideline guideline_id=fraud.code.001 view=brief, искать по адресу search q=x, суммы read_url url=/api/v1/checksums",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%s is not in\n%s", want, text)
		}
	}
}

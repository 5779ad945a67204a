//go:build slow

package mcpserver_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// A client that knows the two tools of the published contract, and nothing else, finds
// and reads.
func TestConnector(t *testing.T) {
	r := start(t, starterSite())
	c, _ := r.client("2025-06-18", "?toolsets=connector")
	var names []string
	for _, tool := range tools(t, c) {
		names = append(names, tool.Name)
	}
	if !slices.Equal(names, []string{"search", "fetch"}) {
		t.Fatalf("the tools are %q", names)
	}
	var found struct{ Results []map[string]string }
	structured, text := call(t, c, "search", map[string]any{"query": "звонят из банка про безопасный счёт"})
	if err := json.Unmarshal([]byte(text), &found); err != nil || !sameJSON(structured, []byte(text)) ||
		len(found.Results) == 0 {
		t.Fatalf("%v %s", err, text)
	}
	pinned := regexp.MustCompile(`^rulestore://[a-z]+/[a-z0-9./-]+/v[0-9]+\.[0-9]+\.[0-9]+(#.+)?$`)
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
		if err := json.Unmarshal([]byte(text), &doc); err != nil || doc.ID != hit["id"] || doc.Title == "" ||
			!strings.HasPrefix(doc.Text, "# ") || doc.Title != hit["title"] || doc.URL != hit["url"] ||
			doc.Metadata["content_checksum"] == "" {
			t.Errorf("%s: %v %.300s", hit["id"], err, text)
		}
	}
	for _, id := range []string{"rulestore://guidelines/nothing.001/v1.0.0", "x",
		"rulestore://guidelines/product.common.001/v1.0.0#nothing"} {
		_, body := r.messageTo("/mcp?toolsets=connector",
			`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"fetch","arguments":{"id":"`+id+`"}}}`, nil)
		if !strings.Contains(body, `"isError":true`) {
			t.Errorf("%s: %s", id, body)
		}
	}
}

// What an instruction has one read is named by the ids that fetch takes, and each is there.
func TestConnectorReadsOn(t *testing.T) {
	r := start(t, starterSite())
	c, _ := r.client("2025-06-18", "?toolsets=connector")
	told := map[string]bool{}
	for _, name := range []string{"assistant", "fraud-response", "consumer-rights-response",
		"product-document-analysis"} {
		_, text := call(t, c, "fetch", map[string]any{"id": "rulestore://instructions/" + name})
		for _, id := range regexp.MustCompile(`rulestore://[a-z0-9./#A-Z_-]+[a-zA-Z0-9]`).FindAllString(text, -1) {
			told[id] = true
		}
		if strings.Contains(text, "/api/v1/guidelines/") {
			t.Errorf("%s names addresses of HTTP", name)
		}
	}
	for _, id := range []string{"rulestore://policies/fallback-policy",
		"rulestore://instructions/fraud-response#steps"} {
		if !told[id] {
			t.Errorf("%s is not told of", id)
		}
	}
	if len(told) < 30 {
		t.Errorf("only %d ids are told of", len(told))
	}
	for id := range told {
		call(t, c, "fetch", map[string]any{"id": id})
	}
	if _, text := call(t, c, "search", map[string]any{"query": "рассчитать платёж по кредиту"}); strings.Contains(text,
		`"results":[]`) {
		t.Errorf("nothing is found: %s", text)
	}
}

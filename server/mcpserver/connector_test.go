package mcpserver_test

import (
	"encoding/json"
	"net/http"
	"regexp"
	"strings"
	"testing"
)

// Its search is not the one of other toolsets, so it is chosen alone.
func TestConnectorAlone(t *testing.T) {
	r := start(t, starterSite())
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
	r := start(t, starterSite())
	for name, message := range map[string]string{
		"a list":    `{"jsonrpc":"2.0","id":1,"method":"tools/list"}`,
		"a call":    `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"search","arguments":{"q":"вклад"}}}`,
		"a session": `{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"x","version":"1"}}}`,
		"an error":  `{"jsonrpc":"2.0","id":1,"method":"nothing"}`,
	} {
		t.Run(name, func(t *testing.T) {
			req := must(http.NewRequest(http.MethodPost, r.url+"/mcp", strings.NewReader(message)))
			req.Header.Set("Content-Type", "application/json")
			req.Header.Set("Accept", "application/json")
			res := must(http.DefaultClient.Do(req))
			defer res.Body.Close()
			var answer struct {
				ID            int
				Result, Error json.RawMessage
			}
			if err := json.NewDecoder(res.Body).Decode(&answer); err != nil ||
				res.Header.Get("Content-Type") != "application/json" || answer.ID != 1 ||
				answer.Result == nil && answer.Error == nil {
				t.Errorf("%d %v %v %+v", res.StatusCode, res.Header, err, answer)
			}
		})
	}
}

// What is prompted and what is a skill are for who has tools: short, without addresses
// of HTTP, and with the whole a link away.
func TestPromptsAndSkillsAreForTools(t *testing.T) {
	r := start(t, starterSite())
	address := regexp.MustCompile(`(GET|POST) /api/`)
	for _, name := range []string{"assistant", "fraud-response", "consumer-rights-response", "math-module"} {
		t.Run(name, func(t *testing.T) {
			_, prompt := r.message(`{"jsonrpc":"2.0","id":1,"method":"prompts/get","params":{"name":"`+name+`"}}`, nil)
			_, skill := r.message(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://`+
				name+`/SKILL.md"}}`, nil)
			_, full := r.message(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://`+name+
				`/references/full.md"}}`, nil)
			for what, text := range map[string]string{"prompt": prompt, "skill": skill, "full": full} {
				t.Run(what, func(t *testing.T) {
					if address.MatchString(text) || !strings.Contains(text, `"snapshot":"`+starterSite().ID) ||
						strings.Contains(text, "| Поле |") && what != "full" {
						t.Errorf("the %s is %.2000s", what, text)
					}
				})
			}
			if !strings.Contains(prompt, "get_instruction name="+name) || len(prompt) > 6_000 || len(skill) > 8_000 {
				t.Errorf("the prompt has %d bytes, the skill %d: %s", len(prompt), len(skill), prompt)
			}
		})
	}
}

func TestIndexesOfSkills(t *testing.T) {
	r := start(t, starterSite())
	_, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"resources/read","params":{"uri":"skill://index.json"}}`,
		nil)
	if !strings.Contains(body, "skill://fraud-response/SKILL.md") {
		t.Errorf("the index is %.500s", body)
	}
	for _, path := range []string{"/.well-known/agent-skills/index.json", "/.well-known/skills/index.json"} {
		var index struct {
			Skills []struct{ Name, Description, URL, Digest string }
		}
		if err := json.Unmarshal(r.get(path, "application/json"), &index); err != nil || len(index.Skills) < 8 {
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

// Some clients cut what a server tells them at 2,000 characters; what may not be sent
// comes first.
func TestInstructionsAreShort(t *testing.T) {
	r := start(t, starterSite())
	for _, query := range []string{"", all, "?toolsets=connector", "?toolsets=fraud"} {
		c, _ := r.client("2025-11-25", query)
		got := c.InitializeResult().Instructions
		if n := len([]rune(got)); n == 0 || n >= 1800 || !strings.HasPrefix(got, "Личные данные") {
			t.Errorf("%s: %d characters: %s", query, n, got)
		}
	}
}

// The counts of a list are beside it, and so is the snapshot.
func TestCounts(t *testing.T) {
	r := start(t, starterSite())
	_, body := r.message(`{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"list_fraud_signals",`+
		`"arguments":{"sufficient_for_stop":true}}}`, nil)
	for _, want := range []string{`"total":31`, `"returned":31`, `"bytes":`, `"snapshot":"` + starterSite().ID} {
		if !strings.Contains(body, want) {
			t.Errorf("%s is not in %.400s", want, body)
		}
	}
	if strings.Contains(body, "next_offset") {
		t.Error("the list is cut")
	}
}

package mcpserver_test

import (
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"rulestore/server/api"
)

// A browser comes to the page for people, by whatever name it asks; a client gets what the
// protocol says, even if it takes pages as well.
func TestBrowsersAreLedOn(t *testing.T) {
	r := start(t)
	for accept, status := range map[string]int{
		"text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8": 303, "text/html": 303,
		// the stream of a foreign host is refused
		"text/html, application/json": 200, "text/html, text/event-stream": 403, "*/*": 200,
	} {
		t.Run(accept, func(t *testing.T) {
			res, _ := r.ask("GET", "/mcp", "", map[string]string{"Accept": accept, "Host": "evil.example"})
			if res.StatusCode != status {
				t.Errorf("Accept %q: %d, want %d", accept, res.StatusCode, status)
			}
			if at := res.Header.Get("Location"); status == 303 && at != "/connect#mcp" {
				t.Errorf("Accept %q: led to %q", accept, at)
			}
		})
	}
}

// Who comes with curl is told what this is and where to read how to connect.
func TestDescription(t *testing.T) {
	r := start(t)
	for _, accept := range []string{"", "*/*", "application/json", "text/html, application/json"} {
		t.Run(accept, func(t *testing.T) {
			res, body := r.ask("GET", "/mcp", "", map[string]string{"Accept": accept, "Sec-Fetch-Site": "cross-site"})
			if res.StatusCode != 200 || res.Header.Get("Content-Type") != "application/json" {
				t.Errorf("Accept %q: %d %s", accept, res.StatusCode, res.Header.Get("Content-Type"))
			}
			for _, want := range append([]string{baseURL + "/mcp", "2026-07-28", "2025-11-25", baseURL + "/connect",
				"get_guideline"}, names()...) {
				if !strings.Contains(body, want) {
					t.Errorf("Accept %q: %s is not in\n%s", accept, want, body)
				}
			}
		})
	}
	if res, body := r.ask("HEAD", "/mcp", "", nil); res.StatusCode != 200 || body != "" || res.ContentLength <= 0 {
		t.Errorf("HEAD: %d %d", res.StatusCode, res.ContentLength)
	}
	if res, _ := r.ask("OPTIONS", "/mcp", "", nil); res.StatusCode != 204 ||
		!strings.Contains(res.Header.Get("Allow"), "POST") {
		t.Errorf("OPTIONS: %d %s", res.StatusCode, res.Header.Get("Allow"))
	}
	for method, headers := range map[string]map[string]string{
		"PUT": nil, "GET": {"Accept": "text/event-stream", "Mcp-Protocol-Version": "2026-07-28"},
		"DELETE": {"Mcp-Protocol-Version": "2026-07-28"},
	} {
		t.Run(method, func(t *testing.T) {
			res, body := r.ask(method, "/mcp", "", headers)
			if res.StatusCode != 405 || res.Header.Get("Allow") == "" ||
				!strings.Contains(body, `"jsonrpc"`) {
				t.Errorf("%s: %d %q %s", method, res.StatusCode, res.Header.Get("Allow"), body)
			}
		})
	}
}

func names() (all []string) {
	for _, t := range api.Toolsets {
		all = append(all, t.Name)
	}
	return all
}

// The card and the entry for the registry keep to the limits of their schemas, and
// say what the server says.
func TestCards(t *testing.T) {
	r := start(t)
	c, _ := r.client("2026-07-28", "")
	for path, kind := range map[string]string{"/mcp/server-card": "application/mcp-server-card+json",
		"/mcp/server.json": "application/json"} {
		res, body := r.ask("GET", path, "", nil)
		var card struct {
			Schema                            string `json:"$schema"`
			Name, Title, Description, Version string
			Remotes                           []struct{ Type, URL string }
		}
		if err := json.Unmarshal([]byte(body), &card); err != nil {
			t.Fatal(err)
		}
		if res.Header.Get("Content-Type") != kind || res.Header.Get("Access-Control-Allow-Origin") != "*" {
			t.Errorf("%s: %v", path, res.Header)
		}
		for name, text := range map[string]string{"title": card.Title, "description": card.Description} {
			if n := utf8.RuneCountInString(text); n == 0 || n > 100 {
				t.Errorf("%s: the %s has %d characters: %s", path, name, n, text)
			}
		}
		if card.Name != "org.example.rules/rulestore" || !strings.HasPrefix(card.Schema,
			"https://static.modelcontextprotocol.io/schemas/") {
			t.Errorf("%s: %s %s", path, card.Name, card.Schema)
		}
		if len(card.Remotes) != 1 || card.Remotes[0].Type != "streamable-http" ||
			card.Remotes[0].URL != baseURL+"/mcp" {
			t.Errorf("%s: %+v", path, card.Remotes)
		}
		if info := c.InitializeResult().ServerInfo; info.Version != card.Version || info.Title != card.Title {
			t.Errorf("%s: %s %s, the server says %+v", path, card.Title, card.Version, info)
		}
		if res, _ := r.ask("POST", path, "", nil); res.StatusCode != 405 {
			t.Errorf("POST %s: %d", path, res.StatusCode)
		}
	}
	if res, body := r.ask("GET", "/.well-known/agent-skills/none/SKILL.md", "", nil); res.StatusCode != 404 ||
		!strings.Contains(body, "no such skill") {
		t.Errorf("a skill that is not there: %d %s", res.StatusCode, body)
	}
	if res, body := r.ask("GET", "/mcp/nothing", "", nil); res.StatusCode != 404 ||
		!strings.Contains(body, "path_not_found") {
		t.Errorf("what is not there: %d %s", res.StatusCode, body)
	}
}

//go:build slow

package main

import (
	"bytes"
	"encoding/json"
	"html"
	"os/exec"
	"regexp"
	"strings"
	"testing"
)

// What the page says how to ask is run against the server that says it.
func TestConnectSnippets(t *testing.T) {
	t.Parallel()
	bare, _ := newYoung(t)
	s := start(t, "--repo", bare)
	all := s.snippets("/connect")
	t.Run("shell", func(t *testing.T) { runShell(t, all) })
	t.Run("settings", func(t *testing.T) { checkSettings(t, s, all) })
}

// installed skips a test of what is not there.
func installed(t *testing.T, programs ...string) {
	t.Helper()
	for _, p := range programs {
		if _, err := exec.LookPath(p); err != nil {
			t.Skipf("%s is not installed: what pages say for it is not run", p)
		}
	}
}

func runShell(t *testing.T, all []snippet) {
	installed(t, "sh", "curl")
	for _, one := range all {
		if one.language != "sh" || strings.HasPrefix(one.code, "claude ") {
			continue
		}
		if _, err := exec.LookPath("jq"); err != nil && strings.Contains(one.code, "jq ") {
			t.Log("jq is not installed: the command that checks a checksum is not run")
			continue
		}
		var wrong bytes.Buffer
		c := exec.CommandContext(t.Context(), "sh", "-c", one.code)
		c.Stderr = &wrong
		if out, err := c.Output(); err != nil || len(out) == 0 {
			t.Errorf("%s: %v %s: %d bytes of\n%s", one.page, err, wrong.Bytes(), len(out), one.code)
		}
	}
}

// checkSettings reads the settings of clients, which name this server.
func checkSettings(t *testing.T, s *running, all []snippet) {
	n := 0
	for _, one := range all {
		if one.language != "json" {
			continue
		}
		n++
		var settings map[string]map[string]struct {
			URL, Command string
			Args         []string
		}
		if err := json.Unmarshal([]byte(one.code), &settings); err != nil {
			t.Errorf("%s: %v\n%s", one.id, err, one.code)
		}
		for _, servers := range settings {
			for _, server := range servers {
				if server.URL != s.url+"/mcp" && (server.Command != "rulestore" || server.Args[0] != "mcp") {
					t.Errorf("%s: %+v", one.id, server)
				}
			}
		}
	}
	if n < 3 {
		t.Errorf("settings for %d clients", n)
	}
}

var snippetIn = regexp.MustCompile(`(?s)<code id="([^"]+)" data-language="([^"]+)">(.*?)</code>`)

// snippet is something to copy from a page.
type snippet struct{ page, id, language, code string }

// snippets are those of a page.
func (s *running) snippets(path string) (all []snippet) {
	s.Helper()
	for _, m := range snippetIn.FindAllStringSubmatch(string(s.mustGet(path, "text/html").body), -1) {
		all = append(all, snippet{path, m[1], m[2], html.UnescapeString(m[3])})
	}
	return all
}

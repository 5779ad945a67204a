package html

import (
	"strings"
	"testing"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/site"
)

// The page says how to connect, to read, to follow and to verify. A service without content says what
// it can; a name that is no word is not put into commands.
func TestConnect(t *testing.T) {
	with := config
	with.MCP = true
	full := pageAt(t, site.Build(nil, allKinds(), with), api.ConnectPath)
	for _, want := range []string{
		"mcpServers", "?toolsets=connector", "<code>fraud</code>", `href="/openapi.yaml"`, `href="/feeds/all.atom"`,
		"rulestore verify", "sha256sum</code>", `id="program-calculate"`,
	} {
		if !strings.Contains(full, want) {
			t.Errorf("no %s in\n%s", want, full)
		}
	}
	if n := strings.Count(full, `<code id="program-`); n != 5 {
		t.Errorf("%d requests", n)
	}
	in := input()
	in.Settings.Service = "x'; rm -rf / #"
	if body := pageAt(t, site.Build(nil, content.NewSnapshot(in), with), api.ConnectPath); strings.Contains(body,
		"rm -rf") || strings.Count(body, `<code id="program-`) != 2 {
		t.Errorf("of an empty service\n%s", body)
	}
	if body := pageAt(t, site.Build(nil, content.NewSnapshot(input()), config), api.ConnectPath); strings.Contains(body,
		"mcpServers") {
		t.Error("a service without MCP has settings of clients")
	}
}

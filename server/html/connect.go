package html

import (
	"bytes"
	"encoding/json"
	"fmt"
	"net/url"
	"regexp"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

// Connect has what the instructions for using the service are about: its template has the instructions.
type Connect struct {
	Head
	Base, Name              string // the absolute address of the service, and its name
	MCP, HasLog             bool
	Item, Version, Checksum string // an item to read: its address, that of its version, and its checksum
	Search                  string // a query that finds it
	Request                 string // to calculate
	Toolsets                []api.Toolset
	Feeds                   []Link
}

// Snippet is something to copy, with what it is for.
type Snippet struct{ ID, Title, Language, Code string }

// snippet makes a snippet; format has a verb for each of the words.
func snippet(id, title, language, format string, words ...any) Snippet {
	return Snippet{id, title, language, fmt.Sprintf(format, words...)}
}

// quoted quotes a text as one word of a POSIX shell.
func quoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// checkCommand is the command that computes the checksum of an item (design, section 5).
func checkCommand(url string) string {
	return fmt.Sprintf(
		"curl -fsS %s |\n  jq -jcS 'del(.%s)' |\n  sha256sum", quoted(url), strings.Join(content.Derived, ",."),
	)
}

// serverName matches names of servers in settings of clients.
var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)

// connect says how to connect assistants and programs, with the configured address, never one from a request.
func (m maker) connect() Connect {
	p := Connect{
		Head: Head{
			Title: "Подключение", Description: "Как подключить ассистента и программу: MCP и curl.",
			Path: m.root + api.ConnectPath, Crumbs: m.crumbs(),
		},
		Base: m.URL(""), Name: m.Snapshot.Settings.Service, MCP: m.MCP, HasLog: m.HasLog(),
		Toolsets: api.Toolsets,
	}
	if !serverName.MatchString(p.Name) {
		p.Name = "rulestore"
	}
	for _, k := range content.Kinds {
		listed := m.Listed(k)
		if len(listed) == 0 || !k.List {
			continue
		}
		p.Feeds = append(p.Feeds, Link{k.Title, m.root + api.FeedsPath + k.Folder + ".atom"})
		if e := listed[0]; p.Item == "" {
			p.Item, p.Version, p.Checksum = m.URL(k.ItemPath(e.Name)), m.URL(e.Path()), e.Checksum
			p.Search = url.Values{"q": {e.Body().Text("title")}, "limit": {"3"}}.Encode()
		}
	}
	if t, ok := m.Math.Tool("loan_payment"); ok {
		p.Request = indentedJSON([]byte(t.Examples[0].Request))
	}
	return p
}

// indentedJSON is JSON with line breaks; other text is returned unchanged.
func indentedJSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

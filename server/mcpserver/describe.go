package mcpserver

import (
	"net"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/modelcontextprotocol/go-sdk/mcp"

	"rulestore/server/api"
	"rulestore/server/site"
)

// serveDescription answers programs such as curl with JSON, and redirects browsers to the
// page for people. A client that accepts JSON too is a program.
func (s *Server) serveDescription(w http.ResponseWriter, r *http.Request) {
	if accepts(r, api.HTMLType) && !accepts(r, api.JSONType) {
		w.Header().Set("Vary", "Accept")
		w.Header().Set("Location", s.Sites.Current().Root()+api.ConnectPath+"#mcp")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	var toolsets []any
	for _, t := range api.Toolsets {
		var tools []string
		for _, tool := range s.tools {
			if tool.sets.has(setsOf(t.Name)) {
				tools = append(tools, tool.Name)
			}
		}
		about := api.Object("name", t.Name, "description", t.About, "default", t.Default, "tools", tools)
		toolsets = append(toolsets, about)
	}
	current := s.Sites.Current()
	s.write(w, r, api.JSONType, api.JSON(api.Object(
		"endpoint", current.URL(api.MCPPath), "title", current.Snapshot.Settings.Title,
		"description", "Точка доступа MCP: ассистенты читают правила и считают. Сюда обращаются клиенты MCP; браузер "+
			"попадает на страницу о подключении.",
		"transport", site.MCPTransport, "protocol_versions", mcp.SupportedProtocolVersions(), "toolsets", toolsets,
		"documents", api.Object(
			"connect", current.URL(api.ConnectPath), "manifest", current.URL(api.ManifestPath),
			"server_card", current.URL(api.MCPCardPath), "server_json", current.URL(api.MCPRegistryPath),
		),
	)))
}

// serveCard serves the documents that describe the server, and skills
// (modelcontextprotocol/experimental-ext-server-card, docs/discovery.md; and server.json of
// the MCP registry).
func (s *Server) serveCard(w http.ResponseWriter, r *http.Request) {
	const schemas = "https://static.modelcontextprotocol.io/schemas/"
	switch path := r.URL.Path; {
	case r.Method == http.MethodOptions:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		w.WriteHeader(http.StatusNoContent)
	case r.Method != http.MethodGet && r.Method != http.MethodHead:
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		refuse(w, http.StatusMethodNotAllowed, "method not allowed: this document is only read")
	case path == api.MCPRegistryPath:
		s.write(w, r, api.JSONType, marshal(s.card(schemas+"2025-12-11/server.schema.json", nil)))
	case path == api.MCPCardPath:
		card := s.card(schemas+"v1/server-card.schema.json", mcp.SupportedProtocolVersions())
		s.write(w, r, api.CardType, marshal(card))
	case path == api.SkillIndexPath || path == api.LegacySkillsPath:
		root := s.Sites.Current().URL(api.SkillsPath)
		s.write(w, r, api.JSONType, indexOfSkills(
			s.view().skills, func(name, file string) string { return root + name + "/" + file },
		))
	default:
		text, mediaType := s.fileOfSkill("skill://" + strings.TrimPrefix(path, api.SkillsPath))
		if text == nil {
			refuse(
				w, http.StatusNotFound,
				"no such skill: the index is at "+s.Sites.Current().URL(api.SkillIndexPath),
			)
			return
		}
		s.write(w, r, mediaType, text)
	}
}

// card describes the server and its address. The card for clients and the entry for the
// registry differ in the schema and in the protocol versions.
type card struct {
	Schema  string   `json:"$schema"`
	Name    string   `json:"name"`
	Title   string   `json:"title,omitempty"`
	About   string   `json:"description"`
	Version string   `json:"version"`
	Website string   `json:"websiteUrl,omitempty"`
	Remotes []remote `json:"remotes"`
}

type remote struct {
	Type     string   `json:"type"`
	URL      string   `json:"url"`
	Versions []string `json:"supportedProtocolVersions,omitempty"`
}

// maxCardText is the maximum length of a card's title and description, in characters.
const maxCardText = 100

func (s *Server) card(schema string, versions []string) card {
	current := s.Sites.Current()
	in := current.Snapshot.Settings
	return card{
		Schema: schema, Name: reversed(current.URL("")) + "/" + in.Service, Title: cut(in.Title),
		About:   cut(in.Description),
		Version: s.Version, Website: current.URL("/"),
		Remotes: []remote{{site.MCPTransport, current.URL(api.MCPPath), versions}},
	}
}

// reversed is a host in the order of server names: org.example.rules.
func reversed(base string) string {
	u, err := url.Parse(base)
	if err != nil || net.ParseIP(u.Hostname()) != nil {
		return "localhost"
	}
	parts := strings.Split(u.Hostname(), ".")
	slices.Reverse(parts)
	return strings.Join(parts, ".")
}

// cut shortens a text to maxCardText, at the end of a word.
func cut(s string) string {
	s = site.Line(s)
	if utf8.RuneCountInString(s) <= maxCardText {
		return s
	}
	for utf8.RuneCountInString(s) >= maxCardText {
		at := strings.LastIndexByte(s, ' ')
		if at < 0 {
			return string([]rune(s)[:maxCardText])
		}
		s = s[:at]
	}
	return strings.TrimRight(s, ",.;:—- ") + "…"
}

// write serves a document that changes with the site.
func (s *Server) write(w http.ResponseWriter, r *http.Request, mediaType string, body []byte) {
	h := w.Header()
	h.Set("Content-Type", site.ContentType(mediaType))
	h.Set("Content-Language", api.Language)
	h["Cache-Control"] = s.Sites.Current().CacheControl(time.Now())
	h.Set("Vary", "Accept, Accept-Encoding")
	site.WriteCoded(w, r, http.StatusOK, body)
}

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
		s.write(w, r, api.JSONType, s.card(schemas+"2025-12-11/server.schema.json"))
	case path == api.MCPCardPath:
		s.write(w, r, api.CardType, s.card(
			schemas+"v1/server-card.schema.json", "supportedProtocolVersions", mcp.SupportedProtocolVersions(),
		))
	case path == api.SkillIndexPath || path == api.LegacySkillsPath:
		s.write(w, r, api.JSONType, indexOfSkills(s.view().skills, s.Sites.Current().URL(api.SkillsPath)))
	default:
		text, mediaType := s.fileOfSkill(skillScheme + strings.TrimPrefix(path, api.SkillsPath))
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

// maxCardText is the maximum length of a card's title and description, in characters.
const maxCardText = 100

// card describes the server and its address. The card for clients has more of the address than the entry for the
// registry.
func (s *Server) card(schema string, more ...any) []byte {
	current := s.Sites.Current()
	in := current.Snapshot.Settings
	o := api.Object("$schema", schema, "name", reversed(current.URL(""))+"/"+in.Service)
	if title := cut(in.Title); title != "" {
		o = append(o, api.Object("title", title)...)
	}
	address := api.Object(append([]any{"type", site.MCPTransport, "url", current.URL(api.MCPPath)}, more...)...)
	return api.JSON(append(o, api.Object(
		"description", cut(in.Description), "version", s.Version, "websiteUrl", current.URL("/"),
		"remotes", []any{address},
	)...))
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

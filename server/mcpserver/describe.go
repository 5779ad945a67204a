package mcpserver

import (
	"cmp"
	"encoding/json"
	"fmt"
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

// description describes the endpoint for clients that do not speak MCP.
type description struct {
	Endpoint  string            `json:"endpoint"`
	Title     string            `json:"title"`
	About     string            `json:"description"`
	Transport string            `json:"transport"`
	Versions  []string          `json:"protocol_versions"`
	Toolsets  []toolsetAbout    `json:"toolsets"`
	Connect   []connection      `json:"connect"`
	Also      map[string]string `json:"documents"`
}

type toolsetAbout struct {
	Name    string   `json:"name"`
	About   string   `json:"description"`
	Default bool     `json:"default"`
	Tools   []string `json:"tools"`
}

type connection struct {
	With     string          `json:"with"`
	How      string          `json:"how,omitempty"`
	Settings json.RawMessage `json:"settings,omitempty"`
}

// describeEndpoint describes the endpoint, its toolsets and how to connect.
func (s *Server) describeEndpoint() description {
	current := s.Sites.Current()
	endpoint := current.URL(api.MCPPath)
	d := description{
		Endpoint: endpoint, Title: current.Snapshot.Settings.Title,
		About: "Точка доступа MCP: ассистенты читают правила и считают. Сюда обращаются клиенты MCP; браузер " +
			"попадает на страницу о подключении.",
		Transport: site.MCPTransport, Versions: mcp.SupportedProtocolVersions(),
		Also: map[string]string{
			"connect": current.URL(api.ConnectPath), "server_card": current.URL(api.MCPCardPath),
			"server_json": current.URL(api.MCPRegistryPath), "manifest": current.URL(api.ManifestPath),
		},
	}
	for _, c := range current.Clients() {
		for _, how := range c.Snippets {
			client := connection{With: c.Title, How: how.Code}
			if how.Language == "json" {
				client = connection{With: c.Title, Settings: json.RawMessage(how.Code)}
			}
			d.Connect = append(d.Connect, client)
		}
	}
	d.Connect = append(d.Connect, connection{
		With: "наборы инструментов",
		How:  endpoint + "?toolsets=rules,fraud,math или заголовок X-MCP-Toolsets; all — все наборы",
	})
	for _, t := range api.Toolsets {
		about := toolsetAbout{t.Name, t.About, t.Default, nil}
		for _, tool := range s.tools {
			if tool.sets.has(setsOf(t.Name)) {
				about.Tools = append(about.Tools, tool.Name)
			}
		}
		d.Toolsets = append(d.Toolsets, about)
	}
	return d
}

// serveDescription answers programs such as curl with JSON, and redirects browsers to the
// page for people. A client that accepts JSON too is a program.
func (s *Server) serveDescription(w http.ResponseWriter, r *http.Request) {
	if accepts(r, api.HTMLType) && !accepts(r, api.JSONType) {
		w.Header().Set("Vary", "Accept")
		w.Header().Set("Location", s.Sites.Current().Frame().Root+api.ConnectPath+"#mcp")
		w.WriteHeader(http.StatusSeeOther)
		return
	}
	d := s.describeEndpoint()
	if accepts(r, api.MarkdownType) {
		s.write(w, r, api.MarkdownType, d.markdown())
		return
	}
	s.write(w, r, api.JSONType, marshal(d))
}

func (d description) markdown() []byte {
	var b strings.Builder
	fmt.Fprintf(
		&b, "# %s: MCP\n\n%s\n\n%s, %s\n\n## Наборы инструментов\n\n", d.Title, d.About, d.Endpoint,
		strings.Join(d.Versions, ", "),
	)
	for _, t := range d.Toolsets {
		byDefault := ""
		if t.Default {
			byDefault = " (по умолчанию)"
		}
		fmt.Fprintf(&b, "- **%s**%s: %s. %s\n", t.Name, byDefault, t.About, strings.Join(t.Tools, ", "))
	}
	b.WriteString("\n## Как подключиться\n")
	for _, c := range d.Connect {
		fmt.Fprintf(
			&b, "\n%s:\n\n    %s\n", c.With, strings.ReplaceAll(cmp.Or(c.How, string(c.Settings)), "\n", "\n    "),
		)
	}
	return []byte(b.String())
}

// serveCard serves the documents that describe the server
// (modelcontextprotocol/experimental-ext-server-card, docs/discovery.md; and server.json of
// the MCP registry).
func (s *Server) serveCard(w http.ResponseWriter, r *http.Request) {
	if r.Method != http.MethodGet && r.Method != http.MethodHead {
		w.Header().Set("Allow", "GET, HEAD, OPTIONS")
		if r.Method == http.MethodOptions {
			w.WriteHeader(http.StatusNoContent)
			return
		}
		refuse(w, http.StatusMethodNotAllowed, "method not allowed: this document is only read")
		return
	}
	if r.URL.Path == api.LegacySkillsPath {
		s.serveSkill(w, r, api.SkillIndex)
		return
	}
	if rest, ok := strings.CutPrefix(r.URL.Path, api.SkillsPath); ok {
		s.serveSkill(w, r, rest)
		return
	}
	if r.URL.Path == api.MCPRegistryPath {
		s.write(
			w, r, api.JSONType,
			marshal(s.card("https://static.modelcontextprotocol.io/schemas/2025-12-11/server.schema.json", nil)),
		)
		return
	}
	s.write(
		w, r, api.CardType,
		marshal(s.card(
			"https://static.modelcontextprotocol.io/schemas/v1/server-card.schema.json",
			mcp.SupportedProtocolVersions(),
		)),
	)
}

// serveSkill serves the well-known index of skills and their files.
func (s *Server) serveSkill(w http.ResponseWriter, r *http.Request, path string) {
	current := s.Sites.Current()
	if path == api.SkillIndex {
		s.write(
			w, r, api.JSONType,
			indexOfSkills(
				s.view().skills,
				func(name, file string) string { return current.URL(api.SkillsPath + name + "/" + file) },
			),
		)
		return
	}
	text, mediaType := s.fileOfSkill(current, "skill://"+path)
	if text == nil {
		refuse(w, http.StatusNotFound, "no such skill: the index is at "+current.URL(api.SkillIndexPath))
		return
	}
	s.write(w, r, mediaType, text)
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
	s = line(s)
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

package site

import (
	"regexp"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// serverName matches names of servers in settings of clients.
var serverName = regexp.MustCompile(`^[A-Za-z0-9_-]{1,60}$`)

// Clients lists the programs in which assistants run, each with its settings for this service.
func (s *Site) Clients() []page.Client {
	endpoint, name := s.URL(api.MCPPath), s.Snapshot.Settings.Service
	if !serverName.MatchString(name) {
		name = "rulestore"
	}
	remote := content.Object{}.With("type", content.String("http")).With("url", content.String(endpoint))
	address := content.Object{}.With("url", content.String(endpoint))
	local := content.Object{}.With("command", content.String("rulestore")).
		With("args", []byte(`["mcp","--repo","/path/to/rules"]`))
	settings := func(list string, own content.Object) string {
		servers := content.Object{}.With(name, own.AppendJSON(nil))
		return indentedJSON(content.Object{}.With(list, servers.AppendJSON(nil)).AppendJSON(nil))
	}
	return []page.Client{
		{Title: "Claude Code", About: "Команда в терминале; `--scope project` запишет её для всех, кто работает с " +
			"проектом.", Snippets: []page.Snippet{
			{
				ID: "claude-code", Title: "Добавить сервер", Language: "sh",
				Code: "claude mcp add --transport http " + name + " " + shellQuoted(endpoint),
			},
		}},
		{Title: "Claude Desktop", About: "Settings → Connectors → Add custom connector, адрес — ниже; он должен быть " +
			"доступен из интернета по https. " +
			"Без сети — `claude_desktop_config.json` с настройками для stdio, см. дальше.", Snippets: []page.Snippet{
			{ID: "claude-desktop", Title: "Адрес коннектора", Language: "text", Code: endpoint},
		}},
		{Title: "Cursor", About: "Файл `.cursor/mcp.json` в проекте или `~/.cursor/mcp.json`.",
			Snippets: []page.Snippet{
				{ID: "cursor", Title: ".cursor/mcp.json", Language: "json", Code: settings("mcpServers", address)},
			}},
		{Title: "VS Code", About: "Файл `.vscode/mcp.json` в проекте.", Snippets: []page.Snippet{
			{ID: "vscode", Title: ".vscode/mcp.json", Language: "json", Code: settings("servers", remote)},
		}},
		{Title: "Любой клиент с Streamable HTTP",
			About: "Транспорт — Streamable HTTP, без ключа. Большинству клиентов подходят такие настройки.",
			Snippets: []page.Snippet{
				{ID: "generic", Title: "Настройки клиента", Language: "json", Code: settings("mcpServers", remote)},
				{ID: "mcp-curl", Title: "Проверить из терминала", Language: "sh", Code: curl(endpoint, mcpHeaders, listTools)},
			}},
		{Title: "stdio", About: "Программа `rulestore` читает клон хранилища сама, сервер не нужен. Без `--repo` — " +
			"начальное содержание, для пробы.", Snippets: []page.Snippet{
			{ID: "stdio", Title: "Настройки клиента", Language: "json", Code: settings("mcpServers", local)},
			{
				ID: "stdio-command", Title: "То же командой", Language: "text",
				Code: "rulestore mcp --repo /path/to/rules",
			},
		}},
		{Title: "ChatGPT и другие, кто знает только search и fetch", About: "Набор `connector` выбирают один.",
			Snippets: []page.Snippet{
				{ID: "connector", Title: "Адрес коннектора", Language: "text", Code: endpoint + "?toolsets=connector"},
			}},
	}
}

// mcpHeaders are the headers of a message, and listTools is a message that lists the tools.
var mcpHeaders = [][2]string{{"Content-Type", api.JSONType}, {"Accept", api.JSONType + ", text/event-stream"}}

const listTools = `{"jsonrpc": "2.0", "id": 1, "method": "tools/list"}`

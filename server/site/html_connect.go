package site

import (
	"bytes"
	"encoding/json"
	"net/url"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
	"rulestore/server/page"
)

// connectPage says how to connect assistants and programs.
func (s *Site) connectPage() page.Page {
	p := page.Connect{
		Head: page.Head{
			Title: "Подключение", Description: "Как подключить ассистента и программу: MCP и curl.",
			Path: s.frame.Root + api.ConnectPath, Crumbs: crumbs(s.frame),
		},
		Base: s.URL(""), Programs: s.programSnippets(), Feeds: s.feedLinks(), Checks: s.checkSnippets(),
	}
	if s.log != nil {
		p.Log = s.frame.Root + api.LogPath + "?" + FormatParameter + "=json" // it has no page
	}
	if s.config.MCP {
		p.Endpoint, p.Clients = s.URL(api.MCPPath), s.Clients()
		for _, t := range api.Toolsets {
			p.Toolsets = append(p.Toolsets, page.Toolset(t))
		}
	}
	return p
}

// programSnippets are requests with curl about what this site has.
func (s *Site) programSnippets() (all []page.Snippet) {
	add := func(id, title, command string) {
		all = append(all, page.Snippet{ID: "program-" + id, Title: title, Language: "sh", Code: command})
	}
	if e := s.firstItem(); e != nil {
		at, query := s.URL(e.Kind.ItemPath(e.Name)), url.Values{"q": {e.Body().Text("title")}, "limit": {"3"}}
		add("search", "Найти по словам пользователя", curl(s.URL(api.SearchPath)+"?"+query.Encode(), nil, ""))
		add("read", "Прочитать", curl(at, nil, ""))
		add("text", "То же текстом", curl(at, [][2]string{{"Accept", api.MarkdownType}}, ""))
	}
	if t, ok := s.config.Math.Tool("loan_payment"); ok {
		request := indentedJSON([]byte(t.Examples[0].Request))
		add("calculate", "Посчитать", curl(s.URL(api.ToolsPath+t.ID), mcpHeaders[:1], request))
	}
	add("changes", "Узнать, что изменилось", curl(s.URL(api.ChangelogPath)+"?limit=5", nil, ""))
	return all
}

// firstItem is the first current version, of a kind that comes first; nil if there is none.
func (s *Site) firstItem() *content.Entry {
	for _, k := range content.Kinds {
		if len(s.lists[k]) > 0 {
			return s.lists[k][0].entry
		}
	}
	return nil
}

// feedLinks link the feeds.
func (s *Site) feedLinks() []page.Link {
	at := func(title, path string) page.Link { return page.Link{Title: title, Href: s.frame.Root + path} }
	all := []page.Link{
		at("Лента всего, что публикуется (Atom)", api.FeedsPath+"all.atom"),
		at("Лента того, что будет опубликовано (Atom)", api.FeedsPath+"upcoming.atom"),
	}
	for _, k := range content.Kinds {
		if k.List && len(s.lists[k]) > 0 {
			all = append(all, at(k.Title+" (Atom)", api.FeedsPath+k.Folder+".atom"))
		}
	}
	return append(all, at("Журнал изменений", api.ChangelogPath), at("Что будет опубликовано", api.UpcomingPath))
}

// checkSnippets are the commands for verifying what is served.
func (s *Site) checkSnippets() (all []page.Snippet) {
	if e := s.firstItem(); e != nil {
		all = append(all, page.Snippet{
			ID: "checksum", Title: "Контрольная сумма одного элемента: " + e.Checksum, Language: "sh",
			Code: checkCommand(shellQuoted(s.URL(e.Path()))),
		})
	}
	all = append(
		all,
		page.Snippet{
			ID: "checksums", Title: "Контрольные суммы всех публикаций", Language: "sh",
			Code: curl(s.URL(api.ChecksumsPath), nil, ""),
		},
	)
	if s.log != nil {
		all = append(
			all,
			page.Snippet{
				ID: "log", Title: "Журнал прозрачности: размер, корень и что подписано", Language: "sh",
				Code: curl(s.URL(api.LogPath), nil, ""),
			},
		)
	}
	return append(all, page.Snippet{
		ID: "verify", Title: "Весь сервер — против клона хранилища", Language: "text",
		Code: "rulestore verify " + shellQuoted(s.URL("")) + " --repo /path/to/rules",
	})
}

// curl is a command that sends a request: one that posts a body, or one for reading if that is "".
func curl(url string, headers [][2]string, body string) string {
	var b strings.Builder
	b.WriteString("curl -fsS " + shellQuoted(url))
	for _, h := range headers {
		b.WriteString(" \\\n  -H " + shellQuoted(h[0]+": "+h[1]))
	}
	if body != "" {
		b.WriteString(" \\\n  -d " + shellQuoted(body))
	}
	return b.String()
}

// shellQuoted quotes a text as one word of a POSIX shell.
func shellQuoted(s string) string { return "'" + strings.ReplaceAll(s, "'", `'\''`) + "'" }

// indentedJSON is JSON with line breaks; other text is returned unchanged.
func indentedJSON(raw []byte) string {
	var b bytes.Buffer
	if json.Indent(&b, raw, "", "  ") != nil {
		return string(raw)
	}
	return b.String()
}

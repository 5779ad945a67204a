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
	"rulestore/server/site"
)

// shownChanges is the maximum number of changes on the home page.
const shownChanges = 8

// home shows what is served, its origin, and the news.
func (m maker) home() Home {
	p := Home{
		Head:    m.head("", m.Snapshot.Settings.Description, api.ManifestPath, nil),
		Changes: m.changes(m.Changes(shownChanges)), Site: m.Site,
	}
	p.Searches, p.Crumbs = true, nil
	for _, k := range content.Kinds {
		if n := len(m.Listed(k)); k.List && n > 0 {
			p.Kinds = append(p.Kinds, Kind{Title: k.Title, Href: m.root + k.Path, About: k.About, Count: n})
		}
	}
	p.Kinds = append(p.Kinds, Kind{
		Title: "Расчёты", Href: m.root + api.MathPath, Count: len(m.Tools("", "")),
		About: "Формы для точных расчётов по кредитам, вкладам, картам, каско и срокам.",
	})
	for _, it := range first {
		if e := m.Offered(it.kind, it.item); e != nil {
			p.Start = append(p.Start, Link{titleOf(e.Publication), m.root + it.kind.ItemPath(it.item)})
		}
	}
	for _, u := range m.Snapshot.Upcoming[:min(shownChanges, len(m.Snapshot.Upcoming))] {
		p.Upcoming = append(p.Upcoming, m.upcomingRow(u))
	}
	return p
}

// first are the items to begin with.
var first = []struct {
	kind *content.Kind
	item string
}{
	{content.Instructions, "assistant"},
	{content.Profiles, "integration-profile"},
	{content.Policies, "fallback-policy"},
	{content.Instructions, "product-document-analysis"},
}

// changelog makes the page of a part of the changelog. From beyond the last entry it links back.
func (m maker) changelog(of site.ShownChangelog) Changelog {
	base := m.root + api.ChangelogPath
	from := func(offset int) url.Values {
		return site.Query(map[string]string{
			"since": of.Since, "limit": site.NonDefault(of.Limit, api.DefaultLimit),
			"offset": site.NonDefault(offset, 0),
		})
	}
	at := func(offset int) string { return site.Address(base, from(offset)) }
	offset, changes := min(of.Offset, of.Total), m.changes(of.Changes())
	return Changelog{
		Head:    m.head("Журнал изменений", "", api.ChangelogPath, from(offset)),
		Filters: m.form(api.Of(api.ListChanges, nil, ""), api.ChangelogPath, from(0), nil, "since"),
		Changes: changes,
		Pager:   pager(at, of.Limit, offset, len(changes), of.Total),
	}
}

// changes are changes with addresses for links.
func (m maker) changes(all []site.ShownChange) []site.ShownChange {
	for i := range all {
		for _, path := range []*string{&all[i].Path, &all[i].Compare} {
			if *path != "" {
				*path = m.root + *path
			}
		}
	}
	return all
}

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
		Head: m.head(
			"Подключение",
			"Как подключить ассистента и программу: MCP и curl.",
			api.ConnectPath, nil,
		),
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

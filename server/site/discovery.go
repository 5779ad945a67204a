package site

import (
	"encoding/xml"
	"fmt"
	"net/url"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/server/api"
)

// manifestFormat is the version of the manifest's own format.
const manifestFormat = "1.0"

// manifest introduces the service, and links to its descriptions.
func (s *Site) manifest() *Resource {
	r := &Resource{about: fixed(time.Time{}, Header{"Link", []string{
		link(s.URL(api.OpenAPIPath+".json"), "service-desc"),
		link(s.URL(api.LLMsPath), "service-doc"),
		link(s.URL(api.APICatalogPath), "api-catalog"),
	}})}
	r.add(api.JSONType, func() Body {
		in, o := s.Snapshot.Settings, s.introduction()
		o.text("service_version", s.Version)
		o.text("schema_version", manifestFormat)
		o.text("canonical_base_url", s.BaseURL)
		o.text("default_language", in.DefaultLanguage)
		o.text("checksum_algorithm", content.Algorithm)
		o.text("mcp_transport", MCPTransport)
		o.text("disclaimer", in.Disclaimer)
		o.value("read_only", true)
		o.value("demo", in.Demo)
		o.value("supported_formats", []string{api.JSONType, api.MarkdownType})
		o.value("scenarios", s.AllScenarios())
		o.time("content_updated_at", s.UpdatedAt())
		o.raw("endpoints", s.endpoints())
		o.array("product_releases", bodies(s.Snapshot.Products, func(c *content.Change) Body {
			return release(c, c.Title)
		}))
		return o.end()
	})
	return r.addText(api.MarkdownType, s.llmsText).with(ShownHome{})
}

// introduction begins a document about the service.
func (s *Site) introduction() (o object) {
	in := s.Snapshot.Settings
	o.text("service", in.Service)
	o.text("title", in.Title)
	o.text("description", in.Description)
	o.text("audience", in.Audience)
	return o
}

// AllScenarios lists the published scenarios, and those of rulestore.yaml, which determines the
// order.
func (s *Site) AllScenarios() []string {
	names := slices.Clone(s.Snapshot.Settings.Scenarios)
	for _, p := range s.lists[content.Scenarios] {
		if !slices.Contains(names, p.entry.Name) {
			names = append(names, p.entry.Name)
		}
	}
	return append([]string{}, names...)
}

// MCPTransport is the protocol's name of the transport.
const MCPTransport = "streamable-http"

// endpoints are the reachable endpoints of this site.
func (s *Site) endpoints() []byte {
	var o object
	for _, e := range api.Endpoints() {
		if s.isReachable(e) {
			o.text(e.Name, s.URL(e.Path))
		}
	}
	return o.end().Bytes
}

// isReachable reports whether there is a resource at an address, or for a template at any
// address that it matches.
func (s *Site) isReachable(e api.Endpoint) bool {
	switch e.Of.Action {
	case api.BriefFraud:
		return s.Offered(content.Registries, "fraud-signals") != nil
	case api.ReadLog:
		return s.hasTile(e.Of)
	case api.ListItems:
		return true
	case api.Prove:
		if _, _, signed := s.checkpoint(); !signed {
			return false
		}
	}
	switch {
	case e.Path == api.LogPath:
		return s.log != nil
	case e.Kind == nil:
		return true
	}
	return slices.ContainsFunc(content.Kinds, func(k *content.Kind) bool {
		return k.Path == e.Kind.Path &&
			slices.ContainsFunc(s.lists[k], func(p *preparedVersion) bool { return s.matchesVersion(e, p) })
	})
}

// matchesVersion reports whether an address or a template is that of a version, or of a part
// of one.
func (s *Site) matchesVersion(at api.Endpoint, p *preparedVersion) bool {
	e := p.entry
	_, logged := s.Logged(e.Publication)
	switch {
	case at.Of.Action == api.Prove && !logged:
		return false
	case at.Item != "":
		return at.Item == e.Name
	case at.Of.Answer.Key == "OutputJsonSchema" && p.result == nil:
		return false
	case at.Of.Name == "registry_record" && s.recordsOf(p) == nil:
		return false
	}
	return e.Kind.Paths[e.Name] == "" && !strings.Contains(e.Name, "/")
}

// hasTile reports whether the log has the data of an operation: a signed head, a full tile,
// or a partial one.
func (s *Site) hasTile(o *api.Operation) bool {
	_, _, signed := s.checkpoint()
	size := s.log.Leaves().Size()
	switch o.Path {
	case api.CheckpointPath:
		return signed
	case api.TilePattern:
		return size >= tileWidth
	}
	return size%tileWidth != 0
}

// tileWidth is the number of hashes of a full tile (c2sp.org/tlog-tiles).
const tileWidth = 256

// current returns the current version of an item, nil if there is none.
func (s *Site) current(k *content.Kind, name string) *content.Entry {
	if item := s.Snapshot.Item(k, name); item != nil {
		return item.Current
	}
	return nil
}

// wellKnown is the discovery document: the absolute addresses of all endpoints and of all
// current items.
func (s *Site) wellKnown() *Resource {
	return jsonResource(func() Body {
		in, o := s.Snapshot.Settings, s.introduction()
		o.text("default_language", in.DefaultLanguage)
		o.text("canonical_base_url", s.BaseURL)
		o.value("read_only", true)
		o.value("demo", in.Demo)
		o.raw("endpoints", s.endpoints())
		for _, k := range content.Kinds {
			o.array(k.Folder, bodies(s.lists[k], s.address))
		}
		o.fetchedAt()
		return o.end()
	})
}

// address is the address of a current item.
func (s *Site) address(p *preparedVersion) Body {
	k := p.entry.Kind
	var o object
	o.text(k.ID, p.entry.ID())
	o.text(k.Version, p.entry.Version.String())
	o.text("url", s.URL(k.ItemPath(p.entry.Name)))
	o.text("content_checksum", p.entry.Checksum)
	if p.result != nil {
		o.text("json_schema_url", s.URL(api.JSONSchemasPath+p.entry.Name+".json"))
	}
	return o.end()
}

// apiCatalog is the catalogue of RFC 9727: a link set with the API and its calculations, and
// their descriptions, manuals and status.
func (s *Site) apiCatalog() *Resource {
	type target struct {
		Href string `json:"href"`
		Type string `json:"type"`
	}
	type links struct {
		Anchor string   `json:"anchor"`
		Desc   []target `json:"service-desc"`
		Doc    []target `json:"service-doc"`
		Meta   []target `json:"service-meta"`
		Status []target `json:"status"`
	}
	to := func(path, mediaType string) target { return target{s.URL(path), mediaType} }
	inJSON, status := to(api.OpenAPIPath+".json", api.OpenAPIType+"+json"), []target{to(api.HealthPath, api.JSONType)}
	inYAML := to(api.OpenAPIPath+".yaml", api.OpenAPIType+"+yaml")
	own := Header{"Link", []string{link(s.URL(api.APICatalogPath), "api-catalog")}}
	return textResource(api.LinksetType, func() []byte {
		var o object
		o.value("linkset", []links{
			{
				s.URL(api.ManifestPath), []target{inJSON, inYAML}, []target{to(api.LLMsPath, api.TextType)},
				[]target{to(api.WellKnownPath, api.JSONType)}, status,
			},
			{
				s.URL(api.MathPath), []target{inJSON}, []target{to(api.MathPath, api.MarkdownType)},
				[]target{to(api.MathPath, api.JSONType)}, status,
			},
		})
		return o.end().Bytes
	}, own)
}

// aiCatalog lists what assistants can begin with (ai-catalog.io; SEP-2127, docs/discovery.md of the
// extension for cards of MCP servers).
func (s *Site) aiCatalog() *Resource {
	type entry struct {
		ID    string `json:"identifier"`
		Title string `json:"displayName"`
		Type  string `json:"type"`
		URL   string `json:"url"`
	}
	return textResource(api.CatalogType, func() []byte {
		in := s.Snapshot.Settings
		host := "localhost"
		if u, err := url.Parse(s.BaseURL); err == nil && u.Hostname() != "" {
			host = strings.Trim(strings.ReplaceAll(u.Hostname(), ":", "-"), "-") // of IPv6: a URN has other colons
		}
		var all []entry
		add := func(name, title, mediaType, path string) {
			all = append(all, entry{"urn:air:" + host + ":" + name, title, mediaType, s.URL(path)})
		}
		if s.MCP {
			add(in.Service, Line(in.Title), api.CardType, api.MCPCardPath)
			add("skills", "Инструкции как навыки", api.JSONType, api.SkillIndexPath)
		}
		add("openapi", "Описание интерфейса", api.OpenAPIType+"+json", api.OpenAPIPath+".json")
		add("llms", "Краткий текст для языковых моделей", api.TextType, api.LLMsPath)
		var publisher, o object
		publisher.text("displayName", Line(in.Title))
		publisher.text("documentationUrl", s.URL(api.ConnectPath))
		o.text("specVersion", "1.0")
		o.raw("host", publisher.end().Bytes)
		o.value("entries", all)
		return o.end().Bytes
	})
}

// llms is the short text for language models (llmstxt.org), which is the Markdown of the home page, too: a
// title, a summary, how to find, read and calculate, and links to the instruction for assistants and to the lists.
func (s *Site) llms() *Resource { return textResource(api.TextType, s.llmsText) }

func (s *Site) llmsText() []byte {
	var b strings.Builder
	in := s.Snapshot.Settings
	fmt.Fprintf(&b, "# %s\n\n> %s\n\n", Line(in.Title), Line(in.Description))
	fmt.Fprintf(&b, "- Найти: %s?q=СЛОВА — словами пользователя, среди всего\n", s.URL(api.SearchPath))
	fmt.Fprintf(&b, "- Прочитать: %s — список; с «/» и id после него — действующая версия, "+
		"JSON или Markdown (`Accept: text/markdown`); "+
		"`?view=brief` — кратко, `?section=АДРЕС` — раздел, `/versions/1.0.0` — версия, `?as_of=ДАТА` — что было "+
		"опубликовано\n", s.URL(content.Guidelines.Path))
	fmt.Fprintf(&b, "- Посчитать: POST %sloan_payment с `{\"inputs\": {…}}` — точные расчёты, их список: %s\n",
		s.URL(api.ToolsPath), s.URL(api.MathPath))
	if s.MCP {
		fmt.Fprintf(&b, "- То же инструментами MCP: %s\n", s.URL(api.MCPPath))
	}
	if in.Disclaimer != "" {
		fmt.Fprintf(&b, "\n%s\n", Line(in.Disclaimer))
	}
	if s.Offered(content.Instructions, "assistant") != nil {
		fmt.Fprintf(&b, "\n## С чего начать\n\n- [Инструкция ассистента](%s): порядок работы с хранилищем\n",
			s.URL(content.Instructions.StaticPath("assistant")+".md"))
	}
	fmt.Fprint(&b, "\n## Списки\n\n")
	for _, k := range content.Kinds {
		if n := len(s.lists[k]); n > 0 && k.List {
			fmt.Fprintf(&b, "- [%s](%s): %d\n", k.Title, s.URL(k.Path), n)
			continue
		}
		for _, p := range s.lists[k] {
			fmt.Fprintf(&b, "- [%s](%s)\n", Line(p.entry.Body().Text("title")), s.URL(k.StaticPath(p.entry.Name)+".md"))
		}
	}
	fmt.Fprint(&b, "\n## Optional\n\n")
	for _, l := range aboutService {
		fmt.Fprintf(&b, "- [%s](%s): %s\n", l.title, s.URL(l.path), l.about)
	}
	return []byte(b.String())
}

// aboutService are the documents about the service.
var aboutService = []struct{ title, path, about string }{
	{"Манифест", api.ManifestPath, "что есть в сервисе и где"},
	{"Описание интерфейса", api.OpenAPIPath + ".yaml", "OpenAPI 3.1"},
	{"Журнал изменений", api.ChangelogPath, "выпуски и новые версии правил"},
	{"Контрольные суммы", api.ChecksumsPath, "все публикации"},
}

// Line replaces line breaks and repeated spaces by single spaces.
func Line(s string) string { return strings.Join(strings.Fields(s), " ") }

// robots lets robots read everything (RFC 9309), and says that it may be found and quoted
// (contentsignals.org); whether models may be trained on it is for its authors to say. Drafts are not for
// robots.
func (s *Site) robots() *Resource {
	return textResource(api.TextType, func() []byte {
		if s.Snapshot.Drafts {
			return []byte("User-agent: *\nDisallow: /\n")
		}
		return fmt.Appendf(nil, "User-agent: *\nContent-Signal: search=yes, ai-input=yes\nAllow: /\n\nSitemap: %s\n",
			s.URL(api.SitemapPath))
	})
}

// maxSitemap is the maximum number of addresses in a sitemap (sitemaps.org).
const maxSitemap = 50_000

// sitemap lists the pages for people: the home page, lists, and current items with the day of their last
// change.
func (s *Site) sitemap() *Resource {
	type address struct {
		Loc     string `xml:"loc"`
		LastMod string `xml:"lastmod,omitempty"`
	}
	return textResource(api.XMLType, func() []byte {
		all := []address{{Loc: s.URL(api.ManifestPath)}, {Loc: s.URL(api.MathPath)}, {Loc: s.URL(api.ChangelogPath)}}
		for _, k := range content.Kinds {
			if k.List && len(s.lists[k]) > 0 {
				all = append(all, address{Loc: s.URL(k.Path)})
			}
		}
		for _, k := range content.Kinds {
			for _, p := range s.lists[k] {
				e := p.entry
				all = append(all, address{s.URL(k.ItemPath(e.Name)), s.Snapshot.DayOf(e.PublishedAt)})
			}
		}
		out, err := xml.MarshalIndent(struct {
			XMLName struct{}  `xml:"http://www.sitemaps.org/schemas/sitemap/0.9 urlset"`
			All     []address `xml:"url"`
		}{All: all[:min(len(all), maxSitemap)]}, "", "  ")
		if err != nil {
			panic(err) // texts alone
		}
		return append([]byte(xml.Header), out...)
	})
}

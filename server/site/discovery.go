package site

import (
	"net/url"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/server/api"
)

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
		return s.isOffered(content.Registries, "fraud-signals")
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
	case at.Of.Name == "registry_record" && s.config.recordsOf(p) == nil:
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

// isOffered reports whether an item has a current version that is not archived.
func (s *Site) isOffered(k *content.Kind, name string) bool {
	return slices.ContainsFunc(s.lists[k], func(p *preparedVersion) bool { return p.entry.Name == name })
}

// wellKnown is the discovery document: the absolute addresses of all endpoints and of all
// current items.
func (s *Site) wellKnown() *Resource {
	return jsonResource(func() Body {
		in, o := s.Snapshot.Settings, s.introduction()
		o.text("default_language", in.DefaultLanguage)
		o.text("canonical_base_url", s.config.BaseURL)
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
		if u, err := url.Parse(s.config.BaseURL); err == nil && u.Hostname() != "" {
			host = strings.Trim(strings.ReplaceAll(u.Hostname(), ":", "-"), "-") // of IPv6: a URN has other colons
		}
		var all []entry
		add := func(name, title, mediaType, path string) {
			all = append(all, entry{"urn:air:" + host + ":" + name, title, mediaType, s.URL(path)})
		}
		if s.config.MCP {
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

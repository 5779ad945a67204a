package site

import (
	"net/url"
	"slices"
	"strings"
	"time"

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
	switch {
	case at.Of.Action == api.Prove && !s.hasProof(e):
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

// hasProof reports whether there is a proof of a version: its seal is in the log.
func (s *Site) hasProof(e *content.Entry) bool {
	_, logged := s.Logged(e.Publication)
	return logged
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
	links := Header{"Link", []string{link(s.URL(api.APICatalogPath), "api-catalog")}}
	return &Resource{Static: true, Representations: []*Representation{
		represent(api.LinksetType, time.Time{}, []Header{links}, func() Body {
			link := func(path, mediaType string) Body {
				var o object
				o.text("href", s.URL(path))
				o.text("type", mediaType)
				return o.end()
			}
			var all object
			all.text("anchor", s.URL(api.ManifestPath))
			all.array(
				"service-desc",
				[]Body{
					link(api.OpenAPIPath+".json", api.OpenAPIType+"+json"),
					link(api.OpenAPIPath+".yaml", api.OpenAPIType+"+yaml"),
				},
			)
			all.array("service-doc", []Body{link(api.LLMsPath, api.TextType)})
			all.array("service-meta", []Body{link(api.WellKnownPath, api.JSONType)})
			all.array("status", []Body{link(api.HealthPath, api.JSONType)})
			var tools object
			tools.text("anchor", s.URL(api.MathPath))
			tools.array("service-desc", []Body{link(api.OpenAPIPath+".json", api.OpenAPIType+"+json")})
			tools.array("service-doc", []Body{link(api.MathPath, api.MarkdownType)})
			tools.array("service-meta", []Body{link(api.MathPath, api.JSONType)})
			tools.array("status", []Body{link(api.HealthPath, api.JSONType)})
			var o object
			o.array("linkset", []Body{all.end(), tools.end()})
			return o.end()
		}),
	}}
}

// aiCatalog lists what assistants can begin with (ai-catalog.io; SEP-2127, docs/discovery.md of the
// extension for cards of MCP servers).
func (s *Site) aiCatalog() *Resource {
	return &Resource{Static: true, Representations: []*Representation{
		represent(api.CatalogType, time.Time{}, nil, func() Body {
			in := s.Snapshot.Settings
			host := "localhost"
			if u, err := url.Parse(s.config.BaseURL); err == nil && u.Hostname() != "" {
				host = strings.Trim(strings.ReplaceAll(u.Hostname(), ":", "-"), "-") // of IPv6: a URN has other colons
			}
			entry := func(name, title, mediaType, path string) Body {
				var o object
				o.text("identifier", "urn:air:"+host+":"+name)
				o.text("displayName", title)
				o.text("type", mediaType)
				o.text("url", s.URL(path))
				return o.end()
			}
			var all []Body
			if s.config.MCP {
				all = append(all,
					entry(in.Service, Line(in.Title), api.CardType, api.MCPCardPath),
					entry("skills", "Инструкции как навыки", api.JSONType, api.SkillIndexPath),
				)
			}
			all = append(all,
				entry("openapi", "Описание интерфейса", api.OpenAPIType+"+json", api.OpenAPIPath+".json"),
				entry("llms", "Краткий текст для языковых моделей", api.TextType, api.LLMsPath),
			)
			var publisher, o object
			publisher.text("displayName", Line(in.Title))
			publisher.text("documentationUrl", s.URL(api.ConnectPath))
			o.text("specVersion", "1.0")
			o.raw("host", publisher.end().Bytes)
			o.array("entries", all)
			return o.end()
		}),
	}}
}

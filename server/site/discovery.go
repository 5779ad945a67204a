package site

import (
	"slices"
	"time"

	"rulestore/content"
	"rulestore/server/calc"
)

// The documents by which programs find their way.
const (
	wellKnownPath  = "/.well-known/service-for-robots.json"
	apiCatalogPath = "/.well-known/api-catalog"
	llmsPath       = "/llms.txt"
	llmsFullPath   = "/llms-full.txt"
	manifestPath   = "/"
	changelogPath  = "/api/v1/changelog"

	// MCPPath is where assistants meet the service by the Model Context Protocol.
	MCPPath = "/mcp"
	// MCPCardPath is where clients read what is there before they connect, and
	// MCPRegistryPath what a registry of such services wants to know.
	MCPCardPath, MCPRegistryPath = MCPPath + "/server-card", MCPPath + "/server.json"
	// SkillsPath is under which the instructions are as skills (agentskills.io).
	SkillsPath = "/.well-known/agent-skills/"
	// LegacySkillsPath is where their index was once looked for.
	LegacySkillsPath = "/.well-known/skills/index.json"
	// MCPTransport is how, by the name that the protocol has for it.
	MCPTransport = "streamable-http"
)

// prominent are the items that have a name of their own among the endpoints.
var prominent = []struct {
	name string
	kind *content.Kind
	item string
}{
	{"assistant_instruction", content.Instructions, "assistant"},
	{"integration_profile", content.Profiles, "integration-profile"},
	{"fallback_policy", content.Policies, "fallback-policy"},
	{"product_document_analysis", content.Instructions, "product-document-analysis"},
	{"product_analysis_output_schema", content.OutputSchemas, "product-analysis-output"},
	{"taxonomy", content.Registries, "taxonomy"},
	{"glossary", content.Registries, "glossary"},
	{"fraud_signals", content.Registries, "fraud-signals"},
	{"fraud_states", content.Registries, "fraud-states"},
	{"fraud_scenarios", content.Registries, "fraud-scenarios"},
	{"fraud_routes", content.Registries, "fraud-routes"},
	{"authority_resources", content.Registries, "authority-resources"},
}

// Endpoints lists the addresses of the interface by name, in the order in which
// people expect them. A part in braces is to be filled in.
func Endpoints() []content.Link {
	list := []content.Link{
		{Name: "manifest", Path: manifestPath},
		{Name: "discovery", Path: wellKnownPath},
		{Name: "api_catalog", Path: apiCatalogPath},
		{Name: "openapi", Path: OpenAPIPath + ".json"},
		{Name: "llms", Path: llmsPath},
		{Name: "llms_full", Path: llmsFullPath},
		{Name: "search", Path: SearchPath},
		{Name: "mcp", Path: MCPPath},
	}
	for _, k := range content.Kinds {
		if k.List {
			list = append(list, endpointsOf(k)...)
		}
	}
	list = append(list,
		content.Link{Name: "json_schema", Path: jsonSchemasPath + "{name}.json"},
		content.Link{Name: "json_schema_version", Path: jsonSchemasPath + "{name}/{version}.json"},
	)
	for _, it := range prominent {
		list = append(list, content.Link{Name: it.name, Path: it.kind.ItemPath(it.item)})
	}
	return append(list,
		content.Link{Name: "fraud_brief", Path: FraudBriefPath},
		content.Link{Name: "math", Path: MathPath},
		content.Link{Name: "math_tool", Path: ToolsPath + "{tool_id}"},
		content.Link{Name: "math_loan_comparison", Path: ToolsPath + calc.CompareLoansID},
		content.Link{Name: "changelog", Path: changelogPath},
		content.Link{Name: "upcoming", Path: UpcomingPath},
		content.Link{Name: "feed", Path: FeedsPath + "all.atom"},
		content.Link{Name: "checksums", Path: ChecksumsPath},
		content.Link{Name: "checksum", Path: ChecksumsPath + "/{checksum}"},
		content.Link{Name: "log", Path: LogPath},
		content.Link{Name: "log_checkpoint", Path: CheckpointPath},
		content.Link{Name: "log_tile", Path: LogRoot + "tile/{level}/{tile}"},
		content.Link{Name: "health", Path: "/api/v1/health"},
		content.Link{Name: "legacy_health", Path: "/healthz"},
	)
}

// endpointsOf lists the addresses that every kind with a list has.
func endpointsOf(k *content.Kind) []content.Link {
	item := k.Path + "/{" + k.Argument() + "}"
	return []content.Link{
		{Name: k.Folder, Path: k.Path},
		{Name: k.Name, Path: item},
		{Name: k.Name + "_versions", Path: item + "/versions"},
		{Name: k.Name + "_version", Path: item + "/versions/{version}"},
	}
}

// endpoints are the addresses that this site answers at.
func (s *Site) endpoints() []byte {
	absent := map[string]bool{}
	for _, it := range prominent {
		absent[it.name] = !s.offers(it.kind, it.item)
	}
	_, _, signed := s.checkpoint()
	absent["log"], absent["log_tile"], absent["log_checkpoint"] = s.log == nil, s.log == nil, !signed
	absent["fraud_brief"] = !s.offers(content.Registries, "fraud-signals")
	var o object
	for _, e := range Endpoints() {
		if !absent[e.Name] {
			o.text(e.Name, s.URL(e.Path))
		}
	}
	return o.end().Bytes
}

// offers says whether an item has a current version that is not archived: nobody
// is sent to another.
func (s *Site) offers(k *content.Kind, name string) bool {
	return slices.ContainsFunc(s.lists[k], func(p *entryPages) bool { return p.entry.Name == name })
}

// wellKnown is the discovery document: the absolute address of every endpoint,
// and of everything that is current.
func (s *Site) wellKnown() *Resource {
	return jsonResource(func() Body {
		in := s.Snapshot.Settings
		var o object
		o.text("service", in.Service)
		o.text("title", in.Title)
		o.text("description", in.Description)
		o.text("audience", in.Audience)
		o.text("default_language", in.DefaultLanguage)
		o.text("canonical_base_url", s.config.BaseURL)
		o.value("read_only", true)
		o.value("demo", in.Demo)
		o.raw("endpoints", s.endpoints())
		for _, k := range content.Kinds {
			o.array(k.Folder, s.addresses(k))
		}
		o.fetchedAt()
		return o.end()
	})
}

// addresses lists where the current items of a kind are.
func (s *Site) addresses(k *content.Kind) []Body {
	var all []Body
	for _, p := range s.lists[k] {
		var o object
		o.text(k.ID, p.entry.ID())
		o.text(k.Version, p.entry.Version.String())
		o.text("url", s.URL(k.ItemPath(p.entry.Name)))
		o.text("content_checksum", p.entry.Checksum)
		if path := jsonSchemaPath(p.entry.Publication); path != "" {
			o.text("json_schema_url", s.URL(jsonSchemasPath+p.entry.Name+".json"))
		}
		all = append(all, o.end())
	}
	return all
}

// apiCatalog is the catalogue of RFC 9727: a link set that names the interface
// and, with a manual of its own, its calculations: what describes them and how
// they are.
func (s *Site) apiCatalog() *Resource {
	links := Header{"Link", []string{link(s.URL(apiCatalogPath), "api-catalog")}}
	return &Resource{Static: true, Representations: []*Representation{
		represent(`application/linkset+json; profile="https://www.rfc-editor.org/info/rfc9727"`, time.Time{}, []Header{links}, func() Body {
			link := func(path, mediaType string) Body {
				var o object
				o.text("href", s.URL(path))
				o.text("type", mediaType)
				return o.end()
			}
			var api object
			api.text("anchor", s.URL(manifestPath))
			api.array("service-desc", []Body{link(OpenAPIPath+".json", openAPIType+"+json"), link(OpenAPIPath+".yaml", openAPIType+"+yaml")})
			api.array("service-doc", []Body{link(llmsPath, textType)})
			api.array("service-meta", []Body{link(wellKnownPath, jsonType)})
			api.array("status", []Body{link("/api/v1/health", jsonType)})
			var tools object
			tools.text("anchor", s.URL(MathPath))
			tools.array("service-desc", []Body{link(OpenAPIPath+".json", openAPIType+"+json")})
			tools.array("service-doc", []Body{link(MathPath, markdownType)})
			tools.array("service-meta", []Body{link(MathPath, jsonType)})
			tools.array("status", []Body{link("/api/v1/health", jsonType)})
			var o object
			o.array("linkset", []Body{api.end(), tools.end()})
			return o.end()
		}),
	}}
}

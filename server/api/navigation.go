package api

import (
	"net/http"

	"rulestore/content"
)

// navigation are the operations by which programs find their way, and learn how the service is.
func navigation() []*Operation {
	return []*Operation{{
		Name: "manifest", ID: "getManifest", Path: ManifestPath,
		Answer: newAnswer("Манифест.", with(kept, "Link=Link-Discovery"),
			newForm(JSONType, "Manifest", "Manifest"), titledForm, pageForm,
		),
		Lenient: true,
	}, {
		Name: "connect", ID: "getConnect", Path: ConnectPath,
		Answer: newAnswer("Страница.", kept, pageForm), Lenient: true, AnyAccept: true,
	}, {
		Name: "discovery", ID: "getDiscovery", Path: WellKnownPath,
		Answer:  newAnswer("Документ для программ.", kept, newForm(JSONType, "Discovery", "Discovery")),
		Lenient: true,
	}, {
		Name: "api_catalog", ID: "getApiCatalog", Path: APICatalogPath,
		Answer: newAnswer("Каталог.", with(kept, "Link=Link-Discovery"),
			newForm(linkset, "ApiCatalog", "ApiCatalog"),
		),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "openapi_yaml", ID: "getOpenApiYaml", Path: OpenAPIPath + ".yaml",
		Answer: newAnswer("Описание интерфейса.", kept,
			newForm(OpenAPIType+"+yaml", "OpenApiDocument", "OpenApiDocument"),
		),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "openapi", ID: "getOpenApiJson", Path: OpenAPIPath + ".json",
		Answer: newAnswer("Описание интерфейса.", kept,
			newForm(OpenAPIType+"+json", "OpenApiDocument", "GetOpenApiJson"),
		),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "llms", ID: "getLlmsText", Path: LLMsPath,
		Answer:  newAnswer("Текст.", kept, newForm(TextType, titled, "GetLlmsText")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "ai_catalog", ID: "getAiCatalog", Path: AICatalogPath,
		Answer:  newAnswer("Каталог.", kept, newForm(CatalogType, "AiCatalog", "AiCatalog")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "robots", ID: "getRobots", Path: RobotsPath,
		Answer:  newAnswer("Текст.", kept, newForm(TextType, `{"type":"string"}`)),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "sitemap", ID: "getSitemap", Path: SitemapPath,
		Answer:  newAnswer("Карта.", kept, newForm(XMLType, `{"type":"string"}`)),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "health", ID: "getHealth", Path: HealthPath, Action: ReadHealth,
		Answer: newAnswer("Сервис отвечает.", []string{"Cache-Control=No-Store", "X-Snapshot"},
			newForm(JSONType, "Health", "Health"), pageForm),
		Lenient: true, AnyAccept: true, Unready: "HealthUnavailable",
	}, {
		Name: "legacy_health", ID: "getLegacyHealth", Path: LegacyHealthPath, Action: ReadLegacyHealth,
		Answer: newAnswer("Сервис отвечает.",
			[]string{"Cache-Control=No-Store", "X-Snapshot", "Deprecation", "Link=Link-Successor"},
			newForm(JSONType, "LegacyHealth", "LegacyHealth"),
		),
		Lenient: true, AnyAccept: true, Unready: "LegacyHealthUnavailable",
	}, {
		Name: "mcp", ID: "getMCP", Path: MCPPath, Action: ServeMCP,
		Answer:  newAnswer("Описание точки доступа.", kept[1:], newForm(JSONType, "MCPEndpoint")),
		Lenient: true, AnyAccept: true,
	}, {
		ID: "postMCP", Method: http.MethodPost, Path: MCPPath, Action: ServeMCP,
		Params: []*Param{toolsets},
	}, {
		Name: "mcp_server_card", ID: "getMCPServerCard", Path: MCPCardPath, Action: ServeMCP,
		Answer:  newAnswer("Карточка.", kept[1:], newForm(CardType, "MCPServerCard")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "mcp_server_json", ID: "getMCPServerJSON", Path: MCPRegistryPath, Action: ServeMCP,
		Answer:  newAnswer("Запись.", kept[1:], newForm(JSONType, "MCPServerCard")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "skills", ID: "listSkills", Path: SkillIndexPath, Action: ServeMCP,
		Answer: skillIndex, Lenient: true, AnyAccept: true,
	}, {
		Name: "skill_file", ID: "getSkillFile", Path: SkillsPath + "{skill}/{file}",
		Action: ServeMCP, Route: SkillsPath + "{file:.+}",
		Params: []*Param{skillName, skillFile}, Lenient: true, AnyAccept: true, Undescribed: true,
		Kind:   content.Instructions,
		Answer: newAnswer("Файл.", kept[1:], newForm(MarkdownType, `{"type":"string"}`)),
	}, {
		Name: "legacy_skills", ID: "listLegacySkills", Path: LegacySkillsPath, Action: ServeMCP, Deprecated: true,
		Answer: skillIndex, Lenient: true, AnyAccept: true,
	}}
}

// skillIndex is the answer with all skills.
var skillIndex = newAnswer("Перечень.", kept[1:], newForm(JSONType, "SkillIndex"))

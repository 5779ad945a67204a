package api

import (
	"net/http"

	"rulestore/content"
)

// navigation are the operations by which programs find their way, and learn how the service is.
func navigation() []*Operation {
	return []*Operation{{
		Name: "manifest", ID: "getManifest", Path: ManifestPath, Tag: "Навигация",
		Title: "Манифест",
		About: "Что это за сервис, какие в нём сценарии и форматы, где что находится и какие были выпуски. С " +
			"него начинают.",
		Answer: newAnswer("Манифест.", with(kept, "Link=Link-Discovery"),
			newForm(JSONType, "Manifest", "Manifest"), titledForm, pageForm,
		),
		Lenient: true,
	}, {
		Name: "connect", ID: "getConnect", Path: ConnectPath, Tag: "Навигация",
		Title:  "Подключение",
		About:  "Страница для людей: как подключить ассистента и программу, с готовыми командами.",
		Answer: newAnswer("Страница.", kept, pageForm), Lenient: true, AnyAccept: true,
	}, {
		Name: "discovery", ID: "getDiscovery", Path: WellKnownPath, Tag: "Навигация",
		Title: "Документ для программ",
		About: "Абсолютный адрес каждой точки входа и каждого действующего элемента с версией и контрольной " +
			"суммой.",
		Answer:  newAnswer("Документ для программ.", kept, newForm(JSONType, "Discovery", "Discovery")),
		Lenient: true,
	}, {
		Name: "api_catalog", ID: "getApiCatalog", Path: APICatalogPath, Tag: "Навигация",
		Title: "Каталог интерфейсов",
		About: "Набор ссылок по RFC 9727: где описание интерфейса и его состояние. Заголовок Accept не " +
			"учитывается. Content-Type содержит параметр `profile`.",
		Answer: newAnswer("Каталог.", with(kept, "Link=Link-Discovery"),
			newForm(linkset, "ApiCatalog", "ApiCatalog"),
		),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "openapi_yaml", ID: "getOpenApiYaml", Path: OpenAPIPath + ".yaml", Tag: "Навигация",
		Title: "Описание интерфейса в YAML",
		About: "Этот документ, как он написан. Заголовок Accept не учитывается.",
		Answer: newAnswer("Описание интерфейса.", kept,
			newForm(OpenAPIType+"+yaml", "OpenApiDocument", "OpenApiDocument"),
		),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "openapi", ID: "getOpenApiJson", Path: OpenAPIPath + ".json", Tag: "Навигация",
		Title: "Описание интерфейса в JSON",
		About: "Этот документ в JSON. Заголовок Accept не учитывается.",
		Answer: newAnswer("Описание интерфейса.", kept,
			newForm(OpenAPIType+"+json", "OpenApiDocument", "GetOpenApiJson"),
		),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "llms", ID: "getLlmsText", Path: LLMsPath, Tag: "Навигация",
		Title: "Краткий текст для языковых моделей",
		About: "Как найти, прочитать и посчитать, и где инструкция ассистента (llmstxt.org). Заголовок Accept не " +
			"учитывается.",
		Answer:  newAnswer("Текст.", kept, newForm(TextType, titled, "GetLlmsText")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "ai_catalog", ID: "getAiCatalog", Path: AICatalogPath, Tag: "Навигация",
		Title: "Каталог для ассистентов",
		About: "AI Catalog (ai-catalog.io): где карточка сервера MCP, навыки, описание интерфейса и краткий текст. " +
			"Заголовок Accept не учитывается.",
		Answer:  newAnswer("Каталог.", kept, newForm(CatalogType, "AiCatalog", "AiCatalog")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "robots", ID: "getRobots", Path: RobotsPath, Tag: "Навигация",
		Title:   "Для поисковых роботов",
		About:   "RFC 9309, с Content-Signal. Заголовок Accept не учитывается.",
		Answer:  newAnswer("Текст.", kept, newForm(TextType, `{"type":"string"}`)),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "sitemap", ID: "getSitemap", Path: SitemapPath, Tag: "Навигация",
		Title:   "Карта сайта",
		About:   "Страницы для людей: списки и действующее (sitemaps.org). Заголовок Accept не учитывается.",
		Answer:  newAnswer("Карта.", kept, newForm(XMLType, `{"type":"string"}`)),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "health", ID: "getHealth", Path: HealthPath, Tag: "Состояние",
		Title: "Состояние сервиса", Action: ReadHealth,
		About: "Что отдаётся, из какого коммита собрано, когда сверено с репозиторием и что с содержанием не " +
			"так. Не хранится. Параметры запроса и заголовок Accept не учитываются.",
		Answer: newAnswer("Сервис отвечает.", []string{"Cache-Control=No-Store", "X-Snapshot"},
			newForm(JSONType, "Health", "Health"), pageForm),
		Lenient: true, AnyAccept: true, Unready: "HealthUnavailable",
	}, {
		Name: "legacy_health", ID: "getLegacyHealth", Path: LegacyHealthPath, Tag: "Состояние",
		Title: "Прежняя проверка состояния", Action: ReadLegacyHealth,
		About: "Один статус. Прежний адрес проверки; подробности — по /api/v1/health.",
		Answer: newAnswer("Сервис отвечает.",
			[]string{"Cache-Control=No-Store", "X-Snapshot", "Deprecation", "Link=Link-Successor"},
			newForm(JSONType, "LegacyHealth", "LegacyHealth"),
		),
		Lenient: true, AnyAccept: true, Unready: "LegacyHealthUnavailable",
	}, {
		Name: "mcp", ID: "getMCP", Path: MCPPath, Tag: "MCP",
		Title: "Точка доступа MCP", Action: ServeMCP,
		About: "Описание точки доступа: наборы инструментов и где сказано, как подключиться. Сеансов и потоков " +
			"событий по GET нет. Параметр `toolsets` или заголовок X-MCP-Toolsets выбирает наборы инструментов.",
		Answer:  newAnswer("Описание точки доступа.", kept[1:], newForm(JSONType, "MCPEndpoint")),
		Lenient: true, AnyAccept: true,
	}, {
		ID: "postMCP", Method: http.MethodPost, Path: MCPPath, Tag: "MCP",
		Title: "Сообщение MCP", Action: ServeMCP,
		About: "Запрос JSON-RPC 2.0 протокола MCP, редакций от 2024-11-05 до 2026-07-28; редакцию называет " +
			"заголовок Mcp-Protocol-Version. Тело — не больше 256 КиБ. Тексты и данные пользователя " +
			"передавать нельзя.",
		Params: []*Param{toolsets},
	}, {
		Name: "mcp_server_card", ID: "getMCPServerCard", Path: MCPCardPath, Tag: "MCP",
		Title: "Карточка сервера MCP", Action: ServeMCP,
		About:   "По ней клиент узнаёт о сервере до подключения.",
		Answer:  newAnswer("Карточка.", kept[1:], newForm(CardType, "MCPServerCard")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "mcp_server_json", ID: "getMCPServerJSON", Path: MCPRegistryPath, Tag: "MCP",
		Title: "Запись для реестра MCP", Action: ServeMCP,
		About:   "Документ server.json, которым сервер заявляют в реестре MCP.",
		Answer:  newAnswer("Запись.", kept[1:], newForm(JSONType, "MCPServerCard")),
		Lenient: true, AnyAccept: true,
	}, {
		Name: "skills", ID: "listSkills", Path: SkillIndexPath, Tag: "MCP",
		Title: "Инструкции как навыки", Action: ServeMCP,
		About:  "Перечень навыков (agentskills.io): по одному на инструкцию.",
		Answer: skillIndex, Lenient: true, AnyAccept: true,
	}, {
		Name: "skill_file", ID: "getSkillFile", Path: SkillsPath + "{skill}/{file}", Tag: "MCP",
		Title: "Файл навыка", Action: ServeMCP, Route: SkillsPath + "{file:.+}",
		About: "`SKILL.md` — инструкция кратко, `references/full.md` — целиком. Адреса вместо инструментов в них не " +
			"названы: " +
			"навык читают те, у кого есть MCP.",
		Params: []*Param{skillName, skillFile}, Lenient: true, AnyAccept: true, Undescribed: true,
		Kind:   content.Instructions,
		Answer: newAnswer("Файл.", kept[1:], newForm(MarkdownType, `{"type":"string"}`)),
	}, {
		Name: "legacy_skills", ID: "listLegacySkills", Path: LegacySkillsPath, Tag: "MCP",
		Title: "Инструкции как навыки (прежний адрес)", Action: ServeMCP, Deprecated: true,
		About:  "То же, что /.well-known/agent-skills/index.json.",
		Answer: skillIndex, Lenient: true, AnyAccept: true,
	}}
}

// skillIndex is the answer with all skills.
var skillIndex = newAnswer("Перечень.", kept[1:], newForm(JSONType, "SkillIndex"))

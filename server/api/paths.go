package api

// Paths of the interface. A prefix ends with a slash.
const (
	ManifestPath   = "/"
	WellKnownPath  = "/.well-known/service-for-robots.json"
	APICatalogPath = "/.well-known/api-catalog"
	AICatalogPath  = "/.well-known/ai-catalog.json"
	LLMsPath       = "/llms.txt"
	RobotsPath     = "/robots.txt"
	SitemapPath    = "/sitemap.xml"
	OpenAPIPath    = "/openapi" // without .yaml or .json

	HealthPath       = root + "health"
	LegacyHealthPath = "/healthz"

	ConnectPath = "/connect" // the page with instructions for connecting

	MCPPath          = "/mcp"
	MCPCardPath      = MCPPath + "/server-card"     // which clients read before they connect
	MCPRegistryPath  = MCPPath + "/server.json"     // the entry for a registry of MCP servers
	SkillsPath       = "/.well-known/agent-skills/" // of instructions as skills (agentskills.io)
	SkillIndexPath   = SkillsPath + SkillIndex
	SkillIndex       = "index.json"
	LegacySkillsPath = "/.well-known/skills/" + SkillIndex

	SearchPath    = root + "search"
	ChangelogPath = root + "changelog"
	UpcomingPath  = root + "upcoming"
	// FeedsPath is the prefix of feeds: all.atom, upcoming.atom, <folder>.atom of a kind and
	// <folder>/<name>.atom of an item.
	FeedsPath      = "/feeds/"
	FraudBriefPath = root + "fraud/brief" // the joined data on signals
	ComparePath    = "/compare/"

	ChecksumsPath = root + "checksums" // also the prefix of look-ups by checksum
	CitationsPath = root + "citations" // at which citations are checked
	ProofSuffix   = "/proof"           // of the path of a version
	PeriodsSuffix = "/periods"         // of the path of a parameter
	LogPath       = root + "log"       // the size of the log
	// LogRoot is the prefix of the log according to c2sp.org/tlog-tiles, with the checkpoint and
	// the tiles.
	LogRoot        = "/log/"
	CheckpointPath = LogRoot + "checkpoint" // the signed head of the log
	TilesPath      = LogRoot + "tile/"

	MathPath          = root + "math"
	ToolsPath         = MathPath + "/tools/" // of calculations, by id
	LoanCalculatePath = MathPath + "/loan/calculate"
	LoanComparePath   = MathPath + "/loan/compare"

	// FormatsPath is the prefix of the formats of items: JSON Schemas, by folder and format.
	FormatsPath = "/schemas/"
	// JSONSchemasPath is the prefix of output schemas as JSON Schemas: of current versions by name,
	// of all versions by name and version.
	JSONSchemasPath = FormatsPath + "output/"

	// Patterns of paths have the names of parameters in braces: those of an item after a prefix,
	// of what is below the path of an item, and of whole paths.
	ItemPattern    = "{folder}/{name}"
	VersionPattern = "/versions/{version}"
	TilePattern    = TilesPath + "{level}/{tile}"
	ToolPattern    = ToolsPath + "{tool_id}"

	root = "/api/v1/"
)

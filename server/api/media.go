package api

// Media types.
const (
	JSONType     = "application/json"
	MarkdownType = "text/markdown"
	HTMLType     = "text/html"
	TextType     = "text/plain"
	SchemaType   = "application/schema+json"
	ProblemType  = "application/problem+json" // RFC 9457
	AtomType     = "application/atom+xml"
	OctetType    = "application/octet-stream"
	XMLType      = "application/xml"
	CardType     = "application/mcp-server-card+json"
	CatalogType  = "application/ai-catalog+json"
	OpenAPIType  = "application/vnd.oai.openapi" // and +yaml or +json
	LinksetType  = linkset + `; profile="https://www.rfc-editor.org/info/rfc9727"`

	linkset = "application/linkset+json"
)

// mediaTypes are those of answers, by their names in operations.yaml.
var mediaTypes = map[string]string{
	"json": JSONType, "markdown": MarkdownType, "text": TextType, "schema": SchemaType, "atom": AtomType,
	"octets": OctetType, "xml": XMLType, "card": CardType, "catalog": CatalogType, "linkset": linkset,
	"openapi+yaml": OpenAPIType + "+yaml", "openapi+json": OpenAPIType + "+json",
}

// Language is that of all texts that are served.
const Language = "ru"

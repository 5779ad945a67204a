package page

// A Snippet is something to copy, with what it is for.
type Snippet struct{ ID, Title, Language, Code string }

// Connect has the instructions for using the service, from assistants and from programs.
type Connect struct {
	Head
	Base, Endpoint string // absolute addresses of the service, and of MCP
	Clients        []Client
	Toolsets       []Toolset
	Programs       []Snippet
	Feeds          []Link
	Log            string // its address, "" if there is none
	Checks         []Snippet
}

func (Connect) name() string { return "connect" }

// A Client is a program in which assistants run, with its settings.
type Client struct {
	Title, About string
	Snippets     []Snippet
}

// A Toolset is a group of tools.
type Toolset struct {
	Name, About string
	Default     bool
}

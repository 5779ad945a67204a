package page

// A Snippet is something to copy, with what it is for.
type Snippet struct{ ID, Title, Language, Code string }

// A Member is a parameter, or a field of a body.
type Member struct {
	Name, Where, Type, About string
	Required                 bool
}

// Connect has the instructions for using the service, from assistants and from programs.
type Connect struct {
	Head
	Base, Endpoint string // absolute addresses of the service, and of MCP
	Clients        []Client
	Toolsets       []Toolset
	Programs       []Snippet
	Groups         []Named // of operations
	Feeds          []Link
	Checks         []Snippet
}

func (Connect) name() string { return "connect" }

// A Client is a program in which assistants run, with its settings.
type Client struct {
	Title, About string
	Snippets     []Snippet
}

// A Toolset is a group of tools, with its page.
type Toolset struct {
	Name, About, Href string
	Default           bool
	Count             int
}

// Toolbox is one MCP tool: its arguments, and its schema in JSON.
type Toolbox struct {
	Head
	Name, About string
	Members     []Member
	Schema      string
	Snippets    []Snippet
}

func (Toolbox) name() string { return "toolbox" }

// Reference lists operations or tools, by group.
type Reference struct {
	Head
	About  string
	Groups []ReferenceGroup
}

func (Reference) name() string { return "reference" }

// A ReferenceGroup is a group of operations.
type ReferenceGroup struct {
	ID, Title, About string
	Operations       []ReferenceLine
}

// A ReferenceLine is an operation or a tool in a list, with its name for programs.
type ReferenceLine struct{ Code, Title, Href string }

// Operation is one operation of the interface.
type Operation struct {
	Head
	Method, Path, About string
	Deprecated          bool
	Members             []Member
	Body                []Shape
	BodyAbout           string
	Forms               []string // media types
	Responses           []Statement
	Shapes              []Shape
	Snippets            []Snippet
	Without             string // the reason why there is no request
	Answer              string // the beginning of the response
	More                bool   // the response is cut off
	Live                string // the address for a browser, "" if there is none
}

func (Operation) name() string { return "operation" }

// A Shape is an alternative of a body.
type Shape struct {
	Name, About string
	Members     []Member
}

package page

// A Snippet is something to copy, with what it is for.
type Snippet struct{ ID, Title, Language, Code string }

// A Member is a parameter, or a field of a body.
type Member struct {
	Name, Where, Type, About string
	Required                 bool
}

// Connect says how to use the service: from assistants and from programs.
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

// A Client is a program that assistants run in, and what it is told.
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

// Toolbox is one tool of assistants: what it takes, and its schema as a program reads it.
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

// A ReferenceLine is an operation or a tool in a list, with what programs call it.
type ReferenceLine struct{ Code, Title, Href string }

// Operation is one thing that can be asked.
type Operation struct {
	Head
	Method, Path, About string
	Deprecated          bool
	Members             []Member
	Body                []Shape
	BodyAbout           string
	Forms               []string // media types
	Outcomes            []Statement
	Shapes              []Shape
	Snippets            []Snippet
	Without             string // why there are none
	Answer              string // the beginning of what is answered
	More                bool   // it goes on
	Live                string // where a browser gets it, "" if nowhere
}

func (Operation) name() string { return "operation" }

// A Shape is what a body may be.
type Shape struct {
	Name, About string
	Members     []Member
}

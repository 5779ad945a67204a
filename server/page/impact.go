package page

// Impact is what depends on a thing, and what that depends on.
type Impact struct {
	Head
	Kind, ID string
	Total    int // things that use it
	Second   int // things that use these
	Users    Dependence
	Uses     Dependence
	Draft    *Touched // in a preview, nil if nothing is changed
}

func (Impact) name() string { return "impact" }

// Dependence is a graph of things, and the same as a list.
type Dependence struct {
	Graph  Graph
	Total  int
	Groups []DependenceGroup // by kind
	Left   int               // things that are not listed
}

// DependenceGroup are things of a kind.
type DependenceGroup struct {
	Title  string
	Things []Dependent
}

// Dependent is a thing in a list.
type Dependent struct {
	Title, Href, ID string
	Where           string // the section that names the other
	Total           int    // things a step further
	Further         []Link // the first of them
	Left            int    // of them that are not listed
}

// Touched is what a draft changes, and how many use that.
type Touched struct {
	Version, Since string
	Class          Status
	Users          int
	Sections       []TouchedSection
	Left           int // sections that are not listed
}

// TouchedSection is a section that a draft changes.
type TouchedSection struct {
	Title, Address string
	Class          Status
	Users          int // things that name it
}

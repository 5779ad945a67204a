package page

// Impact is the page of an item's dependencies in both directions.
type Impact struct {
	Head
	Kind, ID string
	Total    int // number of direct users
	Second   int // number of indirect users
	Users    Dependence
	Uses     Dependence
	Draft    *Touched // in a preview, nil without changes
}

func (Impact) name() string { return "impact" }

// Dependence is a graph of dependencies, and the same as a list.
type Dependence struct {
	Graph  Graph
	Total  int
	Groups []DependenceGroup // by kind
	Left   int               // number of nodes that are not listed
}

// DependenceGroup has the nodes of one kind.
type DependenceGroup struct {
	Title  string
	Things []Dependent
}

// Dependent is a node in a list.
type Dependent struct {
	Title, Href, ID string
	Where           *Link  // the section with the reference, nil if it is the whole
	Total           int    // number of nodes one level further
	Further         []Link // the first of them
	Left            int    // number of them that are not listed
}

// Touched lists the changes of a draft, with the number of users.
type Touched struct {
	Version, Since string
	Class          Status
	Users          int
	Sections       []TouchedSection
	Left           int // number of sections that are not listed
}

// TouchedSection is a section that a draft changes.
type TouchedSection struct {
	Title, Address string
	Class          Status
	Users          int // number of references to it
}

package page

// Cite is a citation in the forms that it is kept in.
type Cite struct {
	Head
	ID, Version string
	Status      Status
	Forms       []Citable
	Action      string   // where another section is chosen
	Sections    []Choice // of the version
	Check       string   // where citations are checked
}

func (Cite) name() string { return "cite" }

// Citable is a form of a citation, to be copied.
type Citable struct{ ID, Title, Text string }

// Citations is a form that takes citations back, and what they came to if some were given.
type Citations struct {
	Head
	Action   string
	Most     int // characters of a text
	Text, At string
	Faults   []Fault // their names are ids of fields
	Asked    bool
	Checked  []Checked
	Left     int // citations that were not checked
}

func (Citations) name() string { return "citations" }

// Checked is what a citation came to.
type Checked struct {
	Verdict        Status
	Title, Version string
	Status         Status   // of the version; none if it is unknown
	Lines          []string // what there is to say
	Facts          []Statement
	Links          []Link
}

// Wrong says what is wrong with a field, nil if nothing is.
func (c Citations) Wrong(field string) *Fault {
	for i := range c.Faults {
		if c.Faults[i].Name == field {
			return &c.Faults[i]
		}
	}
	return nil
}

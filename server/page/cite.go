package page

// Cite is a citation in all its forms.
type Cite struct {
	Head
	ID, Version string
	Status      Status
	Forms       []Citable
	Action      string   // address of the form for another section
	Sections    []Choice // of the version
	Check       string   // address of the page for checking citations
}

func (Cite) name() string { return "cite" }

// Citable is a form of a citation, to be copied.
type Citable struct{ ID, Title, Text string }

// Citations is the form for checking citations, with the results if some were given.
type Citations struct {
	Head
	Action   string
	Most     int // maximum number of characters of a text
	Text, At string
	Faults   []Fault // their names are ids of fields
	Asked    bool
	Checked  []Checked
	Left     int // citations that were not checked
}

func (Citations) name() string { return "citations" }

// Checked is the result for one citation.
type Checked struct {
	Verdict        Status
	Title, Version string
	Status         Status   // of the version; none if it is unknown
	Lines          []string // what there is to say
	Facts          []Statement
	Links          []Link
}

// Wrong returns the fault of a field, nil if there is none.
func (c Citations) Wrong(field string) *Fault {
	for i := range c.Faults {
		if c.Faults[i].Name == field {
			return &c.Faults[i]
		}
	}
	return nil
}

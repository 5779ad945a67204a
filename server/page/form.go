package page

// Tool is a calculation: the form of its request and, after it was sent, the result.
type Tool struct {
	Head
	ID, Version string
	Tool        string // its id
	About       string
	Action      string
	Inputs      Input
	Folded      bool   // a list has more rows than it has fields for
	Contract    *Input // values of a contract to compare with the result
	Examples    []Link
	Faults      []Fault // faults of the request that belong to no field
	Result      *Result // nil before the form is sent
	Referrers   []Link
	Others      int    // number of further items that refer to it
	Impact      string // address of its dependencies, "" if there is none
}

func (Tool) name() string { return "tool" }

// The types of inputs.
const (
	Number  = "number"
	Date    = "date"
	Text    = "text"
	Choose  = "choose"
	Group   = "group"   // of fields
	Several = "several" // a list, whose rows are groups or single inputs
	Ways    = "ways"    // a choice between groups of fields, with all of their fields
)

// Input is a field of a form, a group of fields, or a list of them.
type Input struct {
	Kind     string
	Name     string // in the request: inputs.variants.0.principal
	Title    string
	Unit     string
	Hint     string
	Value    string
	Example  string
	Required bool
	Fault    string // the fault of the value
	Choices  []Choice
	Inputs   []Input // of a group, or the rows of a list
	Ways     string  // of a field in a choice: the numbers of its choices
	Full     bool    // the list has its maximum number of rows
	// Folded are the rows of a list that have no fields, and Others lead to them.
	Folded, FoldedName string
	Others             []Choice
	// Removable are the rows that the list can do without.
	Removable bool
}

// ShowRow is the button of a form that shows the rows of a list around one.
const ShowRow = "show"

// ID returns the name as an id.
func (i Input) ID() string { return "i-" + dashed(i.Name) }

// Radio reports whether a choice is small enough for radio buttons.
func (i Input) Radio() bool { return len(i.Choices) <= 3 }

// Wanted states whether the input is required, in words.
func (i Input) Wanted() string {
	if i.Required {
		return ""
	}
	return "необязательно"
}

// Described returns the ids of the texts that describe the input.
func (i Input) Described() string {
	switch {
	case i.Fault != "" && i.Hint != "":
		return i.ID() + "-fault " + i.ID() + "-hint"
	case i.Fault != "":
		return i.ID() + "-fault"
	case i.Hint != "":
		return i.ID() + "-hint"
	}
	return ""
}

func dashed(name string) string {
	out := []byte(name)
	for i, c := range out {
		if c == '.' {
			out[i] = '-'
		}
	}
	return string(out)
}

// Tools lists the calculations by family.
type Tools struct {
	Head
	Filters  Filters
	Families []Family
}

func (Tools) name() string { return "tools" }

// Family is a group of calculations.
type Family struct {
	ID, Title string
	Entries   []Entry
}

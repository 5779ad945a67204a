package page

// Tool is a calculation: a form for its request and, once asked, the result.
type Tool struct {
	Head
	ID, Version string
	Tool        string // what it is called
	About       string
	Action      string
	Inputs      Input
	Contract    *Input // what a contract says, to be checked against the result
	Examples    []Link
	Faults      []Fault // what is wrong with the request and has no field
	Result      *Result // nil as long as nothing was asked
	Referrers   []Link
	Others      int    // that refer to it and are not listed
	Impact      string // where all that depends on it is, "" if nowhere
}

func (Tool) name() string { return "tool" }

// Kinds of inputs.
const (
	Number  = "number"
	Date    = "date"
	Text    = "text"
	Choose  = "choose"
	Group   = "group"   // of fields
	Several = "several" // a list, whose rows are groups or single inputs
	Ways    = "ways"    // a choice between groups of fields, and all of these fields
)

// Input is a field of a form: it may be a group of others, or a list of them.
type Input struct {
	Kind     string
	Name     string // as it is sent: inputs.variants.0.principal
	Title    string
	Unit     string
	Hint     string
	Value    string
	Example  string
	Required bool
	Fault    string // what is wrong with the value
	Choices  []Choice
	Inputs   []Input // of a group, or the rows of a list
	Ways     string  // of a field in a choice: the numbers of the choices that it belongs to
	Full     bool    // a list that takes no more rows
	// Removable rows are those that a list can do without.
	Removable bool
}

// ID is the name as an id.
func (i Input) ID() string { return "i-" + dashed(i.Name) }

// Radio reports whether a choice is between so few that all are shown.
func (i Input) Radio() bool { return len(i.Choices) <= 3 }

// Wanted says whether the input may be left empty, in words.
func (i Input) Wanted() string {
	if i.Required {
		return ""
	}
	return "необязательно"
}

// Described is the ids of the texts that describe the input.
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

package content

import (
	"cmp"
	"encoding/json"
	"maps"
	"slices"
	"strings"
)

// CasesFolder is the folder of cases: tests of authors for their content, which are never
// published.
const CasesFolder = "tests"

// HoldsCases reports whether a path is that of a file of cases.
func HoldsCases(path string) bool {
	rest, inside := strings.CutPrefix(path, CasesFolder+"/")
	return inside && strings.HasSuffix(rest, ".yaml")
}

// Case is a test that authors keep beside the content: a request and its expected answer.
// Exactly one field of a kind is set; the others are nil.
type Case struct {
	Path   string `json:"-"` // the file
	Line   int    `json:"-"`
	Column int    `json:"-"`

	Conversation string `json:"-"` // the title of the conversation of which the case is a turn, else ""

	Search  *SearchCase  `json:"search"`
	Calc    *CalcCase    `json:"calc"`
	Signals *SignalsCase `json:"signals"`
	Read    *ReadCase    `json:"read"`
	Size    *SizeCase    `json:"size"`
}

// Kind is the name of the field that the case has.
func (c *Case) Kind() string {
	switch {
	case c.Search != nil:
		return "search"
	case c.Calc != nil:
		return "calc"
	case c.Signals != nil:
		return "signals"
	case c.Read != nil:
		return "read"
	}
	return "size"
}

// String returns the request of the case, after the title of its conversation.
func (c *Case) String() string {
	if c.Conversation != "" {
		return c.Conversation + ": " + c.request()
	}
	return c.request()
}

func (c *Case) request() string {
	switch {
	case c.Search != nil:
		return c.Search.Q
	case c.Calc != nil:
		return c.Calc.Tool
	case c.Signals != nil:
		return strings.Join(c.Signals.Given, " + ")
	case c.Read != nil:
		return c.Read.Item + " " + c.Read.Section
	case c.Size != nil:
		return c.Size.Item + " " + c.Size.Viewed()
	}
	return ""
}

// SearchCase is a question, with the filters of the search: one of the expected ids has to be
// among the first results.
type SearchCase struct {
	Q           string `json:"q"`
	Kind        string `json:"kind"`
	Scenario    string `json:"scenario"`
	ProductType string `json:"product_type"`
	Signal      string `json:"signal"`
	Expect      IDs    `json:"expect"`
	NotFirst    IDs    `json:"not_first"` // none of these may be the first result
	Within      int    `json:"within"`    // 0: [DefaultWithin]
}

// DefaultWithin is the number of first results that are searched for an answer if a case does
// not set it.
const DefaultWithin = 3

// First returns the number of first results that are searched for an answer.
func (s *SearchCase) First() int {
	if s.Within == 0 {
		return DefaultWithin
	}
	return s.Within
}

// IDs is one id or a list of ids.
type IDs []string

// UnmarshalJSON implements json.Unmarshaler.
func (i *IDs) UnmarshalJSON(raw []byte) error {
	if len(raw) > 0 && raw[0] == '[' {
		return json.Unmarshal(raw, (*[]string)(i))
	}
	*i = IDs{""}
	return json.Unmarshal(raw, &(*i)[0])
}

// CalcCase is a request to a calculation, and some of its expected values.
type CalcCase struct {
	Tool    string                     `json:"tool"`
	Inputs  json.RawMessage            `json:"inputs"`
	Status  string                     `json:"status"` // "": computed
	Outputs map[string]json.RawMessage `json:"outputs"`
}

// Outcome returns the expected status of the calculation.
func (c *CalcCase) Outcome() string { return cmp.Or(c.Status, "computed") }

// OutputNames lists the values that are expected, in order.
func (c *CalcCase) OutputNames() []string { return slices.Sorted(maps.Keys(c.Outputs)) }

// SignalsCase has signals of a fraud and the expected result of the compound rules for them
// together.
type SignalsCase struct {
	Given  []string `json:"given"`
	Result string   `json:"result"` // [NoResult]: no rule applies to them together
}

// NoResult is the result for signals to which no compound rule applies.
const NoResult = "none"

// ReadCase is a section of an item, and its expected value or words of its text.
type ReadCase struct {
	Item    string          `json:"item"` // folder and name
	Section string          `json:"section"`
	Is      json.RawMessage `json:"is"`   // nil: any
	Says    []string        `json:"says"` // all of them, in any case of letters
}

// SizeCase is the maximum size of an item.
type SizeCase struct {
	Item   string `json:"item"` // folder and name
	View   string `json:"view"` // "": full
	AtMost int    `json:"at_most"`
}

// Viewed returns the view of the item that is measured.
func (c *SizeCase) Viewed() string { return cmp.Or(c.View, "full") }

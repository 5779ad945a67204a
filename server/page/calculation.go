package page

import (
	"slices"
	"strings"

	"rulestore/server/calc"
)

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

// Tool is a calculation: its form, the answer after that was sent, its inputs, and a request for
// programs.
type Tool struct {
	Head
	ID, Version string
	About       string
	Action      string
	Fields      []Field
	Faults      []FieldFault // of what was sent
	Answer      *Calculated  // nil before the form is sent, and if it has faults
	Referrers   []Link
	Others      int // number of further items that refer to it
}

func (Tool) name() string { return "tool" }

// The types of the fields of a form.
const (
	TextField   = "text"
	NumberField = "number"
	DateField   = "date"
	ChoiceField = "choice"
	JSONField   = "json" // a list or an object
)

// Field is a field of the form of a calculation.
type Field struct {
	Name, Title     string
	Type            string
	Value           string
	Choices         []Choice
	Optional, Wrong bool
}

// ID returns the id of the field on the page.
func (f Field) ID() string { return "i-" + f.Name }

// Calculated is the answer of a calculation.
type Calculated struct {
	Verdict             string
	InputsHash, Receipt string
	Sections            []calc.Section
}

// maxRows is the maximum number of rows of a table of an answer: thirty years of months are whole,
// and a page stays below 100 KB.
const maxRows = 400

// Shown are the sections that the page shows. The inputs are in the form, and the steps in the answers for
// programs.
func (a Calculated) Shown() []calc.Section {
	return slices.DeleteFunc(slices.Clone(a.Sections), func(s calc.Section) bool {
		return s.ID == "inputs" || s.ID == "trace"
	})
}

// rowsOf are the first rows of a table, and leftOf is the number of others.
func rowsOf(t *calc.Table) [][]calc.Figure { return t.Rows[:min(maxRows, len(t.Rows))] }
func leftOf(t *calc.Table) int             { return max(0, len(t.Rows)-maxRows) }

// numbered reports whether a table is a schedule, whose rows are numbered.
func numbered(t *calc.Table) bool { return t.Head[0].Name == "no" }

// shown is a figure for people, in a unit. Semicolons stand between parts, as decimals follow a comma.
func shown(f calc.Figure, unit string) string {
	if len(f.Parts) > 0 {
		all := make([]string, len(f.Parts))
		for i, p := range f.Parts {
			if all[i] = shown(p, p.Unit); f.Type != "list" {
				all[i] = p.Title + ": " + all[i]
			}
		}
		return strings.Join(all, "; ")
	}
	text := f.Words()
	switch {
	case isNumber(text):
		return strings.TrimSuffix(grouped(text)+"\u00A0"+calc.Unit(unit), "\u00A0")
	case f.Type == "enum":
		return Worded(text)
	}
	return DayOf(text)
}

package page

import (
	"html/template"
	"time"
)

// Timeline is the history of an item, or of a section of it, and what applied on a day.
type Timeline struct {
	Head
	ID, Section string  // the section is "" for the whole item
	Read        Link    // address of the text
	Filters     Filters // selects the days
	When        string  // the days to which Applied refers
	Applied     Link    // what applied; no title if nothing did
	None        string  // the reason why there is nothing to show
	Text        template.HTML
	Long        bool // the text is left out, since it is long
	Events      []Event
	Left        string // number of older versions that are not listed
	Sections    []Passage
	Total       int // of the sections
	Pager       Pager
}

func (Timeline) name() string { return "timeline" }

// Event is the change made by a version.
type Event struct {
	Version, Href string
	What          string
	Class         *Status // nil if it is obvious
	Changes       int
	Date          time.Time
	Note          string
	Vouched       []Statement // since when it is in force, its signer, its index in the log
	Compare       string      // address of the changes, "" if there is none
}

// Passage is a section with the versions that added it, changed it last and removed it.
type Passage struct {
	Title, Address, Href string
	Level                int
	Since                string
	Earlier              bool // it may have existed before
	Changed, Gone        string
	Changes              int
}

package page

import (
	"html/template"
	"time"
)

// Timeline is what became of an item, or of a section of it, and what applied on a day.
type Timeline struct {
	Head
	ID, Section   string // the section is "" if all of the item is asked about
	Read          Link   // where it is read
	Dated         bool   // it may be asked what was in force on a day
	AsOf, InForce string // the days that are asked of, "" for now
	When          string // of which days it is told what applied
	Applied       Link   // what did; no title if nothing did
	None          string // why there is nothing to show of it
	Text          template.HTML
	Long          bool // the text is not shown, since it is long
	Events        []Event
	Left          string // older versions that are not listed
	Sections      []Passage
	Total         int // of the sections
	Pager         Pager
}

func (Timeline) name() string { return "timeline" }

// Event is what a version did.
type Event struct {
	Version, Href string
	What          string
	Class         *Status // nil if it goes without saying
	Changes       int
	Date          time.Time
	Note          string
	Vouched       []Statement // since when it is in force, who signed it, where the log has it
	Compare       string      // where the changes are, "" if nowhere
}

// Passage is a section with the versions that brought it, changed it last and took it away.
type Passage struct {
	Title, Address, Href string
	Level                int
	Since                string
	Earlier              bool // it may have been there before
	Changed, Gone        string
	Changes              int
}

package page

import "html/template"

// Compare shows two versions of an item as one text, or side by side.
type Compare struct {
	Head
	ID       string
	From, To Version
	Pair     Filters     // selects the two versions
	Past     Filters     // selects a day, for a comparison with the current version
	Days     []Statement // what was published and applied on that day, and what applies now
	Class    Status
	Summary  string
	Step     string // remark on the increment of the version
	Filters  []Switch
	Showings []Switch // of one text, or two
	Section  string   // the section to show; "": all
	Redlined
	Upkeep []Place
	Pager  Pager
}

func (Compare) name() string { return "compare" }

// Switch is a link to the same page with another option.
type Switch struct {
	Link
	Code   string // of a class
	Chosen bool
}

// Place is a place that differs without relevance to readers.
type Place struct {
	ID, Title string
	HTML      template.HTML
}

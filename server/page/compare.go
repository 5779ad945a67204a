package page

import "html/template"

// Compare shows two versions of an item as one text, or side by side.
type Compare struct {
	Head
	ID        string
	From, To  Version
	Day, Then string      // the day that was requested, and its meaning
	Days      []Statement // what was published and applied on that day, and what applies now
	Choices   []Version   // for a comparison, newest first
	Class     Status
	Summary   string
	Step      string // remark on the increment of the version
	Filters   []Switch
	Showings  []Switch // of one text, or two
	Shown     string   // the view: "" or sides
	Only      string   // the class to show; "": all
	Section   string   // the section to show; "": all
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

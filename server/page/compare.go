package page

import "html/template"

// Compare shows two versions of an item as one text, or side by side.
type Compare struct {
	Head
	ID        string
	From, To  Version
	Day, Then string      // the day that was asked of, and what was asked
	Days      []Statement // what was published and applied on that day, and applies now
	Choices   []Version   // that can be compared, newest first
	Class     Status
	Summary   string
	Step      string // what is to be said of the step of the version
	Filters   []Switch
	Showings  []Switch // one text, or two
	Shown     string   // how they are shown: "" or sides
	Only      string   // the class that is shown; "": all
	Section   string   // that is shown; "": all
	Redlined
	Upkeep []Place
	Pager  Pager
}

func (Compare) name() string { return "compare" }

// Switch leads to the same page otherwise.
type Switch struct {
	Link
	Code   string // of a class
	Chosen bool
}

// Place is a place that differs and that nobody misses.
type Place struct {
	ID, Title string
	HTML      template.HTML
}

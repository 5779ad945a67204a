package html

import (
	"html/template"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/site"
)

// Status is the status of something, as code and text.
type Status = site.Status

// Item is a version of an item, or a record of a registry.
type Item struct {
	Head
	*content.Entry        // of a record that of its registry
	Kind           string // the title of its kind
	ID             string
	Status         Status
	Why            string // a code: what its notice says, "" if it needs none
	Instead        []Link // what to read in its place; an address may be ""
	Strip          []Link // what applies today, and what comes next; an address may be ""
	Value          string // of a parameter, in words
	Document
	Records *Records // of a registry
	Periods *Periods // of a parameter that has a value for each

	Versions []Version // newest first
	History  string    // address of all of them
	Compare  string    // address of the comparison with the previous version, "" if there is none

	Check     string // the command that computes the checksum, "" for a record
	Logged    string // its index in the log, "" if it has none
	Referrers []Link
	Others    int // number of further items that refer to it
}

// Version is a version in a list.
type Version struct {
	*content.Entry
	Href    string
	Status  Status
	Shown   bool   // it is the version on the page
	Compare string // address of the comparison with the current version, "" for that itself
}

// Versions lists the versions of an item.
type Versions struct {
	Head
	ID       string
	Versions []Version // newest first
	Left     int       // number of versions that are not listed
	Compare  Filters   // the form of a comparison, without fields if there are fewer than two versions
}

// Filters is a form that filters a list, or asks for another part of what a page shows.
type Filters struct {
	Action string
	Label  string // accessible name; "" is that of a filter
	Button string // its title; "" is that of a filter
	Chosen bool   // some filter is set
	Fields []Field
}

// Field is one field of a form: a selection if it has choices.
type Field struct {
	Name, Title        string
	Type               string // hidden, text, number, date, or json for a list or an object; a hidden one has no title
	Value              string
	Length             int // maximum number of characters; 0: unlimited
	Choices            []Choice
	Optional, Required bool // if it is said of the field
	Wrong              bool
}

// Choice is a possible value of a filter.
type Choice struct {
	Value, Title string
	Chosen       bool
}

// Pager links to the neighbouring parts of a long list; an address is "" if there is none. First is
// that of its beginning, if the list ends before the part that was asked for.
type Pager struct {
	Newer, Older    string
	First           string
	From, To, Total int
}

// Records are the records of a registry as a table.
type Records struct {
	Title        string
	Filters      Filters
	Total, Found int
	Rows         []Row
	Pager        Pager
	Left         int // number of records that are not shown, without a pager
}

// Periods are the values of a parameter over time, the newest first.
type Periods struct {
	Title string
	Chart Steps
	Rows  []Period
	Left  int // number of periods that are not shown
}

// Period is a value and the days in which it is in force.
type Period struct {
	ID         string
	From, To   time.Time // zero if it is open
	Value      template.HTML
	Conditions []template.HTML
	Sources    []Link
}

// Row is an item or a record in a table: its title, and a cell for each other column.
type Row struct {
	Anchor, Title, Href, Code string   // an address may be ""
	About                     any      // a text, or HTML
	Cells                     []Cell   // the same columns in all rows
	Status                    *Status  // nil if it is obvious
	Subject                   string   // what it is about, "" if that is unknown
	Lines                     []string // about the requested day
}

// Cell is a value under the title of its column, a text or HTML; its class determines the style.
type Cell struct {
	Title string
	Text  any
	Class string
}

// List is a list of items.
type List struct {
	Head
	About   string
	Filters Filters
	Total   int
	Rows    []Row
	Pager   Pager
}

// Statement is a short statement in plain text.
type Statement struct{ Title, Value string }

// Kind is a kind of item on the home page.
type Kind struct {
	Title, Href, About string
	Count              int
}

// Home is the home page.
type Home struct {
	Head
	Kinds    []Kind
	Start    []Link // recommended reading
	Changes  []site.ShownChange
	Upcoming []Row
	Site     *site.Site // the origin of the content
}

// Changelog is a part of the changelog.
type Changelog struct {
	Head
	Filters Filters
	Changes []site.ShownChange
	Pager   Pager
}

// Search is the search form, with the results if there was a query.
type Search struct {
	Head
	Query   string
	Filters Filters
	Asked   bool
	Total   int
	Note    string // that nothing answers the query, if so
	First   int    // the number of the first hit
	Hits    []Hit
	Meant   *Link  // the search with corrected words, if some are
	Near    []Link // documents with such words in the title
	Pager   Pager
}

// Hit is a search result, with the part of its text that matches.
type Hit struct {
	site.Hit
	Kind, Href string
	Section    *Link    // the section of the snippet, nil for the document itself
	Lines      []string // about the requested day
}

// FieldFault is one error in a request.
type FieldFault struct {
	Title, Name, Detail string
	Hint                []Link // in parts; an address may be ""
}

// Tally is a number of things, with the address of their list. A bad one should be zero.
type Tally struct {
	Count       int
	Title, Href string
	Bad         bool
}

func tally(n int, href string, bad bool, one, few, many string) Tally {
	return Tally{n, i18n.Plural(n, one, few, many), href, bad}
}

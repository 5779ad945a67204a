package page

import (
	"html/template"
	"time"
)

// Status is the state of something, by its code and in words.
type Status struct{ Code, Title string }

// Notice is what a reader must know before reading on.
type Notice struct {
	Text  string
	Since time.Time // the day since which it is so, zero if that is not said
	Links []Link    // an address may be ""
}

// Waiting are the versions of an item that are not served, and why.
type Waiting struct {
	Versions []WaitingVersion
	Left     int    // versions that are not told of
	Health   string // where all are
}

// WaitingVersion is one of them.
type WaitingVersion struct {
	Version string
	Status  Status
	About   string    // what that means
	Since   time.Time // when it was committed, zero if that is not known
	From    time.Time // the day from which it is in force, zero if it is not known
	Note    string    // what it changes
	Causes  []Finding // with what to do
	Href    string    // where more is said of it, "" if nowhere
}

// Item is a version of an item, or a record of a registry.
type Item struct {
	Head
	Kind      string // what sort of thing it is
	ID        string
	Version   string
	Status    Status
	Published time.Time // zero for a draft
	Notice    *Notice   // nil if there is nothing to say
	Waiting   Waiting
	Signed    []Statement // who vouches for it
	Value     string      // of a parameter, in words
	Whole     string      // where all of it is, if these are some sections
	Document
	Remarks []Remark // of a preview, by line
	Source  *Source  // of a preview, what cannot be read
	Records *Records // of a registry
	Periods *Periods // of a parameter that has a value for each

	Versions []Version // newest first
	History  string    // where all of them are
	Past     string    // where it is told what became of the text
	Change   *Changed  // since the version before, nil if there is none

	Checksum  string
	Check     string // the command that computes it
	Logged    string // its place in the log, "" if it is not there
	Cite      string // where it is cited, "" if nowhere
	Referrers []Link
	Others    int    // that refer to it and are not listed
	Impact    string // where all that depends on it is, "" if nowhere
}

func (Item) name() string { return "item" }

// Changed sums up what differs from the version before.
type Changed struct {
	Since string // the version before
	Class Status
	Count int    // places that differ
	Href  string // where they are shown side by side
}

// Version is a version in a list.
type Version struct {
	Number, Href string
	Status       Status
	Reason       string // of the status
	Date         time.Time
	Note         string // what it changed
	Checksum     string
	Shown        bool   // it is the one that the page shows
	Compare      string // where it is compared with the current one, "" if it is that
	From, To     bool   // it is what a comparison begins with
}

// Versions lists the versions of an item.
type Versions struct {
	Head
	ID       string
	Past     string // where it is told what became of each section
	Waiting  Waiting
	Versions []Version // newest first
	Left     int       // versions that are not listed
	Compare  string    // where two are compared, "" if there are not two
	Choices  []Version // that can be compared
}

func (Versions) name() string { return "versions" }

// Filters is a form that narrows a list down.
type Filters struct {
	Action string
	Chosen bool // something is chosen
	Fields []Filter
}

// Filter is one field of the form: a choice if there are choices.
type Filter struct {
	Name, Title string
	Type        string // of an input
	Value       string
	Hint        string
	Choices     []Choice
}

// Choice is a value that a filter may have.
type Choice struct {
	Value, Title string
	Chosen       bool
}

// Pager leads to the neighbouring parts of a long list; an address is "" where
// there is no more.
type Pager struct {
	Newer, Older    string
	From, To, Total int
}

// Records are the records of a registry as a table.
type Records struct {
	Title        string
	Filters      Filters
	Total, Found int
	Letters      []Link // to the first record of each, if they are by alphabet
	Columns      []Column
	Rows         []Row
	Pager        Pager
	Left         int // records that are not shown and that no pager leads to
}

// Periods are the values of a parameter in time, the newest first.
type Periods struct {
	Title string
	Chart Steps
	Rows  []Period
	Left  int // periods that are not shown
}

// Period is a value and the days in which it is in force.
type Period struct {
	ID, From, To, Value, Conditions string
	Sources                         []Link
}

// Column is the head of a column; its address, if there is one, sorts by it.
type Column struct {
	Title, Href string
	Sorted      string // ascending or descending, "" if it is not by this one
}

// Row is a record: what it is, and a cell for each other column. It leads to the
// page of the record, if there is one.
type Row struct {
	ID, Href, Title, Code, About string
	Lists                        []Named
	Cells                        []Cell
	Remarks                      []Remark      // of a preview
	Drawn                        template.HTML // all of it, once it was drawn to see whether it fits
}

// Named is a list with its name.
type Named struct {
	Title string
	Links []Link // an address may be ""
}

// Cell is a short value, or a day, under the title of its column; its class says how it
// looks.
type Cell struct {
	Title, Text, Class string
	Day                time.Time
}

// Entry is an item in a list.
type Entry struct {
	Title, Href, About, ID string  // the address may be ""
	Cells                  []Cell  // of a list, the same for all in it
	Status                 *Status // nil if it goes without saying
	Tags                   []string
	Lines                  []string // what it says of the day that is asked about
}

// List is a list of items.
type List struct {
	Head
	About   string
	Filters Filters
	Total   int
	Entries []Entry
	Pager   Pager
}

func (List) name() string { return "list" }

// Statement is a short statement in plain text.
type Statement struct {
	Title, Value string
	Code         bool // the value is a machine's word
}

// Kind is a kind of item on the first page.
type Kind struct {
	Title, Href, About string
	Count              int
}

// Home is the first page.
type Home struct {
	Head
	Remarks []Manuscript // of a preview
	Left    int          // files with remarks that are not listed
	Kinds   []Kind
	Start   []Entry // what to read first
	Changes []Change
	Source  []Statement // where the content is from
}

func (Home) name() string { return "home" }

// Change is an entry of the changelog.
type Change struct {
	Date    time.Time
	Release bool // of the product or a module
	Title   string
	Href    string
	Version string
	Text    string
	Points  []string
	Tags    []string
	Compare string // where the change can be seen, "" if nowhere
}

// Changelog is a part of the changelog.
type Changelog struct {
	Head
	Filters Filters
	Changes []Change
	Pager   Pager
}

func (Changelog) name() string { return "changelog" }

// Search is a form, and what was found if something was asked.
type Search struct {
	Head
	Query   string
	Filters Filters
	Asked   bool
	Total   int
	First   int     // the number of the first hit
	Kinds   []Facet // what is found by kind, whichever is chosen
	Hits    []Hit
	Meant   []Link  // searches for words like those that nothing has
	Near    []Link  // what has such words in its title
	Instead []Facet // of what kinds there is something, where nothing is found
	Pager   Pager
}

func (Search) name() string { return "search" }

// Facet is a kind of what is found, and how much of it there is.
type Facet struct {
	Title, Href string
	Count       int
	Chosen      bool
}

// Hit is something found, with the part of its text that says why.
type Hit struct {
	Kind, ID, Title, Href string
	Snippet               []Segment
	Section               *Link    // where the snippet is from, nil if it is all there is
	Lines                 []string // what it says of the day that is asked about
}

// Segment is a piece of a text that matches, or does not.
type Segment struct {
	Text  string
	Match bool
}

// Problem is an error.
type Problem struct {
	Head
	Status  int
	Detail  []Link // an address may be ""
	Advice  []Link // what to do; an address may be ""
	Near    []Link // what may have been meant
	Query   string // what to search for
	Errors  []Fault
	Waiting Waiting
	Facts   []Statement
}

func (Problem) name() string { return "problem" }

// Fault is one thing wrong with a request.
type Fault struct{ Name, Detail, Hint string }

// Health is the state of the service, for who runs it.
type Health struct {
	Head
	Status      Status
	Reason      string
	Numbers     []Tally
	LoadFailed  bool   // the last one
	LoadError   string // why, "" if it is not said
	FetchFailed bool   // the last one
	FetchError  string // why, "" if it is not said
	Facts       []Statement
	Kinds       []Statement // how many items there are of each
	Rejected    []Rejected
	Total       int // of findings about what is served
	Findings    []Finding
}

func (Health) name() string { return "health" }

// Tally is how many there are of something, and where they are listed. Of what is bad there
// should be none.
type Tally struct {
	Title string
	Value int
	Href  string
	Bad   bool
}

// Rejected are publications that are not served, for one reason.
type Rejected struct {
	ID, Title, About string
	Count            int
	Tags             []RejectedTag
}

// Left is how many of them are not told of.
func (r Rejected) Left() int { return r.Count - len(r.Tags) }

// RejectedTag is one of them, with the causes.
type RejectedTag struct {
	Tag    string
	Href   string // of what is served of the item, "" if nothing is
	Commit string
	Since  time.Time // when that was made, zero if it is not known
	Author string    // as the commit says, "" if that is not for the reader
	Causes []Finding
}

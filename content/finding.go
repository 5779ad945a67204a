package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Severity says how bad a finding is.
type Severity string

const (
	// Error is something that keeps content from being served as written.
	Error Severity = "error"
	// Warning is something to mend that takes nothing away.
	Warning Severity = "warning"
	// Note is something to look at that may well be as it should be. Only the
	// review of a work tree makes notes.
	Note Severity = "note"
)

// Finding is one thing wrong with content, for the person who can mend it.
type Finding struct {
	Source   string   `json:"source,omitempty"` // the repository, where there are several
	Tag      string   `json:"tag,omitempty"`    // the tag concerned
	Path     string   `json:"path,omitempty"`   // the file concerned
	Line     int      `json:"line,omitempty"`   // counted from 1
	Column   int      `json:"column,omitempty"` // counted from 1
	Rule     string   `json:"rule"`             // which rule is broken
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`        // what is wrong, in English
	Hint     string   `json:"hint,omitempty"` // what to do, in English
	About    About    `json:"about,omitzero"` // the field concerned, if its format says what it is
	Says     string   `json:"-"`              // what both were written from, as [Said.Encode] returns it
	Detail   string   `json:"-"`              // what only who runs the program is told, such as the text of a panic
	Excerpt  Excerpt  `json:"-"`              // the line that it is about, of what is not served: for who runs the program
}

// About is what a format says of one of its fields to those who fill it in.
type About struct {
	Format      string `json:"format"` // folder and number: guidelines/1.0
	Field       string `json:"field"`  // the names on the way to it: rules.action
	Title       string `json:"title"`
	Description string `json:"description"`
	Example     string `json:"example,omitempty"` // as YAML on one line: owner: Редакция
}

// String returns the finding on one line, as compilers print them, for who runs the program. Names come from
// strangers, so it is [Printable].
func (f Finding) String() string {
	var b strings.Builder
	if f.Tag != "" {
		fmt.Fprintf(&b, "%s: ", f.Tag)
	}
	if f.Path != "" {
		b.WriteString(f.Path)
		if f.Line > 0 {
			fmt.Fprintf(&b, ":%d:%d", f.Line, f.Column)
		}
		b.WriteString(": ")
	}
	fmt.Fprintf(&b, "%s: %s", f.Severity, f.Message)
	if f.Detail != "" {
		fmt.Fprintf(&b, ": %s", f.Detail)
	}
	fmt.Fprintf(&b, " [%s]", f.Rule)
	if f.Hint != "" {
		fmt.Fprintf(&b, " (%s)", f.Hint)
	}
	return Printable(b.String())
}

// Report is what one load found.
type Report struct {
	Findings []Finding
	Refused  []string // tags whose content cannot be served
	Held     []string // tags that wait for what they refer to

	// Origins are those of tags that are not served, as far as they are known and of as many
	// as anybody is shown.
	Origins map[string]Origin
}

// Origin is where a tag that is not served leads, as its commit says. Whoever pushes writes
// what they like there.
type Origin struct {
	Commit    string
	Author    string // with the address, if there is one
	Committed time.Time
}

// MaxRejected is how many refused tags, and how many that wait, are told one by one.
const MaxRejected = 200

// Add appends findings.
func (r *Report) Add(f ...Finding) { r.Findings = append(r.Findings, f...) }

// Refuse adds a tag that cannot be served, and why.
func (r *Report) Refuse(tag string, why ...Finding) {
	r.Refused = append(r.Refused, tag)
	r.addFor(tag, why)
}

// Join adds what another report says.
func (r *Report) Join(other Report) {
	r.Findings = append(r.Findings, other.Findings...)
	r.Refused = append(r.Refused, other.Refused...)
	r.Held = append(r.Held, other.Held...)
}

// Hold adds a tag that waits, and for what.
func (r *Report) Hold(tag string, why ...Finding) {
	r.Held = append(r.Held, tag)
	r.addFor(tag, why)
}

func (r *Report) addFor(tag string, why []Finding) {
	for _, f := range why {
		f.Tag = tag
		r.Add(f)
	}
}

// Sort puts everything into one stable order: by path, tag, line, column, rule.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int {
		return cmp.Or(
			cmp.Compare(a.Path, b.Path),
			cmp.Compare(a.Tag, b.Tag),
			cmp.Compare(a.Line, b.Line),
			cmp.Compare(a.Column, b.Column),
			cmp.Compare(a.Rule, b.Rule),
			cmp.Compare(a.Message, b.Message),
		)
	})
	slices.Sort(r.Refused)
	slices.Sort(r.Held)
}

// Count returns how many findings have the severity.
func (r *Report) Count(s Severity) int {
	n := 0
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

package content

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"
)

// Severity is the severity of a finding.
type Severity string

const (
	// Error is a problem that prevents content from being served as written.
	Error Severity = "error"
	// Warning is a problem that should be fixed; the content is served.
	Warning Severity = "warning"
	// Note is something to review that may be correct. Only the review of a work tree makes
	// notes.
	Note Severity = "note"
)

// Finding is one problem in the content, for the person who can fix it.
type Finding struct {
	Tag      string   `json:"tag,omitempty"`    // the tag concerned
	Path     string   `json:"path,omitempty"`   // the file concerned
	Line     int      `json:"line,omitempty"`   // counted from 1
	Column   int      `json:"column,omitempty"` // counted from 1
	Rule     string   `json:"rule"`             // the rule that is violated
	Severity Severity `json:"severity"`
	Message  string   `json:"message"`        // the problem, in English
	Hint     string   `json:"hint,omitempty"` // the remedy, in English
	About    About    `json:"about,omitzero"` // the field concerned, as its format describes it
	Encoded  string   `json:"-"`              // the source of both, as [RuleText.Encode] returns it
	Detail   string   `json:"-"`              // for operators only, such as the text of a panic
	Excerpt  Excerpt  `json:"-"`              // the line concerned, of content that is not served: for operators only
}

// About is the description of a field in its format, for authors.
type About struct {
	Format      string `json:"format"` // folder and number: guidelines/1.0
	Field       string `json:"field"`  // the path of names to it: rules.action
	Title       string `json:"title"`
	Description string `json:"description"`
	Example     string `json:"example,omitempty"` // as YAML on one line: owner: Редакция
}

// String returns the finding on one line, in the format of compilers, for operators. Names are
// untrusted, so the result is [Printable].
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

// Report has the findings of one load.
type Report struct {
	Findings []Finding
	Omitted  map[Severity]int // the number of those that [Report.Limit] left out
	Refused  []string         // tags whose content cannot be served
	Held     []string         // tags that are held until what they refer to is served

	// Origins are the origins of tags that are not served, as far as they are known, and for at
	// most as many tags as are shown.
	Origins map[string]Origin
}

// Origin is the commit of a tag that is not served, with the data in that commit. It is
// untrusted: whoever pushes can write anything there.
type Origin struct {
	Commit    string
	Author    string // with the e-mail address, if there is one
	Committed time.Time
}

// MaxRejected is the maximum number of refused tags, and of held tags, that are listed
// individually.
const MaxRejected = 200

// Add appends findings.
func (r *Report) Add(f ...Finding) { r.Findings = append(r.Findings, f...) }

// Refuse adds a tag that cannot be served, with the reason.
func (r *Report) Refuse(tag string, why ...Finding) {
	r.Refused = append(r.Refused, tag)
	r.addFor(tag, why)
}

// Join adds the content of another report.
func (r *Report) Join(other Report) {
	r.Findings = append(r.Findings, other.Findings...)
	r.Refused = append(r.Refused, other.Refused...)
	r.Held = append(r.Held, other.Held...)
	for s, n := range other.Omitted {
		if r.Omitted == nil {
			r.Omitted = map[Severity]int{}
		}
		r.Omitted[s] += n
	}
}

// Omit counts a finding that is not kept.
func (r *Report) Omit(s Severity) {
	if r.Omitted == nil {
		r.Omitted = map[Severity]int{}
	}
	r.Omitted[s]++
}

// Hold adds a tag that is held, with the reason.
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

// Sort sorts everything in a stable order: by path, tag, line, column, rule.
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

// MaxFindings is the maximum number of findings of a load that are kept. A repository can cause many more:
// whoever pushes a tag makes one.
const MaxFindings = 5000

// Limit leaves out all but [MaxFindings] findings: the first ones, errors before warnings and these before
// notes. The order of the others does not change, and all are counted.
func (r *Report) Limit() {
	if len(r.Findings) <= MaxFindings {
		return
	}
	left, kept, omitted := MaxFindings, map[Severity]int{}, map[Severity]int{}
	for _, s := range []Severity{Error, Warning, Note} {
		n := r.Count(s)
		kept[s] = min(n-r.Omitted[s], left)
		left, omitted[s] = left-kept[s], n-kept[s]
	}
	r.Omitted = omitted
	all := r.Findings
	r.Findings = make([]Finding, 0, MaxFindings)
	for _, f := range all {
		if kept[f.Severity]--; kept[f.Severity] >= 0 {
			r.Findings = append(r.Findings, f)
		}
	}
}

// Total returns the number of findings.
func (r *Report) Total() int {
	n := len(r.Findings)
	for _, omitted := range r.Omitted {
		n += omitted
	}
	return n
}

// Count returns the number of findings with a severity.
func (r *Report) Count(s Severity) int {
	n := r.Omitted[s]
	for _, f := range r.Findings {
		if f.Severity == s {
			n++
		}
	}
	return n
}

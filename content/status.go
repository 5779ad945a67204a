package content

import (
	"slices"
	"time"
)

// Status is the state of one version of an item.
type Status string

const (
	// Current is the version at the address without a version.
	Current Status = "current"
	// Superseded is a version lower than the current one.
	Superseded Status = "superseded"
	// Archived is a version withdrawn by a mark; it is still served.
	Archived Status = "archived"
	// ReviewRequired is a current version that a person has to review.
	ReviewRequired Status = "review_required"
	// Redacted is a version that is no longer served: 410, with reason and checksum.
	Redacted Status = "redacted"
	// Void marks a sealed version whose content is lost: its number is not reused. No
	// publication has this status.
	Void Status = "void"
)

// Mark is an entry of lifecycle.yaml. It is in force from the day Since on.
type Mark struct {
	Item    string `json:"item"`    // folder and name
	Version string `json:"version"` // empty: the whole item
	Status  Status `json:"status"`
	Reason  string `json:"reason"`
	Since   string `json:"since"` // a date, 2026-05-01

	// ReplacedBy is the item, folder and name, to use instead; empty if there is none.
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Date is the layout of a date without a time.
const Date = time.DateOnly

// day returns the first instant of a date in UTC.
func day(date string) time.Time {
	t, err := time.Parse(Date, date)
	if err != nil {
		return time.Time{}
	}
	return t
}

// Subject names what a mark is about.
func (m Mark) Subject() string {
	if m.Version == "" {
		return m.Item
	}
	return m.Item + " " + m.Version
}

// Voided lists the tags that marks declare void on a day, "" is any.
func Voided(marks []Mark, day string) map[string]bool {
	void := map[string]bool{}
	for _, m := range marks {
		if m.Status == Void && m.Version != "" && (day == "" || m.Since <= day) {
			void[m.Item+"/v"+m.Version] = true
		}
	}
	return void
}

// Withdrawn reports whether a mark withdraws an item as a whole, so that its file may be
// missing.
func Withdrawn(marks []Mark, item string) bool {
	return slices.ContainsFunc(marks, func(m Mark) bool {
		return m.Item == item && m.Version == "" && (m.Status == Archived || m.Status == Redacted)
	})
}

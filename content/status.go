package content

import "time"

// Status is the state of one version of an item.
type Status string

const (
	// Current is the version that the unversioned path serves.
	Current Status = "current"
	// Superseded is a version lower than the current one.
	Superseded Status = "superseded"
	// Archived is served still, by the will of a mark.
	Archived Status = "archived"
	// ReviewRequired is a current version that is due for a check by a person.
	ReviewRequired Status = "review_required"
	// Redacted is not served any more: 410, with reason and checksum.
	Redacted Status = "redacted"
	// Void marks a sealed version whose content is lost for good: its number is spent.
	// No publication has this status.
	Void Status = "void"
	// Overridden marks an item of an earlier repository, of several that are served together:
	// a later one has something to be taken in place of it. No publication has this status.
	Overridden Status = "overridden"
)

// Mark is an entry of lifecycle.yaml. It counts from the day Since on.
type Mark struct {
	Item    string `json:"item"`    // folder and name
	Version string `json:"version"` // empty: the whole item
	Status  Status `json:"status"`
	Reason  string `json:"reason"`
	Since   string `json:"since"` // a date, 2026-05-01

	// ReplacedBy is the item, folder and name, that readers are to take instead; empty
	// if there is none.
	ReplacedBy string `json:"replaced_by,omitempty"`
}

// Date is the form of a date without a time.
const Date = time.DateOnly

// day returns the first instant of a date in UTC.
func day(date string) time.Time {
	t, err := time.Parse(Date, date)
	if err != nil {
		return time.Time{}
	}
	return t
}

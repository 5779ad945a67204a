package server

import (
	"time"

	"rulestore/server/site"
)

// HeldBack is a state of a repository elsewhere that is not served until an operator confirms it.
type HeldBack struct {
	State     string    `json:"state"`
	Commit    string    `json:"commit"`
	Branch    string    `json:"branch"`
	Since     time.Time `json:"since"`           // when the first of several successive ones was held back
	Rewritten bool      `json:"rewritten"`       // the served commit is not reachable from the branch
	Moved     bool      `json:"moved,omitempty"` // what a tag or commit fixes is not what it was
	Log       bool      `json:"log,omitempty"`   // its log does not go on with the served one
	Losses    int       `json:"losses"`          // number of publications that it loses
	New       int       `json:"new"`             // number of publications that it adds
	Lost      []string  `json:"lost"`            // the first of the lost ones
}

type heldBack struct {
	State  string `json:"state"`
	Commit string `json:"commit"`
	Since  string `json:"since"`
	New    int    `json:"new_publications"`
	Lost   int    `json:"lost_publications"`
}

func describeHeldBack(h *HeldBack) *heldBack {
	if h == nil {
		return nil
	}
	return &heldBack{
		State: h.State, Commit: h.Commit, Since: h.Since.UTC().Format(site.TimeFormat), New: h.New, Lost: h.Losses,
	}
}

// timestamp returns a time as it is written, nil if it is zero.
func timestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(site.TimeFormat))
}

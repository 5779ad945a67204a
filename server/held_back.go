package server

import (
	"time"

	"rulestore/content"
	"rulestore/server/page"
	"rulestore/server/site"
)

// HeldBack is the state of the repository that is not served until an operator confirms it.
type HeldBack struct {
	State, Commit string
	Since         time.Time
	New           int // added publications
	Lost          int // publications that it removes or changes
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
		State: h.State, Commit: h.Commit, Since: h.Since.UTC().Format(site.TimeFormat), New: h.New, Lost: h.Lost,
	}
}

// facts are what is held back, for people.
func (h *heldBack) facts() []page.Statement {
	if h == nil {
		return nil
	}
	value := "коммит " + content.ShortCommit(h.Commit) + " с " + h.Since + ": решает администратор"
	return []page.Statement{{Title: "Придержано", Value: value}}
}

// timestamp returns a time as it is written, nil if it is zero.
func timestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(site.TimeFormat))
}

package server

import (
	"time"

	"rulestore/content"
	"rulestore/server/page"
	"rulestore/server/site"
)

// Rollout is the role of a process in a staged rollout of new content.
type Rollout struct {
	Role    string        // [RoleCanary] or [RoleDelayed]
	Content string        // identifies the served content, independent of day, commit and address
	Delay   time.Duration // the delay of new content
	Canary  *Canary       // the server that it waits for; nil if there is none
}

// The roles.
const (
	RoleCanary  = "canary"  // serves new content at once
	RoleDelayed = "delayed" // serves it after a delay
)

// Canary is the status of the server that serves new content first.
type Canary struct {
	State      CanaryState
	Address    string
	AnsweredAt time.Time // the last answer; zero: none yet
	Error      string    // why it is unavailable; empty if it is available
	Snapshot   string
	Commit     string
	Content    string
}

// CanaryState is the state of a canary.
type CanaryState string

// The states of a canary: others serve new content only while the canary serves it.
const (
	CanaryUnknown CanaryState = "unknown" // it was not polled yet
	CanaryServing CanaryState = "serving" // it holds nothing back
	CanaryHolding CanaryState = "holding" // it holds something back, is pinned, or cannot load the repository
	CanaryAway    CanaryState = "away"    // it does not answer, or is not a canary by its answer
)

// HeldBack is the state of the repository that is not served.
type HeldBack struct {
	Why           string // [HeldByGuard], or the reason for waiting
	State, Commit string
	Since, Until  time.Time // Until is zero if it is unknown
	New           int       // added publications, if it waits
	Lost          int       // publications that it removes or changes
}

// The reasons for holding back.
const (
	HeldByGuard   = "guard"          // it removes publications or rewrites the branch: an operator decides
	HeldForDelay  = "delay"          // its delay has not passed
	HeldForCanary = "canary"         // the canary does not serve it yet
	HeldByHolding = "canary-holding" // the canary holds something back
	HeldByAway    = "canary-away"    // the state of the canary is unknown
)

type rollout struct {
	Role         string  `json:"role"`
	Content      string  `json:"content"`
	DelaySeconds *int    `json:"delay_seconds,omitempty"`
	Canary       *canary `json:"canary,omitempty"`
}

type canary struct {
	State      CanaryState `json:"state"`
	AnsweredAt *string     `json:"answered_at"`
	Snapshot   string      `json:"snapshot,omitempty"`
	Commit     string      `json:"commit,omitempty"`
	Content    string      `json:"content,omitempty"`
	Address    string      `json:"address,omitempty"`    // for operators
	LastError  string      `json:"last_error,omitempty"` // for operators
}

type heldBack struct {
	Why    string  `json:"why"`
	State  string  `json:"state"`
	Commit string  `json:"commit"`
	Since  string  `json:"since"`
	Until  *string `json:"until"`
	New    int     `json:"new_publications"`
	Lost   int     `json:"lost_publications"`
}

func describeRollout(r *Rollout) *rollout {
	if r == nil {
		return nil
	}
	doc := &rollout{Role: r.Role, Content: r.Content}
	if r.Role == RoleDelayed {
		doc.DelaySeconds = new(int(r.Delay.Seconds()))
	}
	if c := r.Canary; c != nil {
		doc.Canary = &canary{
			State: c.State, AnsweredAt: timestamp(c.AnsweredAt), Snapshot: c.Snapshot, Commit: c.Commit,
			Content: c.Content,
			Address: c.Address, LastError: c.Error,
		}
	}
	return doc
}

// public is the part without what is only for operators.
func (r *rollout) public() *rollout {
	if r == nil || r.Canary == nil {
		return r
	}
	c := *r.Canary
	c.Address, c.LastError = "", ""
	return &rollout{Role: r.Role, Content: r.Content, DelaySeconds: r.DelaySeconds, Canary: &c}
}

func describeHeldBack(h *HeldBack) *heldBack {
	if h == nil {
		return nil
	}
	return &heldBack{
		Why: h.Why, State: h.State, Commit: h.Commit, Since: h.Since.UTC().Format(site.TimeFormat),
		Until: timestamp(h.Until),
		New:   h.New, Lost: h.Lost,
	}
}

// timestamp returns a time as it is written, nil if it is zero.
func timestamp(t time.Time) *string {
	if t.IsZero() {
		return nil
	}
	return new(t.UTC().Format(site.TimeFormat))
}

var roleTitles = map[string]string{
	RoleCanary: "канареечный: отдаёт новое сразу", RoleDelayed: "отдаёт новое после ожидания",
}

var canaryTitles = map[CanaryState]string{
	CanaryUnknown: "ещё не спрошен", CanaryServing: "отдаёт новое и ничего не придерживает",
	CanaryHolding: "сам что-то придерживает", CanaryAway: "недоступен или не называет себя таким",
}

var heldTitles = map[string]string{
	HeldByGuard: "решает администратор", HeldForDelay: "срок не настал",
	HeldForCanary: "канареечный сервер этого ещё не отдавал",
	HeldByHolding: "канареечный сервер сам что-то придерживает", HeldByAway: "канареечный сервер не отвечает",
}

// facts are the part that a process has, for people.
func (r *rollout) facts() (all []page.Statement) {
	if r == nil {
		return nil
	}
	all = append(all, page.Statement{Title: "Роль", Value: roleTitles[r.Role]})
	if r.Canary != nil {
		all = append(all, page.Statement{Title: "Канареечный сервер", Value: canaryTitles[r.Canary.State]})
	}
	return all
}

// facts are what is held back, for people.
func (h *heldBack) facts() []page.Statement {
	if h == nil {
		return nil
	}
	value := "коммит " + content.ShortCommit(h.Commit) + " с " + h.Since
	if h.Until != nil {
		value += " до " + *h.Until
	}
	return []page.Statement{{Title: "Придержано", Value: value + ": " + heldTitles[h.Why]}}
}

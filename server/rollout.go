package server

import (
	"time"

	"rulestore/content"
	"rulestore/server/page"
	"rulestore/server/site"
)

// Rollout is the part that a process has where new content is served by some first.
type Rollout struct {
	Role    string        // [RoleCanary] or [RoleDelayed]
	Content string        // names what is served, whatever the day, the commit and the address
	Delay   time.Duration // how long what is new waits
	Canary  *Canary       // that it waits for; nil if for none
}

// The parts there are.
const (
	RoleCanary  = "canary"  // serves what is new at once
	RoleDelayed = "delayed" // serves it after a while
)

// Canary is what is known of the server that serves what is new first.
type Canary struct {
	State      CanaryState
	Address    string
	AnsweredAt time.Time // when it last did; zero: not yet
	Error      string    // why it is away; empty if it is not
	Snapshot   string
	Commit     string
	Content    string
}

// CanaryState says how a canary fares.
type CanaryState string

// The states of a canary: only while it serves what is new does anybody else.
const (
	CanaryUnknown CanaryState = "unknown" // it was not asked yet
	CanaryServing CanaryState = "serving" // it holds nothing back
	CanaryHolding CanaryState = "holding" // it holds something back, is pinned, or cannot load what the repository has
	CanaryAway    CanaryState = "away"    // it does not answer, or says nothing of being one
)

// HeldBack is what the repository has and is not served.
type HeldBack struct {
	Why           string // [HeldByGuard], or what it waits for
	State, Commit string
	Since, Until  time.Time // Until is zero if nobody knows
	New           int       // publications that it brings, if it waits
	Lost          int       // and that it has no more, or with another content
}

// Why something is held back.
const (
	HeldByGuard   = "guard"          // it loses publications or rewrites the branch: an operator decides
	HeldForDelay  = "delay"          // its time has not come
	HeldForCanary = "canary"         // the canary has not been seen to serve it
	HeldByHolding = "canary-holding" // the canary holds something back
	HeldByAway    = "canary-away"    // nobody knows what the canary does
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
			State: c.State, AnsweredAt: stampOf(c.AnsweredAt), Snapshot: c.Snapshot, Commit: c.Commit, Content: c.Content,
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
		Why: h.Why, State: h.State, Commit: h.Commit, Since: h.Since.UTC().Format(site.TimeFormat), Until: stampOf(h.Until),
		New: h.New, Lost: h.Lost,
	}
}

// stampOf returns a time as it is written, nil if it is zero.
func stampOf(t time.Time) *string {
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
	HeldByGuard: "решает администратор", HeldForDelay: "срок не настал", HeldForCanary: "канареечный сервер этого ещё не отдавал",
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

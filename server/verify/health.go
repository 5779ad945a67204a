package verify

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

const healthPath = "/api/v1/health"

// Process is the process state that a server reports, which does not depend on the repository.
// The expected texts are rendered from it and then compared.
type Process struct {
	LoadedAt  time.Time `json:"loaded_at"`
	CheckedAt time.Time `json:"checked_at"`
	WatchMode string    `json:"watch_mode"`
	LastError string    `json:"last_error"`
	Starter   bool      `json:"starter"`
	Pinned    string    `json:"pinned"`
	HeldBack  *struct {
		Why    string    `json:"why"`
		State  string    `json:"state"`
		Commit string    `json:"commit"`
		Since  time.Time `json:"since"`
		Until  time.Time `json:"until"`
		New    int       `json:"new_publications"`
		Lost   int       `json:"lost_publications"`
	} `json:"held_back"`
	Rollout *struct {
		Role    string `json:"role"`
		Content string `json:"content"`
		Delay   int    `json:"delay_seconds"`
		Canary  *struct {
			State      string    `json:"state"`
			AnsweredAt time.Time `json:"answered_at"`
			Snapshot   string    `json:"snapshot"`
			Commit     string    `json:"commit"`
			Content    string    `json:"content"`
		} `json:"canary"`
	} `json:"rollout"`
	Remote *struct {
		State       string    `json:"state"`
		LastRenewal time.Time `json:"last_renewal"`
		LastSuccess time.Time `json:"last_success"`
		LastFailure time.Time `json:"last_failure"`
		LastError   string    `json:"last_error"`
	} `json:"remote"`
	Findings []content.Finding `json:"findings"`
	Sources  []SourceProcess   `json:"sources"`
}

// SourceProcess is the process state that a server reports for one of several repositories.
type SourceProcess struct {
	Source  string `json:"source"`
	Content string `json:"content"` // names what is served, where the process has a part in a rollout
	Process
}

// Remembered are the findings that only a process with earlier loads, or with errors, can have.
func (p Process) Remembered() (all []content.Finding) {
	for _, f := range p.Findings {
		if slices.Contains([]string{"gone", "moved", "rewritten", "crash", "held-back", "pinned", "canary"}, f.Rule) {
			all = append(all, f)
		}
	}
	return all
}

// modes are how a program notices changes, and how it follows a repository, in its words.
var modes = regexp.MustCompile(`^[a-z]{1,11}(\+[a-z]{1,10})?$`)

// readProcess reads what a health document says of the process. What is of no form is
// left out, and shows when the documents are compared.
func readProcess(document []byte) (p Process) {
	if json.Unmarshal(document, &p) != nil {
		return Process{}
	}
	p.orderly()
	for i := range p.Sources {
		p.Sources[i].orderly()
		if part := &p.Sources[i]; !isNamed(part.Content) {
			part.Content = ""
		}
	}
	return p
}

// orderly leaves out what is of no form.
func (p *Process) orderly() {
	if p.Remote != nil && !modes.MatchString(p.Remote.State) {
		p.Remote.State = ""
	}
	if h := p.HeldBack; h != nil && !isNamed(h.Why, h.State, h.Commit) {
		p.HeldBack = nil
	}
	if r := p.Rollout; r != nil {
		c := r.Canary
		if !isNamed(r.Role, r.Content) || c != nil && !isNamed(c.State, c.Snapshot, c.Commit, c.Content) {
			p.Rollout = nil
		}
	}
	if !modes.MatchString(p.WatchMode) {
		p.WatchMode = ""
	}
	if at := time.Now().Add(newest); p.LoadedAt.After(at) || p.CheckedAt.After(at) {
		p.LoadedAt, p.CheckedAt = time.Time{}, time.Time{}
	}
}

// names are what a program calls states, contents and commits, in its words or in numbers.
var names = regexp.MustCompile(`^([a-z]{1,10}(-[a-z]{1,10})?|[0-9a-f]{4,64})?$`)

// isNamed reports whether all of these are such names.
func isNamed(all ...string) bool {
	return !slices.ContainsFunc(all, func(name string) bool { return !names.MatchString(name) })
}

// elapsed is the time since the content was loaded.
var elapsed = regexp.MustCompile(`("age_seconds\\*": ?)\d{1,10}\b`)

// healthy returns a health document that is expected of a process of which the server's
// answer says how it is, and that answer, both without the time since.
func (v *verifier) healthy(ctx context.Context, w view, want, got answer) (answer, answer) {
	if v.expected.Process != nil {
		p := readProcess(w.healthDocument(got))
		v.unsteady(p)
		v.process.Lock()
		defer v.process.Unlock()
		v.expected.Process(p)
		if told, err := v.expected.answer(ctx, w.request); err == nil {
			want = told
		}
	}
	want.body, got.body = elapsed.ReplaceAll(want.body, []byte("${1}0")), elapsed.ReplaceAll(got.body, []byte("${1}0"))
	return want, got
}

// asksHealth reports whether the answer has a health document.
func (w view) asksHealth() bool {
	return w.path == healthPath || strings.Contains(w.body, `"name":"get_health"`)
}

// healthDocument is the health document in an answer, nil if it has none.
func (w view) healthDocument(a answer) []byte {
	if w.path == healthPath {
		return a.body
	}
	var answered struct {
		Result struct {
			Document json.RawMessage `json:"structuredContent"`
		}
	}
	if told(a.body, &answered) != nil {
		return nil
	}
	return answered.Result.Document
}

// unsteady says what the process of the server has said of itself beyond what can be
// checked against a repository, for people to judge.
func (v *verifier) unsteady(p Process) {
	said := p.LastError
	if p.Remote != nil && said == "" {
		said = p.Remote.LastError
	}
	for _, f := range p.Remembered() {
		said = f.String()
	}
	if said == "" {
		return
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	if v.trouble == "" {
		v.trouble = clip(said)
		v.result.Notes = append(v.result.Notes, i18n.New("of its process it says %q", v.trouble))
	}
}

package verify

import (
	"context"
	"encoding/json"
	"regexp"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
)

const healthPath = "/api/v1/health"

// ProcessState is the process state that a server reports, which does not depend on the repository.
// The expected texts are rendered from it and then compared.
type ProcessState struct {
	LoadedAt  time.Time `json:"loaded_at"`
	CheckedAt time.Time `json:"checked_at"`
	WatchMode string    `json:"watch_mode"`
	LastError string    `json:"last_error"`
	Starter   bool      `json:"starter"`
	Pinned    string    `json:"pinned"`
	HeldBack  *struct {
		State  string    `json:"state"`
		Commit string    `json:"commit"`
		Since  time.Time `json:"since"`
		New    int       `json:"new_publications"`
		Lost   int       `json:"lost_publications"`
	} `json:"held_back"`
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
	Source string `json:"source"`
	ProcessState
}

// Remembered are the findings that only a process with earlier loads, or with errors, can have.
func (p ProcessState) Remembered() (all []content.Finding) {
	rules := []string{"gone", "moved", "rewritten", "crash", "held-back", "pinned", "log-old"}
	for _, f := range p.Findings {
		if slices.Contains(rules, f.Rule) {
			all = append(all, f)
		}
	}
	return all
}

// modes matches the names of how a program notices changes and follows a repository.
var modes = regexp.MustCompile(`^[a-z]{1,11}(\+[a-z]{1,10})?$`)

// readProcess reads the process state from a health document. Invalid values are left out, so
// that they are found by the comparison of the documents.
func readProcess(document []byte) (p ProcessState) {
	if json.Unmarshal(document, &p) != nil {
		return ProcessState{}
	}
	p.keepValid()
	for i := range p.Sources {
		p.Sources[i].keepValid()
	}
	return p
}

// keepValid removes invalid values.
func (p *ProcessState) keepValid() {
	if p.Remote != nil && !modes.MatchString(p.Remote.State) {
		p.Remote.State = ""
	}
	if h := p.HeldBack; h != nil && !isNamed(h.State, h.Commit) {
		p.HeldBack = nil
	}
	if !modes.MatchString(p.WatchMode) {
		p.WatchMode = ""
	}
	if at := time.Now().Add(newest); p.LoadedAt.After(at) || p.CheckedAt.After(at) {
		p.LoadedAt, p.CheckedAt = time.Time{}, time.Time{}
	}
}

// names matches the names of states, contents and commits: words or hexadecimal numbers.
var names = regexp.MustCompile(`^([a-z]{1,10}(-[a-z]{1,10})?|[0-9a-f]{4,64})?$`)

// isNamed reports whether all texts match names.
func isNamed(all ...string) bool {
	return !slices.ContainsFunc(all, func(name string) bool { return !names.MatchString(name) })
}

// elapsed matches the time since the content was loaded.
var elapsed = regexp.MustCompile(`("age_seconds\\*": ?)\d{1,10}\b`)

// normalizedHealth returns the expected and the actual health document, the former with the
// process state of the latter, both without the elapsed time.
func (v *verifier) normalizedHealth(ctx context.Context, w view, want, got answer) (answer, answer) {
	if v.expected.Process != nil {
		p := readProcess(w.healthDocument(got))
		v.noteProcess(p)
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

// asksHealth reports whether the response has a health document.
func (w view) asksHealth() bool {
	return w.path == healthPath || w.rpc.name == "get_health"
}

// healthDocument is the health document in a response, nil if it has none.
func (w view) healthDocument(a answer) []byte {
	if w.path == healthPath {
		return a.body
	}
	var answered struct {
		Result struct {
			Document json.RawMessage `json:"structuredContent"`
		}
	}
	if readMessage(a.body, &answered) != nil {
		return nil
	}
	return answered.Result.Document
}

// noteProcess adds a note for process state that cannot be compared with a repository.
func (v *verifier) noteProcess(p ProcessState) {
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

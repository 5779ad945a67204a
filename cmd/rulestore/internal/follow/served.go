package follow

import (
	"context"
	"encoding/json"
	"net/http"

	"rulestore/content"
	"rulestore/content/i18n"
)

// Served is the served state, for operators.
type Served struct {
	Snapshot     string     `json:"snapshot,omitempty"`
	Commit       string     `json:"commit,omitempty"`
	Branch       string     `json:"branch,omitempty"`
	Publications int        `json:"publications"`
	Pinned       string     `json:"pinned,omitempty"` // the tag or commit that --ref pins
	State        string     `json:"state,omitempty"`  // of a remote repository, like what is held back
	Held         *HeldState `json:"held_back,omitempty"`
	Error        string     `json:"error,omitempty"` // why it was not confirmed
}

// Confirm serves a state that is held back, and returns the status and the document of the
// response: the state after it, as [Served].
func (p *Follower) Confirm(ctx context.Context, state string) (status int, document []byte) {
	return p.describeServed(p.confirmOne(ctx, state))
}

// DescribeServed returns the status and the document of what is served, as [Served].
func (p *Follower) DescribeServed() (status int, document []byte) { return p.describeServed(nil) }

func (p *Follower) describeServed(err error) (status int, document []byte) {
	now := p.servedNow()
	status = http.StatusOK
	if err != nil {
		status, now.Error = http.StatusConflict, err.Error()
	}
	document, err = json.MarshalIndent(now, "", "  ")
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	return status, content.PrintableJSON(append(document, '\n'))
}

// confirmOne lets the goroutine that follows the repository confirm a state.
func (p *Follower) confirmOne(ctx context.Context, state string) error {
	if p.Current() == nil {
		return i18n.Errorf("nothing is served yet")
	}
	if p.remote == nil {
		return errNothingHeld
	}
	return p.runTask(ctx, func(ctx context.Context) error { return p.confirm(ctx, state) })
}

func (p *Follower) servedNow() (now Served) {
	now.addDecisions(p)
	s := p.Current()
	if s == nil {
		return now
	}
	now.Snapshot, now.Publications = s.ID, s.Snapshot.Count()
	now.Commit, now.Branch = s.Snapshot.Commit, s.Snapshot.Branch
	return now
}

// addDecisions sets the decisions about states of the repository.
func (s *Served) addDecisions(p *Follower) {
	s.Pinned = p.pinned()
	if p.remote != nil {
		r := p.remote.Guard.Decisions()
		s.State, s.Held = r.Accepted.State, r.Held
	}
}

// HeldBack returns the header value for a state of the repository that is held back; nil if
// there is none.
func (p *Follower) HeldBack() []string {
	if p.remote == nil {
		return nil
	}
	return p.remote.Guard.HeldBack()
}

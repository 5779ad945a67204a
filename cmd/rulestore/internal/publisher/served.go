package publisher

import (
	"context"
	"encoding/json"
	"net/http"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/server/admin"
)

// Served is what operators are told of what is served.
type Served struct {
	Snapshot     string         `json:"snapshot,omitempty"`
	Commit       string         `json:"commit,omitempty"`
	Branch       string         `json:"branch,omitempty"`
	Publications int            `json:"publications"`
	Pinned       string         `json:"pinned,omitempty"` // to what
	State        string         `json:"state,omitempty"`  // of a repository elsewhere, like what follows
	Previous     *guard.State   `json:"previous,omitempty"`
	Held         *guard.Held    `json:"held_back,omitempty"`
	Waiting      *guard.Waiting `json:"waiting,omitempty"`
	Error        string         `json:"error,omitempty"` // why it was not done
}

// Order does what an operator wants (one of [admin.Orders]), and returns the status and the
// document of the answer: what is served then, as [Served].
func (p *Publisher) Order(ctx context.Context, order, argument string) (status int, document []byte) {
	err := p.obey(ctx, order, argument)
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

func (p *Publisher) obey(ctx context.Context, order, argument string) error {
	switch {
	case order == admin.Show:
		return nil
	case p.remote == nil:
		return errNoCopy
	case p.Current() == nil:
		return i18n.Errorf("nothing is served yet")
	}
	return p.ask(ctx, func(ctx context.Context) error {
		switch order {
		case admin.Confirm:
			return p.confirm(ctx, argument)
		case admin.Pin:
			return p.pin(ctx, argument)
		case admin.Unpin:
			return p.unpin(ctx)
		}
		return p.back(ctx)
	})
}

func (p *Publisher) servedNow() (now Served) {
	now.Pinned = p.pinned()
	if s := p.Current(); s != nil {
		now.Snapshot, now.Commit, now.Branch, now.Publications = s.ID, s.Snapshot.Commit, s.Snapshot.Branch, s.Snapshot.Count()
	}
	if p.remote != nil {
		r := p.remote.Guard.Record()
		now.State, now.Previous, now.Held, now.Waiting = r.Accepted.State, r.Previous, r.Held, r.Waiting
	}
	return now
}

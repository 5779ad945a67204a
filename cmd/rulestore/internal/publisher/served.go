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

// Served is the served state, for operators.
type Served struct {
	Snapshot     string              `json:"snapshot,omitempty"`
	Commit       string              `json:"commit,omitempty"`
	Branch       string              `json:"branch,omitempty"`
	Publications int                 `json:"publications"`
	Pinned       string              `json:"pinned,omitempty"` // the pinned state
	State        string              `json:"state,omitempty"`  // of a remote repository, like the following fields
	Previous     *guard.State        `json:"previous,omitempty"`
	Held         *guard.HeldState    `json:"held_back,omitempty"`
	Waiting      *guard.WaitingState `json:"waiting,omitempty"`
	Error        string              `json:"error,omitempty"` // why the order failed

	Sources []ServedSource `json:"sources,omitempty"` // if there are several
}

// ServedSource is the served state of one of several repositories, and what is held back. It has
// no commit if nothing of the repository is served.
type ServedSource struct {
	Source    string `json:"source"`
	LastError string `json:"last_error,omitempty"` // why it could not be read
	Served
}

// Order executes an order of an operator (one of [admin.Orders]), and returns the status and
// the document of the response: the state after it, as [Served].
func (p *Publisher) Order(ctx context.Context, source, order, argument string) (status int, document []byte) {
	err := p.execute(ctx, source, order, argument)
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

// addressed returns the publisher that an order is for: the named one, else the one whose state is
// to be confirmed, else the only one.
func (p *Publisher) addressed(source, order, argument string) (*Publisher, error) {
	for _, part := range p.group.parts {
		switch {
		case source != "" && part.source == source:
			return part, nil
		case source == "" && order == admin.Confirm &&
			part.remote != nil && part.remote.Guard.Decisions().HeldBack() == argument:
			return part, nil
		}
	}
	switch {
	case source != "":
		return nil, i18n.Errorf("no repository is called %q here", source)
	case !p.group.several() || order == admin.Show:
		return p, nil
	case order == admin.Confirm:
		return nil, i18n.Errorf(
			"no repository holds back state %q: `rulestore admin` names what is held back", argument,
		)
	}
	return nil, i18n.Errorf("several repositories are served: say which with --source")
}

func (p *Publisher) execute(ctx context.Context, source, order, argument string) error {
	part, err := p.addressed(source, order, argument)
	switch {
	case err != nil:
		return err
	case order == admin.Show:
		return nil
	case part.remote == nil:
		return errNoCopy
	case p.Current() == nil:
		return i18n.Errorf("nothing is served yet")
	}
	return part.executeOrder(ctx, order, argument)
}

// executeOrder lets the goroutine that follows the repository execute an order.
func (p *Publisher) executeOrder(ctx context.Context, order, argument string) error {
	return p.runTask(ctx, func(ctx context.Context) error {
		switch order {
		case admin.Confirm:
			return p.confirm(ctx, argument)
		case admin.Pin:
			return p.pin(ctx, argument)
		case admin.Unpin:
			return p.unpin(ctx)
		}
		return p.goBack(ctx)
	})
}

func (p *Publisher) servedNow() (now Served) {
	now.addDecisions(p)
	s := p.Current()
	if s == nil {
		return now
	}
	now.Snapshot, now.Publications = s.ID, s.Snapshot.Count()
	now.Commit, now.Branch = s.Snapshot.Commit, s.Snapshot.Branch
	if !p.group.several() {
		return now
	}
	for _, part := range p.group.parts {
		own := ServedSource{Source: part.source, LastError: part.ownStatus().LastError}
		if served, ok := s.Snapshot.SourceOf(part.source); ok {
			own.Commit, own.Branch, own.Publications = served.Commit, served.Branch, s.Published(part.source)
		}
		own.addDecisions(part)
		now.Sources = append(now.Sources, own)
	}
	return now
}

// addDecisions sets the decisions about states of the repository.
func (s *Served) addDecisions(p *Publisher) {
	s.Pinned = p.pinned()
	if p.remote != nil {
		r := p.remote.Guard.Decisions()
		s.State, s.Previous, s.Held, s.Waiting = r.Accepted.State, r.Previous, r.Held, r.Waiting
	}
}

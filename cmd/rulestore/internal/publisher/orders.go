package publisher

import (
	"context"
	"slices"
	"time"

	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/cmd/rulestore/internal/remote"
	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
)

// task is a function for the goroutine that loads.
type task struct {
	do   func(context.Context) error
	done chan error
}

// run runs the function, and sends its result.
func (o task) run(ctx context.Context) {
	err := errNotDone // if it panics
	defer func() { o.done <- err }()
	err = o.do(ctx)
}

var (
	errNotDone = i18n.Errorf("it crashed, see the log")
	errNoCopy  = i18n.Errorf(
		"the repository is on this machine, so there is no copy of what it was: say what to serve with --ref",
	)
)

// runTask lets the goroutine that loads run a function, and returns when it is done or the context has
// ended.
func (p *Publisher) runTask(ctx context.Context, do func(context.Context) error) error {
	o := task{do, make(chan error, 1)}
	select {
	case p.tasks <- o:
	case <-ctx.Done():
		return context.Cause(ctx)
	}
	select {
	case err := <-o.done:
		return err
	case <-ctx.Done():
		return context.Cause(ctx)
	}
}

// Reload reads the repository again, even if it appears unchanged, and returns when that is
// done or the context has ended. A remote one is fetched first.
func (p *Publisher) Reload(ctx context.Context) {
	for _, part := range p.group.parts {
		part.reload(ctx)
	}
}

func (p *Publisher) reload(ctx context.Context) {
	if p.remote != nil {
		p.remote.RequestFetch()
	}
	_ = p.runTask(ctx, func(ctx context.Context) error {
		p.servedState, p.loadedState = "", ""
		p.Look(ctx)
		return nil
	})
}

// confirm serves the state that is held back or waits, if it has the given name.
func (p *Publisher) confirm(ctx context.Context, state string) error {
	g := p.remote.Guard
	switch is := g.Decisions().HeldBack(); {
	case is == "":
		return i18n.Errorf("nothing is held back")
	case is != state:
		return i18n.Errorf("state %q is not what is held back, that is %s: look at that first", state, is)
	}
	if g.Decisions().Held == nil {
		p.log.Warn("what waits is confirmed", "state", state)
		if err := p.serveWaiting(ctx, time.Now()); err != nil {
			return err
		}
		if g.Decisions().Accepted.State == state {
			return nil
		}
		return i18n.Errorf("state %s is not served: %s", state, p.Status().LastError)
	}
	p.loadedState = ""
	p.log.Warn("what was held back is confirmed", "state", state)
	g.Confirming(state, func() { p.Look(ctx) })
	switch r := g.Decisions(); {
	case r.Accepted.State == state:
		return nil
	case r.Held != nil && r.Held.State != state:
		return i18n.Errorf("the repository has moved on meanwhile, to state %s: look at that first", r.Held.State)
	}
	return i18n.Errorf("state %s is not served: %s", state, p.Status().LastError)
}

// pin pins the served state, or a commit or tag of it.
func (p *Publisher) pin(ctx context.Context, revision string) error {
	a := p.remote.Guard.Decisions().Accepted
	if p.result.Snapshot == nil {
		return i18n.Errorf("nothing is served of this repository yet")
	}
	if revision == "" {
		return p.remote.Guard.Pin()
	}
	at, err := p.remote.Resolve(a, revision)
	if err != nil {
		return err
	}
	a.At = at.String()
	return p.servePinned(ctx, a, loader.Result{}, p.remote.Guard.PinAt)
}

// goBack serves and pins the previous state.
func (p *Publisher) goBack(ctx context.Context) error {
	previous := p.remote.Guard.Decisions().Previous
	if previous == nil {
		return i18n.Errorf("nothing was served before, as far as is known")
	}
	return p.servePinned(ctx, *previous, p.previous, p.remote.Guard.Back)
}

// servePinned serves and pins an accepted state. Its earlier result is served at once if it was loaded
// today.
func (p *Publisher) servePinned(
	ctx context.Context, a guard.State, before loader.Result, pin func(guard.State, *content.Snapshot) error,
) (err error) {
	start := time.Now()
	if before.Snapshot == nil || guard.NameState(before) != a.State ||
		before.Snapshot.Date != before.Snapshot.DayOf(start) {
		if before, err = p.loadAccepted(ctx, a, ""); err != nil {
			return err
		}
	}
	if before.Damaged || a.At == "" && guard.NameState(before) != a.State {
		p.loader.Disown()
		return remote.ErrDamagedObjects
	}
	p.swap(before, start)
	before.Reaches = nil
	p.servedState, p.loadedState, p.previous, p.served = before.State, "", p.served, before
	a.State, a.Commit, a.Branch = guard.NameState(before), before.Snapshot.Commit, before.Snapshot.Branch
	return pin(a, before.Snapshot)
}

// unpin serves the state of the repository, unless it is held back.
func (p *Publisher) unpin(ctx context.Context) error {
	g := p.remote.Guard
	if !g.IsPinned() {
		return i18n.Errorf("nothing is pinned by an operator")
	}
	err := g.Unpin()
	p.loadedState = ""
	p.Look(ctx)
	return err
}

// decisions are the findings about decisions of the guard and of operators, and those that time makes.
func (p *Publisher) decisions() (all []content.Finding) {
	all = p.timely()
	if p.remote != nil {
		all = slices.Concat(all, p.remote.Guard.Findings(), p.canaryFindings())
	}
	if to := p.pinned(); to != "" {
		all = append(all, guard.PinnedFinding(to))
	}
	return all
}

// pinned names the pinned state; empty if there is none.
func (p *Publisher) pinned() string {
	if p.remote != nil {
		r := p.remote.Guard.Decisions()
		if to := r.PinnedTo(); to != "" || r.Accepted.At != "" { // not pinned, but read from another copy
			return to
		}
	}
	if to := p.fixed.Load(); to != nil {
		return *to
	}
	return ""
}

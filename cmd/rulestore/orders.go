package main

import (
	"cmp"
	"context"
	"time"

	"rulestore/content"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/gitrepo"
)

// order is what somebody wants of the goroutine that loads.
type order struct {
	do   func(context.Context) error
	done chan error
}

// carryOut does what is wanted, and says what came of it.
func (o order) carryOut(ctx context.Context) {
	err := errNotDone // if it crashes
	defer func() { o.done <- err }()
	err = o.do(ctx)
}

var (
	errNotDone = i18n.Errorf("it crashed, see the log")
	errNoCopy  = i18n.Errorf(
		"the repository is on this machine, so there is no copy of what it was: say what to serve with --ref",
	)
)

// ask has the goroutine that loads do something, and returns when that is done or the
// context has ended.
func (p *publisher) ask(ctx context.Context, do func(context.Context) error) error {
	o := order{do, make(chan error, 1)}
	select {
	case p.orders <- o:
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

// reload reads the repository anew, even if it looks as it did, and returns when that is
// done or the context has ended.
func (p *publisher) reload(ctx context.Context) {
	_ = p.ask(ctx, func(ctx context.Context) error {
		p.seen, p.looked = "", ""
		p.look(ctx)
		return nil
	})
}

// confirm serves the state that is held back, if it has that name.
func (p *publisher) confirm(ctx context.Context, state string) error {
	g := p.remote.guard
	switch h := g.state().Held; {
	case h == nil:
		return i18n.Errorf("nothing is held back")
	case h.State != state:
		return i18n.Errorf("state %q is not what is held back, that is %s: look at that first", state, h.State)
	}
	g.confirmed, p.looked = state, ""
	defer func() { g.confirmed = "" }()
	p.log.Warn("what was held back is confirmed", "state", state)
	p.look(ctx)
	switch r := g.state(); {
	case r.Accepted.State == state:
		return nil
	case r.Held != nil && r.Held.State != state:
		return i18n.Errorf("the repository has moved on meanwhile, to state %s: look at that first", r.Held.State)
	}
	return i18n.Errorf("state %s is not served: %s", state, p.status().LastError)
}

// pin has what is served go on being served, or a commit or tag of it from now on.
func (p *publisher) pin(ctx context.Context, revision string) error {
	a := p.remote.guard.state().Accepted
	if revision == "" {
		return p.remote.guard.pin(nil)
	}
	at, err := p.find(a, revision)
	if err != nil {
		return err
	}
	a.At = at.String()
	return p.turn(ctx, a, loader.Result{})
}

// find returns the commit that a revision names in an accepted state.
func (p *publisher) find(a accepted, revision string) (gitrepo.OID, error) {
	p.remote.guard.choose(a)
	defer p.remote.guard.newest()
	repo, err := p.remote.Open()
	if err != nil {
		return gitrepo.OID{}, err
	}
	defer repo.Close()
	return repo.Resolve(revision)
}

// back serves what was served before, and pins it.
func (p *publisher) back(ctx context.Context) error {
	previous := p.remote.guard.state().Previous
	if previous == nil {
		return i18n.Errorf("nothing was served before, as far as is known")
	}
	return p.turn(ctx, *previous, p.previous)
}

// turn serves an accepted state and pins it. What was loaded of it before is served at
// once, if that was today.
func (p *publisher) turn(ctx context.Context, a accepted, before loader.Result) (err error) {
	start := time.Now()
	if before.Snapshot == nil || nameState(before) != a.State || before.Snapshot.Date != start.UTC().Format(content.Date) {
		if before, err = p.loadAccepted(ctx, a, ""); err != nil {
			return err
		}
	}
	if before.Damaged || a.At == "" && nameState(before) != a.State {
		p.loader.Disown()
		return errDamagedObjects
	}
	p.publish(before, start)
	before.Reaches = nil
	p.seen, p.looked, p.previous, p.served = before.State, "", p.served, before
	a.State, a.Commit, a.Branch, a.Since = nameState(before), before.Snapshot.Commit, before.Snapshot.Branch, now()
	p.remote.guard.served, p.remote.guard.missing = publicationsOf(before.Snapshot), nil
	return p.remote.guard.pin(&a)
}

// unpin serves what the repository has, unless it is held back.
func (p *publisher) unpin(ctx context.Context) error {
	g := p.remote.guard
	if !g.isPinned() {
		return i18n.Errorf("nothing is pinned by an operator")
	}
	err := g.decide(func(r *record) { r.Pinned = nil })
	p.log.Warn("what is served is no longer pinned")
	p.looked = ""
	p.look(ctx)
	return err
}

// decisions are what health says of what the guard and operators have decided.
func (p *publisher) decisions() (all []content.Finding) {
	if p.remote != nil {
		all = p.remote.guard.findings()
	}
	if to := p.pinned(); to != "" {
		all = append(all, pinnedTo(to))
	}
	return all
}

// pinned names what is served whatever comes; empty if nothing is.
func (p *publisher) pinned() string {
	if p.remote != nil {
		if r := p.remote.guard.state(); r.Pinned != nil {
			return short(cmp.Or(r.Accepted.At, r.Accepted.Commit))
		}
	}
	if s := p.Current(); s != nil && p.fixed.Load() {
		return s.Snapshot.Branch
	}
	return ""
}

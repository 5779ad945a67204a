package follow

import (
	"context"
	"slices"

	"rulestore/content"
	"rulestore/content/i18n"
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

var errNotDone = i18n.Errorf("it crashed, see the log")

// runTask lets the goroutine that loads run a function, and returns when it is done or the context has
// ended.
func (p *Follower) runTask(ctx context.Context, do func(context.Context) error) error {
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

// confirm serves the state that is held back, if it has the given name.
func (p *Follower) confirm(ctx context.Context, state string) error {
	g := p.remote.Guard
	switch h := g.Decisions().Held; {
	case h == nil:
		return errNothingHeld
	case h.State != state:
		return i18n.Errorf("state %q is not what is held back, that is %s: look at that first", state, h.State)
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

var errNothingHeld = i18n.Errorf("nothing is held back")

// decisions are the findings about decisions of the guard, those that time makes, and what --ref pins.
func (p *Follower) decisions() (all []content.Finding) {
	all = p.timely()
	if p.remote != nil {
		all = slices.Concat(all, p.remote.Guard.Findings())
	}
	if to := p.pinned(); to != "" {
		all = append(all, PinnedFinding(to))
	}
	return all
}

// pinned names the tag or commit that --ref pins; empty if there is none.
func (p *Follower) pinned() string {
	if to := p.fixed.Load(); to != nil {
		return *to
	}
	return ""
}

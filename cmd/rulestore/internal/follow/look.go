package follow

import (
	"context"
	"errors"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git"
	"rulestore/loader/git/mirror"
	"rulestore/server"
)

// ErrDamagedObjects is the reason for fetching a copy again after parts of it could not be read.
var ErrDamagedObjects = i18n.Errorf("some of what is published cannot be read: %w", git.ErrDamaged)

// errOtherLog is the error for a state of a repository that nothing holds back.
var errOtherLog = i18n.Errorf(
	"the log does not go on with the one that is served: leaves were taken out or changed; bring back log/ and " +
		"rulestore.checkpoint as they were, or start the server again to serve this one",
)

// first loads the first snapshot of a repository elsewhere. A patient process that has nothing to serve waits for
// the host: restarting it would not help, and service managers give up after some restarts. It does not wait if the
// host answers that there is no such repository for this login.
func (p *Follower) first(
	ctx context.Context, load func(context.Context) (loader.Loaded, error), patient bool,
) (loader.Loaded, error) {
	for pause := time.Second; ; pause = min(2*pause, max(p.Remote.Poll, time.Second)) {
		r, away, err := p.tryFirst(ctx, load)
		if err == nil || away == nil || !patient || mirror.IsRefused(away) || ctx.Err() != nil {
			return r, err
		}
		p.Log.Warn("there is nothing to serve until the repository can be fetched", "error", away, "next", pause)
		select {
		case <-ctx.Done():
			return r, err
		case <-time.After(pause):
		}
	}
}

// tryFirst loads what an earlier process served, so that a host that is away causes no delay; if that cannot be
// read, what the host has; then what has arrived before; then what is left of the first. away is why the host could
// not be asked.
func (p *Follower) tryFirst(
	ctx context.Context, load func(context.Context) (loader.Loaded, error),
) (r loader.Loaded, away, err error) {
	served := func() (loader.Loaded, error) {
		p.Remote.Source.Select(true)
		defer p.Remote.Source.Select(false)
		r, err := load(ctx)
		if err == nil && r.Damaged {
			err = ErrDamagedObjects
		}
		return r, err
	}
	left, lost := served()
	if lost == nil || ctx.Err() != nil {
		return left, nil, lost
	}
	if !errors.Is(lost, mirror.ErrNotFetched) {
		p.condemn(lost)
	}
	if away = p.fetchSilently(ctx); away == nil { // the host may have sent what was lost
		if again, err := served(); err == nil {
			return again, nil, nil
		}
	}
	next, err := load(ctx)
	switch {
	case err == nil && (away == nil || judge(left, next, 0) == nil):
		if away != nil {
			p.logNotFetched(away)
		}
		p.result = next
		p.keep()
		return next, nil, nil
	case left.Snapshot != nil:
		p.Log.Warn("what is left of the copy is served", "error", errors.Join(away, err))
		return left, nil, nil
	case errors.Is(err, mirror.ErrNotFetched) && away != nil:
		return next, away, away
	}
	p.condemn(err)
	return next, away, errors.Join(err, away)
}

// Look loads what has arrived if it has changed, and serves it, unless that fails or it is held back: then what is
// served stays, as it is on this day. After Run was called, only the goroutine that follows calls it.
func (p *Follower) Look(ctx context.Context) { p.look(ctx, "") }

// look is Look that serves also a state that is held back, if it has the name of the one that is confirmed.
func (p *Follower) look(ctx context.Context, confirmed string) {
	start := time.Now()
	defer p.logFindings()
	if !p.machine.fetching { // else what has arrived may be changing
		held, err := p.lookAtArrived(ctx, start, confirmed)
		if ctx.Err() != nil {
			return
		}
		if p.record(start, held, err); held == nil && err == nil {
			return
		}
	}
	p.lookAtServed(ctx, start)
}

// lookAtArrived loads what has arrived and serves it, or returns why it is held back. An error changes nothing.
func (p *Follower) lookAtArrived(
	ctx context.Context, start time.Time, confirmed string,
) (held *server.HeldBack, err error) {
	held = p.status.HeldBack
	defer crash.Rescue(&err)
	next, err := p.Loader.Look(ctx, p.seen)
	switch {
	case err != nil && next.State == "":
		return held, err
	case err != nil: // the repository has moved on; if it comes back, that is judged again
		held = nil
	case next.Snapshot == nil: // what was judged is still so
		p.counts.unchanged.Add(1)
	case next.Damaged && p.condemn(ErrDamagedObjects):
		err = ErrDamagedObjects
	default:
		if held, err = p.judge(next, confirmed); held == nil && err == nil {
			err = p.swap(next, start)
		}
		p.seen = next.State
	}
	switch {
	case err != nil:
		p.seen = ""
	case held == nil:
		p.keep()
	}
	return held, err
}

// lookAtServed loads what is served if it has changed, as on another day. What cannot be read any more in the
// copy goes on being served.
func (p *Follower) lookAtServed(ctx context.Context, start time.Time) {
	if p.Remote == nil {
		return
	}
	p.Remote.Source.Select(true)
	defer p.Remote.Source.Select(false)
	again, err := p.Loader.Look(ctx, p.result.State)
	if err == nil && again.Snapshot != nil && NameState(again) == NameState(p.result) && !again.Damaged {
		err = p.swap(again, start)
	}
	crash.Tell(p.Log, err, "doing", "loading what is served")
}

// judge returns why a state is held back; of a repository on this machine the error is why it is not served.
func (p *Follower) judge(next loader.Loaded, confirmed string) (*server.HeldBack, error) {
	if p.Remote == nil {
		if p.result.Snapshot != nil && !next.Log.Continues(p.result.Log) {
			return nil, errOtherLog
		}
		return nil, nil
	}
	h, before := judge(p.result, next, p.Remote.Losses), p.status.HeldBack
	switch {
	case h == nil || h.State == confirmed:
		return nil, nil
	case before != nil && before.State == h.State:
		return before, nil
	case before != nil:
		h.Since = before.Since
	}
	p.counts.held.Add(1)
	p.Log.Error(
		"the state that the repository has is held back, and what was served goes on being served; to serve it: "+
			"rulestore admin confirm "+h.State,
		"state", h.State, "commit", content.ShortCommit(h.Commit), "branch", h.Branch, "rewritten", h.Rewritten,
		"losses", h.Losses, "lost", strings.Join(h.Lost, " "),
	)
	return h, nil
}

// keep has the copy keep what has arrived, which is served, for the next process.
func (p *Follower) keep() {
	if p.Remote == nil {
		return
	}
	if err := p.Remote.Source.Serve(); err != nil {
		p.Log.Error("another process would not know what is served", "error", err)
	}
}

// condemn reports whether the copy is fetched anew because of an error.
func (p *Follower) condemn(err error) bool {
	if p.Remote == nil {
		return false
	}
	already := p.Remote.Source.Renewal().Next != ""
	if !p.Remote.Source.Failed(err) {
		return false
	}
	if !already {
		p.Log.Warn("the copy is unreadable, and is fetched anew", "error", err)
	}
	return true
}

// confirm serves the state that is held back, if it has the given name.
func (p *Follower) confirm(ctx context.Context, state string) error {
	switch h := p.status.HeldBack; {
	case h == nil:
		return errNothingHeld
	case h.State != state:
		return i18n.Errorf("state %q is not what is held back, that is %s: look at that first", state, h.State)
	}
	p.Log.Warn("what was held back is confirmed", "state", state)
	p.seen = ""
	p.look(ctx, state)
	switch h := p.status.HeldBack; {
	case NameState(p.result) == state:
		return nil
	case h != nil && h.State != state:
		return i18n.Errorf("the repository has moved on meanwhile, to state %s: look at that first", h.State)
	}
	return i18n.Errorf("state %s is not served: %s", state, p.Status().LastError)
}

var errNothingHeld = i18n.Errorf("nothing is held back")

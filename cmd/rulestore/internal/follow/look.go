package follow

import (
	"context"
	"errors"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/content/i18n"
	"rulestore/loader"
	"rulestore/loader/git/mirror"
	"rulestore/server"
)

// exclusively calls a function while no load or swap runs.
func (p *Follower) exclusively(do func()) {
	p.turn.Lock()
	defer p.turn.Unlock()
	do()
}

// Look loads the repository if it has changed. If that fails, the current site stays, and the
// next look tries again. After Run was called, only the goroutine that follows the repository
// calls it.
func (p *Follower) Look(ctx context.Context) {
	defer p.logTimely()
	start := time.Now()
	if p.remote != nil {
		p.remote.Guard.Rewrite()
	}
	err := p.tryRefresh(ctx, start)
	if err == nil || ctx.Err() != nil {
		return
	}
	p.reportCrash(err)
	p.log.Error("reload failed, what was served goes on being served", "error", err)
	p.update(func(s *server.Status) { s.LastError = err.Error() })
	if p.remote != nil {
		p.remote.ReportUnreadable(err)
		p.fallBack(ctx, start)
	}
	p.reloads.count(&p.reloads.failed, start)
}

// Timely are the findings that time makes: they are true when they are asked for, and no load has them.
func (p *Follower) Timely() []content.Finding { return p.timely() }

// logTimely logs what time has made, once, and when it is over.
func (p *Follower) logTimely() {
	now := p.timely()
	p.logFindings(content.Report{Findings: p.logged}, content.Report{Findings: now})
	if len(now) == 0 && len(p.logged) > 0 {
		p.log.Info("it is over", "finding", p.logged[0].String())
	}
	p.logged = now
}

func (p *Follower) tryRefresh(ctx context.Context, start time.Time) (err error) {
	if crashed := crash.Do(func() { err = p.refresh(ctx, start) }); crashed != nil {
		err = crashed
	}
	return err
}

// fallBack serves the accepted state of a mirror while the newest cannot be loaded. The health
// document keeps the error.
func (p *Follower) fallBack(ctx context.Context, start time.Time) {
	p.mu.Lock()
	failed := p.last
	p.mu.Unlock()
	var err error
	if crashed := crash.Do(func() { _, err = p.reloadAccepted(ctx, start) }); crashed != nil {
		err = crashed
	}
	crash.Tell(p.log, err, "doing", "loading the mirror")
	p.update(func(s *server.Status) { s.CheckedAt, s.LastError = failed.CheckedAt, failed.LastError })
}

// reportCrash reports a panic of a load to operators, with its stack unless it is that of the
// previous load.
func (p *Follower) reportCrash(err error) {
	log := p.log
	if p.Status().LastError == err.Error() {
		log = nil
	}
	crash.Tell(log, err, "doing", "loading the repository")
}

func (p *Follower) refresh(ctx context.Context, start time.Time) error {
	result, err := p.loader.Look(ctx, p.loadedState)
	switch {
	case err != nil:
		if p.remote != nil && result.State != "" && result.State != p.loadedState {
			p.loadedState = "" // if it comes back, it is checked again
			p.remote.Guard.DropHeld()
		}
		return err
	case p.remote != nil && !p.remote.admit(result):
		if p.loadedState = ""; p.remote.Guard.IsHeldBack(result) {
			p.loadedState = result.State
		}
		p.loader.Disown()
		return p.serveAccepted(ctx, start)
	case result.Snapshot == nil:
		p.unchanged(start)
		return nil
	case p.remote == nil && !result.Log.Continues(p.result.Log):
		p.loader.Disown()
		return errOtherLog
	}
	p.serve(result, start)
	p.loadedState = result.State
	if p.remote != nil {
		p.remote.accept(ctx, result)
	}
	return nil
}

// errOtherLog is the error for a state of a repository that nothing holds back.
var errOtherLog = i18n.Errorf(
	"the log does not go on with the one that is served: leaves were taken out or changed; bring back log/ and " +
		"rulestore.checkpoint as they were, or start the server again to serve this one",
)

// unchanged records that the repository agrees with the loaded state.
func (p *Follower) unchanged(start time.Time) {
	p.update(func(s *server.Status) { s.CheckedAt, s.LastError = start, "" })
	p.reloads.unchanged.Add(1)
}

// serveAccepted serves the accepted state, whatever the newest is.
func (p *Follower) serveAccepted(ctx context.Context, start time.Time) error {
	took, err := p.reloadAccepted(ctx, start)
	if err == nil && !took {
		p.unchanged(start)
	}
	return err
}

// reloadAccepted serves the accepted state, and reports whether it differs from what was served, as on
// another day.
func (p *Follower) reloadAccepted(ctx context.Context, start time.Time) (took bool, err error) {
	a := p.remote.Guard.Decisions().Accepted
	var result loader.Result
	p.remote.readServed(func() { result, err = p.loader.Look(ctx, p.servedState) })
	switch {
	case errors.Is(err, mirror.ErrNotFetched): // it cannot be read any more, so the served site stays
		return false, nil
	case err != nil || result.Snapshot == nil:
		return false, err
	case a.State != "" && NameState(result) != a.State, result.Damaged && p.remote.Guard.Loses(result.Snapshot):
		p.loader.Disown()
		return false, ErrDamagedObjects // the site serves all of it, as it was read before
	}
	p.serve(result, start)
	p.remote.Guard.UpdateAccepted(result)
	return true, nil
}

// serve serves a result.
func (p *Follower) serve(result loader.Result, start time.Time) {
	p.swap(result, start)
	p.servedState = result.State
}

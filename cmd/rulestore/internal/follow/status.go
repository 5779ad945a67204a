package follow

import (
	"cmp"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader"
	"rulestore/server"
)

// record records what a look has come to: what has arrived is served, is held back, or there is an error. Health,
// metrics and the header of answers read it.
func (p *Follower) record(start time.Time, held *server.HeldBack, err error) {
	found := accepted
	switch {
	case err != nil && p.condemn(err):
		found = unreadable
	case held != nil:
		found = heldBack
	case err != nil:
		found = unloadable
	}
	p.machine.on(found, start)
	if err != nil {
		p.logError(err)
		p.counts.looked(&p.counts.failed, start)
	}
	p.update(func(s *server.Status) {
		s.HeldBack = held
		if s.Remote != nil {
			start, s.Remote.State = s.Remote.SucceededAt, p.machine.state
		}
		if s.LastError = ""; err != nil {
			s.LastError = err.Error()
			return
		}
		s.CheckedAt = start
	})
	if err == nil && p.Remote != nil {
		p.Remote.Source.Agree(start)
	}
}

// logError logs that a look failed, with the stack of a panic unless the one before had the same.
func (p *Follower) logError(err error) {
	log := p.Log
	if p.Status().LastError == err.Error() {
		log = nil
	}
	crash.Tell(log, err, "doing", "loading the repository")
	p.Log.Error("reload failed, what was served goes on being served", "error", err)
}

// update changes the status.
func (p *Follower) update(change func(*server.Status)) {
	p.mu.Lock()
	defer p.mu.Unlock()
	change(&p.status)
}

// Status returns the state of the process for the server. What is found about the process comes before what is
// wrong with content, which may be more than is shown.
func (p *Follower) Status() server.Status {
	p.mu.Lock()
	defer p.mu.Unlock()
	s := p.status
	s.Draining = p.draining.Load()
	if p.Watcher != nil {
		s.WatchMode = p.Watcher.Mode()
	}
	if p.Remote != nil {
		remote, renewal := *s.Remote, p.Remote.Source.Renewal()
		remote.RenewedAt, remote.Renewal = renewal.At, cmp.Or(renewal.Next, renewal.Why)
		remote.Mirror = p.Remote.Source.Folder()
		s.Remote = &remote
	}
	own := slices.Clone(p.crashes)
	if s.HeldBack != nil {
		own = append(own, whyHeld(s.HeldBack))
	}
	if s.Pinned != "" {
		own = append(own, PinnedFinding(s.Pinned))
	}
	if len(own) > 0 {
		all := content.Report{Findings: slices.Concat(own, s.Report.Findings)}
		all.Sort()
		s.Report.Findings = all.Findings
	}
	return s
}

// maxCrashes is the maximum number of different panics in the health document.
const maxCrashes = 20

// Crashed reports a panic in background work other than loading to operators: in the log, and
// in health until the process ends. Repeated panics are reported once.
func (p *Follower) Crashed(doing string, err error) {
	f := loader.CrashFinding("", content.Word(doing), err)
	f.Severity = content.Warning
	p.mu.Lock()
	defer p.mu.Unlock()
	if slices.Contains(p.crashes, f) {
		crash.Tell(nil, err)
		return
	}
	crash.Tell(p.Log, err, "doing", doing)
	if len(p.crashes) < maxCrashes {
		p.crashes = append(p.crashes, f)
	}
}

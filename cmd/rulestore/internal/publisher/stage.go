package publisher

import (
	"context"
	"slices"
	"strings"
	"sync"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/server"
	"rulestore/server/site"
)

// group has the repositories that a process serves together, mostly a single one. Each has a
// publisher; the first makes the site of all.
type group struct {
	mu        sync.Mutex   // one load, confirmation or swap at a time
	parts     []*Publisher // in order, each building on those before it; set before Run
	ctx       context.Context
	reloading bool // those that build on a loaded repository are being loaded again
}

// Join adds later repositories that are served together with that of p, each under the name in
// its configuration and building on those before it. It is called before anything is loaded.
func (p *Publisher) Join(later ...*Publisher) {
	p.group.parts = append(p.group.parts, later...)
	for i, part := range p.group.parts {
		part.group, part.reloads = p.group, p.reloads
		part.loader.Name = part.source
		if i > 0 {
			part.loader.Beneath = p.group.beneath(i)
		}
	}
}

// beneath returns the function by which a loader gets the contents of earlier repositories.
func (s *group) beneath(part int) func() *content.Beneath {
	var from []*content.Snapshot
	var made *content.Beneath
	return func() *content.Beneath {
		if now := s.snapshots(part); made == nil || !slices.Equal(from, now) {
			from, made = now, content.NewBeneath(now)
		}
		return made
	}
}

// snapshots are the last loaded ones of the first repositories.
func (s *group) snapshots(first int) (all []*content.Snapshot) {
	for _, part := range s.parts[:first] {
		if part.result.Snapshot != nil {
			all = append(all, part.result.Snapshot)
		}
	}
	return all
}

// loaded lists the repositories that were loaded at least once, among them the first.
func (s *group) loaded() (all []*Publisher) {
	for _, part := range s.parts {
		if part.result.Snapshot != nil {
			all = append(all, part)
		}
	}
	return all
}

// several reports whether there is more than one repository.
func (s *group) several() bool { return len(s.parts) > 1 }

// reloadOverlays loads the repositories that build on one again. If that fails, they stay as they were.
func (s *group) reloadOverlays(part *Publisher) {
	s.reloading = true
	defer func() { s.reloading = false }()
	for _, overlay := range s.parts[slices.Index(s.parts, part)+1:] {
		if overlay.result.Snapshot != nil {
			overlay.Look(s.ctx)
		}
	}
}

// Overlays returns the first snapshots of the repositories after the first.
func (p *Publisher) Overlays() (all []loader.Result) {
	for _, part := range p.group.parts[1:] {
		r := part.result
		r.Report.Add(part.timely()...)
		all = append(all, r)
	}
	return all
}

// joined is what is served together.
func (s *group) joined() loader.Joined {
	var results []loader.Result
	for _, part := range s.loaded() {
		results = append(results, part.result)
	}
	return loader.Join(results...)
}

// buildSite makes the site of the loaded repositories and swaps it in.
func (p *Publisher) buildSite() (old, next *site.Site) {
	old = p.current.Load()
	j := p.group.joined()
	for i, items := range j.Dropped {
		if len(items) > 0 {
			p.group.loaded()[i].log.Error(
				"left out: an earlier repository has these names", "items", strings.Join(items, " "),
			)
		}
	}
	p.Site.BaseURL = p.Base(j.Snapshot.Settings)
	p.Site.Log, p.Site.Report, p.Site.Logs = p.result.Log, &j.Report, j.Logs
	next = site.Build(old, j.Snapshot, p.Site)
	p.startTrial(old, next)
	p.current.Store(next)
	p.encoder.Warm(next)
	p.mu.Lock()
	p.fallbackReason = ""
	p.mu.Unlock()
	return old, next
}

// Status sets the process state for the server: of each of several repositories, and as a whole
// the worst.
func (p *Publisher) Status() server.Status {
	s := p.ownStatus()
	if !p.group.several() {
		return s
	}
	for _, part := range p.group.parts {
		own := part.ownStatus()
		s.Sources = append(s.Sources, server.SourceStatus{Name: part.source, Status: own})
		if own.CheckedAt.Before(s.CheckedAt) {
			s.CheckedAt = own.CheckedAt
		}
		if own.LoadedAt.After(s.LoadedAt) {
			s.LoadedAt = own.LoadedAt
		}
		if s.LastError == "" && own.LastError != "" {
			s.LastError = part.source + ": " + own.LastError
		}
		if s.Pinned == "" && own.Pinned != "" {
			s.Pinned = part.source + ": " + own.Pinned
		}
		if s.HeldBack == nil {
			s.HeldBack = own.HeldBack
		}
	}
	s.Report = server.JoinReports(s.Sources)
	return s
}

// exclusively calls a function while no load or swap runs.
func (p *Publisher) exclusively(do func()) {
	p.group.mu.Lock()
	defer p.group.mu.Unlock()
	do()
}

// untilDayEnds returns the time until the day of the loaded content ends.
func (p *Publisher) untilDayEnds() (wait time.Duration) {
	p.exclusively(func() {
		if wait = time.Hour; p.result.Snapshot != nil {
			wait = untilMidnight(p.result.Snapshot, time.Now())
		}
	})
	return wait
}

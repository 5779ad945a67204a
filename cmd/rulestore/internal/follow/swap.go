package follow

import (
	"context"
	"log/slog"
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/loader"
	"rulestore/server"
	"rulestore/server/site"
)

// swap makes the site of a result and serves it. After an error nothing has changed.
func (p *Follower) swap(r loader.Loaded, start time.Time) (err error) {
	defer crash.Rescue(&err)
	old := p.current.Load()
	p.Site.BaseURL = p.Base(r.Snapshot.Settings)
	p.Site.Log = r.Log
	next := site.Build(old, r.Snapshot, p.Site)
	p.result = r
	p.current.Store(next)
	p.encoder.Warm(next)
	p.update(func(s *server.Status) {
		p.state = NameState(r)
		s.LoadedAt, s.LastError, s.Report, s.Pinned = time.Now(), "", r.Report, ""
		if r.Fixed {
			s.Pinned = r.Snapshot.Branch
		}
		if p.Remote == nil {
			s.CheckedAt = start
		}
	})
	if old != nil && old.ID == next.ID {
		p.counts.looked(&p.counts.unchanged, start)
		return nil
	}
	p.counts.looked(&p.counts.swapped, start)
	p.logSwap(old, next, time.Since(start))
	if old != nil {
		if err := crash.Do(func() { p.Swapped(old, next) }); err != nil {
			p.Crashed("telling subscribers", err)
		}
	}
	return nil
}

// logSwap logs what is served from now on.
func (p *Follower) logSwap(old, next *site.Site, took time.Duration) {
	s := next.Snapshot
	attrs := []any{
		"commit", content.ShortCommit(s.Commit), "branch", s.Branch, "snapshot", next.ID, "publications", s.Count(),
		"took", took.Round(time.Microsecond),
	}
	if old == nil {
		p.Log.Info("loaded", attrs...)
		return
	}
	added, changed, removed := compare(old.Snapshot, s)
	attrs = append([]any{"old_commit", content.ShortCommit(old.Snapshot.Commit)}, attrs...)
	attrs = append(attrs, "added", shortList(added))
	level := slog.LevelInfo
	if len(changed)+len(removed) > 0 {
		level, attrs = slog.LevelWarn, append(attrs, "changed", shortList(changed), "removed", shortList(removed))
	}
	p.Log.Log(context.Background(), level, "swapped", attrs...)
}

// maxLogged is the maximum number of findings that a load logs.
const maxLogged = 20

// logFindings logs the findings about content that the log does not have yet.
func (p *Follower) logFindings() {
	p.mu.Lock()
	report := p.status.Report
	p.mu.Unlock()
	before, all := p.logged, report.Findings
	if p.logged = all; slices.Equal(before, all) {
		return
	}
	known := map[content.Finding]bool{}
	for _, f := range before {
		known[f] = true
	}
	logged := 0
	for _, f := range all {
		if known[f] {
			continue
		}
		if logged == maxLogged {
			p.Log.Warn("more findings are in /api/v1/health", "total", report.Total())
			return
		}
		logged++
		level := slog.LevelWarn
		if f.Severity == content.Error {
			level = slog.LevelError
		}
		p.Log.Log(context.Background(), level, f.String())
	}
}

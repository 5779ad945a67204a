package follow

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"time"

	"rulestore/content"
	"rulestore/loader"
	"rulestore/server"
	"rulestore/server/site"
)

// swap makes the site of a result and swaps it in. After a panic nothing has changed.
func (p *Follower) swap(r loader.Result, start time.Time) {
	was, done := p.result, false
	p.result = r
	defer func() {
		if !done {
			p.result = was
		}
	}()
	old, next := p.buildSite()
	done = true
	before := p.recordLoad(r, start)
	p.notifyWaiting()
	if old != nil && old.ID == next.ID {
		p.reloads.count(&p.reloads.unchanged, start)
		p.logFindings(before, r.Report)
		return
	}
	if old != nil {
		p.notifySwapped(old, next)
	}
	p.reloads.count(&p.reloads.swapped, start)
	p.logSwap(old, next, time.Since(start))
	p.logFindings(before, r.Report)
}

// buildSite makes the site of the loaded result and swaps it in.
func (p *Follower) buildSite() (old, next *site.Site) {
	old = p.current.Load()
	p.Site.BaseURL = p.Base(p.result.Snapshot.Settings)
	p.Site.Log, p.Site.Report = p.result.Log, &p.result.Report
	next = site.Build(old, p.result.Snapshot, p.Site)
	p.startTrial(old, next)
	p.current.Store(next)
	p.encoder.Warm(next)
	p.mu.Lock()
	p.fallbackReason = ""
	p.mu.Unlock()
	return old, next
}

// recordLoad records a result, and returns the report of the one before.
func (p *Follower) recordLoad(r loader.Result, start time.Time) (before content.Report) {
	p.fixed.Store(nil)
	if r.Fixed {
		p.fixed.Store(&r.Snapshot.Branch)
	}
	p.update(func(s *server.Status) {
		before = s.Report
		s.LoadedAt, s.CheckedAt, s.LastError, s.Report = time.Now(), start, "", r.Report
	})
	return before
}

// logSwap logs a swap.
func (p *Follower) logSwap(old, next *site.Site, took time.Duration) {
	s := next.Snapshot
	attrs := []any{
		"commit", content.ShortCommit(s.Commit), "branch", s.Branch, "snapshot", next.ID, "publications", s.Count(),
		"took", took.Round(time.Microsecond),
	}
	if old == nil {
		p.log.Info("loaded", attrs...)
		return
	}
	added, removed := difference(old.Snapshot, s)
	attrs = append([]any{"old_commit", content.ShortCommit(old.Snapshot.Commit)}, attrs...)
	attrs = append(attrs, "added", shortList(added))
	if len(removed) > 0 {
		attrs = append(attrs, "removed", shortList(removed))
	}
	if marks := newMarks(old.Snapshot, s); len(marks) > 0 {
		attrs = append(attrs, "marked", shortList(marks))
	}
	p.log.Info("swapped", attrs...)
}

// difference lists the tags with new content, and the removed ones.
func difference(old, next *content.Snapshot) (added, removed []string) {
	before, after := sums(old, next), sums(next, old)
	for tag, sum := range after {
		if before[tag] != sum {
			added = append(added, tag)
		}
	}
	for tag := range before {
		if _, ok := after[tag]; !ok {
			removed = append(removed, tag)
		}
	}
	slices.Sort(added)
	slices.Sort(removed)
	return added, removed
}

// sums lists the checksums of a snapshot by tag, without items that are equal in another.
func sums(s, other *content.Snapshot) map[string]string {
	all := map[string]string{}
	for _, item := range s.Items {
		if other.Item(item.Kind, item.Name) == item {
			continue
		}
		for _, e := range item.Entries {
			all[e.Tag()] = e.Checksum
		}
	}
	return all
}

// maxLogged is the maximum number of names or findings that a load logs.
const maxLogged = 20

func shortList(names []string) string {
	if len(names) > maxLogged {
		names = append(slices.Clone(names[:maxLogged]), "…")
	}
	return strings.Join(names, " ")
}

// logFindings logs the findings that the previous load did not have.
func (p *Follower) logFindings(before, after content.Report) {
	known := map[content.Finding]bool{}
	for _, f := range before.Findings {
		known[f] = true
	}
	logged := 0
	for _, f := range after.Findings {
		if known[f] {
			continue
		}
		if logged == maxLogged {
			p.log.Warn("more findings are in /api/v1/health", "total", after.Total())
			return
		}
		logged++
		level := slog.LevelWarn
		if f.Severity == content.Error {
			level = slog.LevelError
		}
		p.log.Log(context.Background(), level, f.String())
	}
}

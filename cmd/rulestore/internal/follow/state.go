package follow

import (
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/server"
	"rulestore/server/admin"
	"rulestore/server/calc"
)

// Health returns the health document for operators.
func (p *Follower) Health() (status int, document []byte) {
	return server.ForOperators(p.Current(), p.Status())
}

// HealthPage returns the same as a page; not ok before the first site.
func (p *Follower) HealthPage() (html []byte, ok bool) {
	return server.PageForOperators(p.Current(), p.Status())
}

// State returns the state of the process for metrics.
func (p *Follower) State() admin.State {
	status := p.Status()
	s := admin.State{
		Unready: "starting", Reloads: p.reloads.read(), Crashes: crash.Count(), Starter: p.starter,
		Pinned: status.Pinned != "",
	}
	s.Reloads.LastFailed = status.LastError != ""
	if p.remote != nil {
		s.Fetches, s.HeldBack = p.remote.counts(*status.Remote), p.remote.Guard.Counts()
		if status.Remote.Error != "" {
			s.Unready = "waiting for the repository, which cannot be fetched"
		}
	}
	current := p.Current()
	if current == nil {
		return s
	}
	for t := range current.Math().Tools() {
		s.Calculations = append(s.Calculations, callCounts(t)...)
	}
	snapshot := current.Snapshot
	s.Unready = status.Unavailable(time.Now())
	s.Snapshot = &admin.Snapshot{
		ID: current.ID, Commit: snapshot.Commit, Branch: snapshot.Branch,
		LoadedAt: status.LoadedAt, CheckedAt: status.CheckedAt,
		Items: map[string]int{}, Publications: snapshot.Count(),
		Refused: len(status.Report.Refused), Held: len(status.Report.Held),
		Errors: status.Report.Count(content.Error), Warnings: status.Report.Count(content.Warning),
	}
	s.Snapshot.LogSize, s.Snapshot.LogSigned, s.Snapshot.LogDisagrees = current.LogSigned()
	for _, item := range snapshot.Items {
		s.Snapshot.Items[item.Kind.Folder]++
	}
	return s
}

// callCounts lists the results of the requests to a tool.
func callCounts(t *calc.Tool) (all []admin.Calculations) {
	n := t.Calls()
	for _, c := range []admin.Calculations{
		{Tool: t.ID, Result: calc.StatusComputed, Count: n.Computed},
		{Tool: t.ID, Result: calc.StatusDoNotGuess, Count: n.DoNotGuess},
		{Tool: t.ID, Result: calc.CalculationNotAvailable, Count: n.Unavailable},
		{Tool: t.ID, Result: "refused", Count: n.Refused},
	} {
		if c.Count > 0 {
			all = append(all, c)
		}
	}
	return all
}

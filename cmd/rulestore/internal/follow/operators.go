package follow

import (
	"context"
	"encoding/json"
	"net/http"
	"sync/atomic"
	"time"

	"rulestore/content"
	"rulestore/content/crash"
	"rulestore/server"
	"rulestore/server/admin"
	"rulestore/server/calc"
	"rulestore/server/observe"
	"rulestore/server/site"
)

// Health returns the health document for operators.
func (p *Follower) Health() (status int, document []byte) {
	return server.ForOperators(p.Current(), p.Status())
}

// HealthPage returns the same as a page; not ok before the first site.
func (p *Follower) HealthPage() (html []byte, ok bool) {
	return server.PageForOperators(p.Current(), p.Status())
}

// Served is the served state, for operators.
type Served struct {
	Snapshot     string `json:"snapshot,omitempty"`
	Commit       string `json:"commit,omitempty"`
	Branch       string `json:"branch,omitempty"`
	Publications int    `json:"publications"`
	Pinned       string `json:"pinned,omitempty"` // the tag or commit that --ref pins
	State        string `json:"state,omitempty"`  // of a repository elsewhere, like what is held back
	Error        string `json:"error,omitempty"`  // why it was not confirmed

	Held *server.HeldBack `json:"held_back,omitempty"`
}

// DescribeServed returns the status and the document of what is served, as [Served].
func (p *Follower) DescribeServed() (status int, document []byte) { return p.describeServed(nil) }

// Confirm has the goroutine that follows serve a state that is held back, and returns the status and the document
// of the response: the state after it, as [Served].
func (p *Follower) Confirm(ctx context.Context, state string) (status int, document []byte) {
	o := order{state, make(chan error, 1)}
	select {
	case p.orders <- o:
	case <-ctx.Done():
		return p.describeServed(context.Cause(ctx))
	}
	select {
	case err := <-o.done:
		return p.describeServed(err)
	case <-ctx.Done():
		return p.describeServed(context.Cause(ctx))
	}
}

func (p *Follower) describeServed(err error) (status int, document []byte) {
	now := p.served()
	status = http.StatusOK
	if err != nil {
		status, now.Error = http.StatusConflict, err.Error()
	}
	document, err = json.MarshalIndent(now, "", "  ")
	if err != nil {
		return http.StatusInternalServerError, nil
	}
	return status, content.PrintableJSON(append(document, '\n'))
}

func (p *Follower) served() (now Served) {
	p.mu.Lock()
	defer p.mu.Unlock()
	now.Pinned, now.State, now.Held = p.status.Pinned, p.state, p.status.HeldBack
	if s := p.Current(); s != nil {
		now.Snapshot, now.Publications = s.ID, s.Snapshot.Count()
		now.Commit, now.Branch = s.Snapshot.Commit, s.Snapshot.Branch
	}
	return now
}

// counts are what a follower has done so far.
type counts struct {
	swapped, unchanged, failed atomic.Uint64 // looks
	looks                      observe.Histogram
	fetched, notFetched        atomic.Uint64
	fetches                    observe.Histogram
	held                       atomic.Uint64 // states that were held back
}

// looked counts a look that loaded the repository.
func (c *counts) looked(result *atomic.Uint64, start time.Time) {
	result.Add(1)
	c.looks.Observe(time.Since(start))
}

// State returns the state of the process for metrics.
func (p *Follower) State() admin.State {
	status, current := p.Status(), p.Current()
	s := admin.State{
		Unready: "starting", Crashes: crash.Count(), Starter: p.Starter, Pinned: status.Pinned != "",
		Reloads: admin.Reloads{
			Swapped: p.counts.swapped.Load(), Unchanged: p.counts.unchanged.Load(), Failed: p.counts.failed.Load(),
			Duration: p.counts.looks.Read(), LastFailed: status.LastError != "",
		},
	}
	if r := status.Remote; r != nil {
		s.Fetches = &admin.Fetches{
			Succeeded: p.counts.fetched.Load(), Failed: p.counts.notFetched.Load(), Duration: p.counts.fetches.Read(),
			LastSucceeded: r.SucceededAt, LastFailed: r.Error != "",
			Renewals: p.Remote.Source.Renewal().Count, Unreadable: r.State == server.RemoteUnreadable,
		}
		s.HeldBack = &admin.HeldBack{Total: p.counts.held.Load()}
		if h := status.HeldBack; h != nil {
			s.HeldBack.Now, s.HeldBack.Losses = true, h.Losses
		}
		if r.Error != "" {
			s.Unready = "waiting for the repository, which cannot be fetched"
		}
	}
	if current == nil {
		return s
	}
	s.Unready, s.Snapshot = status.Unavailable(time.Now()), snapshotCounts(current, status)
	for t := range current.Math.Tools() {
		s.Calculations = append(s.Calculations, callCounts(t)...)
	}
	return s
}

// snapshotCounts are the counts of what is served.
func snapshotCounts(current *site.Site, status server.Status) *admin.Snapshot {
	snapshot, report := current.Snapshot, status.Report
	s := &admin.Snapshot{
		ID: current.ID, Commit: snapshot.Commit, Branch: snapshot.Branch,
		LoadedAt: status.LoadedAt, CheckedAt: status.CheckedAt,
		Items: map[string]int{}, Publications: snapshot.Count(), Refused: len(report.Refused), Held: len(report.Held),
		Errors: report.Count(content.Error), Warnings: report.Count(content.Warning),
	}
	s.LogSize, s.LogSigned, s.LogDisagrees = current.LogSigned()
	for _, item := range snapshot.Items {
		s.Items[item.Kind.Folder]++
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

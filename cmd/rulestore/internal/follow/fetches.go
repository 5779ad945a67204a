package follow

import (
	"sync/atomic"
	"time"

	"rulestore/server"
	"rulestore/server/admin"
	"rulestore/server/observe"
)

// fetches counts fetches by result.
type fetches struct {
	succeeded, failed atomic.Uint64
	duration          observe.Histogram
}

// read returns the counts, with the state of the remote.
func (f *fetches) read(r server.Remote) *admin.Fetches {
	return &admin.Fetches{
		Succeeded: f.succeeded.Load(), Failed: f.failed.Load(), Duration: f.duration.Read(),
		LastSucceeded: r.SucceededAt, LastFailed: r.Error != "",
	}
}

// counts are the metrics of following a remote.
func (r *Remote) counts(state server.Remote) *admin.Fetches {
	f := r.fetches.read(state)
	f.Renewals = r.source.Renewal().Count
	f.Unreadable = r.source.Condemned() != ""
	f.Webhooks = admin.Webhooks(r.Hook.Counts())
	return f
}

// count counts a fetch that began at start.
func (f *fetches) count(result *atomic.Uint64, start time.Time) {
	result.Add(1)
	f.duration.Observe(time.Since(start))
}

package follow

import (
	"sync/atomic"
	"time"

	"rulestore/server/admin"
	"rulestore/server/observe"
)

// reloads counts checks of the repository by result.
type reloads struct {
	swapped, unchanged, failed atomic.Uint64
	duration                   observe.Histogram
}

// count counts a check that loaded the repository.
func (r *reloads) count(result *atomic.Uint64, start time.Time) {
	result.Add(1)
	r.duration.Observe(time.Since(start))
}

func (r *reloads) read() admin.Reloads {
	return admin.Reloads{
		Swapped: r.swapped.Load(), Unchanged: r.unchanged.Load(), Failed: r.failed.Load(),
		Duration: r.duration.Read(),
	}
}

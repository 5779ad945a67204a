package follow

import (
	"fmt"

	"rulestore/content/crash"
	"rulestore/server/site"
)

// unprovenSite is a site that is served before its search index is built, which takes long, with the site
// to go back to if that panics.
type unprovenSite struct {
	fallback *site.Site // nil if there is none
	site     *site.Site
}

// startTrial records that a site replaces another.
func (p *Follower) startTrial(old, next *site.Site) {
	if t := p.unproven.Load(); t != nil && t.site == old {
		old = t.fallback // it is unknown whether the one in between can be searched
	}
	p.unproven.Store(&unprovenSite{old, next})
}

// indexBuilt records that the search index of a site was built. After a panic the previous site is
// served again, until there is another.
func (p *Follower) indexBuilt(s *site.Site, err error) {
	t := p.unproven.Load()
	if t == nil || t.site != s || !p.unproven.CompareAndSwap(t, nil) || err == nil {
		return
	}
	crash.Tell(p.log, err, "doing", "making the search ready", "snapshot", s.ID)
	if t.fallback == nil || !p.current.CompareAndSwap(s, t.fallback) {
		return // only its searches fail
	}
	p.mu.Lock()
	p.fallbackReason = fmt.Sprintf("snapshot %s is not served, since its search cannot be made ready: %v", s.ID, err)
	p.mu.Unlock()
	p.log.Error("the site before is served again", "snapshot", t.fallback.ID, "error", err)
	p.notifyWaiting()
	p.notifySwapped(s, t.fallback)
}

// notifySwapped notifies subscribers that another site is served.
func (p *Follower) notifySwapped(old, next *site.Site) {
	if err := crash.Do(func() { p.Swapped(old, next) }); err != nil {
		p.Crashed("telling subscribers", err)
	}
}

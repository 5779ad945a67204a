package publisher

import (
	"fmt"

	"rulestore/content/crash"
	"rulestore/server/site"
)

// trial is a site that is served before its search index is built, which takes long, with the site
// to go back to if that panics.
type trial struct {
	good *site.Site // nil if there is none
	next *site.Site
}

// try records that a site replaces another.
func (p *Publisher) try(old, next *site.Site) {
	if t := p.trial.Load(); t != nil && t.next == old {
		old = t.good // it is unknown whether the one in between can be searched
	}
	p.trial.Store(&trial{old, next})
}

// warmed records that the search index of a site was built. After a panic the previous site is
// served again, until there is another.
func (p *Publisher) warmed(s *site.Site, err error) {
	t := p.trial.Load()
	if t == nil || t.next != s || !p.trial.CompareAndSwap(t, nil) || err == nil {
		return
	}
	crash.Tell(p.log, err, "doing", "making the search ready", "snapshot", s.ID)
	if t.good == nil || !p.current.CompareAndSwap(s, t.good) {
		return // only its searches fail
	}
	p.mu.Lock()
	p.kept = fmt.Sprintf("snapshot %s is not served, since its search cannot be made ready: %v", s.ID, err)
	p.mu.Unlock()
	p.log.Error("the site before is served again", "snapshot", t.good.ID, "error", err)
	p.announce()
	p.tellSwapped(s, t.good)
}

// tellSwapped notifies subscribers that another site is served.
func (p *Publisher) tellSwapped(old, next *site.Site) {
	if err := crash.Do(func() { p.Swapped(old, next) }); err != nil {
		p.Crashed("telling subscribers", err)
	}
}

package publisher

import (
	"rulestore/cmd/rulestore/internal/guard"
	"rulestore/content"
	"rulestore/content/check"
	"rulestore/server"
	"rulestore/server/admin"
)

// rolloutStatus is the public role of the process in a rollout, nil if it has none.
func (p *Publisher) rolloutStatus() *server.Rollout {
	if p.rollout.Role == "" {
		return nil
	}
	r := p.rollout
	if named := p.content.Load(); named != nil {
		r.Content = *named
	}
	if p.remote != nil && p.remote.Canary != nil {
		r.Canary = new(p.remote.Canary.State())
	}
	return &r
}

// nameContent identifies the served content for processes that wait for it.
func (p *Publisher) nameContent() {
	if p.rollout.Role != "" {
		p.content.Store(new(guard.ContentOf(p.result.Snapshot)))
	}
}

// HeldBack returns the header value for a state of the repository that is held back; nil if
// there is none.
func (p *Publisher) HeldBack() (all []string) {
	for _, part := range p.group.parts {
		if part.remote == nil {
			continue
		}
		held := part.remote.Guard.HeldBack()
		if !p.group.several() {
			return held
		}
		for _, h := range held {
			all = append(all, h+"; source="+part.source)
		}
	}
	return all
}

// canaryFindings lists the findings because of which new content is not served, except its time.
func (p *Publisher) canaryFindings() (all []content.Finding) {
	if p.remote == nil || p.remote.Canary == nil {
		return nil
	}
	switch p.remote.Canary.State().State {
	case server.CanaryAway:
		all = append(all, check.Find(content.Say("canary", "away", nil)))
	case server.CanaryHolding:
		all = append(all, check.Find(content.Say("canary", "holding", nil)))
	}
	return all
}

// delayStatus is the state of the waiting content for metrics; nil if there is none.
func (p *Publisher) delayStatus() *admin.Delay {
	if p.rollout.Role != server.RoleDelayed {
		return nil
	}
	d := &admin.Delay{For: p.rollout.Delay, Behind: p.remote.Canary != nil}
	if d.Behind {
		d.Serving = p.remote.Canary.State().State == server.CanaryServing
	}
	if w := p.remote.Guard.Decisions().Waiting; w != nil {
		d.Since = w.Since
	}
	return d
}

package author

import (
	"slices"
	"time"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/i18n"
)

// from is the time from which readers get what is published.
func (p *planner) from() time.Time {
	if !p.At.IsZero() {
		return p.snapshot.Begin(p.At.Format(content.Date))
	}
	return p.now
}

// on is the day of from. Days begin when the service changes its date.
func (p *planner) on() string { return p.snapshot.DayOf(p.from()) }

// ahead reports whether readers get a publication later than what is published now. A clock that
// is ahead by less than a day does not count.
func (p *planner) ahead(e *content.Entry) bool {
	today := max(p.on(), p.snapshot.DayOf(time.Now()))
	return p.snapshot.DayOf(e.PublishedAt) > today
}

// isRead reports whether readers get a publication as soon as what is published now.
func (p *planner) isRead(e *content.Entry) bool {
	return !e.Draft && e.Version.Prerelease() == "" && !p.ahead(e)
}

// notesOnTime state when readers get a publication, and which versions are never current because
// of it.
func (p *planner) notesOnTime(c change.PlannedTag) (all []i18n.Text) {
	if !p.At.IsZero() {
		all = append(
			all,
			i18n.New("published ahead: readers find it from %s on, at 00:00 %s", p.on(), p.snapshot.Settings.Zone()),
		)
	}
	for _, e := range p.snapshot.Item(c.Tag.Kind, c.Tag.Name).Entries {
		if !e.Draft && e.Version.Prerelease() == "" && p.ahead(e) {
			all = append(all, i18n.New(
				"%s is published ahead, for %s, and will never be current: %s is higher", e.Version,
				p.snapshot.DayOf(e.PublishedAt), c.Tag.Version,
			))
		}
	}
	return all
}

// due leaves out what was not requested, and what cannot be published yet; if it was requested by
// name, that is an obstacle.
func (p *planner) due(plan []change.PlannedTag) []change.PlannedTag {
	if !p.At.IsZero() && !p.from().After(p.now) {
		p.obstacle(i18n.Errorf(
			"--at %s is not in the future (%s): leave it out, what is published is found at once", p.on(),
			p.snapshot.Settings.Zone(),
		))
	}
	plan = slices.DeleteFunc(plan, func(c change.PlannedTag) bool {
		_, version := p.prepared(c)
		return !p.wanted(c.Draft.Item()) && version == nil
	})
	for i := 0; i < len(plan); i++ {
		why, fatal := p.early(plan[i]), false
		if why == nil {
			why, fatal = p.alone(plan[i], plan)
		}
		if why == nil {
			continue
		}
		item := plan[i].Draft.Item()
		if fatal || slices.Contains(p.Items, item) {
			p.obstacle(why)
		} else {
			p.Deferred = append(p.Deferred, DeferredItem{item, Obstacle{why}})
		}
		plan, i = slices.Delete(plan, i, i+1), -1 // others may refer to it
	}
	return plan
}

// early is the reason if something is not in force yet when readers get it: a publication is
// current at once, unless it is a prerelease.
func (p *planner) early(c change.PlannedTag) error {
	from := c.Draft.Body().Text("valid_from")
	if c.Tag.Version.Prerelease() != "" || from <= p.on() {
		return nil
	}
	if s, _ := p.prepared(c); s != nil && from <= p.snapshot.DayOf(s.PublishedAt) {
		return nil
	}
	return i18n.Errorf(
		"%s: valid_from is %s, in the future: what is published is current at once, so publish it on that day, or "+
			"ahead of time: `rulestore publish %[1]s --at %[2]s`",
		c.Draft.Item(), from,
	)
}

// alone is the reason if something refers to what readers do not get by then; fatal if waiting does not help.
func (p *planner) alone(c change.PlannedTag, plan []change.PlannedTag) (why error, fatal bool) {
	for _, ref := range c.Draft.References() {
		to := p.snapshot.ItemByID(ref.Item)
		isPlanned := func(other change.PlannedTag) bool { return other.Draft.Item() == ref.Item }
		if !slices.ContainsFunc(plan, isPlanned) && (to == nil || !slices.ContainsFunc(to.Entries, p.isRead)) {
			return p.refersTo(c, ref, to)
		}
	}
	return nil, false
}

func (p *planner) refersTo(c change.PlannedTag, ref content.Reference, to *content.Item) (why error, fatal bool) {
	where := i18n.New(
		"%s:%d:%d: %s refers to %s", p.file(c.Tag.Kind, c.Tag.Name), ref.Line, ref.Column, c.Draft.Item(), ref.Item,
	)
	if to != nil {
		if e := change.Published(to, true); e != nil {
			return i18n.Errorf(
				"%s, which readers find from %s on: publish it for that day, `rulestore publish %s --at %[2]s`", where,
				p.snapshot.DayOf(e.PublishedAt), c.Draft.Item(),
			), false
		}
	}
	if slices.ContainsFunc(p.Deferred, func(w DeferredItem) bool { return w.Item == ref.Item }) {
		return i18n.Errorf("%s, which waits", where), false
	}
	return i18n.Errorf(
		"%s, which is not published: publish both, `rulestore publish %s %s`", where, c.Draft.Item(), ref.Item,
	), true
}

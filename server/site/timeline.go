package site

import (
	"cmp"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/check"
	"rulestore/content/document"
	"rulestore/server/api"
	"rulestore/server/page"
)

// TimelineOf is a request for a timeline: of which section ("": all), and what applied on one
// day by what was known on another ("": now).
type TimelineOf struct {
	Section, AsOf, InForce string
	Offset                 int // of the list of sections
}

// timelineAnswer is the answer to that.
type timelineAnswer struct {
	TimelineOf
	item    *content.Item
	history *itemHistory
	of      *sectionHistory   // the item or section requested
	within  []*sectionHistory // its subsections
	title   string            // of the item
	applied applied
}

// applied is what applied on the requested days.
type applied struct {
	entry    *content.Entry // nil: nothing
	timeline *timeline      // that it was found by, nil if in_force was not requested
	day      string         // the day in force
	section  *document.Node // nil if the version does not have it, or the item is requested
	none     string         // the reason why nothing applied, in Russian
}

// sectionPath is the address of a section of a version.
func sectionPath(e *content.Entry, section string) string {
	return e.Path() + "?section=" + page.SectionQuery(section)
}

// Timeline returns the history of an item or of a section of it, version by version, and what
// applied on a day. An address that is not a section of its own is covered by the section that
// contains it; the error is an [UnknownSection] if no version has it. If all versions are
// redacted, it is what the address of the highest one answers.
func (s *Site) Timeline(item *content.Item, a TimelineOf) (*Resource, error) {
	if len(ReadableVersions(item)) == 0 {
		return s.Lookup(item.Entries[0].Path()), nil
	}
	p := s.history(item)
	t := &timelineAnswer{TimelineOf: a, item: item, history: p, of: &p.whole}
	if t.title = item.ID(); len(p.whole.events) > 0 {
		t.title = title(p.whole.events[len(p.whole.events)-1].Body())
	}
	if a.Section != "" {
		if t.of = s.config.sectionHistoryAt(p, a.Section); t.of == nil {
			return nil, s.config.unknownSection(p, a.Section)
		}
		t.Section, a.Section = t.of.address, t.of.address
	}
	for _, section := range p.sections {
		if a.Section == "" || strings.HasPrefix(section.address, a.Section+"/") {
			t.within = append(t.within, section)
		}
	}
	t.applied = s.applied(item, a)
	return jsonResource(func() Body { return s.timelineJSON(t) }).
		withMarkdown(func() []byte { return s.timelineMarkdown(t) }).
		with(s.frame, func() page.Page { return s.timelinePage(t) }), nil
}

// sectionHistoryAt is the history of the section at an address or of the closest one around it,
// nil if there is none.
func (c Config) sectionHistoryAt(p *itemHistory, address string) *sectionHistory {
	if p.known[address] == nil && (p.newest == nil || c.tree(p.newest).At(address) == nil) {
		return nil
	}
	for ; p.known[address] == nil && address != ""; address = parentAddress(address) {
	}
	return p.known[address]
}

func (c Config) unknownSection(p *itemHistory, section string) error {
	if p.newest == nil {
		return unknownSection(section, "")
	}
	return unknownSection(section, check.NearestSection(c.tree(p.newest), section))
}

// applied is what applied on the requested days: in force on a day by what was known on another
// or, without it, published by then.
func (s *Site) applied(item *content.Item, a TimelineOf) (found applied) {
	found.day = a.InForce
	if a.InForce == "" && a.AsOf == "" && api.HasPeriods(item.Kind) {
		found.day = s.Snapshot.Date
	}
	switch e := s.OnDay(item, a.AsOf, found.day); {
	case e == nil:
		found.none = s.whyNothing(item, a)
	case !isReadable(e):
		found.none = "Версия " + e.Version.String() + " изъята, и показать её нельзя." + reasonSentence(e.Reason)
	default:
		found.entry = e
	}
	if found.entry == nil {
		return found
	}
	if found.day != "" {
		found.timeline = s.timeline(item, a.AsOf)
	}
	if a.Section != "" {
		if found.section = s.config.tree(found.entry).At(a.Section); found.section == nil {
			found.none = "В версии " + found.entry.Version.String() + " этого раздела нет."
		}
	}
	return found
}

// whyNothing is the reason why nothing applied on the requested days.
func (s *Site) whyNothing(item *content.Item, a TimelineOf) string {
	switch first, near := s.nearestApplied(item, a.AsOf, a.InForce); {
	case first:
		return "Ещё ничего не было опубликовано." + near
	case a.InForce != "":
		return "В этот день ничего не действовало." + near
	}
	return "Действующей версии не было."
}

// NothingOn says that nothing of an item applied on a day: was in force by what was published until
// asOf or until now or, without such a day, was current; and when something did. The item is called
// as given.
func (s *Site) NothingOn(item *content.Item, name, asOf, on string) string {
	switch first, near := s.nearestApplied(item, asOf, on); {
	case on == "" || first:
		return "На " + page.DayOf(cmp.Or(asOf, s.Snapshot.Date)) + " у элемента " + name +
			" не было действующей версии." + near
	default:
		return page.DayOf(on) + " из " + name + " ничего не действовало." + near
	}
}

// nearestApplied says when something of an item applies, of which nothing does on the requested days. First
// reports whether nothing had been published.
func (s *Site) nearestApplied(item *content.Item, asOf, on string) (first bool, text string) {
	if day := s.Snapshot.On(cmp.Or(asOf, s.Snapshot.Date)).Later(item); day != "" {
		return true, " Первая опубликована " + page.DayOf(day) + "."
	}
	t := s.timeline(item, asOf)
	if on == "" || t == nil {
		return false, ""
	}
	at := t.At(on)
	if i := t.Before(at); i >= 0 {
		was := t.Timeline[i]
		text += " По " + page.DayOf(was.To) + " действовала версия " + was.Entry.Version.String() + "."
	}
	if i := t.After(at); i >= 0 {
		next := t.Timeline[i]
		text += " С " + page.DayOf(next.From) + " действует версия " + next.Entry.Version.String() + "."
	}
	return false, text
}

// words introduce what applied by the requested days.
func (a applied) words(asked TimelineOf) string {
	switch {
	case asked.InForce != "" && asked.AsOf != "":
		return "Применялось " + page.DayOf(asked.InForce) + " по опубликованному на " + page.DayOf(asked.AsOf)
	case asked.InForce != "":
		return "Применялось " + page.DayOf(asked.InForce)
	case asked.AsOf != "":
		return "Было опубликовано на " + page.DayOf(asked.AsOf)
	}
	return "Применяется сейчас"
}

// version names the version and, if requested, the days on which it is in force.
func (a applied) version() string {
	switch {
	case a.entry == nil:
		return ""
	case a.timeline != nil:
		return a.timeline.words(a.timeline.At(a.day))
	}
	return "версия " + a.entry.Version.String()
}

// timelinePath is the path of the timeline of an item or a section.
func timelinePath(item, section string) string {
	if section == "" {
		return api.TimelinePath + item
	}
	return api.TimelinePath + item + "?section=" + page.SectionQuery(section)
}

// verbs are the names of events, in Russian.
var verbs = map[change.Verb]string{
	change.Added: "появилось", change.Changed: "изменено", change.Removed: "убрано", present: "уже было",
	redacted: "изъята",
}

// word is the name of the event.
func (e event) word() string {
	if e.what == change.Changed && e.class == change.None {
		return "содержание прежнее" // only dates of verification, checksums or the format differ
	}
	return verbs[e.what]
}

// comparePath is the path of the comparison that shows the change, "" if there is none.
func (e event) comparePath(section string) string {
	if e.before == nil || e.what == change.Changed && e.class == change.None {
		return ""
	}
	versions := "from=" + e.before.Version.String() + "&to=" + e.Version.String()
	if section != "" { // first, as browsers read &section in text as §
		versions = "section=" + page.SectionQuery(section) + "&" + versions
	}
	return api.ComparePath + e.Item() + "?" + versions
}

// maxSections is the maximum number of sections in an answer for programs.
const maxSections = 500

func (s *Site) timelineJSON(t *timelineAnswer) Body {
	c := s.config
	var o object
	o.text("item", t.item.ID())
	o.text("title", t.title)
	o.optional("section", t.Section)
	if t.Section != "" {
		o.optional("section_title", t.of.title)
	}
	o.text("date", s.Snapshot.Date)
	o.optional("as_of", t.AsOf)
	o.optional(InForceParameter, t.InForce)
	if a := t.applied; a.entry != nil {
		o.raw("applied", s.appliedJSON(a).Bytes)
	}
	o.optional("not_applied", t.applied.none)
	o.array("events", bodies(t.history.events(t.of), func(e event) Body { return s.eventJSON(e, t.Section) }))
	o.count("events_left", t.history.left)
	from := min(t.Offset, len(t.within))
	to := min(from+maxSections, len(t.within))
	o.value("total", len(t.within))
	if to < len(t.within) {
		o.value("next_offset", to)
	}
	o.array("sections", bodies(t.within[from:to], func(p *sectionHistory) Body { return c.sectionJSON(t.item, p) }))
	o.text("url", c.url(timelinePath(t.item.ID(), t.Section)))
	o.fetchedAt()
	return o.end()
}

func (s *Site) appliedJSON(a applied) Body {
	var o object
	o.raw("version", s.config.version(a.entry, s.logOf(a.entry.Source)).Bytes)
	if a.timeline != nil {
		i := a.timeline.At(a.day)
		o.raw("period", append(days(a.timeline.Timeline[i].Period), a.timeline.stated(i)...).AppendJSON(nil))
	}
	if a.section != nil {
		o.raw("content", a.section.Raw)
	}
	return o.end()
}

func (s *Site) eventJSON(e event, section string) Body {
	var o object
	o.text("what", string(e.what))
	if e.before != nil {
		o.text("class", e.class.String())
	}
	o.count("changes", e.changes)
	if e.what != redacted {
		o.optional("valid_from", e.Body().Text("valid_from"))
	}
	o.raw("version", s.config.version(e.Entry, s.logOf(e.Entry.Source)).Bytes)
	if path := e.comparePath(section); path != "" {
		o.text("compare_url", s.URL(path))
	}
	return o.end()
}

func (c Config) sectionJSON(item *content.Item, p *sectionHistory) Body {
	var o object
	o.text("section", p.address)
	o.text("title", cmp.Or(p.title, p.address))
	added, last, removed := p.milestones()
	for _, m := range []struct {
		name string
		e    *event
	}{{"since", added}, {"changed", last}, {"removed", removed}} {
		if m.e != nil {
			o.text(m.name, m.e.Version.String())
		}
	}
	o.value("changes", p.changed())
	o.text("timeline_url", c.url(timelinePath(item.ID(), p.address)))
	return o.end()
}

package site

import (
	"cmp"
	"slices"
	"strings"

	"rulestore/content"
	"rulestore/content/change"
	"rulestore/content/document"
	"rulestore/content/redline"
)

const (
	// maxPast is how many versions of an item are compared with each other, and maxPastSize how
	// many bytes of them: the newest.
	maxPast, maxPastSize = 50, 2 << 20
	// sizeOfEvent is about how many bytes an event takes.
	sizeOfEvent = 120
)

// The results for a section in a version, besides those of a comparison.
const (
	present  change.Verb = "present"  // it was there already in the oldest version that was looked at
	redacted change.Verb = "redacted" // nobody is told
)

// past is the history of an item, and of each of its sections, from version to version.
type past struct {
	whole    passage
	gaps     []event    // versions that cannot be read
	sections []*passage // in the order of the newest version, then those that are gone
	known    map[string]*passage
	newest   *content.Entry // the newest version that can be read; its tree is not kept, since all of these add up
	left     int            // older versions that were not looked at
}

// passage is the history of a section. Its events are in the order of versions, the first first.
type passage struct {
	address, title string
	level          int // 1: a field of the item
	events         []event
	current        bool // in the newest version
}

// event is what a version did to a section.
type event struct {
	*content.Entry
	before  *content.Entry // that it is compared with, nil if there is none
	at      int            // its place in the order of versions
	what    change.Verb
	class   change.Class
	changes int
}

// past returns the history of an item. It is kept for those that were asked for lately: it costs a
// comparison of each version with the one before it, and holds for every section and day.
func (s *Site) past(item *content.Item) *past {
	key := partKey{s.entries[item.Entries[0].Publication], "past"}
	if p, ok := s.parts.find(key).(*past); ok {
		return p
	}
	p := s.config.past(item)
	size := len(p.gaps) + len(p.whole.events)
	for _, section := range p.sections {
		size += 1 + len(section.events)
	}
	s.parts.keep(key, p, sizeOfEvent*size)
	return p
}

// past goes through the versions of an item that follow each other.
func (c Config) past(item *content.Item) *past {
	p := &past{known: map[string]*passage{}}
	versions := p.versions(item)
	var walk walk
	for at, e := range versions {
		if !mayBeTold(e) {
			p.gaps = append(p.gaps, event{Entry: e, at: at, what: redacted})
			continue
		}
		walk.step(c, p, e, at)
	}
	p.newest = walk.entry
	p.order(walk.tree, walk.sections)
	return p
}

// mayBeTold reports whether what a version says may be told.
func mayBeTold(e *content.Entry) bool { return e.Status != content.Redacted && e.Sound() }

// versions are those that are looked at, the first first.
func (p *past) versions(item *content.Item) (all []*content.Entry) {
	size := 0
	for e := item.Entries[0]; e != nil; e = e.Predecessor {
		if mayBeTold(e) {
			size += len(e.Body().AppendJSON(nil))
		}
		if len(all) > 0 && (len(all) >= maxPast || size > maxPastSize) {
			p.left++
			continue
		}
		all = append(all, e)
	}
	slices.Reverse(all)
	return all
}

// walk is how far the versions were gone through.
type walk struct {
	entry    *content.Entry // the last one, nil before the first
	tree     *document.Node
	sections map[string]*document.Node // by address
}

// step notes what a version did to the sections of the one before it.
func (w *walk) step(c Config, p *past, e *content.Entry, at int) {
	tree, sections := c.tree(e), map[string]*document.Node{}
	own := event{Entry: e, before: w.entry, at: at, what: change.Added}
	if p.left > 0 {
		own.what = present
	}
	var changed *changes
	if w.entry != nil {
		line := redline.Of(c.Schemas, e.Kind, e.Name, w.entry.Body(), e.Body())
		changed = changesOf(line)
		own.what, own.class, own.changes = change.Changed, line.Class, len(line.Changes)
	}
	p.whole.events = append(p.whole.events, own)
	for section := range tree.Sections() {
		sections[section.Address] = section.Node
		passed := p.known[section.Address]
		if passed == nil {
			passed = &passage{address: section.Address}
			p.known[section.Address] = passed
		}
		passed.title, passed.level = calledOf(section), section.Level
		if ev := own; changed.became(&ev, section.Address, w.sections[section.Address], section.Node) {
			passed.events = append(passed.events, ev)
		}
	}
	for address, n := range w.sections {
		if ev := own; sections[address] == nil && changed.became(&ev, address, n, nil) {
			p.known[address].events = append(p.known[address].events, ev)
		}
	}
	w.entry, w.tree, w.sections = e, tree, sections
}

// changes are those between two versions, by the sections that they are in.
type changes struct {
	within map[string]tally // in a section or in one that is in it
	whole  map[string]change.Class
}

type tally struct {
	count int
	class change.Class
}

func changesOf(line *redline.Redline) *changes {
	all := &changes{map[string]tally{}, map[string]change.Class{}}
	for _, c := range line.Changes {
		for address := c.Section; address != ""; address = around(address) {
			t := all.within[address]
			all.within[address] = tally{t.count + 1, max(t.class, c.Class)}
		}
		if c.ID == c.Section && c.Was != nil && c.Is != nil {
			all.whole[c.ID] = c.Class
		}
	}
	return all
}

// around is the address of what an address is in, "" of a field of the item.
func around(address string) string { return address[:max(strings.LastIndexByte(address, '/'), 0)] }

// became sets the change to a section, and reports whether there is one. Either node is nil
// if that version has it not; without changes there was no version before.
func (all *changes) became(e *event, address string, was, is *document.Node) bool {
	if all == nil {
		return true
	}
	t := all.within[address]
	switch {
	case was == nil:
		e.what, t = change.Added, all.nearest(address)
	case is == nil:
		e.what, t = change.Removed, all.nearest(address)
	case t.count == 0 && string(was.Raw) != string(is.Raw):
		t = all.aroundAsWhole(address)
	}
	e.class, e.changes = t.class, t.count
	return e.what != change.Changed || t.count > 0
}

// nearest are the changes in a section or, where there are none, in what it came or went with.
func (all *changes) nearest(address string) (t tally) {
	for ; t.count == 0 && address != ""; address = around(address) {
		t = all.within[address]
	}
	return tally{0, t.class}
}

// aroundAsWhole is the change of what a section is in, if that is told as one.
func (all *changes) aroundAsWhole(address string) tally {
	for outer := around(address); outer != ""; outer = around(outer) {
		if class, ok := all.whole[outer]; ok {
			return tally{1, class}
		}
	}
	return tally{}
}

// order lists the sections as the newest version has them, then those that are gone.
func (p *past) order(newest *document.Node, sections map[string]*document.Node) {
	if newest == nil {
		return
	}
	for section := range newest.Sections() {
		if passed := p.known[section.Address]; !passed.current {
			passed.current = true
			p.sections = append(p.sections, passed)
		}
	}
	from := len(p.sections)
	for _, passed := range p.known {
		if sections[passed.address] == nil {
			p.sections = append(p.sections, passed)
		}
	}
	slices.SortFunc(p.sections[from:], func(a, b *passage) int { return cmp.Compare(a.address, b.address) })
}

// calledOf is what people call a section.
func calledOf(s document.Section) string {
	if s.Name != "" || s.Kind != document.Object {
		return line(s.Title(s.Name))
	}
	return redline.Called(&document.Node{}, s.Node)
}

// events lists the changes to a section, with the versions that cannot be read, the newest first.
func (p *past) events(of *passage) []event {
	all := slices.Concat(of.events, p.gaps)
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(b.at, a.at) })
	return all
}

// milestones are the events that brought a section, changed it last (nil if none
// did since) and took it away (nil if it is there).
func (p *passage) milestones() (brought, last, gone *event) {
	for i := range p.events {
		switch e := &p.events[i]; e.what {
		case change.Changed:
			last = e
		case change.Removed:
			gone = e
		default:
			brought, last, gone = e, nil, nil
		}
	}
	return brought, last, gone
}

// changed counts the versions that changed a section.
func (p *passage) changed() (n int) {
	for _, e := range p.events {
		if e.what == change.Changed {
			n++
		}
	}
	return n
}

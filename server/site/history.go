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
	// maxHistory is the maximum number of versions of an item that are compared, the newest ones,
	// and maxHistorySize that of their bytes.
	maxHistory, maxHistorySize = 50, 2 << 20
	// sizeOfEvent is the approximate size of an event in bytes.
	sizeOfEvent = 120
)

// The kinds of events besides those of a comparison.
const (
	present  change.Verb = "present"  // in the oldest compared version
	redacted change.Verb = "redacted" // the version cannot be read
)

// itemHistory is the history of an item and of its sections, by version.
type itemHistory struct {
	whole    sectionHistory
	gaps     []event           // versions that cannot be read
	sections []*sectionHistory // in the order of the newest version, then removed ones
	known    map[string]*sectionHistory
	newest   *content.Entry // readable version; its tree is read again when needed, to save memory
	left     int            // older versions that were not compared
}

// sectionHistory is the history of a section, with its events in ascending order of versions.
type sectionHistory struct {
	address, title string
	level          int // 1: a field of the item
	events         []event
	current        bool // in the newest version
}

// event is what a version changed in a section.
type event struct {
	*content.Entry
	before  *content.Entry // the version that it is compared with, nil if there is none
	at      int            // index in the order of versions
	what    change.Verb
	class   change.Class
	changes int
}

// history returns the history of an item. It is cached, since all versions are compared for it,
// and it is the same for all sections and days.
func (s *Site) history(item *content.Item) *itemHistory {
	key := partKey{s.entries[item.Entries[0].Publication], "past"}
	if p, ok := s.parts.find(key).(*itemHistory); ok {
		return p
	}
	p := s.config.compareVersions(item)
	size := len(p.gaps) + len(p.whole.events)
	for _, section := range p.sections {
		size += 1 + len(section.events)
	}
	s.parts.keep(key, p, sizeOfEvent*size)
	return p
}

// compareVersions compares the successive versions of an item.
func (c Config) compareVersions(item *content.Item) *itemHistory {
	p := &itemHistory{known: map[string]*sectionHistory{}}
	versions := p.versions(item)
	var walk walk
	for at, e := range versions {
		if !isReadable(e) {
			p.gaps = append(p.gaps, event{Entry: e, at: at, what: redacted})
			continue
		}
		walk.step(c, p, e, at)
	}
	p.newest = walk.entry
	p.order(walk.tree, walk.sections)
	return p
}

// isReadable reports whether the content of a version can be served.
func isReadable(e *content.Entry) bool { return e.Status != content.Redacted && e.Sound() }

// versions lists the versions to compare in ascending order, and counts the others.
func (p *itemHistory) versions(item *content.Item) (all []*content.Entry) {
	size := 0
	for e := item.Entries[0]; e != nil; e = e.Predecessor {
		if isReadable(e) {
			size += len(e.Body().AppendJSON(nil))
		}
		if len(all) > 0 && (len(all) >= maxHistory || size > maxHistorySize) {
			p.left++
			continue
		}
		all = append(all, e)
	}
	slices.Reverse(all)
	return all
}

// walk is the state of a comparison of successive versions.
type walk struct {
	entry    *content.Entry // the previous version, nil at the start
	tree     *document.Node
	sections map[string]*document.Node // by address
}

// step adds what a version changed in the sections of the previous one.
func (w *walk) step(c Config, p *itemHistory, e *content.Entry, at int) {
	tree, sections := c.tree(e), map[string]*document.Node{}
	own := event{Entry: e, before: w.entry, at: at, what: change.Added}
	if p.left > 0 {
		own.what = present
	}
	var changed *changes
	if w.entry != nil {
		line := redline.Of(c.Schemas, e.Kind, e.Name, w.entry.Body(), e.Body())
		changed = changesBySection(line)
		own.what, own.class, own.changes = change.Changed, line.Class, len(line.Changes)
	}
	p.whole.events = append(p.whole.events, own)
	for section := range tree.Sections() {
		sections[section.Address] = section.Node
		known := p.known[section.Address]
		if known == nil {
			known = &sectionHistory{address: section.Address}
			p.known[section.Address] = known
		}
		known.title, known.level = historyTitle(section), section.Level
		if ev := own; changed.setChange(&ev, section.Address, w.sections[section.Address], section.Node) {
			known.events = append(known.events, ev)
		}
	}
	for address, n := range w.sections {
		if ev := own; sections[address] == nil && changed.setChange(&ev, address, n, nil) {
			p.known[address].events = append(p.known[address].events, ev)
		}
	}
	w.entry, w.tree, w.sections = e, tree, sections
}

// changes are the changes between two versions by section.
type changes struct {
	within map[string]tally // in a section or in its subsections
	whole  map[string]change.Class
}

type tally struct {
	count int
	class change.Class
}

func changesBySection(line *redline.Redline) *changes {
	all := &changes{map[string]tally{}, map[string]change.Class{}}
	for _, c := range line.Changes {
		for address := c.Section; address != ""; address = parentAddress(address) {
			t := all.within[address]
			all.within[address] = tally{t.count + 1, max(t.class, c.Class)}
		}
		if c.ID == c.Section && c.Was != nil && c.Is != nil {
			all.whole[c.ID] = c.Class
		}
	}
	return all
}

// parentAddress is the address of the section around an address, "" for a field of the item.
func parentAddress(address string) string {
	return address[:max(strings.LastIndexByte(address, '/'), 0)]
}

// setChange sets the change of a section in an event, and reports whether there is one. A node is
// nil if its version does not have the section; without changes there is no version before.
func (all *changes) setChange(e *event, address string, was, is *document.Node) bool {
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
		t = all.replacedAround(address)
	}
	e.class, e.changes = t.class, t.count
	return e.what != change.Changed || t.count > 0
}

// nearest is the class of the changes in a section or, if there are none, in the closest section
// around it.
func (all *changes) nearest(address string) (t tally) {
	for ; t.count == 0 && address != ""; address = parentAddress(address) {
		t = all.within[address]
	}
	return tally{0, t.class}
}

// replacedAround is the change of a section around another that was replaced as a whole.
func (all *changes) replacedAround(address string) tally {
	for outer := parentAddress(address); outer != ""; outer = parentAddress(outer) {
		if class, ok := all.whole[outer]; ok {
			return tally{1, class}
		}
	}
	return tally{}
}

// order lists the sections of the newest version in its order, then the removed ones.
func (p *itemHistory) order(newest *document.Node, sections map[string]*document.Node) {
	if newest == nil {
		return
	}
	for section := range newest.Sections() {
		if known := p.known[section.Address]; !known.current {
			known.current = true
			p.sections = append(p.sections, known)
		}
	}
	from := len(p.sections)
	for _, known := range p.known {
		if sections[known.address] == nil {
			p.sections = append(p.sections, known)
		}
	}
	slices.SortFunc(p.sections[from:], func(a, b *sectionHistory) int { return cmp.Compare(a.address, b.address) })
}

// historyTitle is the title of a section.
func historyTitle(s document.Section) string {
	if s.Name != "" || s.Kind != document.Object {
		return line(s.Title(s.Name))
	}
	return redline.Called(&document.Node{}, s.Node)
}

// events lists the changes of a section, and the versions that cannot be read, newest first.
func (p *itemHistory) events(of *sectionHistory) []event {
	all := slices.Concat(of.events, p.gaps)
	slices.SortFunc(all, func(a, b event) int { return cmp.Compare(b.at, a.at) })
	return all
}

// milestones are the events that added a section, changed it last (nil if none did since) and
// removed it (nil if it exists).
func (p *sectionHistory) milestones() (added, last, removed *event) {
	for i := range p.events {
		switch e := &p.events[i]; e.what {
		case change.Changed:
			last = e
		case change.Removed:
			removed = e
		default:
			added, last, removed = e, nil, nil
		}
	}
	return added, last, removed
}

// changed counts the versions that changed a section.
func (p *sectionHistory) changed() (n int) {
	for _, e := range p.events {
		if e.what == change.Changed {
			n++
		}
	}
	return n
}

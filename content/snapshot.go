package content

import (
	"cmp"
	"slices"
	"time"

	"github.com/Masterminds/semver/v3"
)

// Source identifies the inputs of a snapshot.
type Source struct {
	Commit string // the commit at the head of the branch
	Branch string
	// a hash of the sorted (ref, object id) pairs, and of the work tree and the trusted signers if there are any
	Refs   string
	Date   string // the date, in the time zone of the settings
	Drafts bool   // drafts and prereleases are served as current versions
}

// Input is the input of [NewSnapshot].
type Input struct {
	Source
	Settings     Settings
	SignedFiles  []SignedFile   // the versions of settings and marks, with trusted signers
	Publications []*Publication // all that can be served, in any order
	Releases     []*Release
	Upcoming     []*Publication // those with a date in the future, in any order
	Held         []*Publication // see [Snapshot.Held]
	Marks        []Mark
	Spent        map[string][]*semver.Version
	// Before is a snapshot whose unchanged items are reused, nil if there is none. It affects
	// only the cost.
	Before *Snapshot
}

// Snapshot is all published content at one instant. It is immutable.
type Snapshot struct {
	Source
	Settings    Settings
	SignedFiles []SignedFile // the versions of settings and marks, with trusted signers
	Items       []*Item      // by kind and name
	Products    []*Change    // product releases, newest first
	Changes     []*Change    // the changelog, newest first

	// Upcoming are the publications that are complete except that their day is in the future,
	// the earliest first.
	Upcoming []*Publication

	// Held are the publications that are complete and not served, because of what they refer to.
	Held []*Publication

	// Spent are the versions by item that are sealed and not served: nothing else can be
	// published under their numbers.
	Spent map[string][]*semver.Version

	byID  map[string]*Item
	marks []Mark
	now   Day
}

// NewSnapshot orders the publications by item and version and determines the status of each on
// the input's date (design, section 4). It is a function of its input alone.
func NewSnapshot(in Input) *Snapshot {
	s := &Snapshot{
		Source: in.Source, Settings: in.Settings, SignedFiles: in.SignedFiles, marks: in.Marks,
		Spent: in.Spent, Held: in.Held,
	}
	items := byItem(in.Publications)
	s.Items, s.byID = make([]*Item, 0, len(items)), make(map[string]*Item, len(items))
	before, marks := in.same(), marksInForce(in.Marks, in.Date)
	s.now = Day{date: in.Date, zone: in.Settings.Zone(), marks: marks}
	for _, p := range in.Upcoming {
		if !marks[p.Item()].redacts(p) { // its text must not be read before it is redacted
			s.Upcoming = append(s.Upcoming, p)
		}
	}
	slices.SortFunc(s.Upcoming, sooner)
	for _, versions := range items {
		id := versions[0].Item()
		it := before[id]
		if it == nil || !it.has(versions) {
			it = newItem(versions, marks[id], in.Source)
		}
		s.Items, s.byID[id] = append(s.Items, it), it
	}
	slices.SortFunc(s.Items, CompareItems)
	s.makeChangelog(in.Releases, in.Before)
	return s
}

// sooner compares publications by their date, then by tag.
func sooner(a, b *Publication) int {
	return cmp.Or(a.PublishedAt.Compare(b.PublishedAt), cmp.Compare(a.Tag(), b.Tag()))
}

// Turn returns the next day on which the snapshot changes, by upcoming publications, marks and
// due reviews; "" if there is none.
func (s *Snapshot) Turn() (next string) {
	turn := func(day string) {
		if day > s.Date && (next == "" || day < next) {
			next = day
		}
	}
	for _, p := range s.Upcoming {
		turn(s.DayOf(p.PublishedAt))
	}
	for _, m := range s.marks {
		turn(m.Since)
	}
	for _, it := range s.Items {
		if it.Kind.Expires && it.Current != nil && it.Current.Status == Current {
			turn(DayAfter(it.Current.RecheckAfter()))
		}
	}
	return next
}

// same returns the items of the previous snapshot if nothing that applies to all versions has
// changed.
func (in Input) same() map[string]*Item {
	s := in.Before
	if s == nil || s.Date != in.Date || s.Drafts != in.Drafts || !slices.Equal(s.marks, in.Marks) {
		return nil
	}
	return s.byID
}

// byItem groups publications by item. Those of an item are mostly adjacent.
func byItem(all []*Publication) (items [][]*Publication) {
	index := map[string]int{}
	for len(all) > 0 {
		first, n := all[0], 1
		for n < len(all) && all[n].Kind == first.Kind && all[n].Name == first.Name {
			n++
		}
		if i, ok := index[first.Item()]; ok {
			items[i] = append(items[i], all[:n]...)
		} else {
			index[first.Item()] = len(items)
			items = append(items, all[:n:n])
		}
		all = all[n:]
	}
	return items
}

// newItem makes an item of its versions.
func newItem(versions []*Publication, m itemMarks, src Source) *Item {
	it := &Item{Kind: versions[0].Kind, Name: versions[0].Name, Entries: make([]*Entry, len(versions))}
	for i, p := range versions {
		it.Entries[i] = &Entry{Publication: p, ModifiedAt: p.since()}
	}
	it.link()
	it.judge(m, src)
	return it
}

// has reports whether these are the versions of the item, in the order of the loader; in another
// order the result may be false.
func (i *Item) has(versions []*Publication) bool {
	for n, p := range versions {
		if len(versions) != len(i.Entries) || i.Entries[len(versions)-1-n].Publication != p {
			return false
		}
	}
	return true
}

// CompareItems compares items by kind and name: negative if a comes first.
func CompareItems(a, b *Item) int {
	return cmp.Or(cmp.Compare(slices.Index(Kinds, a.Kind), slices.Index(Kinds, b.Kind)), cmp.Compare(a.Name, b.Name))
}

// Item returns the item with that folder and name, nil if there is none.
func (s *Snapshot) Item(k *Kind, name string) *Item { return s.byID[k.Folder+"/"+name] }

// ItemByID returns the item of an id, folder and name, nil if there is none.
func (s *Snapshot) ItemByID(id string) *Item { return s.byID[id] }

// IsSpent reports whether a version of an item, folder and name, is sealed and not served.
func (s *Snapshot) IsSpent(item, version string) bool {
	return slices.ContainsFunc(s.Spent[item], func(v *semver.Version) bool { return v.String() == version })
}

// Day is a view of a snapshot as of the end of a day in the time zone of its settings, or as of
// an instant in it, by the publications and marks of today.
type Day struct {
	date  string
	zone  *time.Location
	marks map[string]itemMarks
	at    time.Time // zero: the end of the day
}

// Marks lists the marks whose day has come, as in lifecycle.yaml.
func (s *Snapshot) Marks() (all []Mark) {
	for _, m := range s.marks {
		if m.Since <= s.Date {
			all = append(all, m)
		}
	}
	return all
}

// AllMarks lists all marks of lifecycle.yaml, whatever their day.
func (s *Snapshot) AllMarks() []Mark { return slices.Clone(s.marks) }

// IsAsOf reports whether a text is a valid as_of: a day, 2026-05-01, or an instant with its
// zone, 2026-05-01T12:20:00+03:00 (RFC 3339).
func IsAsOf(text string) bool {
	_, noDay := time.Parse(Date, text)
	_, noInstant := time.Parse(time.RFC3339, text)
	return noDay == nil || noInstant == nil
}

// On returns the view of the snapshot at a valid as_of ([IsAsOf]): the end of a day, or an
// instant, at which the marks of its day are in force already.
func (s *Snapshot) On(asOf string) Day {
	date := s.DateOf(asOf)
	at, _ := time.Parse(time.RFC3339, asOf) // zero: a day
	return Day{date: date, zone: s.now.zone, marks: marksInForce(s.marks, date), at: at}
}

// DateOf returns the day of a valid as_of, "" of an empty one.
func (s *Snapshot) DateOf(asOf string) string {
	if at, err := time.Parse(time.RFC3339, asOf); err == nil {
		return s.DayOf(at)
	}
	return asOf
}

// DayOf returns the day of a time, in the time zone of the settings.
func (s *Snapshot) DayOf(t time.Time) string { return t.In(s.now.zone).Format(Date) }

// Begin returns the first moment of a day in the time zone of the settings, or the zero time if
// the text is not a day. If clocks are put forward at midnight, or the day is skipped, it is
// the moment to which they are put; if they are put back to midnight, the first of the two.
func (s *Snapshot) Begin(date string) time.Time {
	t, err := time.ParseInLocation(Date, date, s.now.zone)
	if err != nil {
		return time.Time{}
	}
	since, until := t.ZoneBounds()
	if s.DayOf(t) < date { // there is no midnight, so this is on the day before
		return until
	}
	if before := since.Add(-1); !since.IsZero() && s.DayOf(before) == date {
		_, offset := before.Zone()
		return time.Date(t.Year(), t.Month(), t.Day(), 0, 0, -offset, 0, time.UTC).In(s.now.zone)
	}
	return t
}

// Current returns the version of an item that was current then: nil before the first, or if
// every version was withdrawn by a mark.
func (d Day) Current(i *Item) *Entry {
	return i.choose(d.marks[i.ID()], d.has)
}

// Status returns the status of a version of an item at that time.
func (d Day) Status(i *Item, e *Entry) Status {
	status, _ := e.status(e == d.Current(i), d.marks[i.ID()], d.date)
	return status
}

// Later returns the day on which the first version of an item was published, if that is after
// this day; else "".
func (d Day) Later(i *Item) (day string) {
	for _, e := range i.Entries {
		if !e.Draft && d.isPast(e.PublishedAt) {
			return ""
		}
		if on := e.PublishedAt.In(d.zone).Format(Date); !e.Draft && (day == "" || on < day) {
			day = on
		}
	}
	return day
}

// isPast reports whether a time is before the end of the day, or not after the instant.
func (d Day) isPast(t time.Time) bool {
	if !d.at.IsZero() {
		return !t.After(d.at)
	}
	return t.In(d.zone).Format(Date) <= d.date
}

// Archived reports whether an item was archived as a whole by then. It was still served, but no
// longer listed.
func (d Day) Archived(i *Item) bool { return d.marks[i.ID()].item.Status == Archived }

// Count returns the number of publications.
func (s *Snapshot) Count() int {
	n := 0
	for _, it := range s.Items {
		n += it.Publications()
	}
	return n
}

// Publications returns how many versions of the item a tag has made public, so neither its draft nor
// its prereleases, whether these are shown or not.
func (i *Item) Publications() (n int) {
	for _, e := range i.Entries {
		if e.stable() {
			n++
		}
	}
	return n
}

// link sorts the versions and links each to its stable neighbours.
func (i *Item) link() {
	slices.SortFunc(i.Entries, func(a, b *Entry) int { return b.Version.Compare(a.Version) })
	var higher *Entry
	for _, e := range i.Entries {
		e.Successor = higher
		if e.stable() {
			higher = e
		}
	}
	var lower *Entry
	for _, e := range slices.Backward(i.Entries) {
		e.Predecessor = lower
		if e.stable() {
			lower = e
		}
	}
}

func (e *Entry) stable() bool { return e.Version.Prerelease() == "" }

// choose returns the highest version that can be current and is not withdrawn by a mark.
func (i *Item) choose(m itemMarks, may func(*Entry) bool) *Entry {
	for _, e := range i.Entries {
		if away := m.of(e).Status; away != Archived && away != Redacted && m.item.Status != Redacted && may(e) {
			return e
		}
	}
	return nil
}

// judge determines the current version and the status of every version.
func (i *Item) judge(m itemMarks, src Source) {
	i.Current = i.choose(m, func(e *Entry) bool { return e.stable() || src.Drafts })
	for _, e := range i.Entries {
		e.judge(e == i.Current, m, src.Date)
	}
	for _, e := range i.Entries {
		switch {
		case i.Current == nil || e == i.Current:
		case e.Version.GreaterThan(i.Current.Version): // it is withdrawn by a mark, so the current one applies again
			i.Current.touch(e.ModifiedAt)
		case e.Successor == nil: // a draft or prerelease is current
			e.touch(i.Current.since())
		}
	}
}

func (e *Entry) judge(current bool, m itemMarks, today string) {
	status, mark := e.status(current, m, today)
	e.Status, e.Reason, e.Since, e.ReplacedBy = status, mark.Reason, mark.Since, mark.ReplacedBy
	switch {
	case mark.Status != "":
		e.touch(day(mark.Since))
	case status == ReviewRequired:
		e.touch(day(e.RecheckAfter()).AddDate(0, 0, 1))
	}
	if !current && e.Successor != nil {
		e.touch(e.Successor.PublishedAt)
	}
}

// status returns the status of a version, and the mark that determined it.
func (e *Entry) status(current bool, m itemMarks, today string) (Status, Mark) {
	mark := m.of(e)
	if current || m.item.Status == Redacted {
		mark = stronger(mark, m.item)
	}
	if mark.Status == ReviewRequired && !e.Kind.Expires {
		mark = Mark{}
	}
	switch {
	case mark.Status != "":
		return mark.Status, mark
	case !current:
		return Superseded, mark
	case e.overdue(today):
		return ReviewRequired, mark
	}
	return Current, mark
}

// since returns the date of the version.
func (p *Publication) since() time.Time {
	if p.Draft {
		return p.UpdatedAt
	}
	return p.PublishedAt
}

// overdue reports whether the content should have been reviewed by today.
func (e *Entry) overdue(today string) bool {
	after := e.RecheckAfter()
	return e.Kind.Expires && after != "" && after < today
}

func (e *Entry) touch(t time.Time) {
	if t.After(e.ModifiedAt) {
		e.ModifiedAt = t
	}
}

// itemMarks are the marks in force for one item.
type itemMarks struct {
	item     Mark
	versions map[string]Mark
}

func (m itemMarks) of(e *Entry) Mark {
	if len(m.versions) == 0 {
		return Mark{}
	}
	return m.versions[e.Version.String()]
}

// redacts reports whether a version, or its whole item, is redacted.
func (m itemMarks) redacts(p *Publication) bool {
	return m.item.Status == Redacted || m.versions[p.Version.String()].Status == Redacted
}

func marksInForce(marks []Mark, today string) map[string]itemMarks {
	in := map[string]itemMarks{}
	for _, m := range marks {
		if m.Since > today {
			continue
		}
		im := in[m.Item]
		if m.Version == "" {
			im.item = stronger(im.item, m)
		} else {
			if im.versions == nil {
				im.versions = map[string]Mark{}
			}
			im.versions[m.Version] = stronger(im.versions[m.Version], m)
		}
		in[m.Item] = im
	}
	return in
}

// stronger returns the mark that withdraws more, so that a second mark never restores what was
// redacted.
func stronger(a, b Mark) Mark {
	rank := []Status{"", ReviewRequired, Archived, Redacted}
	if slices.Index(rank, b.Status) > slices.Index(rank, a.Status) {
		return b
	}
	return a
}

// ShortCommit returns the abbreviated commit for display: its first 12 hex digits.
func ShortCommit(commit string) string { return commit[:min(len(commit), 12)] }
